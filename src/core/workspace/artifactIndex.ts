import { machinePath } from "../files/machinePath.ts";
import { isInside, joinPath, parentFolder, type FileReader } from "../files/fileReader.ts";
import { LARGEST_FILE_BYTES } from "../files/unreadableFile.ts";
import { outputBehindArtifact } from "../compilerInput/recordedOutput.ts";
import { field } from "../json/looseData.ts";
import { languageOfPath, LANGUAGES } from "../languages/language.ts";
import { readBytes } from "../json/dataFile.ts";
import { selectorNumber, signatureOf, type AbiEntry } from "../evm/abiEntry.ts";
import { storageLayout, type StorageLayout } from "../evm/storageLayout.ts";
import { readAs } from "../json/shape.ts";
import {
  ARTIFACT_GLOB,
  isArtifactPath,
  NO_ARTIFACT_GLOB,
  projectsOfArtifact,
  type Artifact,
} from "./artifact.ts";
import { readArtifactFile } from "./artifactFile.ts";
import type { FileFinder } from "./fileFinder.ts";
import { byCodeUnits, sortInPieces } from "../concurrency/sortInPieces.ts";
import { eachInPieces, filterInPieces, inTurns } from "../concurrency/turns.ts";
import { inPool } from "../concurrency/inPool.ts";
import { codeDigestOf, type CodeDigest, type DeployedCode } from "../matching/codeDigest.ts";

/** What is kept of a contract of an artifact. */
export interface KnownArtifact {
  /** Absolute path of the artifact. */
  readonly path: string;
  readonly contractName: string;
  /** As the tool names the source. */
  readonly sourceName?: string;
  readonly code?: CodeDigest;
  /** Selectors of the functions. */
  readonly functions: Uint32Array;
  /** Selectors of the errors. */
  readonly errors: Uint32Array;
  readonly events: Uint32Array;
}

const READS_AT_ONCE = 8;

/**
 * The artifacts that build tools left in the open folders, read at the first question. Of each it keeps names, selectors
 * and a digest of its code; its ABI is read again where it is needed.
 */
export class ArtifactIndex {
  readonly #files: FileReader;
  readonly #finder: FileFinder;
  #paths: Promise<Set<string>> | undefined;
  readonly #artifacts = new Map<string, readonly KnownArtifact[]>();

  constructor(files: FileReader, finder: FileFinder) {
    this.#files = files;
    this.#finder = finder;
  }

  /** All contracts of artifacts, by the artifact's path. */
  async all(): Promise<readonly KnownArtifact[]> {
    const paths = await this.#list();
    const selectors = new Map<string, number>();
    const selectorOf = (entry: AbiEntry) => {
      const signature = signatureOf(entry);
      const selector = selectors.get(signature) ?? selectorNumber(signature);
      selectors.set(signature, selector);
      return selector;
    };
    const missing = await inTurns(filterInPieces(paths, (path) => !this.#artifacts.has(path)));
    await inPool(missing, READS_AT_ONCE, async (path) => {
      const artifacts = await this.#read(path);
      this.#artifacts.set(
        path,
        artifacts.map((artifact) => summaryOf(path, artifact, selectorOf)),
      );
    });
    const known: KnownArtifact[] = [];
    await inTurns(
      eachInPieces(await inTurns(sortInPieces([...paths], byCodeUnits)), (path) => {
        for (const artifact of this.#artifacts.get(path) ?? []) known.push(artifact);
      }),
    );
    return known;
  }

  /** The artifacts whose code becomes this when it is deployed, those with the same metadata first. */
  async withCode(code: DeployedCode): Promise<readonly KnownArtifact[]> {
    if (code.isEmpty) return [];
    const matching = await inTurns(
      filterInPieces(
        await this.all(),
        (artifact) => artifact.code !== undefined && code.matches(artifact.code),
      ),
    );
    const exact = new Set(matching.filter((artifact) => artifact.code && code.hasMetadataOf(artifact.code)));
    return [...exact, ...matching.filter((artifact) => !exact.has(artifact))];
  }

  /** The ABI of an artifact as it is on disk now. */
  async abiOf(artifact: KnownArtifact): Promise<readonly AbiEntry[]> {
    return (await this.#onDisk(artifact))?.abi ?? [];
  }

  /** Where an artifact's variables lie, as it is on disk now; `undefined` where the tool did not write it. */
  async storageLayoutOf(artifact: KnownArtifact): Promise<StorageLayout | undefined> {
    const own = (await this.#onDisk(artifact))?.storageLayout;
    return readAs(
      storageLayout,
      own ?? field(await outputBehindArtifact(this.#files, artifact), "storageLayout"),
    );
  }

  async #onDisk({ path, contractName, sourceName }: KnownArtifact): Promise<Artifact | undefined> {
    return (await this.#read(path)).find(
      (artifact) => artifact.contractName === contractName && artifact.sourceName === sourceName,
    );
  }

  /** The absolute path of the source of an artifact, if it is still there. */
  async sourceOf({ path, sourceName }: KnownArtifact): Promise<string | undefined> {
    if (sourceName === undefined) return undefined;
    const candidates = projectsOfArtifact(path).flatMap((project) => [
      joinPath(project, sourceName),
      joinPath(project, `node_modules/${sourceName}`),
      joinPath(project, `contracts/${sourceName}`),
    ]);
    const absolute = machinePath(sourceName);
    if (absolute.startsWith("/")) candidates.unshift(joinPath("/", absolute));
    // Only what belongs to the project of the artifact: a hostile artifact must not point anywhere else.
    const projects = projectsOfArtifact(path);
    for (const candidate of candidates) {
      if (!projects.some((project) => candidate.startsWith(`${project === "/" ? "" : project}/`))) continue;
      if (await readBytes(this.#files, candidate, LARGEST_FILE_BYTES)) return candidate;
    }
    return undefined;
  }

  /** A file was made, changed or deleted. */
  invalidate(path: string): void {
    if (!isArtifactPath(path)) return;
    this.#artifacts.delete(path);
    const paths = this.#paths;
    this.#paths = paths?.then((known) => known.add(path));
  }

  /** The files below a folder of which something is known. */
  knownBelow(folder: string): string[] {
    return [...this.#artifacts.keys()].filter((path) => isInside(path, folder));
  }

  #list(): Promise<Set<string>> {
    this.#paths ??= this.#finder.find(ARTIFACT_GLOB, NO_ARTIFACT_GLOB).then(
      async (paths) => new Set(await inTurns(filterInPieces(paths, isArtifactPath))),
      (error: unknown) => {
        this.#paths = undefined;
        throw error;
      },
    );
    return this.#paths;
  }

  async #read(path: string): Promise<readonly Artifact[]> {
    return readArtifactFile(this.#files, path);
  }
}

function summaryOf(
  path: string,
  { contractName, sourceName, abi, deployedCode }: Artifact,
  selectorOf: (entry: AbiEntry) => number,
): KnownArtifact {
  const code = codeDigestOf(
    deployedCode,
    hasDataBehindCode(sourceName) || hasDataBehindCode(parentFolder(path)),
  );
  const selectors = (type: AbiEntry["type"]) =>
    new Uint32Array(abi.filter((entry) => entry.type === type).map(selectorOf));
  return {
    path,
    contractName,
    ...(sourceName !== undefined && { sourceName }),
    ...(code && { code }),
    functions: selectors("function"),
    errors: selectors("error"),
    events: selectors("event"),
  };
}

/** By the source's name; Foundry names the folder of the artifact after it. */
function hasDataBehindCode(source: string | undefined): boolean {
  const language = source === undefined ? undefined : languageOfPath(source);
  return language !== undefined && LANGUAGES[language].hasDataBehindCode === true;
}
