import type { Clock } from "../concurrency/clock.ts";
import { isFinished, type JobRecord } from "./jobRecord.ts";
import { lastTouch, nextPoll } from "./jobPollPace.ts";
import type { VerificationJobs } from "./verificationJobs.ts";

/** A change wakes it up before. */
const LONGEST_SLEEP_MS = 60 * 60_000;

/**
 * Looks after jobs that no command waits for any more: those of an earlier run, and those that take longer than
 * a command waits. One poll at a time, ever more rarely, and none while the window is out of focus.
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
      const pause = next
        ? Math.max(0, next.at - this.#clock.now()) * (1 + this.#random() / 5)
        : LONGEST_SLEEP_MS;
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
      let at = nextPoll(record, triedAt, now);
      // A user who comes back wants to know how it went meanwhile.
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
      const isOver = isFinished(record) && (record.secondTry?.isWithheld ?? true);
      if (isOver && !isFinished(before) && !this.#jobs.isWaitedFor(record.id)) this.#onFinished(record);
    } catch {
      // The record says what went wrong; the next look may do better.
    }
  }
}
