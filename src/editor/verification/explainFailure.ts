import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../core/errors.ts";
import { recordStatus, type JobRecord } from "../../core/jobs/jobRecord.ts";
import { checkVerificationId } from "../../core/service/parameters.ts";
import { shown } from "../../core/text/shownText.ts";
import { optionalText } from "../ui/arguments.ts";
import { askSteps, type Step } from "../ui/multiStep.ts";
import { showMessage } from "../ui/notifications.ts";
import { pick } from "../ui/questions.ts";
import { explained, toldExplanation, type ToldExplanation } from "./explainJob.ts";
import { jobChoice } from "./jobChoice.ts";
import type { ExplanationParts, FollowParts } from "./verificationParts.ts";

/** What the command goes by. */
type FailureParts = ExplanationParts & Pick<FollowParts, "pages">;

/**
 * `ledgerLens.explainFailure` `{verificationId}`: why a verification failed, by what is kept of it; nothing is asked of a
 * service. A person chooses the job, and its page is opened, or led to its causes where it is open; the only one that failed is not asked about.
 *
 * @returns nothing to explain for a job that did not fail, or of whose failure nothing tells
 * @throws LedgerLensError `unknown_job` for an id that is not in the list
 */
export async function explainFailure(
  parts: FailureParts,
  args: Readonly<Record<string, unknown>>,
): Promise<{ readonly explanation?: ToldExplanation }> {
  const { store } = parts.jobs;
  await store.load();
  const given = optionalText(args, "verificationId");
  if (given !== undefined) return whyFailed(parts, knownJob(parts, given));
  const state: { record?: JobRecord | undefined } = {};
  const step: Step<typeof state> = {
    argument: "verificationId",
    isKnown: ({ record }) => record !== undefined,
    prepare: () => {
      const failed = failedJobs(parts);
      if (failed.length === 1) state.record = failed[0];
      return Promise.resolve(failed.length > 1);
    },
    ask: async (_state, frame) => {
      state.record = await pick(frame, {
        placeholder: shown`Which failed verification?`,
        choices: failedJobs(parts).map((record) => jobChoice(record, record)),
      });
    },
  };
  await askSteps(shown`Why a Verification Failed`, state, [step]);
  const { record } = state;
  if (!record) {
    void showMessage("information", shown`No verification of this workspace has failed.`, {
      label: shown`Show Example`,
      run: async () => (await parts.pages()).showExample(),
    });
    return {};
  }
  (await parts.pages()).showCauses(record);
  return whyFailed(parts, record);
}

async function whyFailed(
  parts: FailureParts,
  record: JobRecord,
): Promise<{ readonly explanation?: ToldExplanation }> {
  const { explanation } = await explained(parts, record);
  return explanation ? { explanation: toldExplanation(explanation) } : {};
}

/** The newest first. */
function failedJobs({ jobs }: FailureParts): JobRecord[] {
  return jobs.store.all().filter((record) => recordStatus(record) === "failed");
}

function knownJob({ jobs }: FailureParts, given: string): JobRecord {
  const record = jobs.store.byVerificationId(checkVerificationId(given));
  if (record) return record;
  throw new LedgerLensError(
    "unknown_job",
    t`The verification ${given} is not in the list of this workspace. Run "Ledger Lens: Check Verification Job…" with its id.`,
  );
}
