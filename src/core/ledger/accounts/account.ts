import { anything, flag, ifReadable, listOf, object, readAs, type Shaped } from "../../json/shape.ts";
import { entityIdText, fromLongZeroAddress } from "../references/entityId.ts";
import type { LedgerNetwork } from "../references/network.ts";
import { readLedgerKey, type LedgerKey } from "../tokens/ledgerKey.ts";
import { addressShape, entityIdShape, integer, said } from "../requests/ledgerShapes.ts";
import {
  executionShape,
  readTransactions,
  type ContractExecution,
  type LedgerTransactionRecord,
} from "../transactions/transactionRecord.ts";

const heldShape = object({ token_id: said, balance: integer });

const accountShape = object({
  account: ifReadable(entityIdShape),
  balance: ifReadable(object({ balance: ifReadable(integer), tokens: ifReadable(listOf(heldShape)) })),
  created_timestamp: ifReadable(said),
  deleted: ifReadable(flag),
  ethereum_nonce: ifReadable(integer),
  evm_address: ifReadable(addressShape),
  key: ifReadable(anything),
  memo: ifReadable(said),
});

/** `GET /api/v1/accounts/{id}` (hiero-mirror-node, rest/api/v1/openapi.yml, AccountInfo). */
type AccountRecord = Shaped<typeof accountShape>;

const contractShape = object({
  contract_id: ifReadable(entityIdShape),
  created_timestamp: ifReadable(said),
  deleted: ifReadable(flag),
  evm_address: ifReadable(addressShape),
  memo: ifReadable(said),
  obtainer_id: ifReadable(said),
  runtime_bytecode: ifReadable(said),
});

/** `GET /api/v1/contracts/{id}` (the same document, ContractResponse). */
type ContractRecord = Shaped<typeof contractShape>;

/** So many of the newest executions of an account are asked for, and no more are read: each is named by other services. */
export const MAX_RESULTS = 10;

/** So many of the newest transactions that moved something of an account are asked for, and no more are shown. */
export const MAX_TRANSFERS = 10;

const resultList = object({ results: listOf(executionShape, MAX_RESULTS) });

/** What the ledger answered about something that has an account; what it does not have is missing. */
interface AccountAnswers {
  readonly account?: unknown;
  readonly contract?: unknown;
  /** `GET /api/v1/contracts/{id}/results`, or those that the account sent. */
  readonly results?: unknown;
  /** There are none in the part of the history that was looked through, which is not all of it. */
  readonly hasOlderResults?: boolean;
  /** `GET /api/v1/transactions?account.id={id}` */
  readonly transfers?: unknown;
  /** Likewise. */
  readonly hasOlderTransfers?: boolean;
}

/** What an account holds of a token. */
interface HeldToken {
  readonly tokenId: string;
  /** In smallest units, exact digits. */
  readonly amount: string;
}

/** An account of the ledger, which a contract is, too. */
export interface LedgerAccount {
  readonly network: LedgerNetwork;
  /** As it was asked for: `shard.realm.num`, or an address with `0x`. */
  readonly canonical: string;
  /** `shard.realm.num`; missing where the ledger does not tell. */
  readonly id?: string;
  /** The address that the EVM has it at, lower case with `0x`. */
  readonly address?: string;
  readonly isContract: boolean;
  /** Bytes of deployed code. */
  readonly codeSize?: number;
  /** In tinybars, exact digits. */
  readonly balance?: string;
  /** What it holds of tokens, in the order of the ledger; missing where it has none, or the ledger does not tell. */
  readonly tokens?: readonly HeldToken[];
  /** Of a deleted contract: the account that got what it still had. */
  readonly obtainer?: string;
  readonly memo?: string;
  /** Consensus timestamp. */
  readonly created?: string;
  readonly isDeleted: boolean;
  /** How many transactions it sent to the EVM. */
  readonly nonce?: string;
  /** What has to sign for it. */
  readonly key?: LedgerKey;
  /** The newest executions of it, or those that it sent, newest first; missing where the ledger does not tell. */
  readonly results?: readonly ContractExecution[];
  /** None is in the part of the history that was looked through, and older ones were not looked for. */
  readonly hasOlderResults?: true;
  /** Of what is no contract: the newest transactions that moved something of it, newest first; missing likewise. */
  readonly transfers?: readonly LedgerTransactionRecord[];
  /** Likewise. */
  readonly hasOlderTransfers?: true;
  /** The bodies as they came. */
  readonly texts: readonly string[];
}

/** Reads what the ledger says of an account; no field is taken for granted. */
export function readAccount(
  answers: AccountAnswers,
  origin: Pick<LedgerAccount, "network" | "canonical" | "texts">,
): LedgerAccount {
  const account: AccountRecord = readAs(accountShape, answers.account) ?? {};
  const contract: ContractRecord = readAs(contractShape, answers.contract) ?? {};
  const results = readAs(resultList, answers.results)?.results;
  const transfers = readTransactions(answers.transfers)?.slice(0, MAX_TRANSFERS);
  const { canonical } = origin;
  const id = contract.contract_id ?? account.account ?? idOf(canonical);
  const address =
    contract.evm_address ?? account.evm_address ?? (canonical.startsWith("0x") ? canonical : undefined);
  const code = contract.runtime_bytecode?.replace(/^0x/, "");
  const memo = contract.memo ?? account.memo;
  const created = contract.created_timestamp ?? account.created_timestamp;
  const balance = account.balance?.balance;
  const key = readLedgerKey(account.key);
  const isDeleted = contract.deleted === true || account.deleted === true;
  const tokens = (account.balance?.tokens ?? []).map(({ token_id: tokenId, balance: amount }) => ({
    tokenId,
    amount,
  }));
  return {
    ...origin,
    ...(id !== undefined && { id }),
    ...(address !== undefined && { address: address.toLowerCase() }),
    isContract: answers.contract !== undefined,
    ...(code !== undefined && code !== "" && { codeSize: Math.floor(code.length / 2) }),
    ...(balance !== undefined && { balance }),
    ...(tokens.length > 0 && { tokens }),
    ...(isDeleted && contract.obtainer_id !== undefined && { obtainer: contract.obtainer_id }),
    ...(memo !== undefined && { memo }),
    ...(created !== undefined && { created }),
    isDeleted,
    ...(account.ethereum_nonce !== undefined && { nonce: account.ethereum_nonce }),
    ...(key && { key }),
    ...(results && { results }),
    ...(answers.hasOlderResults === true && { hasOlderResults: true }),
    ...(transfers && { transfers }),
    ...(answers.hasOlderTransfers === true && { hasOlderTransfers: true }),
  };
}

function idOf(canonical: string): string | undefined {
  if (!canonical.startsWith("0x")) return canonical;
  const id = fromLongZeroAddress(canonical);
  return id && entityIdText(id);
}
