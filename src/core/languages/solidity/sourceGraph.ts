import {
  MAX_CLOSURE_SOURCES,
  solidityUnit,
  tooManySources,
  type ClosureEntry,
  type ImportResolver,
  type SourceUnit,
} from "./solidityClosure.ts";

/** Sources that are compiled together, and what each imports. */
export interface SourceGraph {
  readonly units: ReadonlyMap<string, SourceUnit>;
  /** What is imported and may not be read, since it lies outside what is open: the path behind all links, by its name. */
  readonly outside: ReadonlyMap<string, string>;
  /** The names that a unit needs, its own first; what was not found is left out. */
  closureOf(name: string): readonly string[];
}

/**
 * All that some files import, each source read once. What is not found is left out, and told when a single one
 * of the files is compiled.
 *
 * @throws LedgerLensError `too_many_sources` when there is no end to what one of the files imports: without the rest the
 * others would seem to import less than they do.
 */
export async function sourceGraph(
  resolver: ImportResolver,
  entries: readonly ClosureEntry[],
): Promise<SourceGraph> {
  const units = new Map<string, SourceUnit>();
  const imports = new Map<string, readonly string[]>();
  const outside = new Map<string, string>();
  const known = new Set(entries.map(({ name }) => name));
  let endless: string | undefined;
  /** @param found the names that one entry led to first, its own among them */
  const follow = async (unit: SourceUnit, entry: string, found: Set<string>): Promise<void> => {
    units.set(unit.name, unit);
    const names: string[] = [];
    for (const { path } of unit.directives.imports) names.push(await resolver.nameOf(path, unit));
    imports.set(unit.name, names);
    const fresh = [...new Set(names)].filter((name) => !known.has(name));
    for (const name of fresh) {
      known.add(name);
      found.add(name);
    }
    if (found.size > MAX_CLOSURE_SOURCES) endless ??= entry;
    // What else is still being followed ends, too.
    if (endless !== undefined) throw tooManySources(endless);
    await Promise.all(fresh.map((name) => load(name, entry, found)));
  };
  const load = async (name: string, entry: string, found: Set<string>): Promise<void> => {
    const source = await resolver.find(name);
    if ("bytes" in source) await follow(solidityUnit({ name, source }, resolver), entry, found);
    else if ("forbidden" in source) outside.set(name, source.forbidden);
  };
  await Promise.all(
    entries.map((entry) => follow(solidityUnit(entry, resolver), entry.name, new Set([entry.name]))),
  );
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
