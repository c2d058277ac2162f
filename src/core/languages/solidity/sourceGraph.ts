import { solidityUnit, type ClosureEntry, type ImportResolver, type SourceUnit } from "./solidityClosure.ts";

/** Sources that are compiled together, and what each imports. */
export interface SourceGraph {
  readonly units: ReadonlyMap<string, SourceUnit>;
  /** What is imported and may not be read, since it lies outside what is open: the path behind all links, by its name. */
  readonly outside: ReadonlyMap<string, string>;
  /** The names that a unit needs, its own first; what was not found is left out. */
  closureOf(name: string): readonly string[];
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
  const outside = new Map<string, string>();
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
    else if ("forbidden" in source) outside.set(name, source.forbidden);
  };
  await Promise.all(entries.map((entry) => follow(solidityUnit(entry, resolver))));
  return {
    units,
    outside,
    closureOf: (name) => {
      const closure = new Set([name]);
      for (const one of closure)
        for (const imported of imports.get(one) ?? []) if (units.has(imported)) closure.add(imported);
      return [...closure];
    },
  };
}
