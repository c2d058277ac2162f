import { t } from "@vscode/l10n";
import { isCancellation, ledgerLensError, LedgerLensError, type HeaderKey, type Remedy } from "../errors.ts";
import type { Clock } from "../concurrency/clock.ts";
import { deploymentKey } from "../evm/deploymentKey.ts";
import { definedOnly } from "../json/looseData.ts";
import { toMatch, type Match, type VerificationStatus, type VerifiedContract } from "../service/job.ts";
import { listed } from "../text/counted.ts";
import { ended } from "../text/sentenceEnd.ts";
import { foreignSentence, shown, type ShownText } from "../text/shownText.ts";
import { recordStatus, type JobRecord } from "./jobRecord.ts";
import { explainedInBrief } from "./jobWords.ts";
import type { AgreedSubmission } from "./submissionReview.ts";
import { LeftToOthers } from "./submissionsUnderWay.ts";
import type { VerificationJobs } from "./verificationJobs.ts";
import { type Deployment } from "../service/submissionRequest.ts";
import type { VerificationService } from "../service/verificationService.ts";

/** Services work on few jobs at once, and so do we. */
const AT_ONCE = 2;
/** The least time between two submissions. */
const BETWEEN_MS = 1_000;
/** Faults that the next deployment would meet as well. */
const SERVICE_IS_AWAY = new Set([
  "unreachable",
  "tls_untrusted",
  "proxy_failed",
  "proxy_invalid",
  "redirect_refused",
]);

/** What became of one of many deployments. */
export interface ManyOutcome<D extends Deployment> {
  readonly deployment: D;
  /**
   * - `skipped`: the service had it verified already, as `recorded` says;
   * - `refused`: nothing was accepted, and `reason` says why;
   * - `not sent`: the work was cancelled, or the service was away, before its turn came.
   */
  readonly outcome: VerificationStatus | "skipped" | "refused" | "not sent";
  readonly recorded?: Match;
  readonly reason?: string;
  /** The stable code of the error whose message the reason is. */
  readonly code?: string;
  /** The setting of the address that the error is about, where that is not the service's. */
  readonly setting?: string;
  /** The key that the error is about. */
  readonly key?: HeaderKey;
  /** What may help against the error, where its code does not tell. */
  readonly remedy?: Remedy;
  readonly record?: JobRecord;
}

/** How many deployments are verified. */
export interface ManyOptions<D extends Deployment> {
  readonly deployments: readonly D[];
  readonly jobs: Pick<VerificationJobs, "submit" | "wait" | "inDoubt">;
  /** The service that was shown; what was reviewed is for it. */
  readonly service: Pick<VerificationService, "contract">;
  readonly clock: Clock;
  /** What was reviewed for a deployment; a LedgerLensError makes it `refused`. Asked right before it is sent. */
  readonly reviewedOf: (deployment: D) => Promise<AgreedSubmission>;
  /** Whether what is verified with a mere match is submitted for an exact one; it is skipped by default. */
  readonly mayImprove?: (deployment: D, contract: VerifiedContract) => Promise<boolean>;
  /** Called with a finished job, to find out why it failed for instance. */
  readonly finish?: (record: JobRecord) => Promise<JobRecord>;
  /** After each deployment. */
  readonly onProgress?: (done: number, all: number) => void;
  /** The longest wait for one job, in milliseconds; it goes on without us. */
  readonly limitMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Verifies many deployments, over any chains, at most two at a time and the same contract of a chain only once. What is
 * verified already is skipped. A cancellation leaves what was not begun unsent; jobs that were begun go on.
 *
 * @returns an outcome for each deployment, in their order
 */
export async function verifyMany<D extends Deployment>(options: ManyOptions<D>): Promise<ManyOutcome<D>[]> {
  const { deployments, signal, onProgress } = options;
  const distinct = new Map(
    deployments.map((deployment) => [deploymentKey(deployment), deployment] as const).reverse(),
  );
  const waiting = [...distinct.values()].reverse();
  const outcomes = new Map<string, ManyOutcome<D>>();
  const pace = new Pace(options.clock, signal);
  let away: LedgerLensError | undefined;
  const work = async () => {
    while (!signal?.aborted && away === undefined) {
      const deployment = waiting.shift();
      if (!deployment) return;
      const one = await verifyOne(deployment, options, pace);
      if ("away" in one) away = one.away;
      else outcomes.set(deploymentKey(deployment), one);
      onProgress?.(outcomes.size, distinct.size);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return [...deployments].map((deployment) => ({
    ...(outcomes.get(deploymentKey(deployment)) ?? {
      outcome: "not sent" as const,
      ...(away !== undefined && whyOf(away)),
    }),
    deployment,
  }));
}

async function verifyOne<D extends Deployment>(
  deployment: D,
  { jobs, service, clock, reviewedOf, mayImprove, finish, limitMs, signal }: ManyOptions<D>,
  pace: Pace,
): Promise<ManyOutcome<D> | { readonly away: LedgerLensError }> {
  const { chainId, address } = deployment;
  let begun: JobRecord | undefined;
  let submitting: AgreedSubmission | undefined;
  let begunAt = 0;
  try {
    const recorded = await service.contract({ chainId, address }, signal);
    const match = toMatch(recorded?.match);
    const isWanted =
      recorded === undefined ||
      match === undefined ||
      (match === "match" && ((await mayImprove?.(deployment, recorded)) ?? false));
    if (!isWanted) return { deployment, outcome: "skipped", recorded: match };
    const reviewed = await reviewedOf(deployment);
    await pace.next();
    submitting = reviewed;
    begunAt = clock.now();
    begun = await jobs.submit(reviewed, { recorded: recorded ?? null, signal });
    const waited = await jobs.wait(begun.id, { limitMs, ...(signal && { signal }) });
    const record = (await finish?.(waited)) ?? waited;
    return { deployment, outcome: recordStatus(record), record };
  } catch (thrown) {
    if (!(thrown instanceof LedgerLensError) && !isCancellation(thrown)) throw thrown;
    const error = ledgerLensError(thrown);
    const why = whyOf(error);
    // The job goes on at the service, or may do so.
    if (begun) return { deployment, outcome: recordStatus(begun), record: begun, ...why };
    const doubtful = submitting && jobs.inDoubt(submitting, begunAt);
    if (doubtful) return { deployment, outcome: recordStatus(doubtful), record: doubtful, ...why };
    if (error instanceof LeftToOthers) return { deployment, outcome: "pending", ...why };
    const isOfService = error.setting === undefined;
    if (isCancellation(error)) return { deployment, outcome: "not sent" };
    // Where a chain's node is away, those on other chains may go all the same.
    if (isOfService && SERVICE_IS_AWAY.has(error.code)) return { away: error };
    return { deployment, outcome: "refused", ...why };
  }
}

function whyOf({ message, code, setting, key, remedy }: LedgerLensError) {
  return { reason: message, code, ...definedOnly({ setting, key, remedy }) };
}

/** Lets submissions go one after the other, with a pause between them. */
class Pace {
  readonly #clock: Clock;
  readonly #signal: AbortSignal | undefined;
  #free = 0;

  constructor(clock: Clock, signal: AbortSignal | undefined) {
    this.#clock = clock;
    this.#signal = signal;
  }

  async next(): Promise<void> {
    const now = this.#clock.now();
    const at = Math.max(now, this.#free);
    this.#free = at + BETWEEN_MS;
    if (at > now) {
      await this.#clock.sleep(at - now, this.#signal).catch(() => {
        throw new LedgerLensError("cancelled", t`The verification was cancelled.`);
      });
    }
  }
}

const WORDS: readonly (readonly [ManyOutcome<Deployment>["outcome"], string])[] = [
  ["exact_match", t`verified with an exact match`],
  ["match", t`verified with a match`],
  ["skipped", t`verified already`],
  ["pending", t`still being verified`],
  ["failed", t`not verified`],
  ["refused", t`not submitted`],
  ["not sent", t`not sent`],
];

/**
 * One sentence over all of them: "Deployments: 2 verified with an exact match, 1 verified already, 1 not verified
 * (Router)."
 */
export function summaryOfMany<D extends Deployment>(
  outcomes: readonly ManyOutcome<D>[],
  nameOf: (deployment: D) => string,
): string {
  const counts = WORDS.flatMap(([outcome, words]) => {
    const count = outcomes.filter((one) => one.outcome === outcome).length;
    return count === 0 ? [] : [`${count.toLocaleString("en-US")} ${words}`];
  });
  const names = outcomes
    .filter(({ outcome }) => outcome === "failed" || outcome === "refused")
    .map(({ deployment }) => nameOf(deployment));
  const troubled = names.length === 0 ? "" : ` (${listed([...new Set(names)], 5)})`;
  return counts.length === 0
    ? t`Deployments: none was chosen.`
    : t`Deployments: ${counts.join(", ")}${troubled}.`;
}

/** So many reasons are part of a message; the others are at the rows of the view. */
const MAX_REASONS = 2;

/** Why deployments were not verified, each reason once, the first ones: "Router: No match: the sources differ." */
export function reasonsOfMany<D extends Deployment>(
  outcomes: readonly ManyOutcome<D>[],
  nameOf: (deployment: D) => string,
): ShownText[] {
  const names = new Map<string, string>();
  for (const { deployment, outcome, code, reason, record } of outcomes) {
    // What goes on has a reason only where it is not known how.
    const isTold =
      outcome === "pending" ? code !== "cancelled" : ["failed", "refused", "not sent"].includes(outcome);
    if (!isTold) continue;
    const why = reason ?? (record && explainedInBrief(record));
    if (why !== undefined && !names.has(why)) names.set(why, nameOf(deployment));
  }
  return [...names]
    .slice(0, MAX_REASONS)
    .map(([why, name]) => shown`${name}: ${ended(foreignSentence(why))}`);
}
