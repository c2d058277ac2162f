import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { machinePath } from "../files/machinePath.ts";
import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";
import { isInside, joinPath, lastSegment, type FileReader } from "../files/fileReader.ts";
import type { WorkspaceContract } from "../sources/contractReference.ts";
import { foreign } from "../text/shownText.ts";
import { isContractName } from "./contractName.ts";

/**
 * Finds the contract that `path/to/File.sol:Name` names; the path is relative to an open folder or absolute,
 * with `/` or `\`.
 *
 * @throws LedgerLensError `invalid_contract` when the form is wrong or no open folder holds the path,
 * `file_not_found` when there is no such file, `ambiguous_contract` when several open
 * folders hold one.
 */
export async function findWorkspaceContract(
  files: FileReader,
  folders: readonly string[],
  text: string,
): Promise<WorkspaceContract> {
  const found: WorkspaceContract[] = [];
  const unreadable: unknown[] = [];
  for (const place of placesNamed(folders, text)) {
    // A folder may be open beside one that holds it.
    if (found.some(({ path }) => path === place.path)) continue;
    try {
      if (await files.read(place.path)) found.push(place);
    } catch (error) {
      unreadable.push(error);
    }
  }
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  if (first)
    throw new LedgerLensError(
      "ambiguous_contract",
      t`There is a file ${fileNamed(text)} in several open folders: ${found.map(({ folder }) => foreign(lastSegment(folder))).join(", ")}. Write its absolute path.`,
    );
  if (unreadable.length > 0) throw unreadable[0];
  throw new LedgerLensError(
    "file_not_found",
    t`There is no file ${fileNamed(text)} in the open folder. Check the path.`,
  );
}

/**
 * Where a contract would be that `path/to/File.sol:Name` names, whether there is such a file or not.
 *
 * @throws LedgerLensError `invalid_contract` as {@link findWorkspaceContract}
 */
export function placesNamed(
  folders: readonly string[],
  text: string,
): readonly [WorkspaceContract, ...WorkspaceContract[]] {
  const contractName = splitIdentifier(text).name.trim();
  const written = fileNamed(text);
  if (written === "" || !isContractName(contractName, written)) {
    throw new LedgerLensError(
      "invalid_contract",
      t`"${text}" does not name a contract. Write the file and the contract, like contracts/Vault.sol:Vault.`,
    );
  }
  // "C:/vault/A.sol" and "/c:/vault/A.sol" are one file.
  const path = machinePath(written);
  const [first, ...others] = folders
    .map((folder) => ({
      folder,
      path: path.startsWith("/") ? joinPath("/", path) : joinPath(folder, path),
      contractName,
    }))
    .filter((place) => isInside(place.path, place.folder));
  if (first) return [first, ...others];
  throw new LedgerLensError(
    "invalid_contract",
    t`${written} is not in an open folder. Open the folder that holds it.`,
  );
}

function fileNamed(text: string): string {
  return splitIdentifier(text).file.trim().replaceAll("\\", "/");
}
