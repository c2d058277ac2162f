import { t } from "@vscode/l10n";
import type { LedgerLensError } from "../../errors.ts";
import {
  flag,
  ifReadable,
  listOf,
  mapped,
  matching,
  object,
  openObject,
  readAs,
  type Shaped,
} from "../../json/shape.ts";
import { base64ToBytes } from "../../evm/hex.ts";
import { isSuccessCode } from "../actions/responseCodes.ts";
import { timestampNanos } from "../references/timestamp.ts";
import { isTransactionId } from "../references/transactionId.ts";
import { addressShape, hex, integer, said } from "../requests/ledgerShapes.ts";

/** What the ledger says of a transaction beside its contract actions. Integers are exact decimal digits. */
export interface TransactionRecord {
  /** What the ledger has of its execution by the EVM; missing for what called no contract. */
  readonly execution?: ContractExecution;
  /** What the ledger has of the transaction; missing where it does not say. */
  readonly transaction?: ListedTransaction;
  /** Why a part is missing that the ledger was asked for; what it does not have is none. */
  readonly problems: readonly LedgerLensError[];
}

const logFields = {
  address: ifReadable(addressShape),
  contract_id: ifReadable(said),
  data: ifReadable(hex),
  index: ifReadable(integer),
  topics: ifReadable(listOf(hex, 8)),
};
const logShape = object(logFields);

/** A slot of storage that was read or written; `value_written` is missing for what was only read. */
const stateChangeFields = {
  address: ifReadable(addressShape),
  contract_id: ifReadable(said),
  slot: ifReadable(hex),
  value_read: ifReadable(hex),
  value_written: ifReadable(hex),
};
const stateChangeShape = object(stateChangeFields);

/** The network lets a transaction move no more than some tens; those of a contract's calls, and rewards, come on top. */
const MAX_MOVES = 5_000;

const executionFields = {
  amount: ifReadable(integer),
  block_number: ifReadable(integer),
  call_result: ifReadable(hex),
  contract_id: ifReadable(said),
  address: ifReadable(addressShape),
  error_message: ifReadable(said),
  from: ifReadable(addressShape),
  function_parameters: ifReadable(hex),
  gas_consumed: ifReadable(integer),
  gas_limit: ifReadable(integer),
  gas_used: ifReadable(integer),
  hash: ifReadable(hex),
  logs: ifReadable(listOf(logShape)),
  result: ifReadable(said),
  state_changes: ifReadable(listOf(stateChangeShape)),
  status: ifReadable(said),
  timestamp: ifReadable(said),
  to: ifReadable(addressShape),
};

/** A transaction's execution, as an entry of a list. */
export const executionShape = object(executionFields);

/** With all that a mirror node says of it beside, which a copy has. */
const wholeExecution = openObject({
  ...executionFields,
  logs: ifReadable(listOf(openObject(logFields))),
  state_changes: ifReadable(listOf(openObject(stateChangeFields))),
});

/** A log as it came: topics and data are hex with `0x`. */
export type LedgerLog = Shaped<typeof logShape>;

/** `GET /api/v1/contracts/results/{id}` (hiero-mirror-node, rest/api/v1/openapi.yml, ContractResultDetails). */
export type ContractExecution = Shaped<typeof executionShape>;

/** @returns `undefined` for what is no object */
export function readExecution(body: unknown): ContractExecution | undefined {
  return readAs(wholeExecution, body);
}

/** Base64 of UTF-8, or of anything. */
const memo = mapped(said, (text) => {
  const bytes = base64ToBytes(text);
  return bytes === undefined ? text : new TextDecoder().decode(bytes);
});

/** The account did not sign for it: another one spent what it allowed. */
const allowed = { is_approval: ifReadable(flag) };
const transferShape = object({ account: said, amount: integer, ...allowed });
const tokenTransferShape = object({ token_id: said, account: said, amount: integer, ...allowed });
const nftTransferShape = object({
  token_id: said,
  serial_number: integer,
  ...allowed,
  sender_account_id: ifReadable(said),
  receiver_account_id: ifReadable(said),
});

/** As the mirror node writes it: payer, seconds and nanoseconds of the valid start (openapi.yml, TransactionId). */
const transactionId = matching({ test: isTransactionId }, () => t`a transaction id`);

const transactionFields = {
  charged_tx_fee: ifReadable(integer),
  consensus_timestamp: ifReadable(said),
  entity_id: ifReadable(said),
  memo_base64: ifReadable(memo),
  name: ifReadable(said),
  nft_transfers: ifReadable(listOf(nftTransferShape, MAX_MOVES, MAX_MOVES)),
  node: ifReadable(said),
  nonce: ifReadable(integer),
  parent_consensus_timestamp: ifReadable(said),
  result: ifReadable(said),
  scheduled: ifReadable(flag),
  staking_reward_transfers: ifReadable(listOf(transferShape, MAX_MOVES, MAX_MOVES)),
  token_transfers: ifReadable(listOf(tokenTransferShape, MAX_MOVES, MAX_MOVES)),
  transaction_id: ifReadable(transactionId),
  transfers: ifReadable(listOf(transferShape, MAX_MOVES, MAX_MOVES)),
};

/** With all that a mirror node says beside, which a copy has; but for what would be taken for ours. */
const wholeTransaction = mapped(openObject(transactionFields), (read): LedgerTransactionRecord => {
  const fields = Object.entries(read).filter(([name]) => name !== "children" && name !== "duplicates");
  return Object.fromEntries(fields);
});

/** One of `GET /api/v1/transactions` (the same document, Transaction). The memo is text. */
export type LedgerTransactionRecord = Shaped<ReturnType<typeof object<typeof transactionFields>>>;

/** A transaction with what came with it. */
export interface ListedTransaction extends LedgerTransactionRecord {
  /** What the network did for it as transactions of their own: what its contracts had the token service do, for example. */
  readonly children?: readonly LedgerTransactionRecord[];
  /** How often it came again and was refused for that. */
  readonly duplicates?: number;
}

/** So many transactions of one id are read: the network makes a few hundred children at most. */
const MAX_LISTED = 2_000;

const transactionList = object({ transactions: listOf(wholeTransaction, MAX_LISTED) });

/** @returns `undefined` for what is no list of transactions */
export function readTransactions(body: unknown): readonly LedgerTransactionRecord[] | undefined {
  return readAs(transactionList, body)?.transactions;
}

/** What is refused because the same transaction came before. */
const DUPLICATE = "DUPLICATE_TRANSACTION";

/**
 * The transaction that is meant among all that have its id: its children, the one that it scheduled and that one's
 * children, and what came again. Without a moment the one that did its work, else the latest, as mirror nodes find a
 * contract's result (hiero-mirror-node, rest/service/transactionService.js).
 *
 * @param moment its consensus timestamp, where that is known; what says none may be it
 */
export function transactionAmong(
  found: readonly LedgerTransactionRecord[],
  moment: string | undefined,
): ListedTransaction | undefined {
  const own =
    moment === undefined ? mainOf(found) : (found.find((one) => isAt(one, moment)) ?? timelessOf(found));
  if (!own) return undefined;
  const others = found.filter((one) => one !== own && hasSameId(one, own));
  const children = others.filter((one) => isChildOf(one, own));
  const duplicates = others.filter((one) => one.result === DUPLICATE).length;
  return { ...own, ...(children.length > 0 && { children }), ...(duplicates > 0 && { duplicates }) };
}

function isAt({ consensus_timestamp: moment }: LedgerTransactionRecord, asked: string): boolean {
  const nanos = timestampNanos(asked);
  return nanos !== undefined && timestampNanos(moment) === nanos;
}

function timelessOf(found: readonly LedgerTransactionRecord[]): LedgerTransactionRecord | undefined {
  return mainOf(found.filter(({ consensus_timestamp: moment }) => timestampNanos(moment) === undefined));
}

function mainOf(found: readonly LedgerTransactionRecord[]): LedgerTransactionRecord | undefined {
  const main = found.filter(({ nonce = "0", scheduled }) => nonce === "0" && scheduled !== true);
  return (
    main.find(({ result }) => result !== undefined && isSuccessCode(result)) ??
    main.findLast(({ result }) => result !== DUPLICATE) ??
    main[0] ??
    found[0]
  );
}

/** A child has the id of its parent; what has another one, in whatever form it is written, is of another transaction. */
function hasSameId(
  { transaction_id: one }: LedgerTransactionRecord,
  { transaction_id: other }: LedgerTransactionRecord,
): boolean {
  const plain = (id: string) => id.replace(/@|\.(?=\d+$)/g, "-").replace(/-0+(?=\d)/g, "-");
  return one === undefined || other === undefined || plain(one) === plain(other);
}

/** A child tells its parent by its moment; one that was made before its parent does not. */
function isChildOf(one: LedgerTransactionRecord, own: LedgerTransactionRecord): boolean {
  const { nonce = "0", parent_consensus_timestamp: parent } = one;
  if (nonce === "0") return false;
  if (parent !== undefined) return own.consensus_timestamp !== undefined && isAt(own, parent);
  return (own.nonce ?? "0") === "0" && (own.scheduled === true) === (one.scheduled === true);
}
