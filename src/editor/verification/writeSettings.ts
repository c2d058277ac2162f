import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import { joinPath } from "../../core/files/fileReader.ts";
import type { ResubmitChanges } from "../../core/matching/explanation.ts";
import { documentText } from "../../core/text/documentText.ts";
import { shown } from "../../core/text/shownText.ts";
import { withFoundrySettings } from "../../core/tools/foundry/foundryEdit.ts";
import { runAction } from "../ui/action.ts";
import { showDiff } from "../ui/diff.ts";
import { showMessage } from "../ui/notifications.ts";
import { uriOf, workspaceFiles } from "../workspaceFiles.ts";
import type { WorkspaceInput } from "./compilerInputOf.ts";
import type { DocumentParts, WorkspaceParts } from "./verificationParts.ts";

/** A configuration as it is, and as it would be with other settings. */
interface ConfigurationEdit {
  readonly path: string;
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const FILE = "foundry.toml";

/** What would be written into a project's configuration; `undefined` where that is not plain enough to be edited safely. */
export async function configurationEdit(
  { project }: Pick<WorkspaceInput, "project">,
  changes: ResubmitChanges | undefined,
): Promise<ConfigurationEdit | undefined> {
  const path = joinPath(project, FILE);
  const bytes = changes && (await workspaceFiles.read(path).catch(() => undefined));
  if (!bytes) return undefined;
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const after = await withFoundrySettings(before, changes);
  return after === undefined || after === before ? undefined : { path, name: FILE, before, after };
}

/** Shows what would be written, and writes it once a person says so and the file is still as it was. */
export async function writeConfiguration(
  { documents, log }: DocumentParts & Pick<WorkspaceParts, "log">,
  edit: ConfigurationEdit,
): Promise<void> {
  const { path, name, after } = edit;
  const file = uriOf(path);
  const proposed = documents.put(
    [shown`configuration`, shown`${name} with the found settings`],
    documentText(after),
  );
  await showDiff(file, proposed, shown`${name}: now ↔ with the found settings`);
  const write = {
    label: shown`Write`,
    run: () => runAction(log, "Write Into Configuration", { interactive: true }, () => written(edit)),
  };
  await showMessage("information", shown`Write the found settings into ${name}?`, write);
}

async function written({ path, name, before, after }: ConfigurationEdit): Promise<void> {
  const file = uriOf(path);
  const now = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await vscode.workspace.fs.readFile(file));
  const isUnsaved = vscode.workspace.textDocuments.some(
    ({ uri, isDirty }) => uri.toString() === file.toString() && isDirty,
  );
  if (now !== before || isUnsaved) {
    throw new LedgerLensError(
      "configuration_changed",
      `${name} changed meanwhile, so nothing was written. Save it, then find the settings again.`,
    );
  }
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(after));
}
