import { t } from "@vscode/l10n";
import { definedOnly } from "../../json/looseData.ts";
import { ownValue } from "../../json/ownValue.ts";
import { anything, flag, ifReadable, object, readAs, type LooseObject } from "../../json/shape.ts";
import { readCustomFees, type CustomFee } from "./customFees.ts";
import { readDecimals } from "../../text/exactDecimal.ts";
import { readLedgerKey, type LedgerKey } from "./ledgerKey.ts";
import { integer, said } from "../requests/ledgerShapes.ts";
import { readTokenMetadata, type TokenMetadata } from "./tokenMetadata.ts";
import type { LedgerNetwork } from "../references/network.ts";
import { expiryNanos } from "../references/timestamp.ts";

/** The eight keys of a token in the order in which they are shown, and what it means that one is not set. */
const tokenKeyKinds = [
  { field: "admin_key", name: t`Admin`, missing: t`Token is immutable` },
  { field: "supply_key", name: t`Supply`, missing: t`Token cannot be minted or burnt` },
  { field: "pause_key", name: t`Pause`, missing: t`Token cannot be paused` },
  { field: "freeze_key", name: t`Freeze`, missing: t`Token cannot be frozen` },
  { field: "kyc_key", name: "KYC", missing: t`KYC is not required` },
  { field: "wipe_key", name: t`Wipe`, missing: t`Token cannot be wiped` },
  { field: "fee_schedule_key", name: t`Fee schedule`, missing: t`Custom fee schedule is immutable` },
  { field: "metadata_key", name: t`Metadata`, missing: t`Token metadata is immutable` },
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
  readonly record: LooseObject;
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
  readonly metadata: TokenMetadata;
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

/** A token's record; no field is taken for granted. */
const tokenRecord = object({
  name: ifReadable(said),
  symbol: ifReadable(said),
  memo: ifReadable(said),
  type: ifReadable(said),
  pause_status: ifReadable(said),
  treasury_account_id: ifReadable(said),
  auto_renew_account: ifReadable(said),
  auto_renew_period: ifReadable(integer),
  created_timestamp: ifReadable(said),
  modified_timestamp: ifReadable(said),
  deleted: ifReadable(flag),
  freeze_default: ifReadable(flag),
  decimals: ifReadable(anything),
  total_supply: ifReadable(integer),
  initial_supply: ifReadable(integer),
  max_supply: ifReadable(integer),
  supply_type: ifReadable(said),
  custom_fees: ifReadable(anything),
  metadata: ifReadable(anything),
  expiry_timestamp: ifReadable(anything),
});

const feeSchedule = object({ created_timestamp: ifReadable(said) });

/** Reads a token's record. */
export function readToken(
  record: LooseObject,
  origin: { network: LedgerNetwork; tokenId: string; text: string; asOf?: string },
  denominations: Denominations = new Map(),
): Token {
  const read = readAs(tokenRecord, record) ?? {};
  const optional = {
    name: read.name,
    symbol: read.symbol,
    memo: read.memo,
    type: read.type,
    pauseStatus: read.pause_status,
    treasury: read.treasury_account_id,
    autoRenewAccount: read.auto_renew_account,
    autoRenewPeriod: read.auto_renew_period,
    created: read.created_timestamp,
    modified: read.modified_timestamp,
    feesCreated: readAs(feeSchedule, read.custom_fees)?.created_timestamp,
    deleted: read.deleted,
    freezeDefault: read.freeze_default,
  };
  return {
    ...definedOnly(optional),
    ...origin,
    record,
    decimals: readDecimals(read.decimals),
    decimalsText: readAs(said, read.decimals),
    supply: {
      total: read.total_supply,
      initial: read.initial_supply,
      maximum: read.max_supply,
      isInfinite: read.supply_type === "INFINITE",
    },
    keys: tokenKeyKinds.map((kind) => readTokenKey(record, kind)),
    fees: readCustomFees(read.custom_fees),
    metadata: readTokenMetadata(read.metadata),
    expiry: expiryNanos(read.expiry_timestamp),
    denominations,
  };
}

function readTokenKey(record: LooseObject, kind: (typeof tokenKeyKinds)[number]): TokenKey {
  const value = ownValue(record, kind.field);
  const key = readLedgerKey(value);
  if (key) return { ...kind, state: "set", key };
  return { ...kind, state: value === null ? "none" : "absent" };
}
