import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Job } from "./database.ts";
import { INTERNAL_ERROR } from "./refusal.ts";
import { failedWith, type Accepted, type DeployedContract, type Verdict, type Verifier } from "./verifier.ts";
import { WorkerQueue } from "./workerQueue.ts";

/**
 * A moment in the life of a job at which the service can be held:
 * - `accepted`: the job has begun, and its id is not known yet;
 * - `finished`: the job is done, and not told yet;
 * - `told`: a client asks for a finished job;
 * - `explorers`: a verified contract is about to be told to the explorers.
 */
export type Moment = "accepted" | "finished" | "told" | "explorers";

/** What a test sets for the jobs. */
export interface JobSettings {
  /** The least time for which a worker is busy with a job, in milliseconds. */
  pendingMs: number;
  /** How many jobs are worked on at once; the others wait in the order in which they came. */
  workers: number;
  /** What explorers answer of a verified contract, by their names in `externalVerifications`; none by default. */
  explorers: Readonly<Record<string, object>>;
}

/** As many as the service has: one and a half threads for each core, with five tasks each (VerificationService.ts). */
export const MAX_WORKERS = Math.floor(1.5 * availableParallelism()) * 5;

/** What jobs are done with. */
export interface JobTools {
  readonly database: Database;
  readonly verifier: Verifier;
  readonly settings: JobSettings;
  /** Waits where the service is held at a moment. */
  readonly pass: (moment: Moment) => Promise<void>;
}

/** The jobs of a running server (argotorg/sourcify, services/server/src/server/services/VerificationService.ts). */
export class Jobs {
  readonly #tools: JobTools;
  readonly #queue: WorkerQueue;
  #isAbandoned = false;

  constructor(tools: JobTools) {
    this.#tools = tools;
    this.#queue = new WorkerQueue(() => tools.settings.workers);
  }

  /** Begins to verify a submission; the answer is the job's id. */
  begin(accepted: Accepted): Promise<string> {
    return this.#begin(accepted, () => this.#tools.verifier.verify(accepted));
  }

  /** Begins to look for a verified contract like the one whose code is given. */
  beginSimilar(contract: DeployedContract, code: string): Promise<string> {
    const { database, verifier } = this.#tools;
    return this.#begin(contract, () => verifier.verifyLike(contract, database.similarTo(code)));
  }

  /** Leaves everything as it is: what was being worked on has no end in the database. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  /** Asked each time: it may be over once something was waited for. */
  #isOver(): boolean {
    return this.#isAbandoned;
  }

  async #begin(contract: DeployedContract, verify: () => Promise<Verdict>): Promise<string> {
    const job = this.#tools.database.beginJob(contract);
    void this.#queue.run(() => this.#work(job, verify));
    await this.#tools.pass("accepted");
    return job.verificationId;
  }

  async #work(job: Job, verify: () => Promise<Verdict>): Promise<void> {
    const { database, settings, pass } = this.#tools;
    if (this.#isOver()) return;
    const [verdict] = await Promise.all([verify().catch(unexpected), sleep(settings.pendingMs)]);
    await pass("finished");
    if (this.#isOver()) return;
    database.finish(job, verdict);
    if (job.verified) void this.#tellExplorers(job);
  }

  /** Explorers are told once the job is finished (argotorg/sourcify issue 2512). */
  async #tellExplorers(job: Job): Promise<void> {
    const { settings, pass } = this.#tools;
    if (Object.keys(settings.explorers).length === 0) return;
    await pass("explorers");
    if (!this.#isOver()) job.externalVerifications = settings.explorers;
  }
}

function unexpected(): Verdict {
  return failedWith("internal_error", INTERNAL_ERROR);
}
