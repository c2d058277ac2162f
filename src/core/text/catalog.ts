import { config } from "@vscode/l10n";

/** The texts of a language, by those of the sources. */
export type Catalog = Readonly<Record<string, string>>;

let used: Catalog = {};

/** Has every text from here on looked up; what is not in the catalog stays as the sources have it. */
export function useCatalog(catalog: Catalog): void {
  used = catalog;
  config({ contents: { ...catalog } });
}

/** What texts are looked up in, for a thread of its own, which begins with none. */
export function catalogInUse(): Catalog {
  return used;
}
