import { readTransactionId } from "../references/transactionId.ts";
import { timestampNanos } from "../references/timestamp.ts";

const NANOS_PER_MS = 1_000_000n;
/** A transaction is valid for at most so long after its valid start (hedera-protobufs, `transaction_valid_duration`). */
const MAX_VALID_MS = 180_000;
/** Clocks of clients may be ahead. */
const MAX_AHEAD_MS = 60_000;
/** A mirror node imports a transaction some seconds after consensus; behind, it takes longer. */
const PATIENCE_MS = 30_000;
/** A hash does not say when it was sent: a program is not kept waiting so long for one that is wrong. */
const PATIENCE_WITH_HASH_MS = 10_000;

/** When a transaction was to be sent, by its id: milliseconds since the epoch; `undefined` for a hash. */
function validStart(canonical: string): number | undefined {
  const seconds = readTransactionId(canonical)?.seconds;
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/** Whether a transaction, by its id, may have been sent just now. */
function isJustSent(canonical: string, now: number): boolean {
  const start = validStart(canonical);
  return start !== undefined && isWithin(MAX_VALID_MS, start, now);
}

/**
 * Whether parts of a transaction may not be imported yet: by when it was executed, where that is known, else by its id.
 *
 * @param executedAt its consensus timestamp
 */
export function mayBeIncomplete(canonical: string, executedAt: string | undefined, now: number): boolean {
  const nanos = timestampNanos(executedAt);
  return nanos === undefined
    ? isJustSent(canonical, now)
    : isWithin(PATIENCE_MS, Number(nanos / NANOS_PER_MS), now);
}

function isWithin(milliseconds: number, moment: number, now: number): boolean {
  return moment > now - milliseconds && moment < now + MAX_AHEAD_MS;
}

/**
 * For how many milliseconds a transaction that the mirror node does not know is asked for again.
 *
 * @param isEntered whether a person has just given it, mostly right after sending it
 */
export function patienceMs(canonical: string, now: number, isEntered: boolean): number {
  if (isJustSent(canonical, now)) return PATIENCE_MS;
  if (!/^0x/i.test(canonical)) return 0;
  return isEntered ? PATIENCE_MS : PATIENCE_WITH_HASH_MS;
}
