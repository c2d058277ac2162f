import type { Parts } from "../container.ts";
import { recordStatus, type JobRecord } from "../core/verification/jobRecord.ts";
import { callableContracts } from "../core/workspace/localContracts.ts";

/**
 * Finds out why a job failed and keeps it with the record; any other job is answered as it is. Nothing is fetched and
 * nothing is compiled: the answer comes from the two codes, from what was submitted and from the workspace.
 */
export async function explained({ jobs, workspace, log }: Parts, record: JobRecord): Promise<JobRecord> {
  if (record.explanation || recordStatus(record) !== "failed" || !record.job?.error || !record.submission)
    return record;
  const { store } = jobs;
  const [job, stdJsonInput] = await Promise.all([store.wholeJob(record.id), store.input(record.id)]);
  if (!job?.error || !stdJsonInput) return record;
  try {
    const { explain } = await import("../core/verification/explanation/explain.ts");
    const { bytecodeDifference } = await import("../core/verification/explanation/bytecodeDifference.ts");
    const { compilerVersion, contractIdentifier } = record.submission;
    const explanation = explain({
      error: job.error,
      submitted: { compilerVersion, contractIdentifier, stdJsonInput },
      localContracts: await callableContracts(workspace.index),
    });
    const { onchainRuntimeCode, recompiledRuntimeCode } = job.error;
    const difference =
      onchainRuntimeCode && recompiledRuntimeCode
        ? bytecodeDifference(onchainRuntimeCode, recompiledRuntimeCode).figure
        : undefined;
    return (await store.update(record.id, { explanation, difference })) ?? record;
  } catch (error) {
    // A failed verification without its reason is better than none.
    log.error(error as Error);
    return record;
  }
}
