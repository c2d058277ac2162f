import { documentSegments } from "../../core/text/documentPath.ts";
import * as vscode from "vscode";
import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../core/errors.ts";
import type { JobRecord } from "../../core/jobs/jobRecord.ts";
import type { SubmittedFile } from "../../core/jobs/submissionParts.ts";
import { ownValue } from "../../core/json/ownValue.ts";
import { sourceDocument } from "../../core/text/documentText.ts";
import { foreign, shown, type ShownText } from "../../core/text/shownText.ts";
import type { ReadOnlyDocuments } from "../ui/readOnlyDocuments.ts";
import { tellInPassing } from "../ui/statusItem.ts";
import { uriOf } from "../workspaceFiles.ts";
import type { VerificationParts } from "./verificationParts.ts";

/** Where documents of what a job sent are. */
export function sentFolder({ id }: Pick<JobRecord, "id">): ShownText[] {
  return [shown`what was sent`, foreign(id)];
}

/** Shows a text that was sent, or compiled here. */
export async function showSentSource(
  documents: ReadOnlyDocuments,
  folder: readonly ShownText[],
  name: string,
  content: string,
): Promise<void> {
  await documents.show([...folder, ...documentSegments(name)], sourceDocument(content));
}

/**
 * Opens a file of a submission as it was sent, or as it is now where what was sent had to make room for newer jobs.
 *
 * @throws LedgerLensError `not_found` where it is neither kept nor in its place
 */
export async function openSubmittedFile(
  { jobs, documents }: Pick<VerificationParts, "jobs" | "documents">,
  record: JobRecord,
  { name, path }: SubmittedFile,
): Promise<void> {
  const source = ownValue((await jobs.store.input(record.id))?.sources ?? {}, name);
  if (source) {
    await showSentSource(documents, sentFolder(record), name, source.content);
    return;
  }
  const uri = uriOf(path);
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    throw new LedgerLensError(
      "not_found",
      t`${foreign(name)} is no longer kept as it was sent, and it is not at ${foreign(path)} any more.`,
    );
  }
  await vscode.commands.executeCommand("vscode.open", uri);
  tellInPassing(shown`What was sent is no longer kept: this is the file as it is now`);
}
