import { explorersAreDone } from "../service/explorerVerification.ts";
import { toMatch } from "../service/job.ts";
import { isFinished, recordStatus, type JobRecord } from "./jobRecord.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * A job without an end after this time gets none: services reap stale jobs after three hours (argotorg/sourcify
 * pull request 2886), older ones kept them open for ever.
 */
export const GIVE_UP_HOURS = 4;
const GIVE_UP_MS = GIVE_UP_HOURS * HOUR_MS;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;
/** Explorers are told after a job is finished, and once more half a minute later (argotorg/sourcify issue 2512). */
const EXTERNAL_PHASE_MS = 2 * MINUTE_MS;
const EXTERNAL_PAUSE_MS = 10_000;

/** How long to wait for the next look at a job of this age, where no command waits for it ({@link pollPause}). */
const PAUSES: readonly (readonly [youngerThan: number, pause: number])[] = [
  [MINUTE_MS, 8_000],
  [10 * MINUTE_MS, 25_000],
  [HOUR_MS, 60_000],
  [GIVE_UP_MS, LONGEST_PAUSE_MS],
];

/** How often a command that waits for a job asks: soon at first, every 3 s for half a minute, then ever more rarely. */
const FIRST_POLL_MS = 500;
const EARLY_POLL_MS = 3_000;
const EARLY_PHASE_MS = 30_000;
const LATE_POLL_MS = 15_000;

/**
 * Milliseconds until a command that waits for a job asks again.
 *
 * @param polls how often it has asked
 * @param passedMs since it began to wait
 */
export function pollPause(polls: number, passedMs: number): number {
  if (polls === 0) return FIRST_POLL_MS;
  if (passedMs < EARLY_PHASE_MS) return Math.min(FIRST_POLL_MS * 2 ** polls, EARLY_POLL_MS);
  return Math.min(EARLY_POLL_MS * 1.5 ** Math.log2(passedMs / EARLY_PHASE_MS + 1), LATE_POLL_MS);
}

/** Whether an unfinished job is no longer polled by itself. */
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
export function nextPoll(record: JobRecord, triedAt: number | undefined, now: number): number | undefined {
  const touched = Math.max(lastTouch(record), triedAt ?? 0);
  if (isFinished(record)) return nextLookForExplorers(record, touched);
  // The clock was set back: what was done far in the future says nothing about when to look.
  if (touched > now + GIVE_UP_MS) return now + LONGEST_PAUSE_MS;
  const age = now - record.submittedAt;
  const pause = PAUSES.find(([youngerThan]) => age < youngerThan)?.[1];
  return pause === undefined ? undefined : touched + pause;
}

/** When a job was last looked at or, before that, submitted. */
export function lastTouch({ checkedAt, submittedAt }: JobRecord): number {
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
