import { visibleText } from "../core/visibleText.ts";
import { failureSentence } from "../core/verification/failure.ts";
import { statusInWords, type JobError } from "../core/verification/job.ts";
import { recordStatus, recordTitle, type JobRecord } from "../core/verification/jobRecord.ts";

/** What became of a job, as one sentence. */
export function outcomeSentence(record: JobRecord): string {
  const title = recordTitle(record);
  const status = recordStatus(record);
  switch (status) {
    case "exact_match":
      return `${title} is verified: exact match.`;
    case "match":
      return `${title} is verified: match. The code is equal; the metadata differs, so a source or a setting is not exactly the one of the deployment.`;
    case "failed":
      return record.job?.error
        ? failedSentence(title, record.job.error, record.explanation)
        : (record.problem?.message ?? `${title} is not verified: the service found no match.`);
    case "pending":
      return (
        record.problem?.message ??
        `${title} is still being verified at ${hostOf(record)}. The job stays in the Verification view.`
      );
  }
}

/** With the most likely cause where the codes are all that the service tells. */
function failedSentence(title: string, error: JobError, explanation: JobRecord["explanation"]): string {
  const [first] = explanation?.causes ?? [];
  const isMismatch = ["no_match", "bytecode_length_mismatch"].includes(error.customCode);
  if (!first || !isMismatch) return failureSentence(title, error);
  const evidence = visibleText(first.evidence);
  return `${title} does not match: ${evidence.charAt(0).toLowerCase()}${evidence.slice(1)}`;
}

/** The state of a job in a few words: "exact match", "waiting for the service", "no match". */
export function outcomeInBrief(record: JobRecord): string {
  const status = recordStatus(record);
  if (status === "exact_match") return "exact match";
  if (status === "match") return "match";
  if (record.stage === "refused") return "not submitted";
  if (record.stage === "submitting" && record.problem === undefined) return "submitting";
  if (record.stage === "unconfirmed" || record.stage === "submitting") return "submission in doubt";
  if (status === "pending")
    return record.problem ? "waiting; the last look failed" : "waiting for the service";
  switch (record.job?.error?.customCode) {
    case "no_match":
    case "bytecode_length_mismatch":
      return "no match";
    case "contract_not_deployed":
      return "nothing deployed there";
    case "compiler_error":
      return "does not compile";
    default:
      return statusInWords(status);
  }
}

/** The service's host. */
export function hostOf({ service }: JobRecord): string {
  return URL.parse(service)?.host ?? service;
}
