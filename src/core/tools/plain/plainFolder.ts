import type { AdmittedSources } from "../../sources/admittedSources.ts";
import { isInside, joinPath, parentFolder, relativePath, type FileReader } from "../../files/fileReader.ts";
import { LARGEST_CONFIGURATION_BYTES, readBytes } from "../../json/dataFile.ts";
import { chooseSolc } from "../../languages/solidity/solcChoice.ts";
import type { OpenedContract } from "../../sources/contractReference.ts";
import { REMAPPINGS_FILE } from "../../languages/solidity/solidity.ts";
import { readRemappingsFile, writtenRemapping } from "../../languages/solidity/remappingsFile.ts";
import { remappingResolver, solidityClosure } from "../../languages/solidity/solidityClosure.ts";
import {
  byteOrderMarks,
  inputFilesOf,
  requireConcrete,
  solidityInput,
} from "../../languages/solidity/solidityCompilation.ts";
import { SourceFinder } from "../../sources/sourceLookup.ts";
import type { CompilerInput, CompilerSettings } from "../../sources/standardJsonInput.ts";
import { DEFAULT_OPTIMIZER } from "../../languages/solidity/solcCode.ts";

/** What a caller may fix instead of leaving it to the folder. */
export interface PlainFolderOptions {
  /** Short (`0.8.30`) or full (`0.8.30+commit.73712a01`). */
  readonly compilerVersion?: string | undefined;
  /** Settings that the folder itself can't say: optimizer, EVM version and so on. */
  readonly settings?: CompilerSettings | undefined;
  /** The version in the auxdata of the deployed code. */
  readonly deployedCompilerVersion?: string | undefined;
  readonly releases?: readonly string[] | undefined;
}

/**
 * Standard JSON input for a contract in a folder without a build tool: names relative to the folder,
 * packages from `node_modules`, remappings from `remappings.txt`, the compiler by the pragmas.
 *
 * @throws LedgerLensError `contract_not_found`, `abstract_contract`, `no_compiler`, `invalid_compiler_version`,
 * `source_not_utf8`, and what {@link solidityClosure} throws.
 */
export async function plainFolderInput(
  files: FileReader,
  sources: AdmittedSources,
  contract: OpenedContract,
  options: PlainFolderOptions,
): Promise<CompilerInput> {
  const project = await projectFolder(files, contract);
  const name = relativePath(contract.path, project) ?? contract.path;
  const listed = await readRemappingsFile(files, joinPath(project, REMAPPINGS_FILE));
  const remappings = [...listed.map(writtenRemapping), ...(options.settings?.remappings ?? [])];
  const finder = new SourceFinder(sources, { project });
  const closure = await solidityClosure(
    remappingResolver(finder, remappings),
    { name, source: contract.source },
    project,
  );
  const [entry] = closure;
  if (entry) requireConcrete(entry.name, entry.content, contract.contractName);
  const compiler = chooseSolc(
    closure,
    { given: options.compilerVersion, deployed: options.deployedCompilerVersion },
    options.releases,
  );
  const findings = [...compiler.findings, ...byteOrderMarks(closure)];
  return {
    compilerVersion: compiler.version,
    compilerReason: compiler.reason,
    contractIdentifier: `${name}:${contract.contractName}`,
    stdJsonInput: solidityInput(closure, {
      ...options.settings,
      ...(remappings.length > 0 ? { remappings } : {}),
      optimizer: { ...DEFAULT_OPTIMIZER, ...options.settings?.optimizer },
    }),
    source: "derived",
    files: inputFilesOf(closure),
    findings,
    warnings: findings.map(({ sentence }) => sentence),
    project,
    changedSinceBuild: [],
  };
}

/** The nearest folder with a `remappings.txt`, up to the open folder, which it is otherwise. */
async function projectFolder(files: FileReader, { path, folder }: OpenedContract): Promise<string> {
  for (let at = parentFolder(path); at !== folder && isInside(at, folder); at = parentFolder(at)) {
    if (await readBytes(files, joinPath(at, REMAPPINGS_FILE), LARGEST_CONFIGURATION_BYTES)) return at;
  }
  return folder;
}
