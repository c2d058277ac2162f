import { lastSegment, parentFolder } from "../files/fileReader.ts";
import { placesNamed } from "../languages/workspaceContract.ts";
import { nameOfArtifact } from "./artifactName.ts";
import { isSourcePath, type DefinedContract } from "./contracts.ts";
import type { FoundDeployment } from "./workspaceDeployments.ts";

/** What a file of the workspace is of. */
interface ContractsOfFile {
  readonly contracts: readonly DefinedContract[];
  /** Where records say that they were deployed. */
  readonly deployments: readonly FoundDeployment[];
}

/**
 * The contracts that a file is of: those that a source defines, those whose deployment a record tells, and the one that an
 * artifact was built from, which tools name `Vault.sol/Vault.json` or, without the file, `Vault.json`.
 *
 * @param path absolute
 * @param known the workspace's concrete contracts, and what its records say was deployed
 */
export function contractsOfFile(path: string, known: ContractsOfFile): ContractsOfFile {
  const recorded = known.deployments.filter(
    ({ record, alsoIn, defined }) => (record === path || alsoIn === path) && defined,
  );
  if (recorded.length > 0) return { contracts: [], deployments: recorded };
  const isOfFile = isSourcePath(path) ? (one: DefinedContract) => one.path === path : isBuiltInto(path);
  return {
    contracts: known.contracts.filter(isOfFile),
    deployments: deploymentsOf(known.deployments, isOfFile),
  };
}

/**
 * Where records say that a contract was deployed.
 *
 * @param contract `path/to/File.sol:Name`, as a person, a program or a row of ours may write it
 * @throws LedgerLensError `invalid_contract` as {@link placesNamed}
 */
export function deploymentsOfContract(
  folders: readonly string[],
  contract: string,
  deployments: readonly FoundDeployment[],
): FoundDeployment[] {
  const places = placesNamed(folders, contract);
  return deploymentsOf(deployments, ({ path, name }) =>
    places.some((place) => place.path === path && place.contractName === name),
  );
}

/** The deployments of the contracts that are meant. */
function deploymentsOf(
  deployments: readonly FoundDeployment[],
  isMeant: (contract: DefinedContract) => boolean,
): FoundDeployment[] {
  return deployments.filter(({ defined }) => defined !== undefined && isMeant(defined));
}

/** Whether an artifact at a path is that of a contract, by its name and, where the path has it, by that of the file. */
function isBuiltInto(path: string): (contract: DefinedContract) => boolean {
  const name = nameOfArtifact(path);
  const folder = lastSegment(parentFolder(path));
  return (contract) =>
    contract.name === name && (!isSourcePath(folder) || lastSegment(contract.path) === folder);
}
