import { parseRemapping, type Remapping } from "../languages/solidity/remapping.ts";
import { writtenRemapping } from "../languages/solidity/remappingsFile.ts";
import type { ImportGraph, SourceNaming } from "../languages/solidity/sourceNaming.ts";
import {
  libraryFolders,
  packageInLibrary,
  remappingsAround,
  USUAL_REMAPPINGS,
} from "../tools/foundry/libraryRepositories.ts";
import { TOOLS } from "../tools/tool.ts";

/** What else is known of how a contract may have been called. */
export interface NamingClues {
  /** Absolute path of the contract's file, where it has one. */
  readonly path?: string | undefined;
  /** By what names the tools would compile the workspace as it is, the likeliest first. */
  readonly namings: readonly SourceNaming[];
}

/** How every tool names a project's own files. */
const FORMS = TOOLS.flatMap(({ namingForms = [] }) => namingForms);
/** What stands before their paths, the longest first: one may begin like another. */
const BEFORE = [...new Set(FORMS.map(({ before }) => before))].sort((a, b) => b.length - a.length);
/** The folders that sources lie in, those of the tools first. */
const FOLDERS = [...new Set([...FORMS.map(({ folder }) => folder), "sources", "source", "solidity", ""])];

/** Folders that people put contracts in below that of the sources. */
const FOLDERS_BELOW = ["token", "tokens", "core", "contracts", "main", "protocol", "v1", "v2", "src", "nft"];

/** So many of the likeliest names are tried with all lists that are like a likely one. */
const MAX_ENTRIES_AROUND = 4;
/** Lists of up to so many remappings are tried with any of them left out. */
const MAX_IN_SUBSETS = 10;

/**
 * By what names a contract may have been compiled, the likeliest first: those of each tool for these files, for the same
 * files in another folder or in a project of another tool, and with lists of remappings that are like these.
 */
export function* likelyNamings(
  graph: ImportGraph,
  given: SourceNaming,
  clues: NamingClues,
): Generator<SourceNaming> {
  yield* clues.namings;
  const packages = importedPackages(graph);
  const entries = unique([
    given.entry,
    ...clues.namings.map(({ entry }) => entry),
    ...entryNames(given.entry, clues.path),
  ]);
  const written = uniqueLists([given.remappings, [], ...clues.namings.map(({ remappings }) => remappings)]);
  const lists = uniqueLists([...written, ...packageLists(packages), ...written.flatMap(writtenOtherwise)]);
  yield* diagonal(entries, lists);
  const pool = unique([...lists.flat(), ...packages.flatMap(aroundPackage), ...USUAL_REMAPPINGS]);
  const top = entries.slice(0, MAX_ENTRIES_AROUND);
  const around = packages.flatMap(aroundPackage);
  const bases = [
    ...lists.filter((one) => one.length > 0 && one.length <= MAX_IN_SUBSETS),
    unique([...around, ...USUAL_REMAPPINGS]).slice(0, MAX_IN_SUBSETS),
  ];
  for (const base of bases)
    for (const remappings of subsets(base)) for (const entry of top) yield { entry, remappings };
  for (const base of lists)
    for (const remappings of neighbours(base, pool)) for (const entry of top) yield { entry, remappings };
}

/** Pairs of both, those first that stand first in both. */
function* diagonal(
  entries: readonly string[],
  lists: readonly (readonly string[])[],
): Generator<SourceNaming> {
  for (let sum = 0; sum < entries.length + lists.length - 1; sum++)
    for (let at = Math.max(0, sum - lists.length + 1); at <= Math.min(sum, entries.length - 1); at++) {
      const [entry, remappings] = [entries[at], lists[sum - at]];
      if (entry !== undefined && remappings) yield { entry, remappings };
    }
}

/** Names of the contract's file: in other folders, in a part of its path, as each tool writes it. */
function entryNames(entry: string, path: string | undefined): string[] {
  const before = BEFORE.find((one) => entry.startsWith(one)) ?? "";
  const own = entry.slice(before.length).replace(/^\/+/, "");
  const tails = tailsOf(own);
  const places = unique([own, ...tails.flatMap(inOtherFolders), ...tails]);
  const above = path?.endsWith(`/${own}`) ? path.slice(1, -own.length) : "";
  const folders = above === "" ? [] : tailsOf(above).filter((folder) => folder !== "");
  const likely = unique([own, ...inOtherFolders(own)]);
  return unique([
    ...places,
    ...packagedNames(path ?? entry),
    ...BEFORE.flatMap((one) => places.map((place) => one + place)),
    ...folders.flatMap((folder) => likely.map((place) => folder + place)),
    ...(path === undefined ? [] : [path]),
    ...places.flatMap((place) => [`/${place}`, `./${place}`]),
    ...inFoldersBelow(own),
  ]);
}

/** A path and what is left of it without its first folders. */
function tailsOf(path: string): string[] {
  const segments = path.split("/");
  return segments.map((_one, at) => segments.slice(at).join("/"));
}

/** The same below another folder of sources, or in one where it lies in none. */
function inOtherFolders(path: string): string[] {
  const folder = FOLDERS.find((one) => one !== "" && path.startsWith(`${one}/`));
  const below = folder === undefined ? path : path.slice(folder.length + 1);
  return FOLDERS.map((one) => (one === "" ? below : `${one}/${below}`));
}

/** The same one folder deeper. */
function inFoldersBelow(path: string): string[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return FOLDERS.filter((one) => one !== "").flatMap((folder) =>
    FOLDERS_BELOW.map((below) => `${folder}/${below}/${name}`),
  );
}

/** Names of a file of a package, as each tool has it. */
function packagedNames(path: string): string[] {
  const [, npm, below] =
    /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path) ??
    /^npm\/((?:@[^/]+\/)?[^/@]+)@[^/]+\/(.+)$/.exec(path) ??
    /^(@[^/]+\/[^/]+)\/(.+)$/.exec(path) ??
    [];
  const found = npm !== undefined && below !== undefined ? { npm, below } : packageInLibrary(path);
  if (!found) return [];
  const folders = [found.npm, `node_modules/${found.npm}`, ...libraryFolders(found.npm)];
  return folders.map((folder) => `${folder}/${found.below}`);
}

/** What is imported of a package. */
interface ImportedPackage {
  readonly npm: string;
  /** What the name of before has in the place of the package's: with its closing slash. */
  readonly target: string;
}

/** The packages that are imported by their names. */
function importedPackages(graph: ImportGraph): ImportedPackage[] {
  const found = new Map<string, ImportedPackage>();
  for (const [path, target] of graph.namedImports) {
    const npm = /^(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
    if (npm === undefined || FOLDERS.includes(npm)) continue;
    const below = path.slice(npm.length + 1);
    if (!found.has(npm))
      found.set(npm, { npm, target: target.endsWith(below) ? target.slice(0, -below.length) : "" });
  }
  return [...found.values()];
}

/** Lists of remappings by which the tools find packages where they may lie. */
function packageLists(packages: readonly ImportedPackage[]): (readonly string[])[] {
  if (packages.length === 0) return [];
  const inModules = (name: string) => `${name}/=node_modules/${name}/`;
  return [
    unique(packages.map(({ npm }) => inModules(scopeOf(npm)))),
    packages.map(({ npm }) => inModules(npm)),
    ...[0, 1, 2].flatMap((at) => listsInLibraries(packages, at)),
    // Packages that are named with their release, as the present names have it.
    packages.flatMap(({ npm, target }) => (target.startsWith("npm/") ? [`project/:${npm}/=${target}`] : [])),
  ];
}

function scopeOf(npm: string): string {
  return npm.split("/")[0] ?? npm;
}

/** Lists by which forge finds packages among its libraries, each in one of the folders that it may have there. */
function listsInLibraries(packages: readonly ImportedPackage[], at: number): (readonly string[])[] {
  const places = packages.map(({ npm }) => {
    const folders = libraryFolders(npm);
    return { npm, folder: folders[at] ?? folders[0] ?? "" };
  });
  return [
    places.map(({ npm, folder }) => `${npm}/=${folder}/`),
    // That of the scope, where the package has the name of its folder.
    unique(
      places.map(({ npm, folder }) => {
        const name = npm.slice(npm.indexOf("/") + 1);
        return npm.startsWith("@") && folder.endsWith(`/${name}`)
          ? `${scopeOf(npm)}/=${folder.slice(0, -name.length)}`
          : `${npm}/=${folder}/`;
      }),
    ),
    places.map(({ npm, folder }) => `${npm}/=${folder}/src/`),
  ];
}

/** The remappings that forge may have for a package beside those that the project needs. */
function aroundPackage({ npm }: ImportedPackage): string[] {
  const [folder = ""] = libraryFolders(npm);
  return [`${npm}/=${folder}/`, ...remappingsAround(folder)];
}

/** A list as tools write it that do not close names by a slash, or tell no contexts. */
function writtenOtherwise(list: readonly string[]): (readonly string[])[] {
  const rewritten = (change: (one: Remapping) => Remapping) =>
    list.map((line) => {
      const parsed = parseRemapping(line);
      return parsed ? writtenRemapping(change(parsed)) : line;
    });
  const open = (text: string) => text.replace(/\/$/, "");
  const closed = (text: string) => (/\.[a-z]+$/.test(text) ? text : `${open(text)}/`);
  return [
    rewritten((one) => ({ ...one, prefix: closed(one.prefix), target: closed(one.target) })),
    rewritten((one) => ({ ...one, prefix: open(one.prefix), target: open(one.target) })),
    rewritten((one) => ({ ...one, context: "" })),
    list.filter((line) => parseRemapping(line)?.context === ""),
    rewritten((one) => ({ ...one, context: open(one.context) })),
    ...[0, 1, 2, 3].map((at) => rewritten((one) => ({ ...one, target: elsewhere(one.target, at) }))),
  ];
}

/** The folder of a package in the nth place where tools have it; as it is, where it is none. */
function elsewhere(target: string, at: number): string {
  return packagedNames(target.replace(/\/?$/, PLACE))[at]?.slice(0, 1 - PLACE.length) ?? target;
}

/** Stands for a file of a folder. */
const PLACE = "/*";

/** Every choice of some of a list, the longest first. */
function* subsets(list: readonly string[]): Generator<readonly string[]> {
  for (let bits = 2 ** list.length - 2; bits > 0; bits--) yield list.filter((_one, at) => (bits >> at) & 1);
}

/** A list with one or two left out, and one or two others taken in. */
function* neighbours(list: readonly string[], pool: readonly string[]): Generator<readonly string[]> {
  const more = pool.filter((one) => !list.includes(one));
  const less = list.map((left) => list.filter((one) => one !== left));
  yield* less;
  for (const one of more) yield [...list, one];
  for (const shorter of less) for (const one of more) yield [...shorter, one];
  for (const [at, one] of more.entries()) for (const other of more.slice(at + 1)) yield [...list, one, other];
  for (const [at] of less.entries())
    for (let other = at + 1; other < list.length; other++)
      yield list.filter((_line, place) => place !== at && place !== other);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

/** The order of remappings is in no metadata. */
function uniqueLists(lists: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(lists.map((list) => [[...list].sort().join("\n"), list])).values()];
}
