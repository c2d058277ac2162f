import type { Clock } from "../http/clock.ts";
import { explorersAreDone } from "../service/explorerVerification.ts";
import { toMatch } from "../service/job.ts";
import { isFinished, recordStatus, type JobRecord } from "./jobRecord.ts";
import type { VerificationJobs } from "./verificationJobs.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * A job without an end after this time gets none: services reap stale jobs after three hours (argotorg/sourcify
 * pull request 2886), older ones kept them open for ever.
 */
const GIVE_UP_MS = 4 * HOUR_MS;
/** Explorers are told after a job is finished, and once more half a minute later (argotorg/sourcify issue 2512). */
const EXTERNAL_PHASE_MS = 2 * MINUTE_MS;
const EXTERNAL_PAUSE_MS = 10_000;

/** How long to wait for the next look at a job of this age. A command that waits for a job looks more often. */
const PAUSES: readonly (readonly [youngerThan: number, pause: number])[] = [
  [MINUTE_MS, 8_000],
  [10 * MINUTE_MS, 25_000],
  [HOUR_MS, 60_000],
  [GIVE_UP_MS, 5 * MINUTE_MS],
];

const LONGEST_PAUSE_MS = 5 * MINUTE_MS;

/** Whether nobody looks at an unfinished job any more by itself. */
export function isGivenUp(record: JobRecord, now: number): boolean {
  return !isFinished(record) && now >= giveUpAt(record);
}

/** When an unfinished job is given up: milliseconds since the epoch. */
export function giveUpAt({ submittedAt }: JobRecord): number {
  return submittedAt + GIVE_UP_MS;
}

/**
 * Milliseconds since the epoch at which a job is looked at again; `undefined` when it needs no look.
 *
 * @param triedAt the last attempt, also one that failed
 */
export function nextLook(record: JobRecord, triedAt: number | undefined, now: number): number | undefined {
  const touched = Math.max(lastTouch(record), triedAt ?? 0);
  if (isFinished(record)) return nextLookForExplorers(record, touched);
  // The clock was set back: what was done far in the future says nothing about when to look.
  if (touched > now + GIVE_UP_MS) return now + LONGEST_PAUSE_MS;
  const age = now - record.submittedAt;
  const pause = PAUSES.find(([youngerThan]) => age < youngerThan)?.[1];
  return pause === undefined ? undefined : touched + pause;
}

function lastTouch({ checkedAt, submittedAt }: JobRecord): number {
  return Math.max(checkedAt ?? submittedAt, submittedAt);
}

/**
 * A verified job is looked at for two minutes more, ever more rarely, until the explorers that the service tells have
 * answered. An editor that was closed meanwhile takes one more look when it is back.
 */
function nextLookForExplorers(record: JobRecord, last: number): number | undefined {
  const { job, finishedAt, verificationId } = record;
  // A job that failed because the contract is verified already told no explorer anything.
  if (!job || job.error || finishedAt === undefined || verificationId === undefined) return undefined;
  const passed = Math.max(0, last - finishedAt);
  if (!toMatch(recordStatus(record)) || passed >= EXTERNAL_PHASE_MS) return undefined;
  return explorersAreDone(job, passed) ? undefined : finishedAt + Math.max(EXTERNAL_PAUSE_MS, 2 * passed);
}

/**
 * Looks after jobs that no command waits for any more: those of an earlier run, and those that take longer than
 * somebody wanted to wait. One look at a time, ever more rarely, and none while nobody is there.
 */
export class JobFollower {
  readonly #jobs: VerificationJobs;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #isSomebodyThere: () => boolean;
  readonly #onFinished: (record: JobRecord) => void;
  readonly #triedAt = new Map<string, number>();
  readonly #disposal = new AbortController();
  #wakeUp = new AbortController();
  #startedAt = 0;
  #running: Promise<void> | undefined;

  constructor(options: {
    readonly jobs: VerificationJobs;
    readonly clock: Clock;
    readonly random: () => number;
    /** Nothing is asked while this is false; {@link wake} when it changes. */
    readonly isSomebodyThere: () => boolean;
    /** Called when a job is finished that no command waits for. */
    readonly onFinished: (record: JobRecord) => void;
  }) {
    this.#jobs = options.jobs;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#isSomebodyThere = options.isSomebodyThere;
    this.#onFinished = options.onFinished;
  }

  /** Begins to look after the jobs; nothing happens when it has begun. */
  start(): void {
    if (this.#running) return;
    this.#startedAt = this.#clock.now();
    const stop = this.#jobs.store.onChange(() => this.wake());
    this.#running = this.#run().finally(stop);
  }

  /** Looks again at what is to be done now. */
  wake(): void {
    this.#wakeUp.abort();
  }

  dispose(): void {
    this.#disposal.abort();
    this.wake();
  }

  async #run(): Promise<void> {
    await this.#jobs.store.load();
    // What could not be kept now is taken up the next time.
    await this.#jobs.recover(this.#disposal.signal).catch(() => undefined);
    while (!this.#disposal.signal.aborted) {
      this.#wakeUp = new AbortController();
      const next = this.#isSomebodyThere() ? this.#next() : undefined;
      // Nothing to do for a long time is as good as nothing to do: a change wakes it up.
      const pause = next ? Math.max(0, next.at - this.#clock.now()) * (1 + this.#random() / 5) : HOUR_MS;
      const isDue = await this.#clock.sleep(pause, this.#wakeUp.signal).then(
        () => true,
        () => false,
      );
      if (next && isDue) await this.#look(next.record);
    }
  }

  #next(): { readonly record: JobRecord; readonly at: number } | undefined {
    const now = this.#clock.now();
    for (const id of this.#triedAt.keys()) if (!this.#jobs.store.get(id)) this.#triedAt.delete(id);
    let next: { readonly record: JobRecord; readonly at: number } | undefined;
    for (const record of this.#jobs.store.all()) {
      if (this.#jobs.isWaitedFor(record.id)) continue;
      const triedAt = this.#triedAt.get(record.id);
      let at = nextLook(record, triedAt, now);
      // Whoever comes back wants to know how it went meanwhile.
      if (at !== undefined && triedAt === undefined && lastTouch(record) < this.#startedAt) at = now;
      if (at !== undefined && (!next || at < next.at)) next = { record, at };
    }
    return next;
  }

  async #look(before: JobRecord): Promise<void> {
    this.#triedAt.set(before.id, this.#clock.now());
    try {
      const record = await this.#jobs.check(before.id, this.#disposal.signal);
      // With a second try under way the end is not there yet.
      const isOver = isFinished(record) && (!record.secondTry || record.secondTry.isWithheld);
      if (isOver && !isFinished(before) && !this.#jobs.isWaitedFor(record.id)) this.#onFinished(record);
    } catch {
      // The record says what went wrong; the next look may do better.
    }
  }
}
