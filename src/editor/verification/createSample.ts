import { t } from "@vscode/l10n";
import { isAbsolute } from "node:path";
import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import { shown } from "../../core/text/shownText.ts";
import { UserCancelled } from "../ui/action.ts";
import { optionalText } from "../ui/arguments.ts";
import { checkMayAsk, mayAsk } from "../ui/asking.ts";
import { SAMPLE_FILES } from "./sampleProject.ts";

/** What `ledgerLens.createSample` resolves to. */
interface CreatedSample {
  /** Absolute. */
  readonly folder: string;
  /** Paths below the folder. */
  readonly files: readonly string[];
}

/**
 * `ledgerLens.createSample` `{folder?: absolute path}`: writes a small Foundry project into an empty folder; no file
 * is ever overwritten. Without a folder the open one is taken if it is empty, else a person is asked for one, which
 * is opened.
 *
 * @throws LedgerLensError `invalid_argument`, `folder_not_empty`, `disk_failed`
 */
export async function createSample(args: Readonly<Record<string, unknown>>): Promise<CreatedSample> {
  const given = optionalText(args, "folder");
  if (given !== undefined && !isAbsolute(given))
    throw new LedgerLensError(
      "invalid_argument",
      t`The argument folder isn't an absolute path. Give the whole path of an empty folder.`,
    );
  const folder = given === undefined ? await emptyFolder() : vscode.Uri.file(given);
  if (!(await isEmpty(folder)))
    throw new LedgerLensError(
      "folder_not_empty",
      t`${folder.fsPath} isn't empty, so no sample was created. Choose an empty folder.`,
    );

  const edit = new vscode.WorkspaceEdit();
  for (const [path, text] of SAMPLE_FILES)
    edit.createFile(vscode.Uri.joinPath(folder, path), {
      overwrite: false,
      ignoreIfExists: false,
      contents: new TextEncoder().encode(text),
    });
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new LedgerLensError(
      "disk_failed",
      t`The sample can't be written to ${folder.fsPath}. Choose an empty folder that you may write to.`,
    );

  if (mayAsk()) {
    const isOpen = vscode.workspace.getWorkspaceFolder(folder) !== undefined;
    if (isOpen) await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, "README.md"));
    else await vscode.commands.executeCommand("vscode.openFolder", folder);
  }
  return { folder: folder.fsPath, files: [...SAMPLE_FILES.keys()] };
}

/** The open folder where it is empty, else the one that a person chooses. */
async function emptyFolder(): Promise<vscode.Uri> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) if (await isEmpty(uri)) return uri;
  checkMayAsk(t`Create Sample`, ["folder"]);
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: shown`Create Sample: Choose an Empty Folder`,
      openLabel: shown`Create Sample Here`,
      canSelectFolders: true,
      canSelectFiles: false,
    })) ?? [];
  if (!chosen) throw new UserCancelled();
  return chosen;
}

/** A folder that is not there yet is empty, too; the records of git don't count. */
async function isEmpty(folder: vscode.Uri): Promise<boolean> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries.every(([name]) => name === ".git");
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return true;
    throw new LedgerLensError(
      "disk_failed",
      t`${folder.fsPath} can't be read as a folder. Choose an empty folder.`,
      {
        cause: error,
      },
    );
  }
}
