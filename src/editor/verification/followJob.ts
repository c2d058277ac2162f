import { isMatch, toMatch, type VerificationJob, type VerificationStatus } from "../../core/service/job.ts";
import { LedgerLensError } from "../../core/errors.ts";
import {
  isFinished,
  recordStatus,
  recordTitle,
  type JobRecord,
  type SubmittedInput,
} from "../../core/jobs/jobRecord.ts";
import { foreign, foreignSentence, shown } from "../../core/text/shownText.ts";
import { explained, toldExplanation, type ToldExplanation } from "./explainJob.ts";
import { earlierSentence, hostOf, outcomeSentence, placedTitle } from "../../core/jobs/jobWords.ts";
import * as vscode from "vscode";
import type { CauseCode } from "../../core/matching/explanation.ts";
import type { Deployment } from "../../core/service/submissionRequest.ts";
import { showMessage, type MessageButton } from "../ui/notifications.ts";
import { withProgressMessage } from "../ui/progress.ts";
import { hasHistory } from "../workTrees.ts";
import type { EarlierSources } from "./alreadyVerified.ts";
import { openJobAtService } from "./jobLinks.ts";
import type { FollowParts } from "./verificationParts.ts";

/** So long a command waits for a job by default; the job goes on without it. */
export const WAIT_LIMIT_SECONDS = 300;
/** More of a button is not read. */
const MAX_BUTTON_CHARACTERS = 100;

/** What the verification commands answer. */
export interface VerificationAnswer {
  /** Empty when the service had the contract already and began no job. */
  readonly verificationId: string;
  readonly status: VerificationStatus;
  /** The last job status as the service sent it. */
  readonly job: VerificationJob | null;
  /** Why it failed, most likely cause first; absent where nothing tells. */
  readonly explanation?: ToldExplanation;
}

/** How a job is followed. */
interface FollowOptions {
  readonly waitSeconds?: number | undefined;
  /** What is verified as soon as it begins was verified before: no job of it is answered. */
  readonly isSubmission?: boolean;
  /** Where the contract was verified before anything was sent: how the files here differ from the verified ones. */
  readonly compared?: (signal: AbortSignal) => Promise<EarlierSources | undefined>;
}

/** Begins a job and follows it under a progress notification that can be cancelled, then says what came of it. */
export async function followJob(
  parts: FollowParts,
  name: string,
  begin: (signal: AbortSignal) => Promise<JobRecord>,
  { waitSeconds = WAIT_LIMIT_SECONDS, isSubmission = false, compared }: FollowOptions = {},
): Promise<VerificationAnswer> {
  const { jobs } = parts;
  let earlier: { readonly sources: EarlierSources | undefined } | undefined;
  const followed = await withProgressMessage(shown`Verifying ${name}`, async (report, signal) => {
    report(shown`submitting`);
    const begun = await begin(signal);
    parts.diagnostics.clear(begun);
    if (isFinished(begun)) {
      if (isSubmission && toMatch(recordStatus(begun))) {
        if (compared) report(shown`comparing with the verified source`);
        earlier = { sources: compared && (await whereShown(parts, compared, signal)) };
      }
      return begun;
    }
    report(shown`submitted, waiting for the service`);
    const started = Date.now();
    return jobs.wait(begun.id, {
      signal,
      limitMs: waitSeconds * 1000,
      onUpdate: () => report(shown`compiling and comparing, ${Math.round((Date.now() - started) / 1000)} s`),
    });
  });
  const record = await explained(parts, followed);
  // What is not finished when the command ends is looked after from here on.
  parts.follower.start();
  const status = recordStatus(record);
  parts.log.info(`${recordTitle(record)} on chain ${record.chainId} at ${record.address}: ${status}`);
  void tellOutcome(parts, record, earlier);
  const { explanation } = record;
  return {
    verificationId: (earlier ? undefined : record.verificationId) ?? "",
    status,
    job: (earlier ? undefined : record.job) ?? null,
    ...(explanation && { explanation: toldExplanation(explanation) }),
  };
}

/** What can't be compared is no reason to fail: the contract is verified. */
async function whereShown(
  { log }: Pick<FollowParts, "log">,
  compared: NonNullable<FollowOptions["compared"]>,
  signal: AbortSignal,
): Promise<EarlierSources | undefined> {
  try {
    return await compared(signal);
  } catch (error) {
    if (!(error instanceof LedgerLensError)) throw error;
    log.warn(`The verified source could not be compared: ${error.message}`);
    return undefined;
  }
}

/** Of sources that are not those that were deployed, the button that looks for these in the history, where there is one. */
export async function commitButton(
  { causes }: { readonly causes: readonly { readonly code: CauseCode }[] },
  { path, contractName }: Pick<SubmittedInput, "path" | "contractName">,
  { chainId, address }: Deployment,
): Promise<MessageButton[]> {
  if (!causes.some(({ code }) => code === "edited_source") || !(await hasHistory(path))) return [];
  const args = { contract: `${path}:${contractName}`, chainId, address };
  return [
    {
      label: shown`Find the Commit`,
      run: () => vscode.commands.executeCommand("ledgerLens.findThisCommit", args),
    },
  ];
}

/** The result as a message; no code waits for its buttons, of which the editor cuts more than three. */
export async function tellOutcome(
  parts: FollowParts,
  record: JobRecord,
  earlier?: { readonly sources: EarlierSources | undefined },
): Promise<void> {
  // What the disk does not give of the problems takes no word from the outcome.
  parts.diagnostics.show(record).catch((error: unknown) => parts.log.error(error));
  // Two of one contract at two addresses may be on the screen at once.
  const title = placedTitle(record);
  const sentence = foreignSentence(
    earlier
      ? earlierSentence(record, earlier.sources?.apart, title)
      : outcomeSentence(record, undefined, title),
  );
  const status = recordStatus(record);
  const action = record.explanation?.causes[0]?.action;
  const open = { label: shown`Open at ${hostOf(record)}`, run: () => openJobAtService(parts, record) };
  const copy = {
    label: shown`Copy Link`,
    run: () => vscode.commands.executeCommand("ledgerLens.copyJobLink", { row: { record } }),
  };
  const details = { label: shown`Show Details`, run: async () => (await parts.pages()).showJob(record) };
  if (isMatch(status)) {
    const compare = earlier?.sources?.button;
    await showMessage("information", sentence, ...(compare ? [compare, open] : [open, copy]), details);
  } else if (status === "failed") {
    const take = action && {
      label: foreign(action.label, MAX_BUTTON_CHARACTERS),
      run: () => vscode.commands.executeCommand("ledgerLens.takeCauseAction", { row: { record, action } }),
    };
    // What has no remedy that is known may have one that compiling finds.
    const search = record.difference !== undefined &&
      action?.kind !== "resubmit" && {
        label: shown`Find the Settings`,
        run: () => vscode.commands.executeCommand("ledgerLens.findSettingsOfRow", { row: { record } }),
      };
    const { submission, explanation } = record;
    const find =
      // What the cause offers itself is offered once.
      submission && explanation && action?.kind !== "find commit"
        ? await commitButton(explanation, submission, record)
        : [];
    const remedies = [...(take ? [take] : []), ...(search ? [search] : []), ...find].slice(0, 2);
    await showMessage("error", sentence, ...remedies, details, ...(remedies.length > 1 ? [] : [copy]));
  } else {
    await showMessage("information", sentence, details);
  }
}
