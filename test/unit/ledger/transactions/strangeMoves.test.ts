// What a transaction moved: transfers of HBAR, tokens and NFTs as mirror nodes tell them, by chance, and the page that sums them.
// What is expected is worked out here from the transfers alone.
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { balancesOf } from "../../../../src/core/ledger/transactions/balances.ts";
import { pageAsText } from "../../../../src/core/ledger/transactions/pageCopies.ts";
import { pageTree, transactionPage } from "../../../../src/core/ledger/transactions/transactionPage.ts";
import { proofSize, seed } from "../../../rig/proofSize.ts";
import { randomFrom, type Random } from "../../random.ts";
import { startLedger } from "../loopbackLedger.ts";

const MOMENT = "1700000000.000000001";
/** Who gets a reward for staking. */
const REWARDED = "0.0.1001";
const ACCOUNTS = [
  "0.0.1001",
  "0.0.1002",
  "0.0.1003",
  "0.0.3",
  "0.0.98",
  "0.0.800",
  "0.0.801",
  "0.0.274877906943",
];

/** Amounts that sum to nothing; the last one balances. */
function amountsOf(random: Random, count: number): bigint[] {
  const amounts = Array.from({ length: count - 1 }, () => {
    const size = random.pick([1, 1_000, 2 ** 31, 2 ** 52]);
    const value = BigInt(random.below(size)) * (random.below(6) === 0 ? 2_048n : 1n);
    return random.below(2) === 0 ? value : -value;
  });
  return [...amounts, -amounts.reduce((sum, one) => sum + one, 0n)];
}

/** A number of JSON that keeps its digits. */
const exact = (amount: bigint) => `@@${amount}@@`;
const json = (value: unknown) => JSON.stringify(value).replace(/"@@(-?\d+)@@"/g, "$1");

/** A decimal by hand: digits with groups and no zeros at the end. */
function decimal(amount: bigint, decimals: number): string {
  const sign = amount < 0n ? "−" : "+";
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0");
  const [whole, rest] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const fraction = rest.replace(/0+$/, "");
  return `${sign}${grouped}${fraction === "" ? "" : `.${fraction}`}`;
}

const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops) await stop();
});

describe("What a transaction moved", () => {
  it("is summed for each account and asset, exactly, in the asset's own words", async () => {
    const random = randomFrom(seed("strange moves"));
    const count = proofSize({ sample: 75, whole: 3_000 });
    const wrong: string[] = [];
    let answers: Readonly<Record<string, unknown>> = {};
    const { service, network } = await startLedger((target) => {
      const found = answers[target.replace("/api/v1", "").replace(/\?.*/, "")];
      return found === undefined ? undefined : json(found);
    }, stops);
    for (let at = 0; at < count; at++) {
      const tokens = Array.from({ length: random.below(4) }, (_, index) => ({
        id: `0.0.${9_000 + 10 * at + index}`,
        symbol: random.pick(["USDC", "SMC", "", "ℏ", "A B", "HBAR"]),
        decimals: random.pick(["0", "2", "6", "8", "18", "75"]),
        isKnown: random.below(5) > 0,
        isNft: random.below(4) === 0,
      }));
      const fungible = tokens.filter(({ isNft }) => !isNft);
      const hbar = amountsOf(random, 1 + random.below(9)).map((amount) => ({
        account: random.oneOf(ACCOUNTS),
        amount,
      }));
      const moved = fungible.flatMap(({ id }) =>
        amountsOf(random, 2 + random.below(5)).map((amount) => ({
          token: id,
          account: random.oneOf(ACCOUNTS),
          amount,
        })),
      );
      const nfts = tokens
        .filter(({ isNft }) => isNft)
        .flatMap(({ id }) =>
          Array.from({ length: 1 + random.below(3) }, (_, index) => ({
            token_id: id,
            serial_number: random.below(6) === 0 ? exact(9_007_199_254_740_993n) : 10 * index + 1,
            is_approval: random.below(2) === 0,
            ...random.oneOf([
              { sender_account_id: null, receiver_account_id: random.oneOf(ACCOUNTS) },
              { sender_account_id: random.oneOf(ACCOUNTS), receiver_account_id: null },
              { sender_account_id: "0.0.1001", receiver_account_id: "0.0.1002" },
            ]),
          })),
        );
      const id = `0.0.5-1700000000-${String(at).padStart(9, "0")}`;
      answers = {
        [`/contracts/results/${id}/actions`]: {
          actions: [{ call_depth: 0, index: 0, timestamp: MOMENT, result_data_type: "OUTPUT" }],
          links: { next: null },
        },
        "/transactions": {
          transactions: [
            {
              consensus_timestamp: MOMENT,
              result: "SUCCESS",
              name: "CRYPTOTRANSFER",
              transaction_id: id,
              staking_reward_transfers: [{ account: REWARDED, amount: 12 }],
              transfers: hbar.map(({ account, amount }) => ({
                account,
                amount: exact(amount),
                is_approval: false,
              })),
              token_transfers: moved.map(({ token, account, amount }) => ({
                token_id: token,
                account,
                amount: random.below(2) === 0 ? exact(amount) : String(amount),
                is_approval: false,
              })),
              nft_transfers: nfts,
            },
          ],
        },
        [`/transactions/${id}`]: undefined,
        ...Object.fromEntries(
          tokens
            .filter(({ isKnown }) => isKnown)
            .map(({ id: token, symbol, decimals, isNft }) => [
              `/tokens/${token}`,
              {
                token_id: token,
                symbol,
                name: "A token",
                decimals: isNft ? "0" : decimals,
                type: isNft ? "NON_FUNGIBLE_UNIQUE" : "FUNGIBLE_COMMON",
              },
            ]),
        ),
      };
      answers = { ...answers, [`/transactions/${id}`]: answers["/transactions"] };
      try {
        const actions = await service.actions(id);
        const record = await service.transactionRecord(actions);
        assert.ok(record.transaction, "the transaction is read");
        const { assets, nfts: told } = balancesOf(record.transaction);
        const ids = [...assets.map(({ tokenId }) => tokenId), ...told.map(({ tokenId }) => tokenId)];
        const denominations = await service.denominations(
          network,
          [...new Set(ids)].filter((one) => one !== undefined),
          undefined,
        );
        const parts = {
          canonical: actions.canonical,
          networkName: "test",
          tree: actions.tree,
          complete: true,
          now: 0,
          namesOf: () => undefined,
          record,
          denominations,
        };
        const page = transactionPage({ ...parts, tree: pageTree(parts) });
        const wanted: string[] = [];
        for (const account of ACCOUNTS) {
          const sum = hbar
            .filter((one) => one.account === account)
            .reduce((total, { amount }) => total + amount, 0n);
          // One who had a reward is told even where that is all gone.
          if (sum !== 0n || account === REWARDED)
            wanted.push(`${account} ${sum === 0n ? "+0" : decimal(sum, 8)} ℏ HBAR`);
          for (const token of fungible) {
            const total = moved
              .filter((one) => one.account === account && one.token === token.id)
              .reduce((all, { amount }) => all + amount, 0n);
            if (total === 0n) continue;
            const name = token.isKnown && token.symbol !== "" ? `${token.symbol} (${token.id})` : token.id;
            const amount = token.isKnown
              ? decimal(total, Number(token.decimals))
              : `${decimal(total, 0)} smallest unit${total === 1n || total === -1n ? "" : "s"}`;
            wanted.push(`${account} ${amount} ${name}`);
          }
        }
        // Of NFTs that went through several hands it is told who has them in the end.
        for (const { id: token, isKnown, symbol } of tokens) {
          const own = nfts.filter(({ token_id: one }) => one === token);
          const serials = [...new Set(own.map(({ serial_number: serial }) => serial))];
          if (serials.length === own.length) continue;
          for (const account of ACCOUNTS) {
            const changeOf = (serial: unknown) =>
              own.filter((one) => one.serial_number === serial && one.receiver_account_id === account)
                .length -
              own.filter((one) => one.serial_number === serial && one.sender_account_id === account).length;
            for (const sign of [1, -1]) {
              const changed = serials.filter((serial) => Math.sign(changeOf(serial)) === sign);
              const name = isKnown && symbol !== "" ? `${symbol} (${token})` : token;
              const texts = changed.map((serial) => `#${String(serial).replaceAll("@", "")}`);
              const amount = `${sign > 0 ? "+" : "−"}${changed.length}`;
              if (changed.length > 0) wanted.push(`${account} ${amount} ${name} ${texts.join(", ")}`);
            }
          }
        }
        // What an account has of several NFTs is in the order in which it first had to do with them.
        const inOrder = (line: string) => line.replace(/#.*$/, (all) => all.split(", ").sort().join(", "));
        assert.deepEqual(
          page.transfers.map(({ account, amount, asset }) => inOrder(`${account} ${amount} ${asset}`)).sort(),
          wanted.map(inOrder).sort(),
        );
        for (const { isGiven, amount, account, opensAccount, isHbar, remark } of page.transfers) {
          const reward = isHbar && account === REWARDED;
          assert.equal(remark, reward ? "including a staking reward of 0.00000012 ℏ" : undefined);
          assert.equal(isGiven, amount.startsWith("−"));
          assert.equal(opensAccount, account);
        }
        assert.equal(page.nfts.length, nfts.length);
        const copied = pageAsText(parts).trimEnd().split("\n").slice(-nfts.length);
        nfts.forEach(
          (
            { token_id: token, serial_number: serial, sender_account_id: from, receiver_account_id: to },
            index,
          ) => {
            const row = page.nfts[index];
            const line = row?.nft ?? "";
            const known = tokens.find((one) => one.id === token);
            assert.ok(line.includes(token) && line.endsWith(`#${String(serial).replaceAll("@", "")}`), line);
            if (known?.isKnown && known.symbol !== "") assert.ok(line.startsWith(known.symbol), line);
            assert.deepEqual(
              [
                row?.opensToken,
                row?.from ?? null,
                row?.opensFrom ?? null,
                row?.to ?? null,
                row?.opensTo ?? null,
              ],
              [token, from, from, to, to],
            );
            const told = copied[index] ?? "";
            assert.match(told, from === null ? / minted to / : to === null ? / burned by / : / from .* to /);
            for (const party of [from, to]) if (party !== null) assert.ok(told.includes(party), told);
          },
        );
      } catch (error) {
        wrong.push(`${at}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    console.log(`strange moves: ${count - wrong.length} of ${count} transactions are summed`);
    assert.deepEqual(wrong, []);
  });
});
