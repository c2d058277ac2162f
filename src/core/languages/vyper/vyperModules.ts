import { importedModules, logicalLines } from "./vyperScanner.ts";

/** Whose state a Vyper file lives on, as paths of its imports. */
export interface VyperModules {
  /** Modules that another file has to initialize, unless this one or what it initializes does. */
  readonly uses: readonly string[];
  readonly initializes: readonly string[];
}

const NONE: VyperModules = { uses: [], initializes: [] };

/** The modules that a Vyper file names in `uses:` and `initializes:` (vyperlang/vyper, docs/using-modules.rst). */
export function vyperModules(text: string): VyperModules {
  if (!/^(?:uses|initializes)[ \t]*:/m.test(text)) return NONE;
  const paths = new Map(importedModules(text).map(({ path, alias }) => [alias, path]));
  const lines = logicalLines(text);
  const namedIn = (keyword: string) =>
    lines.flatMap((line) => {
      const [, written, said] = /^(\w+)\s*:([\s\S]*)$/.exec(line.text) ?? [];
      if (written !== keyword || said === undefined) return [];
      // In brackets stand the modules that an initialized one uses.
      return [...said.replace(/\[[^\]]*\]/g, "").matchAll(/[A-Za-z_][\w.]*/g)].map(
        ([name]) => paths.get(name) ?? name,
      );
    });
  return { uses: namedIn("uses"), initializes: namedIn("initializes") };
}

/**
 * True when a Vyper file can be deployed for itself, as far as the file tells: something can be called, or deployed, from
 * outside, and what it uses is initialized by it, or may be by what it initializes.
 */
export function isVyperContract(text: string): boolean {
  const { uses, initializes } = vyperModules(text);
  const isOpen = initializes.some((path) => !uses.includes(path));
  return (
    (isOpen || uses.every((path) => initializes.includes(path))) &&
    logicalLines(text).some((line) => OUTSIDE.test(line.text))
  );
}

/** A line in the first column that opens a file to the outside. */
const OUTSIDE = /^(?:@\s*(?:external|deploy|public)\b|exports\s*:|\w+\s*:\s*public\s*\()/;

/** The modules of a file, and how what it imports is found. */
export interface Importing extends VyperModules {
  /** The file behind a module, and its modules; `undefined` where there is none. */
  readonly resolve: (
    module: string,
  ) => Promise<{ readonly file: string; readonly modules: Importing } | undefined>;
}

/**
 * True when every module that a file and the modules of these files use is initialized by the file, or by a module that
 * it initializes. Only then can it be deployed for itself (vyperlang/vyper, vyper/semantics/analysis/global_.py).
 */
export async function initializesAll(modules: Importing): Promise<boolean> {
  const initialized = new Set<string>();
  const used = new Set<string>();
  await collect(modules, new Set(), async ({ initializes }, visit) => {
    for (const module of initializes) initialized.add(await visit(module));
  });
  await collect(modules, new Set(), async ({ uses, initializes }, visit) => {
    for (const module of uses) used.add(await visit(module));
    for (const module of initializes) await visit(module);
  });
  return [...used].every((file) => initialized.has(file));
}

/** Looks at the modules of a file and of those that it visits, each once; a visit answers the name of the file. */
async function collect(
  modules: Importing,
  seen: Set<string>,
  look: (modules: Importing, visit: (module: string) => Promise<string>) => Promise<void>,
): Promise<void> {
  await look(modules, async (module) => {
    const found = await modules.resolve(module);
    if (!found) return module;
    if (seen.has(found.file)) return found.file;
    seen.add(found.file);
    await collect(found.modules, seen, look);
    return found.file;
  });
}
