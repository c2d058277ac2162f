import type { Parts } from "../../container.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { recordTitle } from "../../core/verification/jobRecord.ts";
import type { JobRecord } from "../../core/verification/jobRecord.ts";
import { followJob, type VerificationAnswer } from "./followJob.ts";

/**
 * Submits the very same again, to the same contract: what was sent then, whatever became of the files since. Nothing is
 * published that was not published before.
 */
export async function retryJob(
  parts: Parts,
  { record }: { readonly record: JobRecord },
): Promise<VerificationAnswer> {
  const { store } = parts.jobs;
  const { chainId, address, creationTransactionHash, submission } = record;
  const stdJsonInput = submission && (await store.input(record.id));
  if (submission && !stdJsonInput) {
    throw new LedgerLensError(
      "input_forgotten",
      `What was submitted for ${recordTitle(record)} is no longer kept. Verify the contract from its files.`,
    );
  }
  const files = await store.files(record.id);
  return followJob(parts, recordTitle(record), (signal) =>
    parts.jobs.submit(
      {
        chainId,
        address,
        ...(creationTransactionHash !== undefined && { creationTransactionHash }),
        ...(submission && stdJsonInput && { input: { ...submission, stdJsonInput, files } }),
      },
      signal,
    ),
  );
}
