import { chainLabel } from "../../core/chains/chainNames.ts";
import { recordTitle, type JobRecord } from "../../core/jobs/jobRecord.ts";
import { outcomeInBrief } from "../../core/jobs/jobWords.ts";
import { shown } from "../../core/text/shownText.ts";
import { agoWords } from "../../core/text/timeWords.ts";
import type { Choice } from "../ui/quickPick.ts";

/** The line of a job in a list of them. */
export function jobChoice<T>(record: JobRecord, value: T): Choice<T> {
  return {
    label: recordTitle(record),
    description: shown`${outcomeInBrief(record)} · ${agoWords(record.submittedAt, Date.now())}`,
    detail: shown`${chainLabel(record.chainId)} · ${record.address}`,
    value,
  };
}
