import type { FileReader } from "../files/fileReader.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { filterInPieces, inTurns } from "../concurrency/turns.ts";
import {
  readSelector,
  selectorNumber,
  signatureOf,
  type AbiEntry,
  type MemberKind,
} from "../evm/abiEntry.ts";
import { ArtifactIndex, type KnownArtifact } from "./artifactIndex.ts";
import { isSourcePath, type DefinedContract } from "./contracts.ts";
import type { DefinitionPlace } from "../text/definitionPlace.ts";
import type { FileFinder } from "./fileFinder.ts";
import { isToolConfiguration } from "../tools/tool.ts";
import { ImportedFiles, type ResolveImport } from "./importedFiles.ts";
import { saysTheSame, type StorageLayout } from "../evm/storageLayout.ts";
import type { DeployedCode } from "../matching/codeDigest.ts";
import { SourceIndex, type SourceInterface, type SourceMember } from "./sourceIndex.ts";

/** A function, error or event that the workspace knows. */
export interface KnownMember {
  readonly abi: AbiEntry;
  /** `transfer(address,uint256)` */
  readonly signature: string;
  /** Missing where only an artifact knows it, or where it is one of several that are equally likely. */
  readonly place?: DefinitionPlace;
}

/** A contract that the workspace knows: by its artifact, its source, or both. */
export interface KnownContract {
  readonly name: string;
  /** Absolute path of its source. */
  readonly path?: string;
  readonly artifact?: KnownArtifact;
}

/** What an index of the workspace stands on. */
interface WorkspaceIndexPorts {
  readonly files: FileReader & Partial<FolderReader>;
  readonly finder: FileFinder;
  /** The open folders. */
  readonly folders: () => readonly string[];
  /** Where imports lead; {@link ImportedFiles} by default. */
  readonly resolveImport?: ResolveImport;
}

/**
 * What the open workspace knows of contracts: artifacts of build tools and sources, read lazily and kept up to date by
 * {@link invalidate}. Nothing rejects because of a file: what can't be read has no names.
 */
export class WorkspaceIndex {
  readonly #sources: SourceIndex;
  readonly #artifacts: ArtifactIndex;
  readonly #imports: ImportedFiles;
  #version = 0;

  constructor({ files, finder, folders, resolveImport }: WorkspaceIndexPorts) {
    this.#imports = new ImportedFiles(files, folders);
    this.#artifacts = new ArtifactIndex(files, finder);
    this.#sources = new SourceIndex({
      files,
      finder,
      folders,
      resolveImport: resolveImport ?? this.#imports.resolve,
    });
  }

  /** Another number whenever answers may differ from before. */
  get version(): number {
    return this.#version;
  }

  /** A file was made, changed or deleted; it is read again when it is needed. */
  invalidate(path: string): void {
    this.#version++;
    this.#artifacts.invalidate(path);
    this.#sources.invalidate(path);
    if (isSourcePath(path)) this.#imports.invalidate();
    if (!this.isConfiguredBy(path)) return;
    this.#sources.invalidateFolders();
    this.#imports.invalidate();
    this.#sources.invalidateImports();
  }

  /** Whether a change of a file may change any setting: configurations take some from files of any name. */
  isConfiguredBy(path: string): boolean {
    return isToolConfiguration(path) || this.#sources.tellsFolders(path);
  }

  /** A folder came or is gone, and all files below it; answers whether any of them was known, or looked for there. */
  invalidateFolder(folder: string): boolean {
    const known = [
      ...this.#sources.knownBelow(folder),
      ...this.#sources.tellingBelow(folder),
      ...this.#artifacts.knownBelow(folder),
    ];
    for (const path of known) this.invalidate(path);
    return known.length > 0;
  }

  /** Every contract that can be deployed, by path and then in the order of the file; dependencies are not among them. */
  contracts(): Promise<readonly DefinedContract[]> {
    return this.#sources.contracts();
  }

  /** What a source file offers; `undefined` when there is no such file. */
  interfaceOf(path: string): Promise<SourceInterface | undefined> {
    return this.#sources.interfaceOf(path);
  }

  /** The members of a contract of a source with those that it inherits, most derived first. */
  membersOf(contract: DefinedContract): Promise<readonly SourceMember[]> {
    return this.#sources.membersOf(contract);
  }

  /**
   * The contract whose code this is; `undefined` when none is, or when several of different names are and the metadata
   * does not tell them apart.
   */
  async contractOfCode(code: DeployedCode): Promise<KnownContract | undefined> {
    const matching = await this.#artifacts.withCode(code);
    const exact = matching.filter((artifact) => artifact.code && code.hasMetadataOf(artifact.code));
    const [first, ...others] = exact.length > 0 ? exact : matching;
    if (!first || others.some(({ contractName }) => contractName !== first.contractName)) return undefined;
    const path = await this.#artifacts.sourceOf(first);
    return { name: first.contractName, artifact: first, ...(path !== undefined && { path }) };
  }

  /** Where a contract is defined. */
  async placeOf({ name, path }: KnownContract): Promise<DefinitionPlace | undefined> {
    if (path !== undefined) {
      const found = await this.#sources.interfaceOf(path);
      return found?.contracts.find((contract) => contract.name === name)?.place;
    }
    const named = await this.#sources.contractsNamed(name);
    const concrete = named.filter(({ kind }) => kind === "contract" || kind === "library");
    return concrete.length === 1 ? concrete[0]?.place : undefined;
  }

  /**
   * The functions, errors or events that have a selector; more than one only where their signatures differ.
   *
   * @param text `0x` and 8 hex digits
   */
  async members(kind: MemberKind, text: string): Promise<readonly KnownMember[]> {
    const selector = readSelector(text);
    if (selector === undefined) return [];
    const [declared, artifacts] = await Promise.all([
      this.#sources.withSelector(kind, selector),
      this.#artifacts.all(),
    ]);
    const known = new Map<string, KnownMember>();
    for (const { abi, signature } of declared) {
      if (!abi || signature === undefined || known.has(signature)) continue;
      const same = declared.filter((member) => member.signature === signature);
      const place = likeliestPlace(same);
      known.set(signature, { abi, signature, ...(place && { place }) });
    }
    if (known.size > 0) return [...known.values()];
    for (const artifact of await inTurns(
      filterInPieces(artifacts, (one) => one[`${kind}s`].includes(selector)),
    )) {
      const abi = (await this.#artifacts.abiOf(artifact)).find((entry) => isMeant(entry, kind, selector));
      if (!abi) continue;
      const signature = signatureOf(abi);
      if (known.has(signature)) continue;
      const place = await this.#placeByName(artifact, abi);
      known.set(signature, { abi, signature, ...(place && { place }) });
    }
    return [...known.values()];
  }

  /** A function, an error or an event of a contract: its own, an inherited one, or, where there is an artifact, one that it uses. */
  async memberOf(
    { name, path, artifact }: KnownContract,
    kind: MemberKind,
    text: string,
  ): Promise<KnownMember | undefined> {
    const selector = readSelector(text);
    if (selector === undefined) return undefined;
    const members = path === undefined ? [] : await this.#sources.membersOf({ path, name });
    const declared = members.filter((member) => member.kind === kind && member.selector === selector);
    // The most derived one that has a body is the one that runs.
    const source = declared.find(({ isImplemented }) => isImplemented) ?? declared[0];
    const abi =
      source?.abi ??
      (artifact?.[`${kind}s`].includes(selector)
        ? (await this.#artifacts.abiOf(artifact)).find((entry) => isMeant(entry, kind, selector))
        : undefined);
    if (!abi) return undefined;
    const place = source?.place ?? placeByName(members, abi);
    return { abi, signature: signatureOf(abi), ...(place && { place }) };
  }

  /**
   * Where the variables of a contract lie, by its artifact; where that does not say, or is not known, by the artifacts of its
   * name and its source, as two tools leave them of one project. `undefined` where none says, or where they differ.
   */
  async storageLayoutOf({ name, path, artifact }: KnownContract): Promise<StorageLayout | undefined> {
    const own = artifact && (await this.#artifacts.storageLayoutOf(artifact));
    // What is told by its code alone may be another contract than one of the same name.
    if (own || (artifact && path === undefined)) return own;
    const named = (await this.#artifacts.all()).filter(({ contractName }) => contractName === name);
    let found: StorageLayout | undefined;
    for (const one of named) {
      // One of other code is of another build, in which the variables may lie elsewhere.
      if (artifact?.code && one.code?.masked !== artifact.code.masked) continue;
      if (path !== undefined && (await this.#artifacts.sourceOf(one)) !== path) continue;
      const layout = await this.#artifacts.storageLayoutOf(one);
      if (layout && found && !saysTheSame(found, layout)) return undefined;
      found ??= layout;
    }
    return found;
  }

  async #placeByName(artifact: KnownArtifact, abi: AbiEntry): Promise<DefinitionPlace | undefined> {
    const path = await this.#artifacts.sourceOf(artifact);
    if (path === undefined) return undefined;
    return placeByName(await this.#sources.membersOf({ path, name: artifact.contractName }), abi);
  }
}

/** The only member of a name whose types could not be resolved, so that its selector is not known. */
function placeByName(
  members: readonly SourceMember[],
  { type, name }: AbiEntry,
): DefinitionPlace | undefined {
  const named = members.filter(
    (member) => member.kind === type && member.name === name && member.selector === undefined,
  );
  return named.length === 1 ? named[0]?.place : undefined;
}

/**
 * The only implementation; where there are several, or none, the only declaration in an interface: of several that are
 * equally likely none is told.
 */
function likeliestPlace(members: readonly SourceMember[]): DefinitionPlace | undefined {
  const isFull = ({ isImplemented, contract }: SourceMember) =>
    isImplemented && contract?.kind !== "interface";
  const implemented = members.filter(isFull);
  const others = members.filter((member) => !isFull(member));
  if (implemented.length === 1) return implemented[0]?.place;
  return others.length === 1 ? others[0]?.place : undefined;
}

function isMeant(entry: AbiEntry, kind: MemberKind, selector: number): boolean {
  return entry.type === kind && selectorNumber(signatureOf(entry)) === selector;
}
