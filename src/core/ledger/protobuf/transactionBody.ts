import { bytesToHex } from "@noble/hashes/utils.js";
import { base64ToBytes } from "../../evm/hex.ts";
import { entityIdMessage } from "./entityIdMessage.ts";
import {
  bytesField,
  bytesFields,
  readMessage,
  signedField,
  varintField,
  zigzagField,
  type WireField,
} from "./protobufWire.ts";

/** An amount that an account gets (or, negative, gives). */
interface BodyTransfer {
  readonly account: string;
  /** Tinybars, or smallest units of the token; decimal digits. */
  readonly amount: string;
  /** HBAR when missing. */
  readonly token?: string;
  /** It is taken by an allowance, for which the account does not sign. */
  readonly isApproved?: true;
}

/** An NFT that changes hands. */
interface BodyNftTransfer {
  readonly token: string;
  readonly serial: string;
  readonly sender: string;
  readonly receiver: string;
  /** As with {@link BodyTransfer}. */
  readonly isApproved?: true;
}

/** What a scheduled transaction will do. */
export interface TransactionBody {
  /** The body's kind as the protocol names it: `cryptoTransfer`; `unknown kind 99` for a newer one. */
  readonly kind: string;
  /** The highest fee, tinybars, decimal digits. */
  readonly fee: string;
  readonly memo: string;
  readonly transfers: readonly BodyTransfer[];
  readonly nftTransfers: readonly BodyNftTransfer[];
  readonly contractCall?: {
    readonly contract: string;
    /** Decimal digits. */
    readonly gas: string;
    /** Tinybars, decimal digits. */
    readonly amount: string;
    /** `0x` and the parameters, selector first. */
    readonly parameters: string;
  };
  /** The bytes of the kind's own message, without `0x`. */
  readonly dataHex: string;
}

/** Kinds by field number from 3 on (hedera-protobufs services/schedulable_transaction_body.proto). */
const KINDS: readonly string[] = (
  "contractCall contractCreateInstance contractUpdateInstance contractDeleteInstance cryptoCreateAccount " +
  "cryptoDelete cryptoTransfer cryptoUpdateAccount fileAppend fileCreate fileDelete fileUpdate systemDelete " +
  "systemUndelete freeze consensusCreateTopic consensusUpdateTopic consensusDeleteTopic consensusSubmitMessage " +
  "tokenCreation tokenFreeze tokenUnfreeze tokenGrantKyc tokenRevokeKyc tokenDeletion tokenUpdate tokenMint " +
  "tokenBurn tokenWipe tokenAssociate tokenDissociate scheduleDelete tokenPause tokenUnpause " +
  "cryptoApproveAllowance cryptoDeleteAllowance tokenFeeScheduleUpdate utilPrng tokenUpdateNfts nodeCreate " +
  "nodeUpdate nodeDelete tokenReject tokenCancelAirdrop tokenClaimAirdrop tokenAirdrop registeredNodeCreate " +
  "registeredNodeUpdate registeredNodeDelete"
).split(" ");
const FIRST_KIND = 3;
/** maxCustomFees: repeated, and no kind. */
const MAX_CUSTOM_FEES = 1001;

const CONTRACT_CALL = 3;
const CRYPTO_TRANSFER = 9;
const TOKEN_AIRDROP = 48;

/**
 * Decodes a base64 `SchedulableTransactionBody`; `undefined` when the bytes are none, such as the fixtures
 * `AQECAgMD` of the mirror node.
 */
export function decodeTransactionBody(base64: unknown): TransactionBody | undefined {
  const bytes = base64ToBytes(base64);
  const fields = bytes && readMessage(bytes);
  const kinds = fields?.filter(({ number }) => number >= FIRST_KIND && number !== MAX_CUSTOM_FEES) ?? [];
  const [data] = kinds;
  if (!fields || kinds.length !== 1 || data?.type !== "bytes") return undefined;
  if (
    fields.some(
      ({ number, type }) => (number === 1 && type !== "varint") || (number === 2 && type !== "bytes"),
    )
  )
    return undefined;
  const inner = readMessage(data.value);
  if (!inner) return undefined;
  return {
    kind: KINDS[data.number - FIRST_KIND] ?? `unknown kind ${data.number}`,
    fee: String(varintField(fields, 1)),
    memo: new TextDecoder().decode(bytesField(fields, 2) ?? new Uint8Array()),
    ...transfersOf(data.number, inner),
    ...(data.number === CONTRACT_CALL && { contractCall: contractCallOf(inner) }),
    dataHex: bytesToHex(data.value),
  };
}

function contractCallOf(fields: readonly WireField[]) {
  return {
    contract: entityIdMessage(bytesField(fields, 1)) ?? "unknown",
    gas: String(signedField(fields, 2)),
    amount: String(signedField(fields, 3)),
    parameters: `0x${bytesToHex(bytesField(fields, 4) ?? new Uint8Array())}`,
  };
}

/**
 * `CryptoTransferTransactionBody`: HBAR in field 1, tokens in field 2; an airdrop has tokens in field 1. All of them or
 * none: a list with one entry that can't be read would tell less than is going to happen.
 */
function transfersOf(
  kind: number,
  fields: readonly WireField[],
): Pick<TransactionBody, "transfers" | "nftTransfers"> {
  const none = { transfers: [], nftTransfers: [] };
  if (kind !== CRYPTO_TRANSFER && kind !== TOKEN_AIRDROP) return none;
  const hbar = kind === CRYPTO_TRANSFER ? messagesIn(bytesFields(fields, 1)) : [];
  const tokens = messagesIn(bytesFields(fields, kind === CRYPTO_TRANSFER ? 2 : 1));
  const amounts = hbar?.map((list) => amountsOf(bytesFields(list, 1), undefined));
  const tokenAmounts = tokens?.map((list) => amountsOf(bytesFields(list, 2), tokenOf(list)));
  const nfts = tokens?.map((list) => nftsOf(bytesFields(list, 3), tokenOf(list)));
  const transfers = allOf([...(amounts ?? [undefined]), ...(tokenAmounts ?? [undefined])]);
  const nftTransfers = allOf(nfts ?? [undefined]);
  return transfers && nftTransfers ? { transfers, nftTransfers } : none;
}

/** The messages; `undefined` when one of them is malformed. */
function messagesIn(parts: readonly Uint8Array[]): WireField[][] | undefined {
  const messages = parts.map((part) => readMessage(part)).filter((message) => message !== undefined);
  return messages.length === parts.length ? messages : undefined;
}

/** The lists as one; `undefined` when one of them is missing. */
function allOf<T>(lists: readonly (readonly T[] | undefined)[]): T[] | undefined {
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

function tokenOf(list: readonly WireField[]): string {
  return entityIn(list, 1);
}

/** An id in a field; words for one that is missing or malformed. */
function entityIn(fields: readonly WireField[], number: number): string {
  return entityIdMessage(bytesField(fields, number)) ?? "unknown";
}

/** `AccountAmount`s */
function amountsOf(parts: readonly Uint8Array[], token: string | undefined): BodyTransfer[] | undefined {
  return messagesIn(parts)?.map((fields) => ({
    account: entityIn(fields, 1),
    amount: String(zigzagField(fields, 2)),
    ...(token !== undefined && { token }),
    ...(varintField(fields, 3) !== 0n && { isApproved: true as const }),
  }));
}

/** `NftTransfer`s */
function nftsOf(parts: readonly Uint8Array[], token: string): BodyNftTransfer[] | undefined {
  return messagesIn(parts)?.map((fields) => ({
    token,
    serial: String(signedField(fields, 3)),
    sender: entityIn(fields, 1),
    receiver: entityIn(fields, 2),
    ...(varintField(fields, 4) !== 0n && { isApproved: true as const }),
  }));
}
