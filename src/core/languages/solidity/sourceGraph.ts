import { byCodeUnits } from "../../concurrency/sortInPieces.ts";
import type { FolderReader } from "../../files/folderReader.ts";
import { solidityUnit, type ClosureEntry, type ImportResolver, type SourceUnit } from "./solidityClosure.ts";

/** Sources that are compiled together, and what each imports. */
export interface SourceGraph {
  readonly units: ReadonlyMap<string, SourceUnit>;
  /** The names that a unit needs, its own first; what was not found is left out. */
  closureOf(name: string): readonly string[];
}

/** The units that a file stands for, by its path behind all links, in the order of their names. */
export type UnitsByFile = ReadonlyMap<string, readonly Pick<SourceUnit, "name" | "path">[]>;

/** The units of a graph by their files. */
export async function unitsByFile(
  files: Pick<FolderReader, "realPath">,
  { units }: SourceGraph,
): Promise<UnitsByFile> {
  const found = new Map<string, Pick<SourceUnit, "name" | "path">[]>();
  const sorted = [...units.values()].sort((a, b) => byCodeUnits(a.name, b.name));
  const paths = await Promise.all(sorted.map(({ path }) => files.realPath(path)));
  sorted.forEach(({ name, path }, at) => {
    const real = paths[at] ?? path;
    found.set(real, [...(found.get(real) ?? []), { name, path }]);
  });
  return found;
}

/** The name of a file among units, if it is one of them: that of the very path where it has one. */
export async function nameAmong(
  files: Pick<FolderReader, "realPath">,
  units: UnitsByFile,
  path: string,
): Promise<string | undefined> {
  const found = units.get(await files.realPath(path)) ?? [];
  return (found.find((one) => one.path === path) ?? found[0])?.name;
}

/** More than any project has; a remapping can make names grow without end. */
const MAX_UNITS = 20_000;

/**
 * All that some files import, each source read once. What is not found is left out, and told when a single one
 * of the files is compiled.
 */
export async function sourceGraph(
  resolver: ImportResolver,
  entries: readonly ClosureEntry[],
): Promise<SourceGraph> {
  const units = new Map<string, SourceUnit>();
  const imports = new Map<string, readonly string[]>();
  const known = new Set(entries.map(({ name }) => name));
  const follow = async (unit: SourceUnit): Promise<void> => {
    units.set(unit.name, unit);
    const names: string[] = [];
    for (const { path } of unit.directives.imports) names.push(await resolver.nameOf(path, unit));
    imports.set(unit.name, names);
    const fresh = names.filter((name) => !known.has(name) && known.size < MAX_UNITS && known.add(name));
    await Promise.all(fresh.map(load));
  };
  const load = async (name: string): Promise<void> => {
    const source = await resolver.find(name);
    if ("bytes" in source) await follow(solidityUnit({ name, source }, resolver));
  };
  await Promise.all(entries.map((entry) => follow(solidityUnit(entry, resolver))));
  return {
    units,
    closureOf: (name) => {
      const closure = new Set([name]);
      for (const one of closure)
        for (const imported of imports.get(one) ?? []) if (units.has(imported)) closure.add(imported);
      return [...closure];
    },
  };
}
