import { isInside, type FileReader } from "../files.ts";
import type { FolderReader } from "../projects/folderReader.ts";
import { LARGEST_FILE_BYTES } from "../files/unreadableFile.ts";
import { readBytes } from "../json/dataFile.ts";
import { inTurns, Turns } from "../turns.ts";
import type { AbiEntry } from "./abiEntry.ts";
import {
  isConcreteContract,
  isSourcePath,
  outlineInPieces,
  SOURCE_GLOB,
  stemOf,
  type DefinedContract,
  type OutlinedContract,
} from "./contracts.ts";
import type { FileFinder } from "./fileFinder.ts";
import { FOREIGN_GLOB, ForeignFolders } from "./foreignFolders.ts";
import { inPool } from "./inPool.ts";
import type { ImportResolver } from "./importedFiles.ts";
import { readSolidityDeclarations } from "./solidityDeclarations.ts";
import type { ContractKind, SourceDeclarations } from "./sourceDeclarations.ts";
import { placeFinder, type DefinitionPlace } from "./definitionPlace.ts";
import {
  SourceTypes,
  type ContractSymbol,
  type ResolvedMember,
  type SourceFileTypes,
} from "./sourceTypes.ts";
import { readVyperDeclarations } from "./vyperDeclarations.ts";
import { initializesAll, vyperModules, type Importing, type VyperModules } from "./vyperModules.ts";

/** A function, error or event of a source, with its place. */
export interface SourceMember {
  readonly kind: "function" | "error" | "event";
  readonly name: string;
  readonly place: DefinitionPlace;
  /** Missing where a type can't be resolved, or where only a library can take the parameters. */
  readonly abi?: AbiEntry;
  readonly signature?: string;
  readonly selector?: number;
  /** False for a function without a body. */
  readonly isImplemented: boolean;
  /** The contract that declares it; missing for an error or event of the file itself. */
  readonly contract?: { readonly name: string; readonly kind: ContractKind };
}

/** A contract, interface or library of a source, with what it declares itself. */
export interface SourceContract {
  readonly name: string;
  readonly kind: ContractKind;
  readonly place: DefinitionPlace;
  readonly members: readonly SourceMember[];
}

/** What a source file offers to the world. */
export interface SourceInterface {
  readonly contracts: readonly SourceContract[];
  /** Errors and events outside contracts. */
  readonly members: readonly SourceMember[];
}

/** What an index of sources stands on. */
export interface SourceIndexPorts {
  /** One that can list folders reads the projects' configurations as their tools do. */
  readonly files: FileReader & Partial<FolderReader>;
  readonly finder: FileFinder;
  readonly folders: () => readonly string[];
  readonly resolveImport: ImportResolver;
}

/** The selectors of the functions and errors that a file declares. */
interface FileSelectors {
  readonly functions: Uint32Array;
  readonly errors: Uint32Array;
}

/** The types of a file; `file` of its imports is known once they are linked. */
interface LinkedTypes extends SourceFileTypes {
  imports: SourceFileTypes["imports"];
  isLinked: boolean;
}

const NO_SELECTORS: FileSelectors = { functions: new Uint32Array(), errors: new Uint32Array() };
const READS_AT_ONCE = 64;
const PARSES_AT_ONCE = 8;
/** Parsed files that wait for their turn. */
const MAX_PARSED = 256;
const MAX_ANSWERS = 500;

/**
 * The sources of the workspace: their contracts, read at the first question for them, and the selectors of their
 * functions and errors, read at the first question for one. Of each file it keeps names, types and selectors only; the
 * rest is read again where it is needed. Dependencies are read where an import leads to them.
 */
export class SourceIndex {
  readonly #ports: SourceIndexPorts;
  #paths: Promise<Set<string>> | undefined;
  #foreign: ForeignFolders | undefined;
  #contracts: readonly DefinedContract[] | undefined;
  readonly #outlines = new Map<string, readonly OutlinedContract[]>();
  /** How often each file changed. */
  readonly #changes = new Map<string, number>();

  #changed = 0;

  readonly #types = new Map<string, Promise<LinkedTypes | undefined>>();
  readonly #known = new Map<string, LinkedTypes>();
  readonly #parsed = new Map<string, SourceDeclarations>();
  readonly #selectors = new Map<string, FileSelectors>();
  readonly #answers = new Map<string, Promise<readonly SourceMember[]>>();
  readonly #stale = new Set<string>();
  #hasNewFiles = false;
  #resolver = this.#newResolver();
  #deriving: Promise<void> | undefined;

  constructor(ports: SourceIndexPorts) {
    this.#ports = ports;
  }

  /** Every contract that can be deployed, by path and then in the order of the file; dependencies are not among them. */
  async contracts(): Promise<readonly DefinedContract[]> {
    for (;;) {
      await this.#outline();
      const paths = [...(await this.#list())].sort(byCodeUnits);
      // A file may have changed while others were read.
      if (!paths.every((path) => this.#outlines.has(path))) continue;
      if (!this.#contracts) {
        const changes = this.#changed;
        const concrete = paths.flatMap((path) => (this.#outlines.get(path) ?? []).filter(isConcreteContract));
        const alone = await Promise.all(concrete.map((one) => this.#isAlone(one)));
        if (changes !== this.#changed) continue;
        this.#contracts = concrete.filter((_, at) => alone[at]).map(({ path, name }) => ({ path, name }));
      }
      return this.#contracts;
    }
  }

  /** The contracts, interfaces and libraries of this name in the open folders. */
  async contractsNamed(name: string): Promise<readonly SourceContract[]> {
    await this.#outline();
    const paths = [...this.#outlines.values()].flatMap((outline) =>
      outline.filter((contract) => contract.name === name).map(({ path }) => path),
    );
    const found = await Promise.all(
      [...new Set(paths)].sort(byCodeUnits).map((path) => this.interfaceOf(path)),
    );
    return found.flatMap((one) => one?.contracts.filter((contract) => contract.name === name) ?? []);
  }

  /** The functions of sources and of what they import that have a selector; those of interfaces are among them. */
  functions(selector: number): Promise<readonly SourceMember[]> {
    return this.#withSelector("function", selector);
  }

  /** The errors of sources and of what they import that have a selector. */
  errors(selector: number): Promise<readonly SourceMember[]> {
    return this.#withSelector("error", selector);
  }

  /** What a file offers; `undefined` when there is no such file. */
  async interfaceOf(path: string): Promise<SourceInterface | undefined> {
    await this.#refresh();
    const text = await this.#text(path);
    if (text === undefined) return undefined;
    const declarations = declarationsOf(path, text);
    const types = await this.#loadClosure(path);
    if (types?.contracts.length !== declarations.contracts.length) return undefined;
    const placeAt = placeFinder(path, text);
    const resolve = (member: SourceDeclarations["members"][number], index?: number): SourceMember[] => {
      const contract = index === undefined ? undefined : types.contracts[index];
      const found = this.#resolver.member(member, { path, ...(contract && { contract }) });
      return found ? [sourceMember(found, placeAt(found.start), contract)] : [];
    };
    return {
      members: declarations.members.flatMap((member) => resolve(member)),
      contracts: declarations.contracts.map(({ name, kind, start, members }, index) => ({
        name,
        kind,
        place: placeAt(start),
        members: members.flatMap((member) => resolve(member, index)),
      })),
    };
  }

  /**
   * The members of a contract with those that it inherits, most derived first, so that the first function of a signature
   * is the one that runs.
   */
  async membersOf({ path, name }: DefinedContract): Promise<readonly SourceMember[]> {
    await this.#refresh();
    const types = await this.#loadClosure(path);
    const contract = types?.contracts.find((one) => one.name === name);
    if (!contract) return [];
    const symbols: readonly ContractSymbol[] = this.#resolver.linearization({ path, contract });
    const interfaces = new Map<string, SourceInterface | undefined>();
    for (const symbol of symbols) {
      if (!interfaces.has(symbol.path)) interfaces.set(symbol.path, await this.interfaceOf(symbol.path));
    }
    return symbols.flatMap(
      (symbol) =>
        interfaces.get(symbol.path)?.contracts.find((one) => one.name === symbol.contract.name)?.members ??
        [],
    );
  }

  /** A file was made, changed or deleted. */
  invalidate(path: string): void {
    this.#answers.clear();
    if (this.#known.has(path)) this.#stale.add(path);
    else if (isSourcePath(path)) this.#hasNewFiles = true;
    this.#parsed.delete(path);
    this.#changed++;
    if (!isSourcePath(path) || !this.#isOwn(path)) return;
    this.#contracts = undefined;
    this.#outlines.delete(path);
    this.#changes.set(path, (this.#changes.get(path) ?? 0) + 1);
    const paths = this.#paths;
    this.#paths = paths?.then((known) => known.add(path));
  }

  /** What folders the projects have may be different from before. */
  invalidateFolders(): void {
    this.#changed++;
    this.#paths = undefined;
    this.#foreign = undefined;
    this.#contracts = undefined;
  }

  /** Imports may lead elsewhere than before. */
  invalidateImports(): void {
    this.#answers.clear();
    this.#selectors.clear();
    for (const types of this.#known.values()) types.isLinked = false;
    this.#resolver = this.#newResolver();
  }

  #newResolver(): SourceTypes {
    return new SourceTypes((path) => this.#known.get(path));
  }

  /** In an open folder, and not in one that holds other people's code. */
  #isOwn(path: string): boolean {
    const isOpen = this.#ports.folders().some((folder) => isInside(path, folder));
    return isOpen && this.#foreign?.has(path) !== true;
  }

  /** Whether a Vyper contract initializes every module that it uses, by itself or through another one. */
  #isAlone({ path, modules }: OutlinedContract): Promise<boolean> {
    const importing = (importer: string, own: VyperModules): Importing => ({
      ...own,
      resolve: async (module) => {
        const exists = async (file: string) => (await this.#bytes(file)) !== undefined;
        const file = await this.#ports.resolveImport(`${vyperPath(module)}.vy`, importer, exists);
        const text = file === undefined ? undefined : await this.#text(file);
        return file === undefined || text === undefined
          ? undefined
          : { file, modules: importing(file, vyperModules(text)) };
      },
    });
    return modules ? initializesAll(importing(path, modules)) : Promise.resolve(true);
  }

  #list(): Promise<Set<string>> {
    if (!this.#paths) {
      const listing = this.#listOwn();
      this.#paths = listing;
      listing.catch(() => {
        if (this.#paths === listing) this.#paths = undefined;
      });
    }
    return this.#paths;
  }

  async #listOwn(): Promise<Set<string>> {
    const { files, finder } = this.#ports;
    const [foreign, paths] = await Promise.all([
      ForeignFolders.of(files, finder, this.#ports.folders()),
      finder.find(SOURCE_GLOB, FOREIGN_GLOB),
    ]);
    this.#foreign = foreign;
    const own = new Set(paths.filter((path) => !foreign.has(path)));
    for (const path of this.#outlines.keys()) if (!own.has(path)) this.#outlines.delete(path);
    return own;
  }

  async #outline(): Promise<void> {
    const turns = new Turns();
    for (;;) {
      const missing = [...(await this.#list())].filter((path) => !this.#outlines.has(path));
      if (missing.length === 0) return;
      await inPool(missing, READS_AT_ONCE, async (path) => {
        const before = this.#changes.get(path);
        const bytes = await this.#bytes(path);
        if (turns.isOver) await turns.next();
        const outline = bytes ? await inTurns(outlineInPieces(path, bytes)) : [];
        // What was read before a change says nothing of the file as it is now.
        if (this.#changes.get(path) === before) this.#outlines.set(path, outline);
      });
    }
  }

  /** A file that can't be read has no names; it is noted as skipped. */
  #bytes(path: string): Promise<Uint8Array | undefined> {
    return readBytes(this.#ports.files, path, LARGEST_FILE_BYTES);
  }

  async #text(path: string): Promise<string | undefined> {
    const bytes = await this.#bytes(path);
    return bytes && new TextDecoder().decode(bytes);
  }

  #withSelector(kind: "function" | "error", selector: number): Promise<readonly SourceMember[]> {
    const key = `${kind} ${selector}`;
    const known = this.#answers.get(key);
    if (known) return known;
    if (this.#answers.size > MAX_ANSWERS) this.#answers.clear();
    const answer = this.#search(kind, selector);
    this.#answers.set(key, answer);
    answer.catch(() => this.#answers.delete(key));
    return answer;
  }

  async #search(kind: "function" | "error", selector: number): Promise<readonly SourceMember[]> {
    await this.#derive();
    const list = kind === "function" ? "functions" : "errors";
    const paths = [...this.#selectors]
      .filter(([, selectors]) => selectors[list].includes(selector))
      .map(([path]) => path)
      .sort(byCodeUnits);
    const found = await inPool(paths, PARSES_AT_ONCE, (path) => this.interfaceOf(path));
    return found
      .flatMap((one) => [
        ...(one?.members ?? []),
        ...(one?.contracts ?? []).flatMap(({ members }) => members),
      ])
      .filter((member) => member.kind === kind && member.selector === selector);
  }

  /** Computes the selectors of all sources and of what they import, as far as they are not known. */
  #derive(): Promise<void> {
    this.#deriving ??= this.#deriveAll().finally(() => {
      this.#deriving = undefined;
    });
    return this.#deriving;
  }

  async #deriveAll(): Promise<void> {
    await this.#refresh();
    const own = await this.#list();
    for (;;) {
      const missing = [...new Set([...own, ...this.#known.keys()])].filter(
        (path) => !this.#selectors.has(path),
      );
      if (missing.length === 0) return;
      await inPool(missing, PARSES_AT_ONCE, (path) => this.#deriveFile(path));
    }
  }

  async #deriveFile(path: string): Promise<void> {
    const types = await this.#loadClosure(path);
    let declarations = this.#parsed.get(path);
    this.#parsed.delete(path);
    if (types && !declarations) {
      const text = await this.#text(path);
      declarations = text === undefined ? undefined : declarationsOf(path, text);
    }
    if (!types || types.contracts.length !== declarations?.contracts.length) {
      this.#selectors.set(path, NO_SELECTORS);
      return;
    }
    const functions: number[] = [];
    const errors: number[] = [];
    const add = (member: SourceDeclarations["members"][number], index?: number) => {
      const contract = index === undefined ? undefined : types.contracts[index];
      const found = this.#resolver.member(member, { path, ...(contract && { contract }) });
      if (found?.selector === undefined) return;
      (found.kind === "error" ? errors : functions).push(found.selector);
    };
    for (const member of declarations.members) add(member);
    declarations.contracts.forEach(({ members }, index) => members.forEach((member) => add(member, index)));
    this.#selectors.set(path, { functions: new Uint32Array(functions), errors: new Uint32Array(errors) });
  }

  /** Loads the types of a file and of everything that it imports. */
  async #loadClosure(path: string): Promise<LinkedTypes | undefined> {
    const entry = await this.#typesOf(path);
    const visited = new Set([path]);
    let wave = entry ? [{ path, types: entry }] : [];
    while (wave.length > 0) {
      const next: string[] = [];
      for (const { path: importer, types } of wave) {
        if (!types.isLinked) await this.#link(importer, types);
        for (const { file } of types.imports) {
          if (file === undefined || visited.has(file)) continue;
          visited.add(file);
          next.push(file);
        }
      }
      const loaded = await Promise.all(
        next.map(async (file) => ({ path: file, types: await this.#typesOf(file) })),
      );
      wave = loaded.flatMap(({ path: file, types }) => (types ? [{ path: file, types }] : []));
    }
    return entry;
  }

  async #link(path: string, types: LinkedTypes): Promise<void> {
    const isSolidity = path.endsWith(".sol");
    const exists = async (file: string) => (await this.#typesOf(file)) !== undefined;
    types.imports = await Promise.all(
      types.imports.map(async ({ file: _, ...declaration }) => {
        for (const ending of isSolidity ? [""] : [".vy", ".vyi"]) {
          const written = isSolidity ? declaration.path : vyperPath(declaration.path) + ending;
          const file = await this.#ports.resolveImport(written, path, exists);
          if (file !== undefined) return { ...declaration, file };
        }
        return declaration;
      }),
    );
    types.isLinked = true;
  }

  /** The types of a file, its imports not linked yet; `undefined` when there is no such file. */
  #typesOf(path: string): Promise<LinkedTypes | undefined> {
    const known = this.#types.get(path);
    if (known) return known;
    const loading = this.#loadTypes(path);
    this.#types.set(path, loading);
    void loading.then((types) => types ?? this.#types.delete(path));
    return loading;
  }

  async #loadTypes(path: string): Promise<LinkedTypes | undefined> {
    const text = await this.#text(path);
    if (text === undefined) return undefined;
    const declarations = declarationsOf(path, text);
    if (this.#parsed.size < MAX_PARSED) this.#parsed.set(path, declarations);
    const types: LinkedTypes = { ...typesOf(declarations), isLinked: false };
    this.#known.set(path, types);
    return types;
  }

  /** Reads again what has changed, and forgets what followed from it. */
  async #refresh(): Promise<void> {
    if (this.#stale.size === 0 && !this.#hasNewFiles) return;
    const stale = [...this.#stale];
    const changed: string[] = [];
    const hasNewFiles = this.#hasNewFiles;
    this.#stale.clear();
    this.#hasNewFiles = false;
    for (const path of stale) {
      const before = this.#known.get(path);
      this.#known.delete(path);
      this.#types.delete(path);
      this.#selectors.delete(path);
      const after = await this.#typesOf(path);
      if (!before || !after || fingerprint(before) !== fingerprint(after)) changed.push(path);
      if (before && !after) this.#unlink(({ file }) => file === path);
    }
    if (hasNewFiles) for (const path of this.#unlink(({ file }) => file === undefined)) changed.push(path);
    for (const path of this.#dependents(changed)) this.#selectors.delete(path);
    this.#resolver = this.#newResolver();
  }

  /** Has imports looked up again; answers the files that have such imports. */
  #unlink(isMeant: (declaration: SourceFileTypes["imports"][number]) => boolean): string[] {
    const unlinked = [...this.#known].filter(([, { imports }]) => imports.some(isMeant));
    for (const [, types] of unlinked) types.isLinked = false;
    return unlinked.map(([path]) => path);
  }

  /** The files themselves and all that import them, directly or not. */
  #dependents(paths: readonly string[]): Set<string> {
    const importers = new Map<string, string[]>();
    if (paths.length > 0) {
      for (const [path, { imports }] of this.#known) {
        for (const { file } of imports) {
          if (file === undefined) continue;
          const known = importers.get(file);
          if (known) known.push(path);
          else importers.set(file, [path]);
        }
      }
    }
    const dependents = new Set(paths);
    for (const path of dependents) for (const importer of importers.get(path) ?? []) dependents.add(importer);
    return dependents;
  }
}

function declarationsOf(path: string, text: string): SourceDeclarations {
  if (path.endsWith(".sol")) return readSolidityDeclarations(text);
  if (/\.vyi?$/.test(path)) return readVyperDeclarations(text, stemOf(path), path.endsWith(".vyi"));
  // Yul has no interface, and Fe's is not read.
  return { contracts: [], imports: [], members: [], structs: [], enums: [], valueTypes: [], constants: [] };
}

/** `.a` is `./a`, `..a` is `../a`, as Python counts. */
function vyperPath(path: string): string {
  const [, dots = "", rest = ""] = /^(\.*)(.*)$/.exec(path) ?? [];
  if (dots === "") return path;
  return dots === "." ? `./${rest}` : `${"../".repeat(dots.length - 1)}${rest}`;
}

/** What is kept of a file, in strings of its own: a part of a text would keep the whole text in memory. */
function typesOf({ members: _, contracts, ...types }: SourceDeclarations): SourceFileTypes {
  const kept = { ...types, contracts: contracts.map(({ members: __, start: ___, ...contract }) => contract) };
  return JSON.parse(JSON.stringify(kept)) as SourceFileTypes;
}

function fingerprint({ imports, ...types }: LinkedTypes): string {
  const declared = imports.map(({ path, alias, names }) => ({ path, alias, names }));
  return JSON.stringify({ ...types, isLinked: false, imports: declared });
}

function sourceMember(
  { kind, name, isImplemented, abi, signature, selector }: ResolvedMember,
  place: DefinitionPlace,
  contract: { readonly name: string; readonly kind: ContractKind } | undefined,
): SourceMember {
  return {
    kind,
    name,
    place,
    isImplemented,
    ...(abi && { abi }),
    ...(signature !== undefined && { signature }),
    ...(selector !== undefined && { selector }),
    ...(contract && { contract: { name: contract.name, kind: contract.kind } }),
  };
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
