import { joinPath, type FileReader } from "../files/fileReader.ts";
import { readJson } from "../json/dataFile.ts";
import { asRecord, asText, field } from "../json/looseData.ts";

/** A package that a manifest has installed under another name than its own. */
interface PackageAlias {
  /** The name of its folder in `node_modules`. */
  readonly installedAs: string;
  readonly name: string;
}

/** The lists of a manifest that name what is installed with a package. */
export const DEPENDENCY_KINDS = ["dependencies", "devDependencies", "optionalDependencies"];

/** The packages that the manifest in a folder has installed under other names: `"a": "npm:b@^1.0.0"`. */
export async function packageAliases(files: FileReader, folder: string): Promise<PackageAlias[]> {
  const manifest = await readJson(files, joinPath(folder, "package.json"));
  return DEPENDENCY_KINDS.flatMap((kind) =>
    Object.entries(asRecord(field(manifest, kind)) ?? {}).flatMap(([installedAs, asked]) => {
      const name = /^npm:((?:@[^/]+\/)?[^@]+)/.exec(asText(asked) ?? "")?.[1];
      return name === undefined ? [] : [{ installedAs, name }];
    }),
  );
}
