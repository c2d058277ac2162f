import { isRelativeImport, resolveImportPath } from "../../sources/sourceUnitName.ts";
import type { SourceNames } from "../../sources/sourceNames.ts";
import { applyRemappings, parseRemapping, type Remapping } from "./remapping.ts";
import { scanSolidityDirectives } from "./solidityScanner.ts";

/**
 * By what names a contract is compiled: that of its file, and the remappings. The names of all else follow from these two
 * by the compiler's own rule.
 */
export interface SourceNaming {
  /** Source unit name of the contract's file. */
  readonly entry: string;
  readonly remappings: readonly string[];
}

/** Which file each import of some files leads to, whatever these are called. */
export class ImportGraph {
  /** By the name of before: what each import says, and the name of before of what it leads to. */
  readonly #imports = new Map<string, readonly (readonly [path: string, target: string])[]>();
  readonly #entry: string;
  /** What the contract does not need. */
  #others: readonly string[] = [];

  /** @param sources source unit name → content, under the names that `naming` leads to */
  constructor(
    sources: Readonly<Record<string, { readonly content: string }>>,
    { entry, remappings }: SourceNaming,
  ) {
    this.#entry = entry;
    const parsed = parsedRemappings(remappings);
    for (const [name, { content }] of Object.entries(sources)) {
      const { imports } = scanSolidityDirectives(content);
      const targets = imports.map(({ path }) => [path, unitNameOf(path, name, parsed)] as const);
      this.#imports.set(
        name,
        targets.filter(([, target]) => Object.hasOwn(sources, target)),
      );
    }
    const reached = this.names({ entry, remappings }) ?? {};
    this.#others = [...this.#imports.keys()].filter((name) => !Object.hasOwn(reached, name));
  }

  /** Paths of imports that are not relative, with the name of before of what each leads to: each path once. */
  get namedImports(): ReadonlyMap<string, string> {
    return new Map([...this.#imports.values()].flat().filter(([path]) => !isRelativeImport(path)));
  }

  /**
   * What every file is called by another naming, by its name of before.
   *
   * @returns `undefined` where one file would have two names, or two files one
   */
  names({ entry, remappings }: SourceNaming): SourceNames | undefined {
    const parsed = parsedRemappings(remappings);
    const names = new Map([[this.#entry, entry]]);
    const owners = new Map([[entry, this.#entry]]);
    for (const [unit, name] of names) {
      for (const [path, target] of this.#imports.get(unit) ?? []) {
        const called = unitNameOf(path, name, parsed);
        if ((names.get(target) ?? called) !== called || (owners.get(called) ?? target) !== target)
          return undefined;
        names.set(target, called);
        owners.set(called, target);
      }
    }
    for (const other of this.#others) {
      const called = beside(other, names);
      if (owners.has(called)) return undefined;
      owners.set(called, other);
      names.set(other, called);
    }
    return Object.fromEntries(names);
  }
}

function unitNameOf(path: string, importer: string, remappings: readonly Remapping[]): string {
  return applyRemappings(remappings, resolveImportPath(path, importer), importer);
}

function parsedRemappings(remappings: readonly string[]): Remapping[] {
  return remappings.map(parseRemapping).filter((one) => one !== undefined);
}

/** What the contract does not need goes where its neighbours go: with the one whose folders it shares the most of. */
function beside(name: string, names: ReadonlyMap<string, string>): string {
  let [best, length]: [string, number] = [name, 0];
  for (const [before, after] of names) {
    const [from, to] = changedBeginning(before, after);
    if (from.length > length && name.startsWith(from))
      [best, length] = [to + name.slice(from.length), from.length];
  }
  return best;
}

/** The folders at the beginning of two names of one file that are not the same. */
function changedBeginning(before: string, after: string): readonly [from: string, to: string] {
  const [one, other] = [before.split("/"), after.split("/")];
  while (one.length > 1 && other.length > 1 && one.at(-1) === other.at(-1)) {
    one.pop();
    other.pop();
  }
  return [`${one.join("/")}/`, `${other.join("/")}/`];
}
