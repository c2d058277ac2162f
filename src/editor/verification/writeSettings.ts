import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import { lastSegment } from "../../core/files/fileReader.ts";
import { PROVEN } from "../../core/matching/explanation.ts";
import type { JobRecord } from "../../core/jobs/jobRecord.ts";
import { withChanges, type Submittable } from "../../core/matching/resubmission.ts";
import { changesTo } from "../../core/settingsSearch/searchedCause.ts";
import { documentText } from "../../core/text/documentText.ts";
import { shown } from "../../core/text/shownText.ts";
import { foundry } from "../../core/tools/foundry/foundry.ts";
import { projectAt } from "../../core/tools/project.ts";
import { withFoundrySettings } from "../../core/tools/foundry/foundryEdit.ts";
import { hardhat } from "../../core/tools/hardhat/hardhat.ts";
import { runAction } from "../ui/action.ts";
import { showDiff } from "../ui/diff.ts";
import { showMessage } from "../ui/notifications.ts";
import { uriOf, workspaceFiles, workspaceFolderReader } from "../workspaceFiles.ts";
import { compilerInputOf, type WorkspaceInput } from "./compilerInputOf.ts";
import type { CompilerParts, DocumentParts, WorkspaceParts } from "./verificationParts.ts";

/** A configuration as it is, and as it would be with other settings. */
interface ConfigurationEdit {
  readonly path: string;
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/**
 * What would be written into a project's configuration, in that of Foundry where it has one; `undefined` where that is not
 * plain enough to be edited safely.
 *
 * @param found what the contract was deployed with
 */
export async function configurationEdit(
  input: WorkspaceInput,
  found: Submittable,
): Promise<ConfigurationEdit | undefined> {
  const changes = changesTo(input, found);
  // No configuration says what files are called.
  if (!changes || changes.sourceNames) return undefined;
  const project = await projectAt(workspaceFolderReader, input.project);
  const ofFoundry = project?.configurations.get(foundry);
  const path = ofFoundry ?? project?.configurations.get(hardhat);
  const bytes = path === undefined ? undefined : await workspaceFiles.read(path).catch(() => undefined);
  if (path === undefined || !bytes) return undefined;
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const after =
    path === ofFoundry
      ? await withFoundrySettings(before, changes)
      : await withHardhat(before, path, input, found);
  return after === undefined || after === before
    ? undefined
    : { path, name: lastSegment(path), before, after };
}

async function withHardhat(
  text: string,
  path: string,
  input: WorkspaceInput,
  found: Submittable,
): Promise<string | undefined> {
  const { withHardhatSettings } = await import("../../core/tools/hardhat/hardhatEdit.ts");
  const folder = vscode.workspace.getWorkspaceFolder(uriOf(path));
  const place = {
    files: workspaceFolderReader,
    root: input.project,
    path,
    contract: input.path,
    opened: folder?.uri.path ?? input.project,
  };
  const setupOf = ({ compilerVersion, stdJsonInput }: Submittable) => ({
    compilerVersion,
    settings: stdJsonInput.settings,
  });
  return withHardhatSettings(text, place, setupOf(input), setupOf(found));
}

/**
 * What the first cause of a failed job would write into the project's configuration, where compiling or the metadata hash
 * proved it; `undefined` where nothing is proven or the file is not plain enough. No question is asked.
 */
export async function causeEdit(
  parts: CompilerParts,
  { submission, explanation }: JobRecord,
): Promise<ConfigurationEdit | undefined> {
  const [first] = explanation?.causes ?? [];
  if (!submission || first?.action?.kind !== "resubmit" || first.confidence < PROVEN) return undefined;
  const input = await compilerInputOf(parts, `${submission.path}:${submission.contractName}`);
  return configurationEdit(input, withChanges(input, first.action.changes));
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
    run: () => runAction(log, t`Write Into Configuration`, { interactive: true }, () => written(edit)),
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
      t`${name} changed meanwhile, so nothing was written. Save it, then find the settings again.`,
    );
  }
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(after));
}
