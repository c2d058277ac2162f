import { deploymentKey } from "../evm/deploymentKey.ts";
import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { findMetadata } from "../compilerInput/metadataInput.ts";
import { isInside, joinPath, parentFolder } from "../files/fileReader.ts";
import { skippedFiles, type SkippedFile } from "../files/skippedFiles.ts";
import { inPool } from "../concurrency/inPool.ts";
import { remembered } from "../concurrency/remembered.ts";
import {
  eachInPieces,
  filterInPieces,
  groupInPieces,
  inTurns,
  mapOfInPieces,
  Turns,
  type Pieces,
} from "../concurrency/turns.ts";
import { openedFolders } from "../sources/boundedReader.ts";
import { supportingLast } from "./contractOrder.ts";
import type { DefinedContract } from "./contracts.ts";
import type { RecordedDeployment } from "../tools/deployment.ts";
import { rememberingReader, type FolderReader } from "../files/folderReader.ts";
import { readJson } from "../json/dataFile.ts";
import { asText, fieldAt } from "../json/looseData.ts";
import { machinePath, pathKey } from "../files/machinePath.ts";
import { findProject, type Project } from "../tools/project.ts";
import { ownPath } from "../tools/tool.ts";
import { deploymentPlaces, projectDeployments } from "../tools/projectDeployments.ts";

/** A recorded deployment, and the contract of the workspace that it is of. */
export interface FoundDeployment extends RecordedDeployment {
  /** Absent where the workspace has no such contract, or several and the record does not say which. */
  readonly defined?: DefinedContract;
}

/** What the records of a workspace came to. */
interface WorkspaceDeployments {
  /** The newest first in each project; scripts, tests and mocks stand last, in every list that is made of them. */
  readonly found: FoundDeployment[];
  /** What could not be read on the way: records, and the configurations that tell where they are. */
  readonly skipped: readonly SkippedFile[];
  /** The files, and the folders of the files, that hold records or would hold them; absolute. */
  readonly places: readonly string[];
}

/**
 * What the records of all projects of the workspace say was deployed. Nothing outside the open folders is read.
 *
 * @param contracts the workspace's concrete contracts
 */
export async function workspaceDeployments(
  reader: FolderReader,
  folders: readonly string[],
  contracts: readonly DefinedContract[],
): Promise<WorkspaceDeployments> {
  const all = rememberingReader(reader);
  const { files } = await openedFolders(all, folders);
  const projects = new Map<string, Project>();
  // What lies in one folder belongs to one project.
  const places = await inTurns(mapOfInPieces(contracts, ({ path }) => [parentFolder(path), path]));
  for (const path of places.values()) {
    const folder = folders.find((one) => isInside(path, one));
    if (folder === undefined) continue;
    const project = await findProject(files, folder, path);
    projects.set(project.root, project);
  }
  const byName = await inTurns(groupInPieces(contracts, ({ name }) => name));
  const recorded = await Promise.all(
    [...projects.values()].map(async (project) => ({
      project,
      deployments: await projectDeployments(all, project, folders),
      places: await deploymentPlaces(all, project, folders),
    })),
  );
  // Before builds are looked into to tell contracts of one name apart: those are no records of deployments.
  const skipped = skippedFiles(files);
  const found: FoundDeployment[] = [];
  for (const { project, deployments } of recorded) {
    const known = new KnownContracts(files, project, byName);
    const each = await inPool(deployments, AT_ONCE, async ({ creationCode, ...deployment }) => {
      const defined = await known.of(deployment.contract, creationCode);
      return { ...deployment, ...(defined && { defined }) };
    });
    for (const one of each) found.push(one);
  }
  return {
    found: supportingLast(await inTurns(eachOnce(found)), ({ defined }) => defined, folders),
    skipped,
    places: recorded.flatMap(({ places }) => places),
  };
}

/** Without what several projects list that share a folder of records; of these one that has the contract stays. */
function* eachOnce(found: readonly FoundDeployment[]): Pieces<FoundDeployment[]> {
  const byRecord = new Map<string, FoundDeployment>();
  yield* eachInPieces(found, (one) => {
    const key = `${one.record}\0${deploymentKey(one)}`;
    if (!byRecord.get(key)?.defined) byRecord.set(key, one);
  });
  return [...byRecord.values()];
}

/** So many records are brought together with their contracts at once. */
const AT_ONCE = 8;
/** Of more contracts of one name no builds are looked into; a workspace of many examples has tens. */
const MAX_SAME_NAME = 100;

/** The contracts that a project's records may be of. What its builds say of a name is read once, however many records have it. */
class KnownContracts {
  readonly #files: FolderReader;
  readonly #project: Project;
  readonly #all: ReadonlyMap<string, readonly DefinedContract[]>;
  readonly #named = new Map<string, NamedContracts>();
  readonly #codes = new Map<string, Promise<readonly ContractCode[]>>();
  readonly #built = new Map<string, Promise<DefinedContract | undefined>>();

  constructor(files: FolderReader, project: Project, all: ReadonlyMap<string, readonly DefinedContract[]>) {
    this.#files = files;
    this.#project = project;
    this.#all = all;
  }

  /** The contract that a record means by its name, or by the code of the creation; `undefined` where there is none, or several and nothing tells them apart. */
  async of(contract: string, creationCode: string | undefined): Promise<DefinedContract | undefined> {
    const { file, name } = splitIdentifier(contract);
    const { byPath, inside, first } = await this.#ofName(name);
    const path = file === "" ? undefined : joinPath(this.#project.root, ownPath(machinePath(file)));
    const exact = path === undefined ? undefined : byPath.get(pathKey(path));
    if (exact || inside.length === 1) return exact ?? inside[0];
    if (inside.length === 0) return remembered(this.#built, name, () => this.#builtFrom(first));
    if (creationCode === undefined) return undefined;
    const codes = await remembered(this.#codes, name, () => this.#codesOf(inside));
    return codes.find(({ starts }) => starts.some((start) => creationCode.startsWith(start)))?.contract;
  }

  async #ofName(name: string): Promise<NamedContracts> {
    const known = this.#named.get(name);
    if (known) return known;
    const all = this.#all.get(name) ?? [];
    const { root } = this.#project;
    const inside = await inTurns(filterInPieces(all, ({ path }) => isInside(path, root)));
    // Of paths that can't be told apart the first counts.
    const byPath = await inTurns(mapOfInPieces(all.toReversed(), (one) => [pathKey(one.path), one]));
    const named = { byPath, inside: inside.slice(0, MAX_SAME_NAME), first: all.slice(0, MAX_SAME_NAME) };
    this.#named.set(name, named);
    return named;
  }

  /** Of contracts that lie elsewhere the one that a build of the project was made from: a project compiles what it imports. */
  async #builtFrom(contracts: readonly DefinedContract[]): Promise<DefinedContract | undefined> {
    const turns = new Turns();
    for (const { path, name } of contracts) {
      if (turns.isOver) await turns.next();
      const found = await findMetadata(this.#files, this.#project, { path, contractName: name });
      if (found.some((one) => joinPath(this.#project.root, one.name) === path)) return { path, name };
    }
    return undefined;
  }

  /** What the codes begin with that builds of contracts gave. */
  async #codesOf(contracts: readonly DefinedContract[]): Promise<readonly ContractCode[]> {
    return inPool(contracts, AT_ONCE, async (contract) => {
      const { path, name } = contract;
      const starts: string[] = [];
      for (const artifact of await findMetadata(this.#files, this.#project, { path, contractName: name })) {
        const code = asText(fieldAt(await readJson(this.#files, artifact.path), "bytecode", "object"));
        // The place of a library that is linked later holds no digits.
        const start = code?.split("__", 1)[0]?.toLowerCase() ?? "";
        if (start.length > 2) starts.push(start);
      }
      return { contract, starts };
    });
  }
}

/** The contracts of a name. */
interface NamedContracts {
  /** All of the workspace, by {@link pathKey}. */
  readonly byPath: ReadonlyMap<string, DefinedContract>;
  /** Those in the project, as far as they are looked into. */
  readonly inside: readonly DefinedContract[];
  /** Those of the workspace, likewise. */
  readonly first: readonly DefinedContract[];
}

/** What the code of a creation begins with where it is of a contract. */
interface ContractCode {
  readonly contract: DefinedContract;
  readonly starts: readonly string[];
}
