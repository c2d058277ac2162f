import { readFileSync } from "node:fs";
import { join } from "node:path";
import { useCatalog } from "../../src/core/text/catalog.ts";
import { repositoryRoot } from "../rig/paths.ts";

/** The German catalog, English by its own words. */
export const GERMAN = JSON.parse(
  readFileSync(join(repositoryRoot, "l10n/bundle.l10n.de.json"), "utf8"),
) as Readonly<Record<string, string>>;

/** Does work as in an editor in German. */
export async function inGerman<T>(work: () => T | Promise<T>): Promise<T> {
  useCatalog(GERMAN);
  try {
    return await work();
  } finally {
    useCatalog({});
  }
}
