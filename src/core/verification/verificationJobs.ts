import type { StandardJsonInput } from "../compilerInput/standardJsonInput.ts";
import { isCancellation, LedgerLensError } from "../errors.ts";
import type { Clock } from "../http/clock.ts";
import { HttpError } from "../http/httpError.ts";
import { toMatch, type VerificationJob } from "./job.ts";
import { isFinished, type JobRecord, type SubmittedInput } from "./jobRecord.ts";
import type { JobStore, SubmittedFile } from "./jobStore.ts";
import { ServiceRefusal, type Deployment, type VerificationService } from "./verificationService.ts";

/** How often a job is asked for: soon at first, every 3 s for half a minute, then ever more rarely. */
const FIRST_POLL_MS = 500;
const EARLY_POLL_MS = 3_000;
const EARLY_PHASE_MS = 30_000;
const LATE_POLL_MS = 15_000;
/** So many polls in a row may fail before waiting ends; each has the client's own retries behind it. */
const MAX_FAILED_POLLS = 3;

/** What a submission is made of. */
export interface NewSubmission extends Deployment {
  /** Absent for a similarity search. */
  readonly input?: SubmittedInput & {
    readonly stdJsonInput: StandardJsonInput;
    readonly files?: readonly SubmittedFile[];
  };
}

/** What the jobs stand on. */
export interface VerificationJobsOptions {
  readonly store: JobStore;
  /** The service at an address; the configured one by default. */
  readonly service: (url?: string) => VerificationService;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
}

/**
 * Submits, follows and remembers verifications. A record is kept before the request goes out, so that a
 * submission whose answer is lost is known to be in doubt and is not sent again by itself.
 */
export class VerificationJobs {
  readonly #options: VerificationJobsOptions;
  readonly #waitedFor = new Map<string, number>();

  constructor(options: VerificationJobsOptions) {
    this.#options = options;
  }

  get store(): JobStore {
    return this.#options.store;
  }

  /**
   * Submits and answers the record of the job. A contract that is verified already answers a finished record;
   * a job of ours that is still running for the same contract is answered instead of a new one.
   *
   * @throws what {@link VerificationService.submit} throws; the record then says what is known.
   */
  async submit(submission: NewSubmission, signal?: AbortSignal): Promise<JobRecord> {
    const { store, clock, newId } = this.#options;
    const service = this.#options.service();
    const { input, chainId, address, creationTransactionHash } = submission;
    const deployment = { chainId, address, ...(creationTransactionHash && { creationTransactionHash }) };
    const id = newId();
    const { stdJsonInput, files, ...submitted } = input ?? {};
    const record: JobRecord = {
      id,
      stage: "submitting",
      service: service.url,
      ...deployment,
      ...(input && { submission: submitted as SubmittedInput }),
      submittedAt: clock.now(),
    };
    await store.add(record, stdJsonInput, files);
    try {
      const verificationId = input
        ? await service.submit({ ...input, ...deployment }, signal)
        : await service.submitSimilarity(deployment, signal);
      return await this.#changed(record, { stage: "submitted", verificationId });
    } catch (error) {
      if (error instanceof ServiceRefusal) {
        if (error.code === "already_verified") {
          const contract = await service.contract(deployment, signal);
          return this.#changed(record, { stage: "refused", ...(contract && { contract }) });
        }
        const running =
          error.code === "duplicate_verification_request" ? this.#runningFor(record) : undefined;
        if (running) {
          await store.remove(id);
          return running;
        }
      }
      const inDoubt = error instanceof HttpError && error.sent && error.code !== "redirect_refused";
      await this.#changed(record, { stage: inDoubt ? "unconfirmed" : "refused", problem: problemOf(error) });
      throw error;
    }
  }

  /** Asks for a job that this workspace does not know yet, and keeps it. */
  async adopt(verificationId: string, signal?: AbortSignal): Promise<JobRecord> {
    const { store, clock, newId } = this.#options;
    const service = this.#options.service();
    const job = await service.job(verificationId, signal);
    const startedAt = Date.parse(job.jobStartTime ?? "");
    const record: JobRecord = {
      id: newId(),
      stage: "submitted",
      service: service.url,
      chainId: job.contract?.chainId ?? "",
      address: job.contract?.address ?? "",
      verificationId: job.verificationId,
      submittedAt: Number.isNaN(startedAt) ? clock.now() : startedAt,
    };
    await store.add(record);
    return this.#took(record, job, signal);
  }

  /** Asks once how a job stands. A submission in doubt is settled by what the service has on record. */
  async check(id: string, signal?: AbortSignal): Promise<JobRecord> {
    const record = this.#record(id);
    const service = this.#options.service(record.service);
    try {
      if (record.verificationId) {
        return await this.#took(record, await service.job(record.verificationId, signal), signal);
      }
      const contract = await service.contract(record, signal);
      return await this.#changed(record, {
        checkedAt: this.#options.clock.now(),
        ...(contract && { contract }),
      });
    } catch (error) {
      if (!isCancellation(error)) await this.#changed(record, { problem: problemOf(error) });
      throw error;
    }
  }

  /** Whether a command waits for this job now. */
  isWaitedFor(id: string): boolean {
    return this.#waitedFor.has(id);
  }

  /**
   * Follows a job until it is finished, the signal aborts or `limitMs` have passed; the record is answered as
   * it stands then. `onUpdate` is called after every look.
   *
   * @throws the last error after several looks in a row failed; the job stays and can be checked again.
   */
  async wait(
    id: string,
    options: { signal?: AbortSignal; limitMs: number; onUpdate?: (record: JobRecord) => void },
  ): Promise<JobRecord> {
    this.#waitedFor.set(id, (this.#waitedFor.get(id) ?? 0) + 1);
    try {
      return await this.#wait(id, options);
    } finally {
      const others = (this.#waitedFor.get(id) ?? 1) - 1;
      if (others > 0) this.#waitedFor.set(id, others);
      else this.#waitedFor.delete(id);
    }
  }

  async #wait(
    id: string,
    {
      signal,
      limitMs,
      onUpdate,
    }: { signal?: AbortSignal; limitMs: number; onUpdate?: (record: JobRecord) => void },
  ): Promise<JobRecord> {
    const { clock, random } = this.#options;
    const started = clock.now();
    let record = this.#record(id);
    let failures = 0;
    for (let polls = 0; !isFinished(record) && record.verificationId; polls++) {
      const passed = clock.now() - started;
      if (signal?.aborted || passed >= limitMs) break;
      const pause = Math.min(pollPause(polls, passed) * (0.9 + random() / 5), limitMs - passed);
      try {
        await clock.sleep(pause, signal);
        record = await this.check(id, signal);
        failures = 0;
        onUpdate?.(record);
      } catch (error) {
        if (signal?.aborted) break;
        if (!isPassing(error) || ++failures === MAX_FAILED_POLLS) throw error;
      }
    }
    return this.store.get(id) ?? record;
  }

  /** Takes over what the service says of a job; a failure because of an earlier success is that success. */
  async #took(record: JobRecord, job: VerificationJob, signal?: AbortSignal): Promise<JobRecord> {
    const change: Partial<JobRecord> = { job, checkedAt: this.#options.clock.now(), problem: undefined };
    if (job.error?.customCode === "already_verified") {
      const contract = await this.#options.service(record.service).contract(record, signal);
      if (toMatch(contract?.match)) return this.#changed(record, { ...change, contract });
    }
    return this.#changed(record, change);
  }

  #runningFor({ id, service, chainId, address }: JobRecord): JobRecord | undefined {
    return this.store
      .all()
      .find(
        (other) =>
          other.id !== id &&
          other.service === service &&
          other.chainId === chainId &&
          other.address.toLowerCase() === address.toLowerCase() &&
          other.verificationId !== undefined &&
          !isFinished(other),
      );
  }

  #record(id: string): JobRecord {
    const record = this.store.get(id);
    if (record) return record;
    throw new LedgerLensError(
      "job_not_found",
      "This job is no longer in the list. Submit the contract again.",
    );
  }

  async #changed(record: JobRecord, change: Partial<JobRecord>): Promise<JobRecord> {
    return (await this.store.update(record.id, change)) ?? { ...record, ...change };
  }
}

function pollPause(polls: number, passedMs: number): number {
  if (polls === 0) return FIRST_POLL_MS;
  if (passedMs < EARLY_PHASE_MS) return Math.min(FIRST_POLL_MS * 2 ** polls, EARLY_POLL_MS);
  return Math.min(EARLY_POLL_MS * 1.5 ** Math.log2(passedMs / EARLY_PHASE_MS + 1), LATE_POLL_MS);
}

/** Faults that may be gone at the next look. */
function isPassing(error: unknown): boolean {
  if (error instanceof HttpError)
    return ["unreachable", "timeout", "proxy_failed", "not_json"].includes(error.code);
  return error instanceof ServiceRefusal && (error.status >= 500 || error.status === 429);
}

function problemOf(error: unknown): { code: string; message: string } {
  if (error instanceof LedgerLensError) return { code: error.code, message: error.message };
  return { code: "internal", message: error instanceof Error ? error.message : String(error) };
}
