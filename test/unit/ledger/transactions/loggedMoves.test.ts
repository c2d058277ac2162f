// What the standard events of a transaction's logs say was moved, encoded by ethers as contracts write them.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Interface } from "ethers";
import { buildActionTree } from "../../../../src/core/ledger/actions/actionTree.ts";
import { pageAsJson, pageAsText } from "../../../../src/core/ledger/transactions/pageCopies.ts";
import { transactionPage } from "../../../../src/core/ledger/transactions/transactionPage.ts";
import {
  readExecution,
  readTransactions,
  transactionAmong,
} from "../../../../src/core/ledger/transactions/transactionRecord.ts";
import { random } from "../../random.ts";

const EVENTS = {
  erc20: new Interface(["event Transfer(address indexed from, address indexed to, uint256 value)"]),
  erc721: new Interface([
    "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
  ]),
  erc1155: new Interface([
    "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
    "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
  ]),
};
const [GOLD, PASS, GAME] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`, `0x${"cc".repeat(20)}`];
const [ALICE, BOB, CAROL] = [`0x${"a1".repeat(20)}`, `0x${"b0".repeat(20)}`, `0x${"ca".repeat(20)}`];
const ZERO = `0x${"0".repeat(40)}`;

interface Log {
  readonly address: string;
  readonly contract_id?: string;
  readonly topics: readonly (string | null)[];
  readonly data: string;
}

function log(address: string, of: Interface, name: string, values: readonly unknown[]): Log {
  const { topics, data } = of.encodeEventLog(name, values);
  return { address, topics: topics.flat(), data };
}
const erc20 = (from: string, to: string, value: bigint, address = GOLD) =>
  log(address, EVENTS.erc20, "Transfer", [from, to, value]);
const erc721 = (from: string, to: string, id: bigint, address = PASS) =>
  log(address, EVENTS.erc721, "Transfer", [from, to, id]);

function partsOf(logs: readonly Log[], moved: object = {}) {
  const listed = readTransactions({
    transactions: [{ name: "ETHEREUMTRANSACTION", result: "SUCCESS", ...moved }],
  });
  const execution = readExecution({ result: "SUCCESS", logs });
  const transaction = transactionAmong(listed ?? [], undefined);
  assert.ok(execution && transaction);
  return {
    canonical: `0x${"ab".repeat(32)}`,
    networkName: "Test",
    tree: buildActionTree([]),
    complete: true,
    namesOf: () => undefined,
    unitsOf: (address: string) => (address === GOLD ? { decimals: 2, symbol: "GLD" } : undefined),
    record: { execution, transaction, problems: [] },
    now: 0,
  };
}

function rowsOf(logs: readonly Log[], moved?: object) {
  const { transfers, nfts } = transactionPage(partsOf(logs, moved), "whole");
  return {
    transfers: transfers.map(
      ({ account, amount, asset, remark }) => `${account} ${amount} ${asset}${remark ? `, ${remark}` : ""}`,
    ),
    nfts: nfts.map(({ nft, from, to, isFromLogs }) => [nft, from, to, isFromLogs]),
  };
}

describe("What logs say was moved", () => {
  it("is nothing where a topic is no word, as of a server that cuts them", () => {
    const whole = erc721(ALICE, BOB, 7n);
    for (const cut of ["0x", "0x07", null])
      assert.deepEqual(rowsOf([{ ...whole, topics: [...whole.topics.slice(0, 3), cut] }]).nfts, []);
    assert.equal(rowsOf([whole]).nfts.length, 1);
  });

  it("is summed for each account and token, by the token's decimals where these are known", () => {
    const silver = `0x${"dd".repeat(20)}`;
    const { transfers, nfts } = rowsOf([
      erc20(ALICE, BOB, 1_000n),
      erc20(BOB, CAROL, 400n),
      erc20(BOB, ALICE, 100n),
      erc20(ALICE, BOB, 7n, silver),
    ]);
    assert.deepEqual(transfers, [
      `${ALICE} −9 GLD (${GOLD}), from logs`,
      `${CAROL} +4 GLD (${GOLD}), from logs`,
      `${BOB} +5 GLD (${GOLD}), from logs`,
      `${ALICE} −7 smallest units ${silver}, from logs`,
      `${BOB} +7 smallest units ${silver}, from logs`,
    ]);
    assert.deepEqual(nfts, []);
  });

  it("is minted where it came from nowhere and burned where it went there", () => {
    assert.deepEqual(rowsOf([erc20(ZERO, ALICE, 500n), erc20(BOB, ZERO, 200n)]).transfers, [
      `${BOB} −2 GLD (${GOLD}), from logs, burned`,
      `${ALICE} +5 GLD (${GOLD}), from logs, minted`,
    ]);
    assert.deepEqual(rowsOf([erc721(ZERO, ALICE, 1n), erc721(BOB, ZERO, 2n)]).nfts, [
      [`${PASS} #1`, undefined, ALICE, true],
      [`${PASS} #2`, BOB, undefined, true],
    ]);
  });

  it("is an NFT by each of its moves, and by who has it in the end where it went through several hands", () => {
    const once = rowsOf([erc721(ALICE, BOB, 3n)]);
    assert.deepEqual(once, { transfers: [], nfts: [[`${PASS} #3`, ALICE, BOB, true]] });
    const passedOn = rowsOf([erc721(ALICE, BOB, 3n), erc721(BOB, CAROL, 3n), erc721(ALICE, CAROL, 4n)]);
    assert.deepEqual(passedOn.transfers, [
      `${ALICE} −2 ${PASS} #3, #4, from logs`,
      `${CAROL} +2 ${PASS} #3, #4, from logs`,
    ]);
    assert.equal(passedOn.nfts.length, 3);
  });

  it("goes for NFTs of the network, too, which the ledger's record tells", () => {
    const move = (sender_account_id: string, receiver_account_id: string) => ({
      token_id: "0.0.7",
      serial_number: 3,
      sender_account_id,
      receiver_account_id,
    });
    const { transfers, nfts } = rowsOf([], {
      nft_transfers: [move("0.0.1001", "0.0.1002"), move("0.0.1002", "0.0.1003")],
    });
    assert.deepEqual(transfers, ["0.0.1001 −1 0.0.7 #3", "0.0.1003 +1 0.0.7 #3"]);
    assert.deepEqual(nfts, [
      ["0.0.7 #3", "0.0.1001", "0.0.1002", undefined],
      ["0.0.7 #3", "0.0.1002", "0.0.1003", undefined],
    ]);
  });

  it("is each kind of an ERC-1155 contract by itself, moved alone or with others", () => {
    const single = (from: string, to: string, id: bigint, value: bigint) =>
      log(GAME, EVENTS.erc1155, "TransferSingle", [CAROL, from, to, id, value]);
    const batch = (from: string, to: string, ids: readonly bigint[], values: readonly bigint[]) =>
      log(GAME, EVENTS.erc1155, "TransferBatch", [CAROL, from, to, ids, values]);
    assert.deepEqual(
      rowsOf([
        single(ALICE, BOB, 12n, 3n),
        batch(BOB, ALICE, [12n, 2n ** 255n], [1n, 9n]),
        batch(ZERO, BOB, [5n], [4n]),
      ]).transfers,
      [
        `${ALICE} −2 ${GAME} #12, from logs`,
        `${BOB} +2 ${GAME} #12, from logs`,
        `${BOB} −9 ${GAME} #${2n ** 255n}, from logs`,
        `${ALICE} +9 ${GAME} #${2n ** 255n}, from logs`,
        `${BOB} +4 ${GAME} #5, from logs, minted`,
      ],
    );
  });

  it("is no second transfer of a token of the network, whose facade logs what the record has", () => {
    const facade = `0x${(456_858).toString(16).padStart(40, "0")}`;
    const art = `0x${"7".padStart(40, "0")}`;
    const moved = {
      token_transfers: [
        { token_id: "0.0.456858", account: "0.0.1001", amount: -5 },
        { token_id: "0.0.456858", account: "0.0.1002", amount: 5 },
      ],
      nft_transfers: [
        {
          token_id: "0.0.7",
          serial_number: 1,
          sender_account_id: "0.0.1001",
          receiver_account_id: "0.0.1002",
        },
      ],
    };
    const logs = [erc20(ALICE, BOB, 5n, facade), erc721(ALICE, BOB, 1n, art)];
    const told = rowsOf(logs, moved);
    assert.deepEqual(
      told.transfers.map((line) => line.split(" ")[0]),
      ["0.0.1001", "0.0.1002"],
    );
    assert.equal(told.nfts.length, 1);
    // A contract that was created by an id has such an address, too.
    assert.deepEqual(rowsOf(logs).transfers, [
      `${ALICE} −5 smallest units 0.0.456858, from logs`,
      `${BOB} +5 smallest units 0.0.456858, from logs`,
    ]);
    // One that the ledger names by another address than that of its id.
    const named = { ...erc20(ALICE, BOB, 5n), contract_id: "0.0.456858" };
    assert.equal(rowsOf([named], moved).transfers.length, 2);
  });

  it("opens the accounts and the contract, and is in copies", () => {
    const parts = partsOf([erc20(ALICE, BOB, 100n), erc721(ALICE, BOB, 3n)]);
    const [row] = transactionPage(parts).transfers;
    assert.deepEqual([row?.opensAccount, row?.opensAsset], [ALICE, GOLD]);
    const text = pageAsText(parts);
    assert.match(text, new RegExp(`${ALICE} −1 GLD \\(${GOLD}\\), from logs`));
    assert.match(text, new RegExp(`${PASS} #3 from ${ALICE} to ${BOB}, from logs`));
    const json = JSON.parse(pageAsJson(parts)) as { transfers: unknown[]; nfts: unknown[] };
    assert.deepEqual(json.transfers[0], {
      account: ALICE,
      amount: "-100",
      contract: GOLD,
      decimals: 2,
      symbol: "GLD",
      source: "logs",
    });
    assert.deepEqual(json.nfts, [{ contract: PASS, serial: "3", from: ALICE, to: BOB, source: "logs" }]);
  });

  it("is nothing where a log does not have the form of the standard's, whatever it has", () => {
    const dice = random("strange logs");
    const good = [
      erc20(ALICE, BOB, 1n),
      erc721(ALICE, BOB, 1n),
      log(GAME, EVENTS.erc1155, "TransferBatch", [CAROL, ALICE, BOB, [1n, 2n], [3n, 4n]]),
    ];
    for (let round = 0; round < 300; round++) {
      const one = dice.oneOf(good);
      const words = one.data.slice(2).match(/.{64}/g) ?? [];
      const strange = {
        ...one,
        topics: one.topics.map((topic, at) =>
          at > 0 && dice.below(3) === 0 ? `0x${"f".repeat(64)}` : topic,
        ),
        data: `0x${words.map((word) => dice.pick([word, "f".repeat(64), "0".repeat(64), word.slice(2), "8".padStart(64, "0")])).join("")}`,
      };
      const { transfers } = transactionPage(partsOf([strange]));
      for (const { account } of transfers) assert.doesNotMatch(account, /f{20}/, JSON.stringify(strange));
    }
    assert.deepEqual(rowsOf([{ ...erc20(ALICE, BOB, 1n), data: "0x" }]).transfers, []);
    assert.deepEqual(rowsOf([{ ...erc20(ALICE, BOB, 1n), data: `0x${"0".repeat(128)}` }]).transfers, []);
    const endless = `0x${"40".padStart(64, "0")}${"40".padStart(64, "0")}${"f".repeat(64)}`;
    const batch = log(GAME, EVENTS.erc1155, "TransferBatch", [CAROL, ALICE, BOB, [1n], [3n]]);
    assert.deepEqual(rowsOf([{ ...batch, data: endless }]).transfers, []);
  });
});
