import type { LedgerTransactionRecord } from "./transactionRecord.ts";

/** What an account got and gave of one asset. */
interface BalanceChange {
  readonly account: string;
  /** In smallest units, exact digits, `-` where it gave. */
  readonly amount: string;
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
  /** HBAR first, then the tokens in the order in which they were moved. */
  readonly assets: readonly AssetChanges[];
  readonly nfts: readonly NftMove[];
}

/** Sums the transfers of a transaction for each account and asset; what comes to nothing is left out. */
export function balancesOf({
  transfers = [],
  token_transfers: tokenTransfers = [],
  nft_transfers: nfts = [],
}: LedgerTransactionRecord): Balances {
  const byAsset = new Map<string, Map<string, bigint>>();
  const add = (asset: string, account: string, amount: string) => {
    const sums = byAsset.get(asset) ?? new Map<string, bigint>();
    byAsset.set(asset, sums.set(account, (sums.get(account) ?? 0n) + BigInt(amount)));
  };
  for (const { account, amount } of transfers) add("", account, amount);
  for (const { token_id: token, account, amount } of tokenTransfers) add(token, account, amount);
  return {
    assets: [...byAsset].flatMap(([tokenId, sums]) => {
      const changes = [...sums]
        .filter(([, amount]) => amount !== 0n)
        .sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0))
        .map(([account, amount]) => ({ account, amount: String(amount) }));
      return changes.length === 0 ? [] : [{ ...(tokenId !== "" && { tokenId }), changes }];
    }),
    nfts: nfts.map(
      ({ token_id: tokenId, serial_number: serial, sender_account_id: from, receiver_account_id: to }) => ({
        tokenId,
        serial,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      }),
    ),
  };
}
