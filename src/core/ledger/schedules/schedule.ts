import { bytesToHex } from "@noble/hashes/utils.js";
import { base64ToBytes } from "../../evm/hex.ts";
import {
  anything,
  flag,
  ifReadable,
  listOf,
  mapped,
  object,
  readAs,
  type LooseObject,
} from "../../json/shape.ts";
import { readLedgerKey, type LedgerKey } from "../tokens/ledgerKey.ts";
import { said } from "../requests/ledgerShapes.ts";
import type { LedgerNetwork } from "../references/network.ts";
import { timestampNanos } from "../references/timestamp.ts";
import { decodeTransactionBody, type TransactionBody } from "../protobuf/transactionBody.ts";

/** Where a schedule is in its life. */
export type ScheduleState = "pending" | "executed" | "deleted" | "expired";

interface ScheduleSignature {
  readonly type: string;
  /** What the public key begins with, hex without `0x`; the text as it came where it is no base64. */
  readonly keyPrefix: string;
  /** `seconds.nanoseconds` */
  readonly timestamp: string | undefined;
}

/** A scheduled transaction as the ledger describes it. */
export interface Schedule {
  readonly network: LedgerNetwork;
  readonly scheduleId: string;
  /** The record as it came; integers beyond 2^53 are decimal strings. */
  readonly record: LooseObject;
  readonly memo: string | undefined;
  readonly creator: string | undefined;
  readonly payer: string | undefined;
  readonly created: string | undefined;
  readonly executed: string | undefined;
  readonly expiration: string | undefined;
  readonly deleted: boolean;
  readonly waitForExpiry: boolean;
  readonly adminKey: LedgerKey | undefined;
  /** Missing where the answer has none of it, which says nothing of who has signed. */
  readonly signatures: readonly ScheduleSignature[] | undefined;
  /** `undefined` when the bytes can't be decoded. */
  readonly body: TransactionBody | undefined;
  /** The bytes without `0x`; `undefined` when the field is missing or no base64. */
  readonly bodyHex: string | undefined;
}

const MINUTE_NS = 60_000_000_000n;
/** How long a schedule without an expiration time lives (hiero-mirror-node rest/schedules.js). */
const DEFAULT_LIFE_NS = 30n * MINUTE_NS;
/** How much later the server takes it for expired for certain. */
const GRACE_NS = MINUTE_NS;
/** For so long after its end a schedule is still pending: the server's rule. */
export const SCHEDULE_GRACE_MS = Number(GRACE_NS / 1_000_000n);

const signature = mapped(
  object({
    type: ifReadable(said),
    public_key_prefix: ifReadable(said),
    consensus_timestamp: ifReadable(said),
  }),
  ({ type = "UNKNOWN", public_key_prefix: prefix = "", consensus_timestamp }): ScheduleSignature => {
    const bytes = base64ToBytes(prefix);
    return { type, keyPrefix: bytes ? bytesToHex(bytes) : prefix, timestamp: consensus_timestamp };
  },
);

/** A schedule's record; no field is taken for granted. */
const scheduleRecord = object({
  schedule_id: ifReadable(said),
  memo: ifReadable(said),
  creator_account_id: ifReadable(said),
  payer_account_id: ifReadable(said),
  consensus_timestamp: ifReadable(said),
  executed_timestamp: ifReadable(said),
  expiration_time: ifReadable(said),
  deleted: ifReadable(flag),
  wait_for_expiry: ifReadable(flag),
  admin_key: ifReadable(anything),
  signatures: ifReadable(listOf(signature)),
  transaction_body: ifReadable(anything),
});

/** The id that a schedule's record says. */
export function scheduleIdOf(record: LooseObject): string | undefined {
  return readAs(scheduleRecord, record)?.schedule_id;
}

/** Reads a schedule's record. */
export function readSchedule(record: LooseObject, network: LedgerNetwork): Schedule {
  const read = readAs(scheduleRecord, record) ?? {};
  const bytes = base64ToBytes(read.transaction_body);
  return {
    network,
    scheduleId: read.schedule_id ?? "unknown",
    record,
    memo: read.memo,
    creator: read.creator_account_id,
    payer: read.payer_account_id,
    created: read.consensus_timestamp,
    executed: read.executed_timestamp,
    expiration: read.expiration_time,
    deleted: read.deleted === true,
    waitForExpiry: read.wait_for_expiry === true,
    adminKey: readLedgerKey(read.admin_key),
    signatures: read.signatures,
    body: decodeTransactionBody(read.transaction_body),
    bodyHex: bytes && bytesToHex(bytes),
  };
}

/** Whether signatures may be missing: it waits for them, or ended without them. */
export function lacksSigners(state: ScheduleState): boolean {
  return state === "pending" || state === "expired";
}

/** Nanoseconds at which a schedule ends if nothing happens; `undefined` when the record does not tell. */
export function scheduleEnd({ expiration, created }: Schedule): bigint | undefined {
  if (expiration !== undefined) return timestampNanos(expiration);
  const start = timestampNanos(created);
  return start === undefined ? undefined : start + DEFAULT_LIFE_NS;
}

/**
 * The state by the server's own rule (hiero-mirror-node rest/schedules.js, getScheduleCacheControlHeader): executed,
 * else deleted, else expired one minute after its end, else pending. "Executed" does not say that it succeeded.
 *
 * @param now milliseconds since the epoch
 */
export function scheduleState(schedule: Schedule, now: number): ScheduleState {
  if (schedule.executed !== undefined) return "executed";
  if (schedule.deleted) return "deleted";
  const end = scheduleEnd(schedule);
  return end !== undefined && nanosOf(now) >= end + GRACE_NS ? "expired" : "pending";
}

/** Milliseconds until a schedule ends, below 0 in the minute of grace; `undefined` when the record does not tell. */
export function timeLeft(schedule: Schedule, now: number): number | undefined {
  const end = scheduleEnd(schedule);
  return end === undefined ? undefined : Number((end - nanosOf(now)) / 1_000_000n);
}

function nanosOf(milliseconds: number): bigint {
  return BigInt(Math.floor(milliseconds)) * 1_000_000n;
}
