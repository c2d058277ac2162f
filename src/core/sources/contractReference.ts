import { LedgerLensError } from "../errors.ts";
import { isInside, joinPath, type FileReader } from "../files/fileReader.ts";
import type { AdmittedSource } from "./admittedSources.ts";

/** A contract of the workspace: the file on disk and the contract in it. */
export interface WorkspaceContract {
  /** Absolute path of the file. */
  readonly path: string;
  readonly contractName: string;
  /** The open folder that holds the file. */
  readonly folder: string;
}

/** A contract whose file was opened and may go. */
export interface OpenedContract extends WorkspaceContract {
  readonly source: AdmittedSource;
}

/**
 * Finds the contract that `path/to/File.sol:Name` names; the path is relative to an open folder or absolute,
 * with `/` or `\`.
 *
 * @throws LedgerLensError `invalid_contract` when the form is wrong or no open folder holds the path,
 * `file_not_found` when there is no such file.
 */
export async function findWorkspaceContract(
  files: FileReader,
  folders: readonly string[],
  text: string,
): Promise<WorkspaceContract> {
  const colon = text.lastIndexOf(":");
  const contractName = text.slice(colon + 1).trim();
  const written = text.slice(0, Math.max(colon, 0)).trim().replaceAll("\\", "/");
  if (written === "" || !nameOf(written).test(contractName)) {
    throw new LedgerLensError(
      "invalid_contract",
      `"${text}" does not name a contract. Write the file and the contract, like contracts/Vault.sol:Vault.`,
    );
  }
  // "C:/vault/A.sol" and "/c:/vault/A.sol" are one file.
  const path = /^[A-Za-z]:\//.test(written)
    ? `/${written.charAt(0).toLowerCase()}${written.slice(1)}`
    : written;
  const places = folders
    .map((folder) => ({ folder, path: path.startsWith("/") ? joinPath("/", path) : joinPath(folder, path) }))
    .filter((place) => isInside(place.path, place.folder));
  for (const place of places) {
    if (await files.read(place.path)) return { ...place, contractName };
  }
  if (places.length === 0) {
    throw new LedgerLensError(
      "invalid_contract",
      `${written} is not in an open folder. Open the folder that holds it.`,
    );
  }
  throw new LedgerLensError(
    "file_not_found",
    `There is no file ${written} in the open folder. Check the path.`,
  );
}

/**
 * What a contract of a file may be called: a Yul object's name is any text (ethereum/solidity, libyul/ObjectParser.cpp),
 * and a Vyper contract has the name of its file.
 */
function nameOf(path: string): RegExp {
  return /\.(?:yul|vyi?)$/.test(path) ? /^[^\p{Cc}/\\]+$/u : /^[A-Za-z$_][\w$]*$/;
}
