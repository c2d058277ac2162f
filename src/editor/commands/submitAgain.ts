import type { Parts } from "../../container.ts";
import { LedgerLensError } from "../../core/errors.ts";
import type { ResubmitChanges } from "../../core/verification/explanation/explanation.ts";
import { recordTitle, type JobRecord } from "../../core/verification/jobRecord.ts";
import {
  agreedBeforeInPieces,
  SubmissionReview,
  type ReviewedSubmission,
} from "../../core/verification/reviewedSubmission.ts";
import { foreignSentence, shown } from "../../core/text/shownText.ts";
import { inTurns } from "../../core/turns.ts";
import { pick, type StepFrame } from "../ui/multiStep.ts";
import type { Choice } from "../ui/quickPick.ts";
import { filesInBrief, showFiles } from "./publishedFiles.ts";
import { changedItems } from "./reviewSubmission.ts";

/** Whether the service that a submission was agreed for is the one that is configured now. */
export function isForConfiguredService(parts: Parts, { service }: JobRecord): boolean {
  return parts.service().url === parts.service(service).url;
}

/**
 * What was submitted before, with changes where a cause asks for them: for the service that it was agreed for, at which
 * nothing becomes public that was not shown. Where another service is configured, a person is asked.
 */
export async function submittedAgain(
  parts: Parts,
  record: JobRecord,
  changes: ResubmitChanges,
): Promise<ReviewedSubmission> {
  return isForConfiguredService(parts, record)
    ? inTurns(agreedBeforeInPieces(record, await parts.jobs.kept(record), changes))
    : whereToSubmit(parts, record, changes);
}

/** Asks which service gets a submission: the one that it was agreed for, or the one that is configured now. */
export async function whereToSubmit(
  parts: Parts,
  record: JobRecord,
  changes?: ResubmitChanges,
): Promise<ReviewedSubmission> {
  const kept = await parts.jobs.kept(record);
  const agreed = await inTurns(agreedBeforeInPieces(record, kept, changes));
  const agreedHost = parts.service(record.service).host;
  const frame: StepFrame = { title: shown`Submit Again`, step: 1, totalSteps: 1, canGoBack: false };
  let changed: string | undefined;
  for (;;) {
    const review = await inTurns(SubmissionReview.ofKeptInPieces(parts.service().url, record, kept, changes));
    const { files } = review.shown;
    const choices: Choice<"agreed" | "configured" | "files">[] = [
      ...changedItems(changed),
      {
        icon: "cloud-upload",
        label: shown`Submit to ${agreedHost}`,
        detail: shown`${recordTitle(record)} was agreed for this service.`,
        value: "agreed",
      },
      {
        icon: "cloud-upload",
        label: shown`Submit to ${review.host}`,
        detail: shown`The service that is configured now. ${review.shown.sentence}`,
        value: "configured",
      },
      ...review.findings.map(({ sentence }) => ({
        icon: "warning",
        label: foreignSentence(sentence),
        value: "files" as const,
      })),
      ...(files.length > 0
        ? [
            {
              icon: "files",
              label: shown`Files`,
              description: filesInBrief(review.shown),
              value: "files" as const,
            },
          ]
        : []),
    ];
    const item = await pick(frame, {
      placeholder: shown`It was agreed for ${agreedHost}, and ${review.host} is configured now. Which one gets it?`,
      choices,
    });
    if (item === "agreed") return agreed;
    if (item === "configured") {
      changed = review.changesIn(
        await inTurns(SubmissionReview.ofKeptInPieces(parts.service().url, record, kept, changes)),
      );
      if (changed === undefined) return review.agreed();
      continue;
    }
    try {
      await showFiles(parts, { ...frame, canGoBack: true }, [{ files }]);
    } catch (error) {
      // Back returns to this step; leaving leaves the command.
      if (error instanceof LedgerLensError) throw error;
    }
  }
}
