import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { diskError } from "../../core/files/diskError.ts";
import type { ShownText } from "../../core/text/shownText.ts";
import { UserCancelled } from "./action.ts";

/**
 * Asks where a file is to be saved, below the first open folder unless the person says otherwise.
 *
 * @param name that is offered
 * @param filter what files of this kind are called, and their ending without a dot
 * @throws UserCancelled
 */
export async function askWhereToSave(
  title: ShownText,
  name: string,
  filter: readonly [kind: string, ending: string],
): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/");
  const target = await vscode.window.showSaveDialog({
    title,
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: { [filter[0]]: [filter[1]] },
  });
  if (!target) throw new UserCancelled();
  return target;
}

/**
 * Writes a file that a person named.
 *
 * @throws LedgerLensError in words, where the disk refuses
 */
export async function saveFile(target: vscode.Uri, text: string): Promise<void> {
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  } catch (error) {
    throw diskError(error, t`The file can't be written to ${target.fsPath}`);
  }
}
