import { isSuccessCode } from "../actions/responseCodes.ts";
import type { ListedTransaction } from "./transactionRecord.ts";

/** What an account got and gave of one asset. */
interface BalanceChange {
  readonly account: string;
  /** In smallest units, exact digits, `-` where it gave. */
  readonly amount: string;
  /** How much of it came as a reward for staking, likewise. */
  readonly reward?: string;
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
}

/** What a transaction moved, summed for each account. */
interface Balances {
  /** HBAR first, then the tokens in the order in which they were moved; also one of which each account has as much as before. */
  readonly assets: readonly AssetChanges[];
  readonly nfts: readonly NftMove[];
}

/** What a child says whose caller failed after it. */
export const UNDONE = "REVERTED_SUCCESS";

/**
 * Sums the transfers of a transaction and of its children for each account and asset; accounts with nothing in sum are left
 * out. What failed moved nothing but fees, and what was undone nothing at all.
 */
export function balancesOf({ children = [], ...own }: ListedTransaction): Balances {
  const done = [own, ...children.filter(({ result }) => result === undefined || isSuccessCode(result))];
  const byAsset = new Map<string, Map<string, bigint>>();
  const rewards = new Map<string, bigint>();
  const add = (asset: string, account: string, amount: string) => {
    const sums = byAsset.get(asset) ?? new Map<string, bigint>();
    byAsset.set(asset, sums.set(account, (sums.get(account) ?? 0n) + BigInt(amount)));
  };
  const charged = [own, ...children.filter(({ result }) => result !== UNDONE)];
  for (const { account, amount } of charged.flatMap(({ transfers = [] }) => transfers))
    add("", account, amount);
  for (const one of done) {
    // Among the transfers they are already.
    for (const { account, amount } of one.staking_reward_transfers ?? []) {
      add("", account, "0");
      rewards.set(account, (rewards.get(account) ?? 0n) + BigInt(amount));
    }
    for (const { token_id: token, account, amount } of one.token_transfers ?? []) add(token, account, amount);
  }
  const assets = [...byAsset].map(([tokenId, sums]) => {
    const changes = [...sums]
      .map(([account, amount]) => ({
        account,
        amount,
        reward: tokenId === "" ? (rewards.get(account) ?? 0n) : 0n,
      }))
      .filter(({ amount, reward }) => amount !== 0n || reward !== 0n)
      .sort(({ amount: a }, { amount: b }) => (a < b ? -1 : a > b ? 1 : 0))
      .map(({ account, amount, reward }) => ({
        account,
        amount: String(amount),
        ...(reward !== 0n && { reward: String(reward) }),
      }));
    return { ...(tokenId !== "" && { tokenId }), changes };
  });
  return {
    assets: assets.filter(({ tokenId, changes }) => tokenId !== undefined || changes.length > 0),
    nfts: done
      .flatMap(({ nft_transfers: moves = [] }) => moves)
      .map(
        ({ token_id: tokenId, serial_number: serial, sender_account_id: from, receiver_account_id: to }) => ({
          tokenId,
          serial,
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
        }),
      ),
  };
}
