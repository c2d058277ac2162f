import { parseRemapping } from "../languages/solidity/remapping.ts";
import { packagedPath } from "../sources/packagedPath.ts";
import { KNOWN_PACKAGES, libraryFolders, packageInLibrary } from "../tools/foundry/libraryRepositories.ts";
import { hardhat3Packaged } from "../tools/hardhat/hardhat3Names.ts";
import { NAMING_FORMS, OWN_PREFIXES, ownPath } from "../tools/tool.ts";

/** The folders that sources lie in, those of the tools first. */
export const SOURCE_FOLDERS: readonly string[] = [
  ...new Set([...NAMING_FORMS.map(({ folder }) => folder), "sources", "source", "solidity", ""]),
];

/** Folders that people put contracts in below that of the sources. */
const FOLDERS_BELOW = ["token", "tokens", "core", "contracts", "main", "protocol", "v1", "v2", "src", "nft"];

/** What the contract's file may have been called. */
interface EntryNames {
  /** Every name that is thought of, the likeliest first. */
  readonly all: readonly string[];
  /** Names that it has as one of the files of a project of forge's. */
  readonly ofForge: readonly string[];
  /** Names that it has as a file of one of forge's libraries: below `lib`. */
  readonly inLibraries: readonly string[];
}

/**
 * Names of the contract's file: in other folders, in a part of its path, as each tool writes it, as a file of a package.
 *
 * @param entry its source unit name now
 * @param path absolute, where it has one
 * @param remappings all that are thought of: the file may lie where one of them leads to
 */
export function entryNames(
  entry: string,
  path: string | undefined,
  remappings: readonly string[],
): EntryNames {
  const own = ownPath(entry).replace(/^\/+/, "");
  const name = own.slice(own.lastIndexOf("/") + 1);
  const below = belowSources(own);
  const tails = tailsOf(own);
  const places = unique([own, ...tails.flatMap(inOtherFolders), ...tails]);
  const above = path?.endsWith(`/${own}`) ? path.slice(1, -own.length) : "";
  const folders = tailsOf(above).filter((folder) => folder !== "");
  const likely = unique([own, ...inOtherFolders(below), ...inOtherFolders(name)]);
  const packaged = unique([own, ...(path === undefined ? [] : [path])].flatMap(packagedNames));
  const targets = unique(remappings.map((line) => parseRemapping(line)?.target ?? "")).filter((target) =>
    target.endsWith("/"),
  );
  return {
    all: unique([
      entry,
      ...places,
      ...packaged,
      ...OWN_PREFIXES.flatMap((one) => places.map((place) => one + place)),
      ...targets.map((target) => target + below),
      ...folders.flatMap((folder) => likely.map((place) => folder + place)),
      ...(path === undefined ? [] : [path]),
      ...places.flatMap((place) => [`/${place}`, `./${place}`]),
      ...inFoldersBelow(name),
      ...KNOWN_PACKAGES.flatMap((npm) => [`${npm}/${below}`, `${npm}/contracts/${below}`]),
    ]),
    ofForge: unique([
      entry,
      ...["src/", "contracts/", ""].flatMap((folder) => [folder + below, folder + name]),
      own,
    ]),
    inLibraries: unique([
      ...packaged.filter((one) => one.startsWith("lib/")),
      ...KNOWN_PACKAGES.flatMap(libraryFolders).map((folder) => `${folder}/${below}`),
    ]),
  };
}

/** A path below the folder of sources that it leads through; as it is, where it leads through none. */
function belowSources(path: string): string {
  const inPackage = packagePath(path)?.below;
  const segments = (inPackage ?? path).split("/");
  const at = segments.slice(0, -1).findIndex((one) => SOURCE_FOLDERS.includes(one));
  return segments.slice(at + 1).join("/");
}

/** A path and what is left of it without its first folders. */
function tailsOf(path: string): string[] {
  const segments = path.split("/");
  return segments.map((_one, at) => segments.slice(at).join("/"));
}

/** The same below another folder of sources, or in one where it lies in none. */
function inOtherFolders(path: string): string[] {
  const folder = SOURCE_FOLDERS.find((one) => one !== "" && path.startsWith(`${one}/`));
  const below = folder === undefined ? path : path.slice(folder.length + 1);
  return SOURCE_FOLDERS.map((one) => (one === "" ? below : `${one}/${below}`));
}

/** A file one folder deeper. */
function inFoldersBelow(name: string): string[] {
  return SOURCE_FOLDERS.filter((one) => one !== "").flatMap((folder) =>
    FOLDERS_BELOW.map((below) => `${folder}/${below}/${name}`),
  );
}

/** The package that a path leads into, as each tool has it, and the path below. */
function packagePath(path: string): { readonly npm: string; readonly below: string } | undefined {
  const found = packagedPath(path) ?? hardhat3Packaged(path);
  if (found && found.path !== "") return { npm: found.name, below: found.path };
  const [, npm, below] = /^(@[^/]+\/[^/]+)\/(.+)$/.exec(path) ?? [];
  return npm !== undefined && below !== undefined ? { npm, below } : packageInLibrary(path);
}

/** Names of a file of a package, as each tool has it; none for any other. */
export function packagedNames(path: string): string[] {
  const found = packagePath(path);
  if (!found) return [];
  const folders = [found.npm, `node_modules/${found.npm}`, ...libraryFolders(found.npm)];
  return folders.map((folder) => `${folder}/${found.below}`);
}

/** Each once, as it came first. */
export function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
