import { deploymentKey } from "../evm/deploymentKey.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import type { EarlierTry } from "../matching/explanation.ts";
import { hasSameSources } from "../matching/triedSubmissions.ts";
import { comparesCodes } from "../service/errorCodes.ts";
import { recordStatus, type JobRecord } from "./jobRecord.ts";
import type { JobStore } from "./jobStore.ts";

/** Older tries than these are of other sources as a rule. */
const MAX_TRIES = 24;

/**
 * What was submitted for the same deployment before with the same sources and failed, the newest first, as far as it is
 * still kept. One input is read at a time, and none is held: sources may take megabytes, and those of every try are those
 * of the present submission.
 */
export async function earlierTries(
  store: Pick<JobStore, "all" | "input" | "wholeJob">,
  { id, ...deployment }: Pick<JobRecord, "id" | "chainId" | "address">,
  present: StandardJsonInput,
): Promise<EarlierTry[]> {
  const key = deploymentKey(deployment);
  const failed = store
    .all()
    .filter(
      (one) =>
        one.id !== id && deploymentKey(one) === key && recordStatus(one) === "failed" && one.job?.error,
    )
    .slice(0, MAX_TRIES)
    // What a failure says is in the record; only what compared codes is read from the disk.
    .filter(({ job }) => comparesCodes(job?.error?.customCode));
  const tries: EarlierTry[] = [];
  for (const { id: other, submission } of failed) {
    const kept = submission && (await store.input(other));
    if (!kept || !hasSameSources(kept, present)) continue;
    const stdJsonInput = { ...kept, sources: present.sources };
    const { compilerVersion, contractIdentifier } = submission;
    const recompiledRuntimeCode = (await store.wholeJob(other))?.error?.recompiledRuntimeCode;
    tries.push({ compilerVersion, contractIdentifier, stdJsonInput, recompiledRuntimeCode });
  }
  return tries;
}
