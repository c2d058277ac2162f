import type { JobRecord } from "../../core/jobs/jobRecord.ts";
import { checkVerificationId } from "../../core/service/parameters.ts";
import type { JobLink } from "../uriLinks.ts";
import type { FollowParts } from "./verificationParts.ts";

/**
 * The job that a link names: one that is known here, else one that the service in use is asked about.
 *
 * @throws LedgerLensError `invalid_parameter` for what is no verification id, and what the service throws
 */
export async function jobOfLink({ jobs }: Pick<FollowParts, "jobs">, { id }: JobLink): Promise<JobRecord> {
  const verificationId = checkVerificationId(id);
  await jobs.store.load();
  return jobs.store.byVerificationId(verificationId) ?? (await jobs.adopt(verificationId));
}
