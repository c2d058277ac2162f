import { definedOnly } from "../json/looseData.ts";
import { isInside, type FileReader } from "../files/fileReader.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { LARGEST_FILE_BYTES } from "../files/unreadableFile.ts";
import { readBytes } from "../json/dataFile.ts";
import { decodedInPieces } from "../json/decodedText.ts";
import { jsonInPieces } from "../json/jsonPieces.ts";
import { byCodeUnits, sortInPieces } from "../concurrency/sortInPieces.ts";
import {
  eachInPieces,
  filterInPieces,
  inTurns,
  mapInPieces,
  Turns,
  type Pieces,
} from "../concurrency/turns.ts";
import type { AbiEntry, MemberKind } from "../evm/abiEntry.ts";
import {
  isConcreteContract,
  isSourcePath,
  outlineInPieces,
  SOURCE_GLOB,
  rulesOfPath,
  type DefinedContract,
  type OutlinedContract,
} from "./contracts.ts";
import type { FileFinder } from "./fileFinder.ts";
import { FOREIGN_GLOB, ForeignFolders } from "./foreignFolders.ts";
import { inPool } from "../concurrency/inPool.ts";
import type { ResolveImport } from "./importedFiles.ts";
import type { ContractKind, SourceDeclarations } from "../sources/sourceDeclarations.ts";
import { placeFinder, type DefinitionPlace } from "../text/definitionPlace.ts";
import {
  SourceTypes,
  type ContractSymbol,
  type ResolvedMember,
  type SourceFileTypes,
} from "../languages/solidity/sourceTypes.ts";
import {
  initializesAll,
  vyperModules,
  type Importing,
  type VyperModules,
} from "../languages/vyper/vyperModules.ts";

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
interface SourceContract {
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
interface SourceIndexPorts {
  /** One that can list folders reads the projects' configurations as their tools do. */
  readonly files: FileReader & Partial<FolderReader>;
  readonly finder: FileFinder;
  readonly folders: () => readonly string[];
  readonly resolveImport: ResolveImport;
}

/** The selectors of the functions and errors that a file declares. */
interface FileSelectors {
  readonly functions: Uint32Array;
  readonly errors: Uint32Array;
  readonly events: Uint32Array;
}

/** The types of a file; `file` of its imports is known once they are linked. */
interface LinkedTypes extends SourceFileTypes {
  imports: SourceFileTypes["imports"];
  isLinked: boolean;
}

const NO_SELECTORS: FileSelectors = {
  functions: new Uint32Array(),
  errors: new Uint32Array(),
  events: new Uint32Array(),
};
const READS_AT_ONCE = 64;
const PARSES_AT_ONCE = 8;
/** Parsed files that wait for their turn. */
const MAX_PARSED = 256;
const MAX_ANSWERS = 500;
/** Files that change without an end are answered for as they were a moment ago. */
const MAX_ROUNDS = 3;

/**
 * The sources of the workspace: their contracts, read at the first question for them, and the selectors of their
 * functions and errors, read at the first question for one. Of each file it keeps names, types and selectors only; the
 * rest is read again where it is needed. Dependencies are read where an import leads to them.
 */
export class SourceIndex {
  readonly #ports: SourceIndexPorts;
  #paths: Promise<Set<string>> | undefined;
  #foreign: ForeignFolders | undefined;
  /** The files by which the folders were told last, or are being told now. */
  #telling: ReadonlySet<string> = new Set();
  #contracts: readonly DefinedContract[] | undefined;
  /** The same in their order, as long as no other has come. */
  #sorted: { readonly of?: ReadonlySet<string>; readonly paths: readonly string[] } = { paths: [] };
  readonly #outlines = new Map<string, readonly OutlinedContract[]>();
  /** The files whose outline is not known, or is older than they are. */
  readonly #unread = new Set<string>();
  #outlining: Promise<void> | undefined;
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
  #refreshing: Promise<void> | undefined;
  #resolver = this.#newResolver();
  #deriving: Promise<void> | undefined;

  constructor(ports: SourceIndexPorts) {
    this.#ports = ports;
  }

  /** Every contract that can be deployed, by path and then in the order of the file; dependencies are not among them. */
  async contracts(): Promise<readonly DefinedContract[]> {
    for (let round = 1; ; round++) {
      await this.#outline();
      if (this.#contracts) return this.#contracts;
      const changes = this.#changed;
      const contracts = await this.#concreteContracts();
      const isCurrent = changes === this.#changed && this.#unread.size === 0;
      if (isCurrent) this.#contracts = contracts;
      if (isCurrent || round === MAX_ROUNDS) return contracts;
    }
  }

  async #concreteContracts(): Promise<readonly DefinedContract[]> {
    const own = await this.#list();
    if (this.#sorted.of !== own || this.#sorted.paths.length !== own.size)
      this.#sorted = { of: own, paths: await inTurns(sortInPieces([...own], byCodeUnits)) };
    const concrete = await inTurns(this.#concreteIn(this.#sorted.paths));
    const incomplete = new Set<OutlinedContract>();
    const withModules = await inTurns(filterInPieces(concrete, ({ modules }) => modules !== undefined));
    await inPool(withModules, PARSES_AT_ONCE, async (one) => {
      if (!(await this.#isAlone(one))) incomplete.add(one);
    });
    const alone = await inTurns(filterInPieces(concrete, (one) => !incomplete.has(one)));
    return inTurns(mapInPieces(alone, ({ path, name }) => ({ path, name })));
  }

  *#concreteIn(paths: readonly string[]): Pieces<OutlinedContract[]> {
    const concrete: OutlinedContract[] = [];
    yield* eachInPieces(paths, (path) => {
      for (const one of this.#outlines.get(path) ?? []) if (isConcreteContract(one)) concrete.push(one);
    });
    return concrete;
  }

  /** The contracts, interfaces and libraries of this name in the open folders. */
  async contractsNamed(name: string): Promise<readonly SourceContract[]> {
    await this.#outline();
    const isMeant = (outline: readonly OutlinedContract[]) => outline.some((one) => one.name === name);
    const meant = await inTurns(filterInPieces(this.#outlines, ([, outline]) => isMeant(outline)));
    const paths = meant.map(([path]) => path).sort(byCodeUnits);
    const found = await inPool(paths, PARSES_AT_ONCE, (path) => this.interfaceOf(path));
    return found.flatMap((one) => one?.contracts.filter((contract) => contract.name === name) ?? []);
  }

  /** What a file offers; `undefined` when there is no such file. */
  async interfaceOf(path: string): Promise<SourceInterface | undefined> {
    await this.#refresh();
    const text = await this.#text(path);
    if (text === undefined) return undefined;
    const declarations = await inTurns(declarationsOf(path, text));
    const types = await this.#loadClosure(path);
    if (types?.contracts.length !== declarations.contracts.length) return undefined;
    return inTurns(this.#interfaceIn(path, text, declarations, types));
  }

  *#interfaceIn(
    path: string,
    text: string,
    declarations: SourceDeclarations,
    types: LinkedTypes,
  ): Pieces<SourceInterface> {
    const placeAt = placeFinder(path, text);
    const resolver = this.#resolver;
    function* resolved(declared: SourceDeclarations["members"], index?: number): Pieces<SourceMember[]> {
      const contract = index === undefined ? undefined : types.contracts[index];
      const members: SourceMember[] = [];
      yield* eachInPieces(declared, (member) => {
        const found = resolver.member(member, { path, ...(contract && { contract }) });
        if (found) members.push(sourceMember(found, placeAt(found.start), contract));
      });
      return members;
    }
    const contracts: SourceContract[] = [];
    for (const [index, { name, kind, start, members }] of declarations.contracts.entries()) {
      yield;
      contracts.push({ name, kind, place: placeAt(start), members: yield* resolved(members, index) });
    }
    return { members: yield* resolved(declarations.members), contracts };
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
    this.#unread.add(path);
    this.#changes.set(path, (this.#changes.get(path) ?? 0) + 1);
    const paths = this.#paths;
    this.#paths = paths?.then((known) => {
      // While the list was made it was not known whose the file is, nor that it has to be read.
      if (known.has(path) || !this.#isOwn(path)) return known;
      this.#unread.add(path);
      return known.add(path);
    });
  }

  /** The files below a folder of which something is known. */
  knownBelow(folder: string): string[] {
    const known = new Set([...this.#outlines.keys(), ...this.#known.keys()]);
    return [...known].filter((path) => isInside(path, folder));
  }

  /** Whether what folders the projects have was read in this file, or it was looked for there. */
  tellsFolders(path: string): boolean {
    return this.#telling.has(path);
  }

  /** What folders the projects have was read in these files below a folder, or they were looked for there. */
  tellingBelow(folder: string): string[] {
    return [...this.#telling].filter((path) => isInside(path, folder));
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
        const [written = module] = rulesOfPath(importer)?.importedPaths?.(module) ?? [];
        const file = await this.#ports.resolveImport(written, importer, exists);
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
    const telling = new Set<string>();
    this.#telling = telling;
    const [foreign, paths] = await Promise.all([
      ForeignFolders.of(files, finder, this.#ports.folders(), telling),
      finder.find(SOURCE_GLOB, FOREIGN_GLOB),
    ]);
    this.#foreign = foreign;
    const own = new Set<string>();
    await inTurns(
      eachInPieces(paths, (path) => {
        if (foreign.has(path)) return;
        own.add(path);
        if (!this.#outlines.has(path)) this.#unread.add(path);
      }),
    );
    await inTurns(
      eachInPieces(this.#outlines.keys(), (path) => {
        if (!own.has(path)) this.#outlines.delete(path);
      }),
    );
    await inTurns(
      eachInPieces(this.#unread, (path) => {
        if (!own.has(path)) this.#unread.delete(path);
      }),
    );
    return own;
  }

  /** Reads what is not known; all who ask at the same time share it. */
  #outline(): Promise<void> {
    this.#outlining ??= this.#outlineAll().finally(() => {
      this.#outlining = undefined;
    });
    return this.#outlining;
  }

  async #outlineAll(): Promise<void> {
    for (;;) {
      await this.#list();
      if (this.#unread.size === 0) return;
      await inPool([...this.#unread], READS_AT_ONCE, async (path) => {
        const before = this.#changes.get(path);
        const bytes = await this.#bytes(path);
        const outline = bytes ? await inTurns(outlineInPieces(path, bytes)) : [];
        // What was read before a change says nothing of the file as it is now.
        if (this.#changes.get(path) !== before) return;
        this.#outlines.set(path, outline);
        this.#unread.delete(path);
      });
    }
  }

  /** A file that can't be read has no names; it is noted as skipped. */
  #bytes(path: string): Promise<Uint8Array | undefined> {
    return readBytes(this.#ports.files, path, LARGEST_FILE_BYTES);
  }

  async #text(path: string): Promise<string | undefined> {
    const bytes = await this.#bytes(path);
    return bytes && inTurns(decodedInPieces(bytes));
  }

  /** The functions, errors or events of sources and of what they import that have a selector; those of interfaces are among them. */
  withSelector(kind: MemberKind, selector: number): Promise<readonly SourceMember[]> {
    const key = `${kind} ${selector}`;
    const known = this.#answers.get(key);
    if (known) return known;
    if (this.#answers.size > MAX_ANSWERS) this.#answers.clear();
    const answer = this.#search(kind, selector);
    this.#answers.set(key, answer);
    answer.catch(() => this.#answers.delete(key));
    return answer;
  }

  async #search(kind: MemberKind, selector: number): Promise<readonly SourceMember[]> {
    await this.#derive();
    const declaring = await inTurns(
      filterInPieces(this.#selectors, ([, selectors]) => selectors[`${kind}s`].includes(selector)),
    );
    const paths = declaring.map(([path]) => path).sort(byCodeUnits);
    const found = await inPool(paths, PARSES_AT_ONCE, (path) => this.interfaceOf(path));
    const meant: SourceMember[] = [];
    await inTurns(
      eachInPieces(found, (one) => {
        for (const members of [one?.members ?? [], ...(one?.contracts ?? []).map(({ members: own }) => own)])
          for (const member of members)
            if (member.kind === kind && member.selector === selector) meant.push(member);
      }),
    );
    return meant;
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
      const missing = new Set<string>();
      for (const paths of [own, this.#known.keys()]) {
        await inTurns(
          eachInPieces(paths, (path) => {
            if (!this.#selectors.has(path)) missing.add(path);
          }),
        );
      }
      if (missing.size === 0) return;
      await inPool([...missing], PARSES_AT_ONCE, (path) => this.#deriveFile(path));
    }
  }

  async #deriveFile(path: string): Promise<void> {
    const types = await this.#loadClosure(path);
    let declarations = this.#parsed.get(path);
    this.#parsed.delete(path);
    if (types && !declarations) {
      const text = await this.#text(path);
      declarations = text === undefined ? undefined : await inTurns(declarationsOf(path, text));
    }
    if (!types || types.contracts.length !== declarations?.contracts.length) {
      this.#selectors.set(path, NO_SELECTORS);
      return;
    }
    const found = { function: new Array<number>(), error: new Array<number>(), event: new Array<number>() };
    const add = (member: SourceDeclarations["members"][number], index?: number) => {
      const contract = index === undefined ? undefined : types.contracts[index];
      const resolved = this.#resolver.member(member, { path, ...(contract && { contract }) });
      if (resolved?.selector !== undefined) found[resolved.kind].push(resolved.selector);
    };
    await inTurns(eachInPieces(declarations.members, (member) => add(member)));
    for (const [index, { members }] of declarations.contracts.entries())
      await inTurns(eachInPieces(members, (member) => add(member, index)));
    this.#selectors.set(path, {
      functions: new Uint32Array(found.function),
      errors: new Uint32Array(found.error),
      events: new Uint32Array(found.event),
    });
  }

  /** Loads the types of a file and of everything that it imports. */
  async #loadClosure(path: string): Promise<LinkedTypes | undefined> {
    const entry = await this.#typesOf(path);
    const turns = new Turns();
    const visited = new Set([path]);
    let wave = entry ? [{ path, types: entry }] : [];
    while (wave.length > 0) {
      const next: string[] = [];
      for (const { path: importer, types } of wave) {
        if (turns.isOver) await turns.next();
        if (!types.isLinked) await this.#link(importer, types);
        await inTurns(
          eachInPieces(types.imports, ({ file }) => {
            if (file === undefined || visited.has(file)) return;
            visited.add(file);
            next.push(file);
          }),
        );
      }
      wave = [];
      await inPool(next, READS_AT_ONCE, async (file) => {
        const imported = await this.#typesOf(file);
        if (imported) wave.push({ path: file, types: imported });
      });
    }
    return entry;
  }

  async #link(path: string, types: LinkedTypes): Promise<void> {
    const importedPaths = rulesOfPath(path)?.importedPaths ?? ((written: string) => [written]);
    const exists = async (file: string) => (await this.#typesOf(file)) !== undefined;
    types.imports = await inPool(types.imports, READS_AT_ONCE, async ({ file: _, ...declaration }) => {
      for (const written of importedPaths(declaration.path)) {
        const file = await this.#ports.resolveImport(written, path, exists);
        if (file !== undefined) return { ...declaration, file };
      }
      return declaration;
    });
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
    const declarations = await inTurns(declarationsOf(path, text));
    if (this.#parsed.size < MAX_PARSED) this.#parsed.set(path, declarations);
    const types: LinkedTypes = { ...(await inTurns(typesOf(declarations))), isLinked: false };
    this.#known.set(path, types);
    return types;
  }

  /** Reads again what has changed, and forgets what followed from it; one who asks waits for those before. */
  async #refresh(): Promise<void> {
    while (this.#refreshing) await this.#refreshing;
    if (this.#stale.size === 0 && !this.#hasNewFiles) return;
    this.#refreshing = this.#readAgain().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  async #readAgain(): Promise<void> {
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
      if (!before || !after || (await typesDigest(before)) !== (await typesDigest(after))) changed.push(path);
      if (before && !after) await this.#unlink(({ file }) => file === path);
    }
    if (hasNewFiles)
      for (const path of await this.#unlink(({ file }) => file === undefined)) changed.push(path);
    await inTurns(
      eachInPieces(await this.#dependents(changed), (path) => {
        this.#selectors.delete(path);
      }),
    );
    this.#resolver = this.#newResolver();
  }

  /** Has imports looked up again; answers the files that have such imports. */
  async #unlink(isMeant: (declaration: SourceFileTypes["imports"][number]) => boolean): Promise<string[]> {
    const unlinked = await inTurns(filterInPieces(this.#known, ([, { imports }]) => imports.some(isMeant)));
    for (const [, types] of unlinked) types.isLinked = false;
    return unlinked.map(([path]) => path);
  }

  /** The files themselves and all that import them, directly or not. */
  async #dependents(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const dependents = new Set(paths);
    if (paths.length === 0) return dependents;
    const importers = await inTurns(importersIn(this.#known));
    await inTurns(
      eachInPieces(dependents, (path) => {
        for (const importer of importers.get(path) ?? []) dependents.add(importer);
      }),
    );
    return dependents;
  }
}

/** Which files import a file, by its path. */
function* importersIn(files: ReadonlyMap<string, SourceFileTypes>): Pieces<Map<string, string[]>> {
  const importers = new Map<string, string[]>();
  for (const [path, { imports }] of files) {
    yield* eachInPieces(imports, ({ file }) => {
      if (file === undefined) return;
      const known = importers.get(file);
      if (known) known.push(path);
      else importers.set(file, [path]);
    });
    yield;
  }
  return importers;
}

function* declarationsOf(path: string, text: string): Pieces<SourceDeclarations> {
  const declarations = rulesOfPath(path)?.declarations;
  if (declarations) return yield* declarations(path, text);
  return { contracts: [], imports: [], members: [], structs: [], enums: [], valueTypes: [], constants: [] };
}

/** What is kept of a file, in strings of its own: a part of a text would keep the whole text in memory. */
function* typesOf({ members: _, contracts, imports, ...types }: SourceDeclarations): Pieces<SourceFileTypes> {
  const kept = { ...types, contracts: contracts.map(({ members: __, start: ___, ...contract }) => contract) };
  return { ...copyOf(kept), imports: yield* mapInPieces(imports, copyOf) };
}

function copyOf<T>(data: T): T {
  return JSON.parse(JSON.stringify(data)) as T;
}

function typesDigest({ imports, ...types }: LinkedTypes): Promise<string> {
  const declared = imports.map(({ path, alias, names }) => ({ path, alias, names }));
  return inTurns(jsonInPieces({ ...types, isLinked: false, imports: declared }));
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
    ...definedOnly({ abi, signature, selector }),
    ...(contract && { contract: { name: contract.name, kind: contract.kind } }),
  };
}
