import { deploymentKey } from "../../core/evm/deploymentKey.ts";
import { recordStatus, type JobRecord } from "../../core/jobs/jobRecord.ts";
import { localResultId, MAX_CAUSES, type LocalResult } from "../../core/jobs/localResults.ts";
import type { Cause, Explanation } from "../../core/matching/explanation.ts";
import type { Submittable } from "../../core/matching/resubmission.ts";
import { hasSameSources } from "../../core/matching/triedSubmissions.ts";
import { searchedCause } from "../../core/settingsSearch/searchedCause.ts";
import type { SettingsSearchResult } from "../../core/settingsSearch/settingsSearch.ts";
import type { WorkspaceInput } from "./compilerInputOf.ts";
import type { ExplanationParts, LocalParts } from "./verificationParts.ts";

/**
 * Puts what a search proved first among the causes of what failed for the same deployment: the newest failed job with the
 * same sources, and the mismatch that was found on this machine.
 */
export async function keepProvenSettings(
  parts: ExplanationParts & LocalParts,
  { path, contractName, ...given }: WorkspaceInput,
  { chainId, address }: { readonly chainId: string; readonly address: string },
  result: SettingsSearchResult,
): Promise<void> {
  const local = { path, contractName, chainId, address };
  await Promise.all([keepWithJob(parts, given, local, result), keepWithLocal(parts, given, local, result)]);
}

type Place = Pick<LocalResult, "path" | "contractName" | "chainId" | "address">;

async function keepWithJob(
  { jobs: { store } }: ExplanationParts,
  given: Submittable,
  place: Place,
  result: SettingsSearchResult,
): Promise<void> {
  const record = store.all().find((one) => recordStatus(one) === "failed" && isOf(one, place));
  const stdJsonInput = record && (await store.input(record.id));
  if (!record?.submission || !stdJsonInput || !hasSameSources(stdJsonInput, given.stdJsonInput)) return;
  const cause = searchedCause({ ...record.submission, stdJsonInput }, result);
  if (cause) await store.update(record.id, { explanation: withFirst(cause, record.explanation) });
}

async function keepWithLocal(
  { localResults }: LocalParts,
  given: Submittable,
  place: Place,
  result: SettingsSearchResult,
): Promise<void> {
  const mismatch = localResults
    .all()
    .find((one) => one.verdict === "mismatch" && localResultId(one) === localResultId({ ...one, ...place }));
  const cause = mismatch && searchedCause(given, result);
  if (!cause) return;
  const { summary, causes } = withFirst(cause, { summary: mismatch.reason, causes: mismatch.causes ?? [] });
  await localResults.add({ ...mismatch, reason: summary, causes: causes.slice(0, MAX_CAUSES) });
}

function isOf(record: JobRecord, place: Place): boolean {
  const { submission } = record;
  return (
    deploymentKey(record) === deploymentKey(place) &&
    submission?.path === place.path &&
    submission.contractName === place.contractName
  );
}

/** Of causes of the same kind the proven one is left. */
function withFirst(cause: Cause, explanation: Explanation | undefined): Explanation {
  const others = (explanation?.causes ?? []).filter(({ code }) => code !== cause.code);
  return { summary: cause.evidence, causes: [cause, ...others] };
}
