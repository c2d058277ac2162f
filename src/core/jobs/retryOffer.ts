import { errorCodeOf } from "../service/errorCodes.ts";
import { isGivenUp } from "./jobPollPace.ts";
import { isInDoubt, wasAgreedHere, type JobRecord } from "./jobRecord.ts";

/**
 * What a person may do about a submission without changing it: `try again` what was refused or failed for a reason that
 * passes, `submit again` what is in doubt, or waits for a job that does not end. Neither begins a job twice, since
 * services refuse a second one for a contract as long as the first one runs.
 */
type RetryOffer = "try again" | "submit again";

/** Whether nothing was sent because the service does not know the chain, or does not support it. */
export function isChainUnknown({ stage, problem }: JobRecord): boolean {
  return stage === "refused" && problem?.code === "unsupported_chain";
}

/**
 * The offer for a record, if there is one.
 *
 * @param now milliseconds since the epoch
 */
export function retryOffer(record: JobRecord, now: number): RetryOffer | undefined {
  const { stage, job, contract, secondTry } = record;
  if (contract?.match || secondTry || !wasAgreedHere(record)) return undefined;
  // A chain that a service does not know it does not know the next time.
  if (stage === "refused") return isChainUnknown(record) ? undefined : "try again";
  if (job?.error) return errorCodeOf(job.error)?.retryMayHelp ? "try again" : undefined;
  const waits = stage === "adopted" || (isInDoubt(record) && stage !== "submitting");
  return waits || isGivenUp(record, now) ? "submit again" : undefined;
}
