import { parseRemapping } from "../languages/solidity/remapping.ts";
import type { ImportGraph, SourceNaming } from "../languages/solidity/sourceNaming.ts";
import { repositoryOf } from "../tools/foundry/libraryRepositories.ts";
import { entryNames, unique } from "./entryNames.ts";
import {
  forgeLists,
  importedPackages,
  neighbours,
  packageLists,
  subsets,
  uniqueLists,
  writtenOtherwise,
  type ForgeLists,
  type RemappingList,
} from "./remappingLists.ts";

/** What else is known of how a contract may have been called. */
export interface NamingClues {
  /** Absolute path of the contract's file, where it has one. */
  readonly path?: string | undefined;
  /** By what names the tools would compile the workspace as it is, the likeliest first. */
  readonly namings: readonly SourceNaming[];
}

/** So many of the likeliest names are tried with all lists that are like a likely one. */
const MAX_ENTRIES_AROUND = 4;
/** Lists of up to so many remappings are tried with any of them left out. */
const MAX_IN_SUBSETS = 8;

/**
 * By what names a contract may have been compiled, the likeliest first: those of each tool for these files, and then in
 * turn those of the same files in another folder or in a project of another tool, those of forge with what it infers from
 * libraries of one release or another, and those with lists of remappings that are like these.
 */
export function* likelyNamings(
  graph: ImportGraph,
  given: SourceNaming,
  clues: NamingClues,
): Generator<SourceNaming> {
  yield* clues.namings;
  const packages = importedPackages(graph);
  const written = uniqueLists([given.remappings, ...clues.namings.map(({ remappings }) => remappings)]);
  const names = entryNames(given.entry, clues.path, written.flat());
  const entries = unique([given.entry, ...clues.namings.map(({ entry }) => entry), ...names.all]);
  const usual = packageLists(packages);
  const lists = uniqueLists([...written, [], ...usual, ...written.flatMap(writtenOtherwise)]);
  const needed = uniqueLists([...usual, ...written]);
  const forge = forgeLists(packages, needed);
  const pool = unique([...lists, ...forge.inferred, ...forge.tests].flat());
  const contexts = unique(written.flat().map((line) => parseRemapping(line)?.context ?? "")).filter(
    (context) => context !== "",
  );
  yield* inTurn([
    combinations(entries, [[]]),
    // What is remapped for the project's own files needs these to be called so.
    combinations(
      entries.filter((entry) => contexts.some((context) => entry.startsWith(context))),
      written,
    ),
    combinations(entries, lists),
    combinations(names.ofForge, forge.needed, forge.inferred, forge.tests),
    combinations(names.ofForge, forge.needed, forge.inferred, forge.tests, forge.others),
    ofLibraries(names.inLibraries, (home) => forgeLists(packages, needed, home)),
    likeThese(entries.slice(0, MAX_ENTRIES_AROUND), lists, pool),
  ]);
}

/** A name and the remappings of one list of each kind; those first that stand first in all. */
function* combinations(
  entries: readonly string[],
  ...kinds: readonly (readonly RemappingList[])[]
): Generator<SourceNaming> {
  for (const [at = 0, ...places] of placesBySum([entries.length, ...kinds.map(({ length }) => length)])) {
    const remappings = places.flatMap((place, kind) => kinds[kind]?.[place] ?? []);
    yield { entry: entries[at] ?? "", remappings: unique(remappings) };
  }
}

/** Names of a file of forge's libraries, each with what forge infers where that library is. */
function* ofLibraries(
  entries: readonly string[],
  listsOf: (home: string) => ForgeLists,
): Generator<SourceNaming> {
  const homes = unique(entries.map(repositoryOf));
  yield* inTurn(
    homes.map((home) => {
      const { needed, inferred, tests } = listsOf(home);
      return combinations(
        entries.filter((one) => repositoryOf(one) === home),
        needed,
        inferred,
        tests,
      );
    }),
  );
}

/** Every choice of a place below each of these lengths, those of the least sum first. */
function* placesBySum(lengths: readonly number[]): Generator<readonly number[]> {
  const most = lengths.reduce((sum, length) => sum + length - 1, 0);
  for (let sum = 0; sum <= most; sum++) yield* placesOfSum(lengths, sum);
}

function* placesOfSum([length = 1, ...rest]: readonly number[], sum: number): Generator<readonly number[]> {
  if (rest.length === 0) {
    if (sum < length) yield [sum];
    return;
  }
  for (let place = 0; place <= Math.min(sum, length - 1); place++)
    for (const others of placesOfSum(rest, sum - place)) yield [place, ...others];
}

/** Lists that are like one of these, each with every name. */
function* likeThese(
  entries: readonly string[],
  lists: readonly RemappingList[],
  pool: readonly string[],
): Generator<SourceNaming> {
  const bases = lists.filter(({ length }) => length > 0);
  for (const base of bases) {
    if (base.length > MAX_IN_SUBSETS) continue;
    for (const remappings of subsets(base)) for (const entry of entries) yield { entry, remappings };
  }
  for (const base of bases)
    for (const remappings of neighbours(base, pool)) for (const entry of entries) yield { entry, remappings };
}

/** One of each in turn, until all have ended. */
function* inTurn<T>(all: readonly Iterator<T>[]): Generator<T> {
  for (let going = all; going.length > 0;) {
    const ended = new Set<Iterator<T>>();
    for (const one of going) {
      const next = one.next();
      if (next.done === true) ended.add(one);
      else yield next.value;
    }
    if (ended.size > 0) going = going.filter((one) => !ended.has(one));
  }
}
