import { LedgerLensError } from "../../core/errors.ts";
import { ownValue } from "../../core/json/ownValue.ts";
import type { ResubmitChanges } from "../../core/matching/explanation.ts";
import { keptAddress } from "../../core/http/keptAddress.ts";
import { runsHere } from "../../core/http/thisMachine.ts";
import { recordTitle, type JobRecord } from "../../core/jobs/jobRecord.ts";
import { fateOfSources } from "../../core/jobs/publishReview.ts";
import { hostOf } from "../../core/jobs/jobWords.ts";
import {
  agreedBeforeInPieces,
  SubmissionReview,
  type KeptSubmission,
  type AgreedSubmission,
} from "../../core/jobs/submissionReview.ts";
import { plainSource } from "../../core/sources/sourceText.ts";
import { listed } from "../../core/text/counted.ts";
import { foreignSentence, joined, shown } from "../../core/text/shownText.ts";
import { inTurns } from "../../core/concurrency/turns.ts";
import type { StepFrame } from "../ui/multiStep.ts";
import { pick } from "../ui/questions.ts";
import type { Choice, StepChoice } from "../ui/quickPick.ts";
import { workspaceFiles } from "../workspaceFiles.ts";
import { filesInBrief, showFiles } from "./publishedFiles.ts";
import { changedItems } from "./reviewStep.ts";
import type { DocumentParts, FollowParts, ServiceParts } from "./verificationParts.ts";

/** What is submitted again, and shown before. */
type SubmissionParts = ServiceParts & DocumentParts & Pick<FollowParts, "jobs">;

/** Whether the service that a submission was agreed for is the one that is configured now. */
export function isForConfiguredService(parts: ServiceParts, { service }: JobRecord): boolean {
  return keptAddress(parts.service().url) === service;
}

/**
 * What was submitted before, with changes where a cause asks for them: for the service that it was agreed for, at which
 * nothing becomes public that was not shown. Where another service is configured, or the files are no longer what was
 * submitted, a person is asked.
 */
export async function submittedAgain(
  parts: SubmissionParts,
  record: JobRecord,
  changes: ResubmitChanges,
): Promise<AgreedSubmission> {
  const kept = await parts.jobs.kept(record);
  const changed = await changedSinceSubmission(kept);
  return changed.length === 0 && isForConfiguredService(parts, record)
    ? inTurns(agreedBeforeInPieces(record, kept, changes))
    : whereToSubmit(parts, record, changes, changed);
}

/** Names of the submitted sources that are no longer what the files hold; line endings do not count. */
async function changedSinceSubmission({ stdJsonInput, files = [] }: KeptSubmission): Promise<string[]> {
  const extension = (path: string) => path.slice(path.lastIndexOf("."));
  const changed: string[] = [];
  for (const { name, path } of files) {
    const content = stdJsonInput && ownValue(stdJsonInput.sources, name)?.content;
    // A text that is only in a record is kept with the record's path.
    if (content === undefined || extension(path) !== extension(name)) continue;
    const bytes = await workspaceFiles.read(path).catch(() => undefined);
    if (bytes === undefined || plainSource(new TextDecoder().decode(bytes)) !== plainSource(content))
      changed.push(name);
  }
  return changed;
}

/**
 * Asks which service gets a submission: the one that it was agreed for, or the one that is configured now.
 *
 * @param stale names of sources that are no longer what was submitted
 */
export async function whereToSubmit(
  parts: SubmissionParts,
  record: JobRecord,
  changes?: ResubmitChanges,
  stale: readonly string[] = [],
): Promise<AgreedSubmission> {
  const kept = await parts.jobs.kept(record);
  const agreed = await inTurns(agreedBeforeInPieces(record, kept, changes));
  const agreedHost = hostOf(record);
  const frame: StepFrame = { title: shown`Submit Again`, step: 1, totalSteps: 1, canGoBack: false };
  let changed: string | undefined;
  let lookedAt: Item | undefined;
  for (;;) {
    const review = await inTurns(SubmissionReview.ofKeptInPieces(parts.service().url, record, kept, changes));
    const { files } = review.shown;
    const isOther = !isForConfiguredService(parts, record);
    const item = await pick<Item>(frame, {
      placeholder: isOther
        ? shown`It was agreed for ${agreedHost}, and ${review.host} is configured now. Which one gets it?`
        : shown`Press Enter to submit what was submitted then`,
      choices: [
        ...changedItems(changed),
        {
          icon: "cloud-upload",
          label: shown`Submit to ${agreedHost}`,
          detail: shown`${recordTitle(record)} was agreed for this service.`,
          value: "agreed",
          sends: true,
        },
        ...(isOther ? [configuredChoice(review)] : []),
        ...staleChoices(stale),
        ...contentChoices(review),
      ],
      beginAt: changed === undefined ? lookedAt : undefined,
    });
    if (item === "agreed") return agreed;
    if (item === "configured") {
      const { url } = parts.service();
      const now = await inTurns(SubmissionReview.ofKeptInPieces(url, record, kept, changes));
      changed = await inTurns(review.changesInPieces(now));
      if (changed === undefined) return review.agreed();
      continue;
    }
    // Another Enter must not fall on a line that sends.
    lookedAt = item;
    try {
      await showFiles(parts, { ...frame, canGoBack: true }, [{ files }]);
    } catch (error) {
      // Back returns to this step; leaving leaves the command.
      if (error instanceof LedgerLensError) throw error;
    }
  }
}

type Item = "agreed" | "configured" | "files";

function configuredChoice({ host, shown: { sentence, files } }: SubmissionReview): StepChoice<Item> {
  // A search sends none, and has those of another contract published.
  const fate = files.length === 0 && runsHere(host) ? [] : [shown`${fateOfSources(host)}.`];
  return {
    icon: "cloud-upload",
    label: shown`Submit to ${host}`,
    detail: joined([shown`The service that is configured now.`, sentence, ...fate], " "),
    value: "configured",
    sends: true,
  };
}

function staleChoices(stale: readonly string[]): Choice<Item>[] {
  if (stale.length === 0) return [];
  return [
    {
      icon: "warning",
      label: shown`${listed(stale)} changed since the submission. What was submitted then is sent, not the files as they are now.`,
      value: "files",
    },
  ];
}

function contentChoices({ findings, shown: review }: SubmissionReview): Choice<Item>[] {
  const warnings = findings.map(({ sentence }): Choice<Item> => ({
    icon: "warning",
    label: foreignSentence(sentence),
    value: "files",
  }));
  if (review.files.length === 0) return warnings;
  return [
    ...warnings,
    { icon: "files", label: shown`Files`, description: filesInBrief(review), value: "files" },
  ];
}
