import { parseRemapping, type Remapping } from "../languages/solidity/remapping.ts";
import { writtenRemapping } from "../languages/solidity/remappingsFile.ts";
import type { ImportGraph } from "../languages/solidity/sourceNaming.ts";
import {
  inferredRemappings,
  libraryFolders,
  otherLibraries,
  repositoryOf,
  testRemappings,
} from "../tools/foundry/libraryRepositories.ts";
import { HARDHAT3_OWN, HARDHAT3_PACKAGES } from "../tools/hardhat/hardhat3Names.ts";
import { packagedNames, SOURCE_FOLDERS, unique } from "./entryNames.ts";

/** Remappings, in any order: the order is in no metadata. */
export type RemappingList = readonly string[];

/** What is imported of a package. */
interface ImportedPackage {
  readonly npm: string;
  /** What the name of before has in the place of the package's: with its closing slash. */
  readonly target: string;
}

/** The packages that are imported by their names. */
export function importedPackages(graph: ImportGraph): ImportedPackage[] {
  const found = new Map<string, ImportedPackage>();
  for (const [path, target] of graph.namedImports) {
    const npm = /^(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
    if (npm === undefined || SOURCE_FOLDERS.includes(npm)) continue;
    const below = path.slice(npm.length + 1);
    if (!found.has(npm))
      found.set(npm, { npm, target: target.endsWith(below) ? target.slice(0, -below.length) : "" });
  }
  return [...found.values()];
}

/** Lists of remappings by which the tools find packages where they may lie, the likeliest first. */
export function packageLists(packages: readonly ImportedPackage[]): RemappingList[] {
  if (packages.length === 0) return [];
  const inFolder = (folder: string, of: (npm: string) => string = (npm) => npm) =>
    unique(packages.map(({ npm }) => `${of(npm)}/=${folder}/${of(npm)}/`));
  return uniqueLists([
    ...listsInLibraries(packages, 0),
    inFolder("node_modules", scopeOf),
    inFolder("node_modules"),
    inFolder(".deps/npm"),
    // Packages that are named with their release, as the present names have it.
    packages.flatMap(({ npm, target }) =>
      target.startsWith(HARDHAT3_PACKAGES) ? [`${HARDHAT3_OWN}:${npm}/=${target}`] : [],
    ),
    ...[1, 2].flatMap((at) => listsInLibraries(packages, at)),
  ]);
}

function scopeOf(npm: string): string {
  return npm.split("/")[0] ?? npm;
}

/** Lists by which forge finds packages among its libraries, each in one of the folders that it may have there. */
function listsInLibraries(packages: readonly ImportedPackage[], at: number): RemappingList[] {
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

/** What forge adds to the remappings of a project by itself, in three parts of which each list goes with each. */
export interface ForgeLists {
  /** By which the packages are found, the likeliest first. */
  readonly needed: readonly RemappingList[];
  /** What it infers from the libraries that are there, by the libraries' releases. */
  readonly inferred: readonly RemappingList[];
  /** What the libraries for tests bring. */
  readonly tests: readonly RemappingList[];
  /** What other libraries of a project bring. */
  readonly others: readonly RemappingList[];
}

/**
 * @param lists by which the packages are found
 * @param home the library that the contract's own file lies in: `lib/solmate`
 */
export function forgeLists(
  packages: readonly ImportedPackage[],
  lists: readonly RemappingList[],
  home?: string,
): ForgeLists {
  const repositories = unique([
    ...(home === undefined ? [] : [home]),
    ...packages.flatMap(({ npm }) => libraryFolders(npm).slice(0, 1).map(repositoryOf)),
  ]);
  const releases = repositories.map(inferredRemappings);
  const count = releases.reduce((most, { length }) => Math.max(most, length), 1);
  return {
    needed: uniqueLists([...lists, []]),
    inferred: uniqueLists(
      Array.from({ length: count }, (_, at) =>
        releases.flatMap((one) => one[Math.min(at, one.length - 1)] ?? []),
      ),
    ),
    tests: uniqueLists(testRemappings(repositories)),
    others: otherLibraries(repositories),
  };
}

/** A list as tools write it that do not close names by a slash, or tell no contexts. */
export function writtenOtherwise(list: RemappingList): RemappingList[] {
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

/** Every choice of some of a list, those that leave out least first. */
export function* subsets(list: RemappingList): Generator<RemappingList> {
  for (let bits = 2 ** list.length - 2; bits > 0; bits--) yield list.filter((_one, at) => (bits >> at) & 1);
}

/** A list with one or two left out, and one or two others taken in. */
export function* neighbours(list: RemappingList, pool: readonly string[]): Generator<RemappingList> {
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

export function uniqueLists(lists: readonly RemappingList[]): RemappingList[] {
  return [...new Map(lists.map((list) => [[...list].sort().join("\n"), list])).values()];
}
