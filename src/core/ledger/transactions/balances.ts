import { isSuccessCode } from "../actions/responseCodes.ts";
import type { ListedTransaction } from "./transactionRecord.ts";

/** What an account got and gave of one asset. */
interface BalanceChange {
  readonly account: string;
  /** In smallest units, exact digits, `-` where it gave. */
  readonly amount: string;
  /** How much of it came as a reward for staking, likewise. */
  readonly reward?: string;
  /** How much was taken from it by an allowance that it had given, without a sign. */
  readonly allowed?: string;
}

/** An asset and who got and gave it, who gave most first. */
interface AssetChanges {
  /** `undefined` for HBAR. */
  readonly tokenId?: string;
  readonly changes: readonly BalanceChange[];
}

/** An NFT that changed hands; one without a sender was minted, one without a receiver burned. */
interface NftMove {
  readonly tokenId: string;
  readonly serial: string;
  readonly from?: string;
  readonly to?: string;
  /** By an allowance of its sender. */
  readonly isAllowed?: true;
}

/** What a transaction moved, summed for each account. */
interface Balances {
  /** HBAR first, then the tokens in the order in which they were moved; also one of which each account has as much as before. */
  readonly assets: readonly AssetChanges[];
  readonly nfts: readonly NftMove[];
}

/** What an account has more or less of the NFTs of a token than before. */
export interface NftSum {
  readonly tokenId: string;
  readonly account: string;
  readonly isGiven: boolean;
  readonly serials: readonly string[];
}

/**
 * What accounts got and gave in sum of the tokens of which an NFT went through several hands; of any other the moves say it
 * themselves. Who had one only meanwhile is left out.
 */
export function nftSums(moves: readonly NftMove[]): readonly NftSum[] {
  const [once, again] = [new Set<string>(), new Set<string>()];
  for (const { tokenId, serial } of moves) {
    const nft = `${tokenId} ${serial}`;
    if (once.has(nft)) again.add(tokenId);
    once.add(nft);
  }
  if (again.size === 0) return [];
  // By token and account, how much of each NFT.
  const changes = new Map<string, Map<string, Map<string, number>>>();
  const add = (tokenId: string, account: string | undefined, serial: string, change: number) => {
    if (account === undefined) return;
    const ofToken = changes.get(tokenId) ?? new Map<string, Map<string, number>>();
    const ofAccount = ofToken.get(account) ?? new Map<string, number>();
    ofAccount.set(serial, (ofAccount.get(serial) ?? 0) + change);
    changes.set(tokenId, ofToken.set(account, ofAccount));
  };
  for (const { tokenId, serial, from, to } of moves) {
    if (!again.has(tokenId)) continue;
    add(tokenId, from, serial, -1);
    add(tokenId, to, serial, 1);
  }
  return [...changes].flatMap(([tokenId, accounts]) => {
    const sumsOf = (isGiven: boolean) =>
      [...accounts].flatMap(([account, nfts]) => {
        const serials = [...nfts]
          .filter(([, change]) => (isGiven ? change < 0 : change > 0))
          .map(([serial]) => serial);
        return serials.length === 0 ? [] : [{ tokenId, account, isGiven, serials }];
      });
    return [...sumsOf(true), ...sumsOf(false)];
  });
}

type Transfer = NonNullable<ListedTransaction["transfers"]>[number];

/** What a child says whose caller failed after it. */
export const UNDONE = "REVERTED_SUCCESS";

/**
 * Sums the transfers of a transaction and of its children for each account and asset; accounts with nothing in sum are left
 * out. What failed moved nothing but fees, and what was undone nothing at all.
 */
export function balancesOf(transaction: ListedTransaction): Balances {
  const before = known.get(transaction);
  if (before) return before;
  const balances = summed(transaction);
  known.set(transaction, balances);
  return balances;
}

/** What was summed before: a row is drawn again and again. */
const known = new WeakMap<ListedTransaction, Balances>();

function summed({ children = [], ...own }: ListedTransaction): Balances {
  const done = [own, ...children.filter(({ result }) => result === undefined || isSuccessCode(result))];
  const byAsset = new Map<string, Map<string, bigint>>();
  const rewards = new Map<string, bigint>();
  const allowances = new Map<string, Map<string, bigint>>();
  const addTo = (sums: Map<string, Map<string, bigint>>, asset: string, account: string, amount: bigint) => {
    const own = sums.get(asset) ?? new Map<string, bigint>();
    sums.set(asset, own.set(account, (own.get(account) ?? 0n) + amount));
  };
  const add = (asset: string, { account, amount, is_approval: isAllowed }: Transfer) => {
    const size = BigInt(amount);
    addTo(byAsset, asset, account, size);
    if (isAllowed === true && size < 0n) addTo(allowances, asset, account, -size);
  };
  const charged = [own, ...children.filter(({ result }) => result !== UNDONE)];
  for (const transfer of charged.flatMap(({ transfers = [] }) => transfers)) add("", transfer);
  for (const one of done) {
    // Among the transfers they are already.
    for (const { account, amount } of one.staking_reward_transfers ?? []) {
      add("", { account, amount: "0" });
      rewards.set(account, (rewards.get(account) ?? 0n) + BigInt(amount));
    }
    for (const transfer of one.token_transfers ?? []) add(transfer.token_id, transfer);
  }
  const assets = [...byAsset].map(([tokenId, sums]) => {
    const changes = [...sums]
      .map(([account, amount]) => ({
        account,
        amount,
        reward: tokenId === "" ? (rewards.get(account) ?? 0n) : 0n,
        allowed: allowances.get(tokenId)?.get(account) ?? 0n,
      }))
      .filter(({ amount, reward }) => amount !== 0n || reward !== 0n)
      .sort(({ amount: a }, { amount: b }) => (a < b ? -1 : a > b ? 1 : 0))
      .map(({ account, amount, reward, allowed }) => ({
        account,
        amount: String(amount),
        ...(reward !== 0n && { reward: String(reward) }),
        ...(allowed !== 0n && { allowed: String(allowed) }),
      }));
    return { ...(tokenId !== "" && { tokenId }), changes };
  });
  return {
    assets: assets.filter(({ tokenId, changes }) => tokenId !== undefined || changes.length > 0),
    nfts: done
      .flatMap(({ nft_transfers: moves = [] }) => moves)
      .map(
        ({
          token_id: tokenId,
          serial_number: serial,
          sender_account_id: from,
          receiver_account_id: to,
          is_approval: isAllowed,
        }) => ({
          tokenId,
          serial,
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
          ...(isAllowed === true && { isAllowed }),
        }),
      ),
  };
}
