import { t } from "@vscode/l10n";
import { bytesOfHex } from "../../evm/hex.ts";
import { ownValue } from "../../json/ownValue.ts";
import { entityIdMessage } from "../protobuf/entityIdMessage.ts";
import { readEntityId } from "../references/entityId.ts";
import {
  bytesField,
  bytesFields,
  readMessage,
  varintField,
  type WireField,
} from "../protobuf/protobufWire.ts";
import type { TransactionBody } from "../protobuf/transactionBody.ts";
import { decodeKey, type LedgerKey } from "../tokens/ledgerKey.ts";
import type { Schedule } from "./schedule.ts";

/** The field of a record in which the ledger tells a key. */
type KeyField =
  | "key"
  | "admin_key"
  | "supply_key"
  | "pause_key"
  | "freeze_key"
  | "kyc_key"
  | "wipe_key"
  | "fee_schedule_key"
  | "metadata_key"
  | "submit_key";

/** Whose key has to sign a transaction. */
export interface KeyHolder {
  /** `receiver`: an account that signs what it gets, if it wants to; `new`: the key is in the transaction itself. */
  readonly kind: "account" | "receiver" | "contract" | "token" | "topic" | "schedule" | "new";
  /** `shard.realm.num`; empty for a new one. */
  readonly id: string;
  readonly field: KeyField;
  /** Where the transaction itself has it. */
  readonly key?: LedgerKey;
}

type Fields = readonly WireField[];

/** More are not asked for. */
const MAX_HOLDERS = 10;

/** Whether an id is that of something with a key: 0.0.0 is written where there is nothing. */
function isHolder(id: string): boolean {
  const entity = readEntityId(id);
  return entity !== undefined && entity.num > 0;
}

export function accountHolder(id: string): KeyHolder {
  return { kind: "account", id, field: "key" };
}

/** The account that a field names; nothing where it is missing, or is 0.0.0, which takes one away. */
function account(fields: Fields, number: number): KeyHolder[] {
  return holders("account", fields, number, "key");
}

/** The accounts that a field of repeated messages names. */
function accountsIn(fields: Fields, number: number, inner: number): KeyHolder[] {
  return bytesFields(fields, number).flatMap((part) => account(readMessage(part) ?? [], inner));
}

function holders(kind: KeyHolder["kind"], fields: Fields, number: number, field: KeyField): KeyHolder[] {
  const id = entityIdMessage(bytesField(fields, number));
  return id !== undefined && isHolder(id) ? [{ kind, id, field }] : [];
}

function token(field: KeyField): (fields: Fields) => KeyHolder[] {
  return (fields) => holders("token", fields, 1, field);
}

/** A key that is set signs, too; an empty list takes one away, and a contract's is none that signs. */
function newKey(fields: Fields, number: number): KeyHolder[] {
  const bytes = bytesField(fields, number);
  return newHolder(bytes && decodeKey(bytes));
}

function newHolder(key: LedgerKey | undefined): KeyHolder[] {
  if (!key || key.kind === "contract" || key.kind === "delegatable_contract") return [];
  if (key.kind === "list" && key.keys.length === 0) return [];
  return [{ kind: "new", id: "", field: "key", key }];
}

/** Whether a message has more than these fields: to extend the life of something only the payer signs. */
function hasMore(fields: Fields, numbers: readonly number[]): boolean {
  return fields.some(({ number }) => !numbers.includes(number));
}

function has(fields: Fields, numbers: readonly number[]): boolean {
  return fields.some(({ number }) => numbers.includes(number));
}

/** The fields of a token's update that its admin key alone may change (HIP-540). */
const ADMIN_FIELDS = [2, 3, 4, 5, 10, 11, 13];
/** Those that the key in question may change as well. */
const OWN_KEY_FIELDS = [6, 7, 8, 9, 14, 15, 16, 17];

/**
 * Who has to sign beside the payer, by kind (hedera-protobufs services/*.proto, "Signing Requirements"; the numbers are
 * those of the fields there).
 */
const RULES: Readonly<Record<string, (fields: Fields) => KeyHolder[]>> = {
  contractCall: () => [],
  contractCreateInstance: (fields) => [...newKey(fields, 3), ...account(fields, 15)],
  contractUpdateInstance: (fields) => [
    ...(hasMore(fields, [1, 2]) ? holders("contract", fields, 1, "admin_key") : []),
    ...newKey(fields, 3),
    ...account(fields, 12),
  ],
  contractDeleteInstance: (fields) => [
    ...holders("contract", fields, 1, "admin_key"),
    ...holders("receiver", fields, 2, "key"),
  ],
  cryptoCreateAccount: (fields) => (varintField(fields, 8) === 0n ? [] : newKey(fields, 1)),
  cryptoDelete: (fields) => [...account(fields, 2), ...holders("receiver", fields, 1, "key")],
  cryptoTransfer: () => [],
  cryptoUpdateAccount: (fields) => [
    ...(hasMore(fields, [2, 9]) ? account(fields, 2) : []),
    ...newKey(fields, 3),
  ],
  fileCreate: (fields) =>
    bytesFields(readMessage(bytesField(fields, 3) ?? new Uint8Array()) ?? [], 1).flatMap((bytes) =>
      newHolder(decodeKey(bytes)),
    ),
  systemDelete: () => [],
  systemUndelete: () => [],
  freeze: () => [],
  consensusCreateTopic: (fields) => [...newKey(fields, 2), ...account(fields, 7)],
  consensusUpdateTopic: (fields) => [
    ...(hasMore(fields, [1, 4]) ? holders("topic", fields, 1, "admin_key") : []),
    ...newKey(fields, 6),
    ...account(fields, 9),
  ],
  consensusDeleteTopic: (fields) => holders("topic", fields, 1, "admin_key"),
  consensusSubmitMessage: (fields) => holders("topic", fields, 1, "submit_key"),
  tokenCreation: (fields) => [...account(fields, 5), ...newKey(fields, 6), ...account(fields, 14)],
  tokenFreeze: token("freeze_key"),
  tokenUnfreeze: token("freeze_key"),
  tokenGrantKyc: token("kyc_key"),
  tokenRevokeKyc: token("kyc_key"),
  tokenDeletion: token("admin_key"),
  tokenUpdate: (fields) => [
    ...(has(fields, ADMIN_FIELDS) ? token("admin_key")(fields) : []),
    ...newKey(fields, 5),
    ...account(fields, 4),
    ...account(fields, 10),
  ],
  tokenMint: token("supply_key"),
  tokenBurn: token("supply_key"),
  tokenWipe: token("wipe_key"),
  tokenAssociate: (fields) => account(fields, 1),
  tokenDissociate: (fields) => account(fields, 1),
  scheduleDelete: (fields) => holders("schedule", fields, 1, "admin_key"),
  tokenPause: token("pause_key"),
  tokenUnpause: token("pause_key"),
  cryptoApproveAllowance: (fields) => [
    ...accountsIn(fields, 1, 1),
    ...bytesFields(fields, 2).flatMap((part) => {
      const allowance = readMessage(part) ?? [];
      // Who may spend all NFTs of a kind may hand on one of them.
      const delegating = account(allowance, 6);
      return delegating.length > 0 ? delegating : account(allowance, 2);
    }),
    ...accountsIn(fields, 3, 2),
  ],
  cryptoDeleteAllowance: (fields) => accountsIn(fields, 2, 2),
  tokenFeeScheduleUpdate: token("fee_schedule_key"),
  utilPrng: () => [],
  nodeCreate: (fields) => newKey(fields, 7),
  tokenReject: (fields) => account(fields, 1),
  tokenCancelAirdrop: (fields) => accountsIn(fields, 1, 1),
  tokenClaimAirdrop: (fields) => accountsIn(fields, 1, 2),
  tokenAirdrop: () => [],
};

function ruleOf(body: TransactionBody): readonly KeyHolder[] | undefined {
  const rule = ownValue(RULES, body.kind);
  return rule?.(fieldsOf(body));
}

function fieldsOf({ dataHex }: TransactionBody): Fields {
  return readMessage(bytesOfHex(dataHex) ?? new Uint8Array()) ?? [];
}

/**
 * Whose keys have to sign for certain: the payer's, those of accounts that give something without having allowed it before,
 * those that the kind of the transaction asks for, and those of accounts that get something and want to sign for that.
 */
export function keyHolders(schedule: Schedule): KeyHolder[] {
  return allHolders(schedule).slice(0, MAX_HOLDERS);
}

function allHolders({ payer, creator, body }: Schedule): KeyHolder[] {
  const givers = [
    ...(body?.transfers ?? [])
      .filter(({ amount, isApproved }) => amount.startsWith("-") && !isApproved)
      .map(({ account: id }) => id),
    ...(body?.nftTransfers ?? []).filter(({ isApproved }) => !isApproved).map(({ sender }) => sender),
  ];
  // What is airdropped waits where its receiver has to agree.
  const receivers =
    body?.kind === "cryptoTransfer"
      ? [
          ...body.transfers.filter(({ amount }) => !amount.startsWith("-")).map(({ account: id }) => id),
          ...body.nftTransfers.map(({ receiver }) => receiver),
        ]
      : [];
  const all = [
    ...[payer ?? creator ?? "", ...givers].map(accountHolder),
    ...((body && ruleOf(body)) ?? []),
    ...receivers.map((id): KeyHolder => ({ kind: "receiver", id, field: "key" })),
  ].filter(({ kind, id }) => kind === "new" || isHolder(id));
  const accounts = new Set(all.filter(({ kind }) => kind === "account").map(({ id }) => id));
  const wanted = all.filter(({ kind, id }) => kind !== "receiver" || !accounts.has(id));
  return [...new Map(wanted.map((one) => [holderKey(one), one])).values()];
}

/** What tells two holders apart. */
export function holderKey({ kind, id, field, key }: KeyHolder): string {
  return [kind, id, field, ...(key ? [JSON.stringify(key)] : [])].join(" ");
}

/** Why more signatures may be needed than those of {@link keyHolders}; `undefined` where they are all. */
export function otherSigners(schedule: Schedule): string | undefined {
  const { body } = schedule;
  if (!body) return t`unknown: the transaction was not decoded`;
  const left = allHolders(schedule).length - MAX_HOLDERS;
  if (left > 0) return t`${left} more were not looked up`;
  switch (body.kind) {
    case "contractCall":
    case "contractCreateInstance":
      return t`unknown: the contract's code decides`;
    case "fileAppend":
    case "fileUpdate":
    case "fileDelete":
      return t`the file's keys: mirror nodes don't tell them`;
    case "cryptoTransfer":
      return body.dataHex !== "" && body.transfers.length + body.nftTransfers.length === 0
        ? t`unknown: the transaction was not decoded`
        : undefined;
    case "tokenUpdate":
      return has(fieldsOf(body), OWN_KEY_FIELDS) &&
        ruleOf(body)?.every(({ kind }) => kind !== "token") === true
        ? t`the token's admin key, or the key for what is changed`
        : undefined;
    case "tokenUpdateNfts":
      return t`the token's metadata key, or its supply key for NFTs in its treasury`;
    case "nodeUpdate":
    case "nodeDelete":
      return t`the node's admin key`;
    default:
      return ownValue(RULES, body.kind) ? undefined : t`unknown for this kind of transaction`;
  }
}

/** "0.0.1010", "Supply key of 0.0.3001" */
export function holderText({ kind, id, field }: KeyHolder): string {
  if (kind === "new") return t`New key`;
  switch (field) {
    case "key":
      return id;
    case "admin_key":
      return t`Admin key of ${id}`;
    case "supply_key":
      return t`Supply key of ${id}`;
    case "pause_key":
      return t`Pause key of ${id}`;
    case "freeze_key":
      return t`Freeze key of ${id}`;
    case "kyc_key":
      return t`KYC key of ${id}`;
    case "wipe_key":
      return t`Wipe key of ${id}`;
    case "fee_schedule_key":
      return t`Fee schedule key of ${id}`;
    case "metadata_key":
      return t`Metadata key of ${id}`;
    case "submit_key":
      return t`Submit key of ${id}`;
  }
}
