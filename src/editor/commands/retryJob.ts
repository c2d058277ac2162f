import type { Parts } from "../../container.ts";
import { recordTitle, type JobRecord } from "../../core/verification/jobRecord.ts";
import { followJob, type VerificationAnswer } from "./followJob.ts";

/** Submits the very same again. Nothing is published that was not published before. */
export function retryJob(parts: Parts, { id, ...record }: JobRecord): Promise<VerificationAnswer> {
  return followJob(parts, recordTitle({ id, ...record }), (signal) => parts.jobs.retry(id, signal));
}
