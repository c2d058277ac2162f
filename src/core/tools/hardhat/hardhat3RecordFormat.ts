import { findInPieces } from "../../concurrency/turns.ts";
import { joinPath } from "../../files/fileReader.ts";
import { namesInPieces } from "../../json/entriesInPieces.ts";
import { asText, field } from "../../json/looseData.ts";
import { packageAliases } from "../../sources/packageAliases.ts";
import { findPackage, type InstalledPackage } from "../nodePackages.ts";
import type { RecordFormat } from "../recordFormat.ts";
import { HARDHAT3_OWN, hardhat3Packaged } from "./hardhat3Names.ts";

type Packages = ReadonlyMap<string, string>;
type PackageReader = Parameters<NonNullable<RecordFormat["ownNames"]>["pathsOf"]>[0];

/** build-info of Hardhat 3, which names files by the package that they are of. */
export const hardhat3Record: RecordFormat = {
  name: "hardhat-3",
  isOf: (json) => asText(field(json, "_format"))?.startsWith("hh3-") === true,
  ownNames: {
    *nameOf({ input: { sources }, userNames }, { relative, packaged }) {
      const has = (name: string) => (Object.hasOwn(sources, name) ? name : undefined);
      const mapped = relative === undefined ? undefined : asText(field(userNames, relative));
      if (mapped !== undefined) return has(mapped);
      const found = packaged
        ? yield* findInPieces(yield* namesInPieces(sources), (name) => {
            const parts = hardhat3Packaged(name);
            return parts?.name === packaged.name && parts.path === packaged.path;
          })
        : undefined;
      return found ?? (relative === undefined ? undefined : has(`${HARDHAT3_OWN}${relative}`));
    },
    async pathsOf(files, root, names) {
      const packages = await findPackages(files, root, names);
      return (name) => {
        const packaged = hardhat3Packaged(name);
        if (!packaged)
          return name.startsWith(HARDHAT3_OWN)
            ? [joinPath(root, name.slice(HARDHAT3_OWN.length))]
            : undefined;
        const folder = packages.get(`${packaged.name}@${packaged.version}`);
        return folder === undefined ? [] : [joinPath(folder, packaged.path)];
      };
    },
  },
};

/** The folders of packages by `name@version`: each is looked for from the root and from every package that was found. */
async function findPackages(files: PackageReader, root: string, names: readonly string[]): Promise<Packages> {
  const found = new Map<string, string>();
  const wanted = new Map(
    names.flatMap((name) => {
      const packaged = hardhat3Packaged(name);
      return packaged ? [[`${packaged.name}@${packaged.version}`, packaged] as const] : [];
    }),
  );
  const from = new Set([root]);
  for (const folder of from) {
    for (const [key, { name, version }] of wanted) {
      const one = await installed(files, folder, name, version);
      if (!one) continue;
      found.set(key, one.folder);
      wanted.delete(key);
      // What a package imports is looked up where it really lies.
      from.add((await files.realPath(one.folder)) ?? one.folder);
    }
    if (wanted.size === 0) break;
  }
  return found;
}

/** A package that a folder finds under its own name, or under one that the folder's manifest gives it. */
async function installed(
  files: PackageReader,
  folder: string,
  packageName: string,
  version: string,
): Promise<InstalledPackage | undefined> {
  const aliases = await packageAliases(files, folder);
  const others = aliases.flatMap(({ installedAs, name }) => (name === packageName ? [installedAs] : []));
  for (const name of [packageName, ...others]) {
    const found = await findPackage(files, folder, name);
    if (found?.name === packageName && (version === "local" || found.version === version)) return found;
  }
  return undefined;
}
