import { recordTitle, type JobRecord } from "../../core/jobs/jobRecord.ts";
import { orElsewhere } from "./beginJob.ts";
import { followJob, type VerificationAnswer } from "./followJob.ts";
import { isForConfiguredService, whereToSubmit } from "./submitAgain.ts";
import { submittedOnce } from "./submittedOnce.ts";
import type { ResubmissionParts } from "./verificationParts.ts";

/**
 * Submits the very same again, to the service that it was agreed for. Where another one is configured by now, a person
 * says which one gets it.
 */
export async function retryJob(parts: ResubmissionParts, record: JobRecord): Promise<VerificationAnswer> {
  const title = recordTitle(record);
  const { id, service } = record;
  const follow = (submit: (signal: AbortSignal) => Promise<JobRecord>) =>
    followJob(parts, title, (signal) => orElsewhere(record, () => submit(signal)));
  if (isForConfiguredService(parts, record))
    return submittedOnce.once(id, () => follow((signal) => parts.jobs.retry(id, { signal })));
  const reviewed = await whereToSubmit(parts, record);
  return follow((signal) =>
    reviewed.service === service
      ? parts.jobs.retry(id, { signal, agreedFor: service })
      : parts.jobs.submit(reviewed, { signal }),
  );
}
