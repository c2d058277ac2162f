import { t } from "@vscode/l10n";
import { isOutOfReach } from "../chains/privateChains.ts";
import { isCancellation } from "../errors.ts";
import { deploymentKey } from "../evm/deploymentKey.ts";
import { keptAddress } from "../http/keptAddress.ts";
import { shownHost } from "../http/shownAddress.ts";
import { isMatch, type Match, statusInWords, toMatch, type VerificationStatus } from "../service/job.ts";
import { verifyingJob } from "./contractStanding.ts";
import { recordStatus, type JobRecord } from "./jobRecord.ts";
import { outcomeInBrief } from "./jobWords.ts";
import { type Deployment } from "../service/submissionRequest.ts";
import type { VerificationService } from "../service/verificationService.ts";

/** How a deployment stands: what a job of ours came to, or what the service has on record. */
export type DeploymentState = VerificationStatus | "not_verified";

/** The newest job of a deployment among these, which are newest first. */
export function newestJobOf(deployment: Deployment, records: readonly JobRecord[]): JobRecord | undefined {
  const key = deploymentKey(deployment);
  return records.find((record) => deploymentKey(record) === key);
}

/**
 * How a deployment stands, as part of a line: "exact match", "not submitted"; empty where that is not known.
 *
 * @param records the jobs at the service of which that is the state, see {@link DeploymentStates.jobsHere}
 */
export function deploymentInBrief(
  deployment: Deployment,
  state: DeploymentState | undefined,
  records: readonly JobRecord[],
): string {
  switch (state) {
    case "exact_match":
      return t`exact match`;
    case "match":
      return t`match`;
    case "failed":
      return failureInBrief(deployment, records);
    case "pending":
      return t`being verified`;
    case "not_verified":
      return t`not verified`;
    case undefined:
      return "";
  }
}

/** What failed of a deployment's newest job, as part of a line: "not submitted", "doesn't compile", "no match". */
function failureInBrief(deployment: Deployment, records: readonly JobRecord[]): string {
  const job = newestJobOf(
    deployment,
    records.filter((record) => recordStatus(record) === "failed"),
  );
  const words = job ? outcomeInBrief(job) : t`no match`;
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

/** What is called when it became known how a deployment stands. */
type LearnedListener = (deployment: Deployment, state: Match | "not_verified") => void;

/** Services work on few requests at once, and so do we. */
const AT_ONCE = 2;
/** Older deployments are not asked about by themselves. */
const MAX_ASKED = 50;

/**
 * What a service has on record for deployments, asked once each. A failure leaves a deployment unknown until it is
 * asked about again.
 */
export class DeploymentStates {
  readonly #service: () => Pick<VerificationService, "url" | "contract">;
  readonly #known = new Map<string, DeploymentState>();
  /** Asked about already, with or without an answer. */
  readonly #asked = new Set<string>();
  readonly #listeners = new Set<LearnedListener>();

  constructor(service: () => Pick<VerificationService, "url" | "contract">) {
    this.#service = service;
  }

  /** Calls back after something became known, with what that is; answers how to stop. */
  onChange(listener: LearnedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** How a deployment stands at the configured service: as its newest job there says, unless the service knows better. */
  of(deployment: Deployment, all: readonly JobRecord[]): DeploymentState | undefined {
    const recorded = this.#known.get(this.#key(deployment));
    if (recorded === "exact_match") return recorded;
    const records = this.jobsHere(all);
    const job = newestJobOf(deployment, records);
    if (!job) return recorded;
    const status = recordStatus(job);
    if (status !== "failed" || recorded === "not_verified") return status;
    // A later job that failed takes nothing from what was verified.
    const verifying = recorded ? undefined : verifyingJob(deployment, records);
    return verifying ? recordStatus(verifying) : (recorded ?? status);
  }

  /** The jobs at the configured service: what another one has says nothing of this one. */
  jobsHere(all: readonly JobRecord[]): readonly JobRecord[] {
    const here = keptAddress(this.#service().url);
    return all.filter(({ service }) => service === here);
  }

  /** The newest job of a deployment at the configured service, else at any. */
  newestJob(deployment: Deployment, all: readonly JobRecord[]): JobRecord | undefined {
    return newestJobOf(deployment, this.jobsHere(all)) ?? newestJobOf(deployment, all);
  }

  /** Whether a deployment is on record as verified, as far as is known. */
  isVerified(deployment: Deployment, records: readonly JobRecord[]): boolean {
    return isMatch(this.of(deployment, records));
  }

  /** "verified: exact match", as far as is known; `undefined` where a deployment is not known to be verified. */
  verifiedInWords(deployment: Deployment, records: readonly JobRecord[]): string | undefined {
    const match = toMatch(this.of(deployment, records));
    return match && statusInWords(match);
  }

  /** Whether the service can't see a deployment, which is verified on this machine instead. */
  isOutOfReach({ chainId }: Pick<Deployment, "chainId">): boolean {
    return isOutOfReach(chainId, shownHost(this.#service().url));
  }

  /** Keeps what was learned of a deployment from the service at an address, which may not be the configured one any more. */
  learn(deployment: Deployment, match: string | null | undefined, service: string): void {
    const state = toMatch(match) ?? "not_verified";
    this.#known.set(keyAt(service, deployment), state);
    if (service !== this.#service().url) return;
    for (const listener of this.#listeners) listener(deployment, state);
  }

  /**
   * Asks the service about what it was not asked about yet, the first ones of those that it can see. A fault of the service
   * ends the round, and nothing is asked again before {@link forget}.
   */
  async ask(deployments: readonly Deployment[], signal?: AbortSignal): Promise<void> {
    const waiting = deployments
      .filter((deployment) => !this.isOutOfReach(deployment))
      .slice(0, MAX_ASKED)
      .filter((deployment) => !this.#asked.has(this.#key(deployment)));
    for (const deployment of waiting) this.#asked.add(this.#key(deployment));
    const service = this.#service();
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        try {
          const { chainId, address } = next;
          this.learn(next, (await service.contract({ chainId, address }, signal))?.match, service.url);
        } catch (error) {
          if (isCancellation(error))
            for (const left of [next, ...waiting]) this.#asked.delete(keyAt(service.url, left));
          waiting.length = 0;
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /** Forgets what is not certain to stay, so that it is asked again. */
  forget(): void {
    this.#asked.clear();
    for (const [key, state] of this.#known) {
      if (state === "exact_match") this.#asked.add(key);
      else this.#known.delete(key);
    }
  }

  #key(deployment: Deployment): string {
    return keyAt(this.#service().url, deployment);
  }
}

function keyAt(service: string, deployment: Deployment): string {
  return `${service} ${deploymentKey(deployment)}`;
}
