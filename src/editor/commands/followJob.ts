import * as vscode from "vscode";
import type { Parts } from "../../container.ts";
import type { Cause } from "../../core/verification/explanation/explanation.ts";
import type { VerificationJob, VerificationStatus } from "../../core/verification/job.ts";
import { isFinished, recordStatus, recordTitle, type JobRecord } from "../../core/verification/jobRecord.ts";
import { visibleText } from "../../core/visibleText.ts";
import { explained } from "../explainJob.ts";
import { outcomeSentence } from "../../core/verification/jobWords.ts";
import { runAction } from "../action.ts";
import { takeAction } from "./causeActions.ts";
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
  /** Why it failed, most likely cause first; absent where nothing tells. */
  readonly explanation?: {
    readonly summary: string;
    readonly causes: readonly Omit<Cause, "action">[];
  };
}

/** Begins a job and follows it under a progress notification that can be cancelled, then says what came of it. */
export async function followJob(
  parts: Parts,
  name: string,
  begin: (signal: AbortSignal) => Promise<JobRecord>,
  waitSeconds = WAIT_LIMIT_SECONDS,
): Promise<VerificationAnswer> {
  const { jobs } = parts;
  const followed = await vscode.window.withProgress(
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
  const record = await explained(parts, followed);
  // What is not finished when the command ends is looked after from here on.
  parts.follower.start();
  const status = recordStatus(record);
  parts.log.info(`${recordTitle(record)} on chain ${record.chainId} at ${record.address}: ${status}`);
  void tellOutcome(parts, record);
  const { explanation } = record;
  return {
    verificationId: record.verificationId ?? "",
    status,
    job: record.job ?? null,
    ...(explanation && {
      explanation: {
        summary: explanation.summary,
        causes: explanation.causes.map(({ action: _action, ...cause }) => cause),
      },
    }),
  };
}

/** The result as a message; nobody waits for its buttons. */
export async function tellOutcome(parts: Parts, record: JobRecord): Promise<void> {
  await parts.diagnostics.show(record);
  const sentence = visibleText(outcomeSentence(record));
  const status = recordStatus(record);
  const action = record.explanation?.causes[0]?.action;
  const choice =
    status === "exact_match" || status === "match"
      ? await vscode.window.showInformationMessage(sentence, "Open in Explorer", "Copy Link", "Show Details")
      : status === "failed"
        ? await vscode.window.showErrorMessage(
            sentence,
            ...(action ? [action.label] : []),
            "Show Details",
            "Copy Link",
          )
        : await vscode.window.showInformationMessage(sentence, "Show Details");
  if (choice === "Open in Explorer") await openJobInExplorer(parts, record);
  if (choice === "Copy Link") await copyJobLink(parts, record);
  if (action && choice === action.label) {
    await runAction(parts.log, action.label, { interactive: true }, () => takeAction(parts, record, action));
  }
  if (choice === "Show Details") await parts.jobDocuments.show(record);
}
