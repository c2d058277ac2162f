import { readCustomFees, type CustomFee } from "./customFees.ts";
import { readDecimals } from "./exactDecimal.ts";
import { readLedgerKey, type LedgerKey } from "./ledgerKey.ts";
import { integerField, textField, type LooseRecord } from "./looseFields.ts";
import { readMetadata, type Metadata } from "./metadata.ts";
import type { LedgerNetwork } from "./network.ts";
import { expiryNanos } from "./timestamp.ts";

/** The eight keys of a token in the order in which they are shown, and what it means that one is not set. */
export const tokenKeyKinds = [
  { field: "admin_key", name: "Admin", missing: "Token is immutable" },
  { field: "supply_key", name: "Supply", missing: "Token cannot be minted or burnt" },
  { field: "pause_key", name: "Pause", missing: "Token cannot be paused" },
  { field: "freeze_key", name: "Freeze", missing: "Token cannot be frozen" },
  { field: "kyc_key", name: "KYC", missing: "KYC is not required" },
  { field: "wipe_key", name: "Wipe", missing: "Token cannot be wiped" },
  { field: "fee_schedule_key", name: "Fee schedule", missing: "Custom fee schedule is immutable" },
  { field: "metadata_key", name: "Metadata", missing: "Token metadata is immutable" },
] as const;

/** One of a token's keys. */
export interface TokenKey {
  readonly field: string;
  readonly name: string;
  /** What it means that the key is not set. */
  readonly missing: string;
  /** `absent`: the answer does not mention the key. */
  readonly state: "set" | "none" | "absent";
  readonly key?: LedgerKey;
}

/** How many decimals another token has, by token id; unknown ones are missing. */
export type Denominations = ReadonlyMap<string, { readonly decimals: number; readonly symbol?: string }>;

/** A token as the ledger describes it, read but not rounded. */
export interface Token {
  readonly network: LedgerNetwork;
  /** `shard.realm.num` */
  readonly tokenId: string;
  /** The query with which it was asked for, operator and all; now when missing. */
  readonly asOf?: string;
  /** The record as it came; integers beyond 2^53 are decimal strings. */
  readonly record: LooseRecord;
  /** The body as it came. */
  readonly text: string;
  readonly name?: string;
  readonly symbol?: string;
  readonly memo?: string;
  readonly type?: string;
  /** `undefined` when missing or not to be applied; {@link decimalsText} is what came. */
  readonly decimals: number | undefined;
  readonly decimalsText: string | undefined;
  /** Decimal digits, in smallest units. */
  readonly supply: {
    readonly total: string | undefined;
    readonly initial: string | undefined;
    readonly maximum: string | undefined;
    readonly isInfinite: boolean;
  };
  readonly pauseStatus?: string;
  readonly deleted?: boolean;
  readonly freezeDefault?: boolean;
  readonly keys: readonly TokenKey[];
  readonly fees: readonly CustomFee[];
  readonly metadata: Metadata;
  /** Nanoseconds since the epoch. */
  readonly expiry: bigint | undefined;
  readonly treasury?: string;
  readonly autoRenewAccount?: string;
  /** Seconds, decimal digits. */
  readonly autoRenewPeriod?: string;
  readonly created?: string;
  readonly modified?: string;
  readonly feesCreated?: string;
  /** Of the tokens in which fees are paid. */
  readonly denominations: Denominations;
}

/** Reads a token's record; no field is taken for granted. */
export function readToken(
  record: LooseRecord,
  origin: { network: LedgerNetwork; tokenId: string; text: string; asOf?: string },
  denominations: Denominations = new Map(),
): Token {
  const optional = {
    name: textField(record, "name"),
    symbol: textField(record, "symbol"),
    memo: textField(record, "memo"),
    type: textField(record, "type"),
    pauseStatus: textField(record, "pause_status"),
    treasury: textField(record, "treasury_account_id"),
    autoRenewAccount: textField(record, "auto_renew_account"),
    autoRenewPeriod: integerField(record, "auto_renew_period"),
    created: textField(record, "created_timestamp"),
    modified: textField(record, "modified_timestamp"),
    feesCreated: feesCreated(record["custom_fees"]),
    deleted: typeof record["deleted"] === "boolean" ? record["deleted"] : undefined,
    freezeDefault: typeof record["freeze_default"] === "boolean" ? record["freeze_default"] : undefined,
  };
  return {
    ...definedOnly(optional),
    ...origin,
    record,
    decimals: readDecimals(record["decimals"]),
    decimalsText: textField(record, "decimals"),
    supply: {
      total: integerField(record, "total_supply"),
      initial: integerField(record, "initial_supply"),
      maximum: integerField(record, "max_supply"),
      isInfinite: record["supply_type"] === "INFINITE",
    },
    keys: tokenKeyKinds.map((kind) => readTokenKey(record, kind)),
    fees: readCustomFees(record["custom_fees"]),
    metadata: readMetadata(record["metadata"]),
    expiry: expiryNanos(record["expiry_timestamp"]),
    denominations,
  };
}

function readTokenKey(record: LooseRecord, kind: (typeof tokenKeyKinds)[number]): TokenKey {
  const key = readLedgerKey(record[kind.field]);
  if (key) return { ...kind, state: "set", key };
  return { ...kind, state: record[kind.field] === null ? "none" : "absent" };
}

function feesCreated(fees: unknown): string | undefined {
  return typeof fees === "object" && fees !== null
    ? textField(fees as LooseRecord, "created_timestamp")
    : undefined;
}

/** Without the fields that are `undefined`. */
function definedOnly<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
