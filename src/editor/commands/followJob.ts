import * as vscode from "vscode";
import type { Parts } from "../../container.ts";
import type { VerificationJob, VerificationStatus } from "../../core/verification/job.ts";
import { isFinished, recordStatus, recordTitle, type JobRecord } from "../../core/verification/jobRecord.ts";
import { visibleText } from "../../core/visibleText.ts";
import { outcomeSentence } from "../jobWords.ts";
import { copyJobLink, openJobInExplorer } from "./jobLinks.ts";

/** So long a command waits for a job by default; the job goes on without it. */
const WAIT_LIMIT_SECONDS = 300;

/** What the verification commands answer. */
export interface VerificationAnswer {
  /** Empty when the service had the contract already and began no job. */
  readonly verificationId: string;
  readonly status: VerificationStatus;
  /** The last job status as the service sent it. */
  readonly job: VerificationJob | null;
}

/** Begins a job and follows it under a progress notification that can be cancelled, then says what came of it. */
export async function followJob(
  parts: Parts,
  name: string,
  begin: (signal: AbortSignal) => Promise<JobRecord>,
  waitSeconds = WAIT_LIMIT_SECONDS,
): Promise<VerificationAnswer> {
  const { jobs } = parts;
  const record = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Verifying ${visibleText(name)}`,
      cancellable: true,
    },
    async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      progress.report({ message: "submitting" });
      const begun = await begin(abort.signal);
      parts.diagnostics.clear(begun);
      if (isFinished(begun)) return begun;
      progress.report({ message: "submitted, waiting for the service" });
      const started = Date.now();
      return jobs.wait(begun.id, {
        signal: abort.signal,
        limitMs: waitSeconds * 1000,
        onUpdate: () =>
          progress.report({
            message: `compiling and comparing, ${Math.round((Date.now() - started) / 1000)} s`,
          }),
      });
    },
  );
  // What is not finished when the command ends is looked after from here on.
  parts.follower.start();
  const status = recordStatus(record);
  parts.log.info(`${recordTitle(record)} on chain ${record.chainId} at ${record.address}: ${status}`);
  void tellOutcome(parts, record);
  return { verificationId: record.verificationId ?? "", status, job: record.job ?? null };
}

/** The result as a message; nobody waits for its buttons. */
export async function tellOutcome(parts: Parts, record: JobRecord): Promise<void> {
  await parts.diagnostics.show(record);
  const sentence = visibleText(outcomeSentence(record));
  const status = recordStatus(record);
  const choice =
    status === "exact_match" || status === "match"
      ? await vscode.window.showInformationMessage(sentence, "Open in Explorer", "Copy Link", "Show Details")
      : status === "failed"
        ? await vscode.window.showErrorMessage(sentence, "Show Details", "Copy Link")
        : await vscode.window.showInformationMessage(sentence, "Show Details");
  if (choice === "Open in Explorer") await openJobInExplorer(parts, record);
  if (choice === "Copy Link") await copyJobLink(parts, record);
  if (choice === "Show Details") await parts.jobDocuments.show(record);
}
