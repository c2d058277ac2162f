import { t } from "@vscode/l10n";
import type { LedgerLensError } from "../../errors.ts";
import { ifReadable, listOf, mapped, matching, object, readAs, type Shaped } from "../../json/shape.ts";
import { base64ToBytes } from "../../evm/hex.ts";
import { integer, said } from "../requests/ledgerShapes.ts";

/** What the ledger says of a transaction beside its contract actions. Integers are exact decimal digits. */
export interface TransactionRecord {
  /** What the ledger has of its execution by the EVM; missing for what called no contract. */
  readonly execution?: ContractExecution;
  /** What the ledger has of the transaction; missing where it does not say. */
  readonly transaction?: LedgerTransactionRecord;
  /** Why a part is missing that the ledger was asked for; what it does not have is none. */
  readonly problems: readonly LedgerLensError[];
}

const hex = matching(/^0x[0-9a-f]*$/i, () => t`hex`);
const addressShape = matching(/^0x[0-9a-f]{40}$/i, () => t`an address`);

const logShape = object({
  address: ifReadable(addressShape),
  contract_id: ifReadable(said),
  data: ifReadable(hex),
  index: ifReadable(integer),
  topics: ifReadable(listOf(hex, 8)),
});

/** A slot of storage that was read or written; `value_written` is missing for what was only read. */
const stateChangeShape = object({
  address: ifReadable(addressShape),
  contract_id: ifReadable(said),
  slot: ifReadable(hex),
  value_read: ifReadable(hex),
  value_written: ifReadable(hex),
});

/** A transaction's execution, whole or as an entry of a list, which has less. */
export const executionShape = object({
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
});

/** A log as it came: topics and data are hex with `0x`. */
export type LedgerLog = Shaped<typeof logShape>;

/** `GET /api/v1/contracts/results/{id}` (hiero-mirror-node, rest/api/v1/openapi.yml, ContractResultDetails). */
export type ContractExecution = Shaped<typeof executionShape>;

/** @returns `undefined` for what is no object */
export function readExecution(body: unknown): ContractExecution | undefined {
  return readAs(executionShape, body);
}

/** Base64 of UTF-8, or of anything. */
const memo = mapped(said, (text) => {
  const bytes = base64ToBytes(text);
  return bytes === undefined ? text : new TextDecoder().decode(bytes);
});

const transferShape = object({ account: said, amount: integer });
const tokenTransferShape = object({ token_id: said, account: said, amount: integer });
const nftTransferShape = object({
  token_id: said,
  serial_number: integer,
  sender_account_id: ifReadable(said),
  receiver_account_id: ifReadable(said),
});

/** As the mirror node writes it: payer, seconds and nanoseconds of the valid start (openapi.yml, TransactionId). */
const transactionId = matching(
  /^\d{1,19}\.\d{1,19}\.\d{1,19}[-@]\d{1,12}[-.]\d{1,9}$/,
  () => t`a transaction id`,
);

const transactionShape = object({
  charged_tx_fee: ifReadable(integer),
  consensus_timestamp: ifReadable(said),
  entity_id: ifReadable(said),
  memo_base64: ifReadable(memo),
  name: ifReadable(said),
  nft_transfers: ifReadable(listOf(nftTransferShape)),
  result: ifReadable(said),
  token_transfers: ifReadable(listOf(tokenTransferShape)),
  transaction_id: ifReadable(transactionId),
  transfers: ifReadable(listOf(transferShape)),
});

/** One of `GET /api/v1/transactions` (the same document, Transaction). The memo is text. */
export type LedgerTransactionRecord = Shaped<typeof transactionShape>;

const transactionList = object({ transactions: listOf(transactionShape) });

/** @returns `undefined` for what is no list of transactions */
export function readTransactions(body: unknown): readonly LedgerTransactionRecord[] | undefined {
  return readAs(transactionList, body)?.transactions;
}
