import { randomUUID } from "node:crypto";
import { runtimeCodeOf, type KeptCompilation } from "./keptCompilation.ts";
import { isBetter, totalMatch } from "./matches.ts";
import type { Accepted, DeployedContract, JobFault, Match, Transformations, Verdict } from "./verifier.ts";

/** So much of a runtime code makes another one a candidate, in bytes (Database.ts). */
const SIMILAR_BYTES = 75;
/** services/server/src/server/services/VerificationService.ts, `DEFAULT_SIMILARITY_CANDIDATE_LIMIT`. */
const MAX_CANDIDATES = 20;

/** A job as the database has it; it is completed once it has a time of its end. */
export interface Job {
  readonly verificationId: string;
  readonly chainId: string;
  readonly address: string;
  readonly startedAt: Date;
  completedAt?: Date;
  compilationTime?: number;
  error?: JobFault & { readonly errorId: string };
  verified?: VerifiedContract;
  externalVerifications?: object;
}

/** What a job verified. It stays when a better one takes its place. */
export interface VerifiedContract {
  readonly runtimeMatch: Match;
  readonly creationMatch: Match;
  readonly compilation: KeptCompilation;
  readonly transformations?: Transformations;
}

/** What the service answers for a contract: the best that was verified, under one number from the first on. */
export interface RecordedContract {
  readonly chainId: string;
  readonly address: string;
  readonly matchId: string;
  readonly verifiedAt: Date;
  verified: VerifiedContract;
}

/**
 * The service's database, in memory: it outlives the server, which may be stopped, killed and started again
 * (argotorg/sourcify, services/server/src/server/services/storageServices/SourcifyDatabaseService.ts and
 * ../utils/Database.ts).
 */
export class Database {
  readonly #jobs = new Map<string, Job>();
  readonly #contracts = new Map<string, RecordedContract>();

  beginJob({ chainId, address }: DeployedContract): Job {
    const job: Job = { verificationId: randomUUID(), chainId, address, startedAt: new Date() };
    this.#jobs.set(job.verificationId, job);
    return job;
  }

  job(verificationId: string): Job | undefined {
    return this.#jobs.get(verificationId);
  }

  /** Whether a job for the contract has no end, be it that none is at work on it any more. */
  isBeingVerified({ chainId, address }: DeployedContract): boolean {
    return this.#pending().some((job) => job.chainId === chainId && job.address === address);
  }

  contract({
    chainId,
    address,
  }: Pick<DeployedContract, "chainId" | "address">): RecordedContract | undefined {
    return this.#contracts.get(`${chainId}/${address}`);
  }

  /** What contracts with a like beginning of their compiled code were compiled from. */
  similarTo(code: string): KeptCompilation[] {
    const beginning = code.slice(2, 2 + 2 * SIMILAR_BYTES);
    return [...this.#contracts.values()]
      .map(({ verified }) => verified.compilation)
      .filter((compilation) => runtimeCodeOf(compilation).slice(0, 2 * SIMILAR_BYTES) === beginning)
      .slice(0, MAX_CANDIDATES);
  }

  /** Ends a job. A success that is not better than what is on record fails as already verified. */
  finish(job: Job, { error, compilation, compilationTime, ...matches }: Verdict): void {
    const known = this.contract(job);
    if (error || !compilation) {
      this.fail(job, error ?? NO_MATCH);
      return;
    }
    if (known && !isBetter(matches, known.verified)) {
      this.fail(job, ALREADY_VERIFIED);
      return;
    }
    const verified = { ...matches, compilation };
    // The number and the time of the first stay (Database.ts, `updateSourcifyMatch`).
    if (known) known.verified = verified;
    else this.#record(job, verified);
    Object.assign(job, {
      completedAt: new Date(),
      verified,
      ...(compilationTime !== undefined && { compilationTime }),
    });
  }

  fail(job: Job, error: JobFault): void {
    Object.assign(job, { completedAt: new Date(), error: { ...error, errorId: randomUUID() } });
  }

  /** Fails every job that has no end, as a server does that is asked to stop (VerificationService.ts, `close`). */
  failPending(error: JobFault): void {
    for (const job of this.#pending()) this.fail(job, error);
  }

  #pending(): Job[] {
    return [...this.#jobs.values()].filter(({ completedAt }) => !completedAt);
  }

  #record({ chainId, address }: Job, verified: VerifiedContract): void {
    const matchId = String(this.#contracts.size + 1);
    this.#contracts.set(`${chainId}/${address}`, {
      chainId,
      address,
      matchId,
      verifiedAt: new Date(),
      verified,
    });
  }
}

const NO_MATCH = { customCode: "no_match", message: "The deployed and recompiled bytecode don't match." };
const ALREADY_VERIFIED = {
  customCode: "already_verified",
  message: "The contract is already verified and the job didn't yield a better match.",
};

/** A job as the interface tells it. */
export function jobAnswer(job: Job, database: Database): object {
  const { runtimeMatch = null, creationMatch = null } = job.verified ?? {};
  const recorded = database.contract(job);
  // What was verified before a better one is in the place of neither its time nor its number.
  const own = recorded && recorded.verified === job.verified ? recorded : undefined;
  return {
    isJobCompleted: job.completedAt !== undefined,
    verificationId: job.verificationId,
    jobStartTime: inSeconds(job.startedAt),
    ...(job.completedAt && { jobFinishTime: inSeconds(job.completedAt) }),
    ...(job.compilationTime !== undefined && { compilationTime: String(job.compilationTime) }),
    ...(job.externalVerifications && { externalVerifications: job.externalVerifications }),
    contract: {
      match: totalMatch(runtimeMatch, creationMatch),
      creationMatch,
      runtimeMatch,
      chainId: job.chainId,
      address: job.address,
      ...(own && { verifiedAt: inSeconds(own.verifiedAt), matchId: own.matchId }),
    },
    ...(job.error && { error: job.error }),
  };
}

/** A contract as the interface tells it, without further fields. */
export function contractAnswer(
  { chainId, address }: Pick<Accepted, "chainId" | "address">,
  recorded: RecordedContract | undefined,
): object {
  const { runtimeMatch = null, creationMatch = null } = recorded?.verified ?? {};
  return {
    match: totalMatch(runtimeMatch, creationMatch),
    creationMatch,
    runtimeMatch,
    chainId,
    address,
    ...(recorded && { verifiedAt: inSeconds(recorded.verifiedAt), matchId: recorded.matchId }),
  };
}

/** Times are told in whole seconds (Database.ts, `to_char`). */
function inSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, "Z");
}
