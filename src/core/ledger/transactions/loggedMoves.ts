import { topicOf } from "../../evm/abiEntry.ts";
import { encodedAddress, ZERO_ADDRESS } from "../../evm/address.ts";
import { hexDigits } from "../actions/contractAction.ts";
import { entityIdText, fromLongZeroAddress } from "../references/entityId.ts";
import { nftSums, type NftSum } from "./balances.ts";
import type { ContractExecution, LedgerLog, ListedTransaction } from "./transactionRecord.ts";

/** What an account got or gave of a token by its logs. */
interface LoggedChange {
  /** Address in lower case. */
  readonly account: string;
  /** In smallest units, exact digits, `-` where it gave. */
  readonly amount: string;
  /** All of it was made for the account, or destroyed. */
  readonly by?: "minting" | "burning";
}

/** A contract whose logs tell transfers. */
export interface LoggingToken {
  /** In lower case. */
  readonly address: string;
  /** As the ledger names it. */
  readonly id?: string;
}

/** A token, or one of the many kinds of an ERC-1155 contract, and who got and gave it, who gave most first. */
interface LoggedAsset {
  readonly token: LoggingToken;
  /** Its id within an ERC-1155 contract, exact digits. */
  readonly kind?: string;
  readonly changes: readonly LoggedChange[];
}

/** An NFT that changed hands; one without a sender was minted, one without a receiver burned. */
interface LoggedNftMove {
  readonly token: LoggingToken;
  readonly serial: string;
  readonly from?: string;
  readonly to?: string;
}

/** What the logs of contracts say was moved. */
export interface LoggedMoves {
  readonly assets: readonly LoggedAsset[];
  readonly nfts: readonly LoggedNftMove[];
  /** Of the tokens of which an NFT went through several hands; `tokenId` is the address of the contract. */
  readonly nftSums: readonly NftSum[];
}

const NOTHING: LoggedMoves = { assets: [], nfts: [], nftSums: [] };

/** ERC-20 and ERC-721, which differ in whether the last value is indexed, and ERC-1155. */
const TRANSFER = topicOf("Transfer(address,address,uint256)");
const SINGLE = topicOf("TransferSingle(address,address,address,uint256,uint256)");
const BATCH = topicOf("TransferBatch(address,address,address,uint256[],uint256[])");

/** No transaction has the gas for so many; what is beyond is not told. */
const MAX_MOVES = 5_000;
const WORD = 64;

/** A page is told anew whenever a name is found. */
const known = new WeakMap<
  ContractExecution,
  { readonly transaction: ListedTransaction | undefined; readonly moves: LoggedMoves }
>();

/**
 * What the standard events of a transaction say was moved, summed for each account: tokens that are ordinary contracts have no
 * transfers at the ledger. Those of the network do, and what their facades log is left out where the record tells of that
 * token. An event is what a contract says, and no proof of a balance.
 */
export function loggedMoves(
  execution: ContractExecution | undefined,
  transaction: ListedTransaction | undefined,
): LoggedMoves {
  if (!execution?.logs || execution.logs.length === 0) return NOTHING;
  const kept = known.get(execution);
  if (kept && kept.transaction === transaction) return kept.moves;
  const moves = summed(execution.logs, recordedTokens(transaction));
  known.set(execution, { transaction, moves });
  return moves;
}

/** The tokens of which the record of a transaction, or of its children, tells transfers. */
function recordedTokens({ children = [], ...own }: ListedTransaction = {}): ReadonlySet<string> {
  return new Set(
    [own, ...children].flatMap(({ token_transfers: tokens = [], nft_transfers: nfts = [] }) =>
      [...tokens, ...nfts].map(({ token_id: id }) => id),
    ),
  );
}

interface Sum {
  amount: bigint;
  minted: bigint;
  burned: bigint;
}

function summed(logs: readonly LedgerLog[], recorded: ReadonlySet<string>): LoggedMoves {
  const assets = new Map<string, { token: LoggingToken; kind?: string; sums: Map<string, Sum> }>();
  const nfts: LoggedNftMove[] = [];
  let room = MAX_MOVES;
  for (const log of logs) {
    const address = log.address?.toLowerCase();
    if (address === undefined) continue;
    const made = fromLongZeroAddress(address);
    const ids = [log.contract_id, made && entityIdText(made)];
    if (ids.some((id) => id !== undefined && recorded.has(id))) continue;
    const token = { address, ...(log.contract_id !== undefined && { id: log.contract_id }) };
    for (const move of movesOf(log)) {
      if (--room < 0) break;
      const { from, to, kind, amount } = move;
      if (amount === undefined) {
        nfts.push({
          token,
          serial: kind ?? "",
          ...(from !== ZERO_ADDRESS && { from }),
          ...(to !== ZERO_ADDRESS && { to }),
        });
        continue;
      }
      const key = `${address} ${kind ?? ""}`;
      const asset = assets.get(key) ?? {
        token,
        ...(kind !== undefined && { kind }),
        sums: new Map<string, Sum>(),
      };
      assets.set(key, asset);
      const sumOf = (account: string) => {
        const sum = asset.sums.get(account) ?? { amount: 0n, minted: 0n, burned: 0n };
        asset.sums.set(account, sum);
        return sum;
      };
      if (from !== ZERO_ADDRESS) {
        const sum = sumOf(from);
        sum.amount -= amount;
        if (to === ZERO_ADDRESS) sum.burned += amount;
      }
      if (to !== ZERO_ADDRESS) {
        const sum = sumOf(to);
        sum.amount += amount;
        if (from === ZERO_ADDRESS) sum.minted += amount;
      }
    }
  }
  return {
    assets: [...assets.values()].flatMap(({ sums, ...asset }) => {
      const changes = changesOf(sums);
      return changes.length > 0 ? [{ ...asset, changes }] : [];
    }),
    nfts,
    nftSums: nftSums(nfts.map(({ token, ...move }) => ({ tokenId: token.address, ...move }))),
  };
}

function changesOf(sums: ReadonlyMap<string, Sum>): LoggedChange[] {
  return [...sums]
    .filter(([, { amount }]) => amount !== 0n)
    .sort(([, { amount: a }], [, { amount: b }]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([account, { amount, minted, burned }]) => ({
      account,
      amount: String(amount),
      ...(amount === minted && { by: "minting" as const }),
      ...(amount === -burned && { by: "burning" as const }),
    }));
}

/** A transfer that an event tells; without an amount it is of an NFT. */
interface Move {
  readonly from: string;
  readonly to: string;
  readonly kind?: string;
  readonly amount?: bigint;
}

/** What an event says was moved; nothing where it is none of a standard, or does not have the form of one. */
function movesOf({ topics = [], data = "0x" }: LedgerLog): Move[] {
  const [event, ...indexed] = topics.map((topic) => topic.toLowerCase());
  const digits = hexDigits(data);
  if (event === TRANSFER) {
    const [from, to] = [encodedAddress(indexed[0]), encodedAddress(indexed[1])];
    if (from === undefined || to === undefined) return [];
    const serial = /^0x[0-9a-f]{64}$/.exec(indexed[2] ?? "")?.[0];
    if (indexed.length === 3 && digits === "")
      return serial === undefined ? [] : [{ from, to, kind: String(BigInt(serial)) }];
    const isAmount = indexed.length === 2 && digits.length === WORD;
    return isAmount ? [{ from, to, amount: BigInt(`0x${digits}`) }] : [];
  }
  if (indexed.length !== 3 || (event !== SINGLE && event !== BATCH)) return [];
  const [from, to] = [encodedAddress(indexed[1]), encodedAddress(indexed[2])];
  if (from === undefined || to === undefined) return [];
  const kinds = event === SINGLE ? [wordAt(digits, 0)] : listAt(digits, 0);
  const amounts = event === SINGLE ? [wordAt(digits, 1)] : listAt(digits, 1);
  if (!kinds || kinds.length !== amounts?.length) return [];
  return kinds.flatMap((kind, at) => {
    const amount = amounts[at];
    return kind === undefined || amount === undefined ? [] : [{ from, to, kind: String(kind), amount }];
  });
}

function wordAt(digits: string, at: number): bigint | undefined {
  const word = digits.slice(at * WORD, (at + 1) * WORD);
  return word.length === WORD ? BigInt(`0x${word}`) : undefined;
}

/** The numbers of a list to whose beginning a word points, in bytes. */
function listAt(digits: string, at: number): readonly (bigint | undefined)[] | undefined {
  const words = BigInt(Math.floor(digits.length / WORD));
  const offset = wordAt(digits, at);
  if (offset === undefined || offset % 32n !== 0n || offset / 32n >= words) return undefined;
  const begin = Number(offset / 32n);
  const count = wordAt(digits, begin) ?? 0n;
  if (count > words - BigInt(begin) - 1n) return undefined;
  return Array.from({ length: Math.min(Number(count), MAX_MOVES) }, (_, index) =>
    wordAt(digits, begin + 1 + index),
  );
}
