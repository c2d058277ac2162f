import type { Parts } from "../../container.ts";
import { recordTitle } from "../../core/verification/jobRecord.ts";
import type { JobRecord } from "../../core/verification/jobRecord.ts";
import { followJob, type VerificationAnswer } from "./followJob.ts";

/**
 * Submits the very same again, to the same contract at the same service: what was sent then, whatever became of the
 * files since. Nothing is published that was not published before.
 */
export async function retryJob(
  parts: Parts,
  { record }: { readonly record: JobRecord },
): Promise<VerificationAnswer> {
  await parts.jobs.store.load();
  return followJob(parts, recordTitle(record), (signal) => parts.jobs.retry(record.id, signal));
}
