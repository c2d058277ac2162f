import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { ActionNamer } from "../../../src/core/ledger/actions/actionNames.ts";
import { readAccount } from "../../../src/core/ledger/accounts/account.ts";
import { accountRow, callsOf, shownTokens } from "../../../src/core/ledger/accounts/accountRows.ts";
import { contentRow } from "../../../src/core/ledger/itemRows.ts";
import { LedgerItems } from "../../../src/core/ledger/ledgerItems.ts";
import { StandardNames } from "../../../src/core/ledger/names/standardNames.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { eventually } from "../../rig/eventually.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random, type Random } from "../random.ts";
import { NOW, startLedger, type LedgerAnswers } from "./loopbackLedger.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const VAULT = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const USER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

const contract = {
  contract_id: "0.0.1005",
  created_timestamp: "1676540001.234390005",
  evm_address: VAULT,
  memo: "a vault",
  runtime_bytecode: `0x${"60".repeat(1_234)}`,
};
const accountOfContract = { account: "0.0.1005", balance: { balance: 250_000_000 }, evm_address: VAULT };
const transferred = {
  address: VAULT,
  contract_id: "0.0.1005",
  error_message: null,
  from: USER,
  function_parameters: `0xa9059cbb${USER.slice(2).padStart(64, "0")}${"19".padStart(64, "0")}`,
  gas_used: 34_567,
  hash: `0x${"ab".repeat(32)}${"cd".repeat(16)}`,
  result: "SUCCESS",
  call_result: `0x${"1".padStart(64, "0")}`,
  timestamp: "1676540101.000000001",
  to: VAULT,
};
const reverted = {
  ...transferred,
  error_message: `0x08c379a0${"20".padStart(64, "0")}${"4".padStart(64, "0")}${Buffer.from("full").toString("hex").padEnd(64, "0")}`,
  call_result: "0x",
  hash: null,
  result: "CONTRACT_REVERT_EXECUTED",
  timestamp: "1676540100.000000001",
};

const answersTo = (bodies: Readonly<Record<string, unknown>>): LedgerAnswers => {
  return (target) => {
    const body = bodies[target];
    return body === undefined ? undefined : JSON.stringify(body);
  };
};

const ofContract = {
  "/api/v1/accounts/0.0.1005?transactions=false": accountOfContract,
  "/api/v1/contracts/0.0.1005": contract,
  "/api/v1/contracts/0.0.1005/results?limit=10&order=desc": { results: [transferred, reverted] },
};

describe("An account of the ledger", () => {
  it("that is a contract on a chain of this machine is not said to be unverified by a service that was not asked", async () => {
    const { service, network } = await startLedger(answersTo(ofContract), stops);
    const row = accountRow(await service.account("1005"), new ActionNamer(network, []), "unseen", NOW);
    assert.doesNotMatch(row.description ?? "", /verified/);
    const [said] = row.children ?? [];
    assert.equal(said?.label, "Not visible to the verification service");
    assert.deepEqual(said.tooltip, [
      "It can't see a chain of this machine, nor a ledger of its network, and was not asked.",
    ]);
  });

  it("that is a contract says what it is, whether it is verified, and what was called last", async () => {
    const { service, network } = await startLedger(answersTo(ofContract), stops);
    const account = await service.account("1005");
    const namer = new ActionNamer(network, [new StandardNames()]);
    for (const call of callsOf(account)) await namer.name(call);
    const row = accountRow(account, namer, "none", NOW);
    assert.equal(row.label, "Contract 0.0.1005");
    assert.equal(row.description, "not verified");
    assert.equal(row.copyText, VAULT);
    const rows = row.children ?? [];
    assert.deepEqual(
      rows.map(({ label, description }) => [label, description]),
      [
        ["Not verified", undefined],
        ["Latest calls", "2"],
        ["Id", "0.0.1005"],
        ["EVM address", "0x5fbd…0aa3"],
        ["Balance", "2.5 ℏ"],
        ["Code", "1,234 bytes"],
        ["Memo", "a vault"],
        ["Created", "2023-02-16 09:33:21.234390005 UTC"],
      ],
    );
    assert.equal(rows[3]?.copyText, VAULT);
    const [first, second] = rows[1]?.children ?? [];
    assert.equal(first?.label, "Succeeded");
    assert.match(first.description ?? "", /^transfer · .*2023 .* · \(to: /);
    const times = first.tooltip?.filter((line) => line.endsWith("UTC")) ?? [];
    assert.equal(times.length, 1, times.join("\n"));
    assert.deepEqual(first.opens, { kind: "transaction", canonical: `0x${"ab".repeat(32)}` });
    assert.equal(second?.icon, "error");
    assert.equal(second.label, 'Reverted: "full"');
    assert.match(second.description ?? "", /^transfer · /);
    assert.deepEqual(second.opens, { kind: "transaction", canonical: "1676540100.000000001" });
  });

  it("has its tokens with their amounts, of which ten are looked up, and asks for none where it has none", async () => {
    const held = Array.from({ length: 12 }, (_, at) => ({ token_id: `0.0.${3_001 + at}`, balance: 1_000 }));
    const opened = async (tokens: unknown) => {
      const ledger = await startLedger(
        answersTo({
          "/api/v1/accounts/0.0.1002?transactions=false": {
            account: "0.0.1002",
            balance: { balance: 5, tokens },
          },
          "/api/v1/tokens/0.0.3001": {
            token_id: "0.0.3001",
            decimals: "2",
            symbol: "SMC",
            type: "FUNGIBLE_COMMON",
          },
        }),
        stops,
      );
      const items = new LedgerItems({
        service: ledger.service,
        network: () => ledger.network,
        memory: { get: () => undefined, update: () => Promise.resolve() },
        namer: (of) => new ActionNamer(of, [new StandardNames()]),
        titleOf: (canonical, content) => contentRow(canonical, content, NOW),
      });
      stops.push(() => {
        items.dispose();
        return Promise.resolve();
      });
      const { item } = await items.open({ kind: "account", account: "0.0.1002" });
      const row = () => {
        const content = items.get(item.id)?.content;
        return (
          content && contentRow(item.canonical, content, NOW).children?.find(({ id }) => id === "tokens")
        );
      };
      const asked = () => ledger.server.asked.filter((target) => target.startsWith("/api/v1/tokens/"));
      return { row, asked };
    };
    const { row, asked } = await opened(held);
    await eventually(() => assert.equal(row()?.children?.[0]?.label, "10.0 SMC"));
    assert.deepEqual([row()?.label, row()?.description], ["Tokens", "12"]);
    const [first, second, ...others] = row()?.children ?? [];
    assert.equal(first?.description, "0.0.3001");
    assert.deepEqual(first.opens, { kind: "token", canonical: "0.0.3001" });
    assert.equal(second?.label, "1,000 smallest units of 0.0.3002", "one that the ledger does not have");
    assert.equal(others.at(-1)?.label, "2 more");
    assert.equal(others.length, 9);
    assert.deepEqual(
      asked().sort(),
      held
        .slice(0, 10)
        .map(({ token_id: id }) => `/api/v1/tokens/${id}`)
        .sort(),
    );
    const none = await opened([]);
    assert.equal(none.row(), undefined);
    assert.deepEqual(none.asked(), []);
  });

  it("that was a contract and is deleted says who got what it still had", async () => {
    const rowsOf = async (deleted: boolean) => {
      const { service, network } = await startLedger(
        answersTo({
          ...ofContract,
          "/api/v1/contracts/0.0.1005": { ...contract, deleted, obtainer_id: "0.0.1001" },
        }),
        stops,
      );
      const row = accountRow(await service.account("1005"), new ActionNamer(network, []), "none", NOW);
      return row.children?.filter(({ label }) => label === "Remaining balance went to") ?? [];
    };
    const [row] = await rowsOf(true);
    assert.equal(row?.description, "0.0.1001");
    assert.deepEqual(row.opens, { kind: "account", canonical: "0.0.1001" });
    assert.deepEqual(await rowsOf(false), []);
  });

  it("tells of each call how it ended, what it was and how long ago, which changes as time passes", async () => {
    const at = Date.parse("2023-02-16T09:35:01Z");
    const asked = async (changes: object) => {
      const { service, network } = await startLedger(
        answersTo({
          "/api/v1/accounts/0.0.1002?transactions=false": { account: "0.0.1002" },
          "/api/v1/contracts/results?from=0.0.1002&limit=10&order=desc": {
            results: [{ ...transferred, ...changes }],
          },
        }),
        stops,
      );
      const account = await service.account("0.0.1002");
      const namer = new ActionNamer(network, [new StandardNames()]);
      for (const call of callsOf(account)) await namer.name(call);
      const row = accountRow(account, namer, undefined, at + 185_000);
      const [result] = row.children?.find(({ id }) => id === "results")?.children ?? [];
      assert.ok(result);
      return result;
    };
    const done = await asked({});
    assert.equal(done.label, "Succeeded");
    assert.equal(done.icon, "pass");
    assert.match(done.description ?? "", /^0\.0\.1005\.transfer · 3 min ago · \(to: .*→ true/);
    assert.ok((done.changesAt ?? Infinity) <= at + 240_001, "a minute later it is 4 min");
    assert.deepEqual(
      done.tooltip?.filter((line) => line.includes("2023-02-16 09:35:01")),
      ["Time: 2023-02-16 09:35:01.000000001 UTC"],
    );
    const failed = await asked({ result: "INSUFFICIENT_GAS", call_result: "0x" });
    assert.equal(failed.icon, "error");
    assert.notEqual(failed.label, "Succeeded");
    assert.match(failed.description ?? "", /^0\.0\.1005\.transfer · 3 min ago/);
    const untold = await asked({ result: undefined });
    assert.equal(untold.label, "Outcome not recorded");
    assert.match(untold.description ?? "", /^0\.0\.1005\.transfer · 3 min ago/);
  });

  it("is asked for what it sent, by its EVM address", async () => {
    const { service, network } = await startLedger(
      answersTo({
        [`/api/v1/accounts/${USER}?transactions=false`]: {
          account: "0.0.1002",
          balance: { balance: 1 },
          evm_address: USER,
          ethereum_nonce: 7,
        },
        [`/api/v1/contracts/results?from=${USER}&limit=10&order=desc`]: { results: [] },
      }),
      stops,
    );
    const account = await service.account(USER.toUpperCase().replace("0X", "0x"));
    const row = accountRow(account, new ActionNamer(network, []), undefined, NOW);
    assert.equal(row.label, "Account 0.0.1002");
    assert.equal(row.description, "0.00000001 ℏ");
    assert.deepEqual(
      row.children?.map(({ label, description }) => [label, description]),
      [
        ["Latest contract calls", "none"],
        ["Id", "0.0.1002"],
        ["EVM address", "0x7099…79c8"],
        ["Balance", "0.00000001 ℏ"],
        ["Nonce", "7"],
      ],
    );
  });

  it("that is no contract has its latest transfers by one request, each in sum and opening its transaction", async () => {
    const asked: string[] = [];
    const answers = answersTo({
      "/api/v1/accounts/0.0.1002?transactions=false": { account: "0.0.1002" },
      "/api/v1/transactions?account.id=0.0.1002&limit=10&order=desc": {
        transactions: [
          {
            consensus_timestamp: "1676540101.000000001",
            name: "CRYPTOTRANSFER",
            result: "SUCCESS",
            transfers: [
              { account: "0.0.1002", amount: -1_000_000 },
              { account: "0.0.98", amount: 1_000_000 },
            ],
            token_transfers: [
              { token_id: "0.0.3001", account: "0.0.1002", amount: -1_050 },
              { token_id: "0.0.3001", account: "0.0.1003", amount: 1_050 },
            ],
            nft_transfers: [
              {
                token_id: "0.0.3002",
                serial_number: 7,
                sender_account_id: "0.0.5",
                receiver_account_id: "0.0.1002",
              },
            ],
          },
          {
            consensus_timestamp: "1676540100.000000001",
            name: "CONTRACTCALL",
            result: "CONTRACT_REVERT_EXECUTED",
            transfers: [{ account: "0.0.1002", amount: 250_000_000 }],
          },
        ],
      },
    });
    const { service, network } = await startLedger((target) => {
      asked.push(target);
      return answers(target);
    }, stops);
    const account = await service.account("0.0.1002");
    assert.equal(asked.filter((target) => target.startsWith("/api/v1/transactions")).length, 1);
    const known = new Map([["0.0.3001", { decimals: 2, symbol: "SMC" }]]);
    const row = accountRow(account, new ActionNamer(network, []), undefined, NOW, known);
    const transfers = row.children?.find(({ label }) => label === "Latest transfers");
    assert.equal(transfers?.description, "2");
    const [first, second] = transfers.children ?? [];
    assert.equal(first?.label, "−10.5 SMC, +0.0.3002 #7, −0.01 ℏ");
    assert.match(first.description ?? "", /^crypto transfer · /);
    assert.deepEqual(first.opens, { kind: "transaction", canonical: "1676540101.000000001" });
    assert.equal(second?.label, "+2.5 ℏ");
    assert.match(second.description ?? "", /^failed: .* · contract call · /);
    assert.deepEqual(shownTokens(account), ["0.0.3001", "0.0.3002"]);
  });

  it("that was quiet for long is looked for further back, and where nothing is found that is not said to be all", async () => {
    const quiet = async (kind: "account" | "contract", pages: readonly unknown[]) => {
      const isContract = kind === "contract";
      const of = isContract ? "/api/v1/contracts/0.0.1002/results" : "/api/v1/contracts/results";
      const bodyOf = (list: string, at: number) => {
        const next = pages[at + 1] === undefined ? null : `/api/v1/${list}&timestamp=lt:${at + 1}`;
        return { [list.startsWith("transactions") ? "transactions" : "results"]: pages[at], links: { next } };
      };
      const ledger = await startLedger((target) => {
        const list = /^\/api\/v1\/((?:transactions|contracts\/(?:results|0\.0\.1002\/results))\?[^]*)$/.exec(
          target,
        )?.[1];
        if (list === undefined)
          return answersTo({
            "/api/v1/accounts/0.0.1002?transactions=false": { account: "0.0.1002" },
            ...(isContract && { "/api/v1/contracts/0.0.1002": { ...contract, contract_id: "0.0.1002" } }),
          })(target);
        const [plain = "", at = "0"] = list.split("&timestamp=lt:");
        return JSON.stringify(bodyOf(plain, Number(at)));
      }, stops);
      const account = await ledger.service.account("0.0.1002");
      const row = accountRow(account, new ActionNamer(ledger.network, []), undefined, NOW);
      const lists = (row.children ?? []).filter(({ id }) => id === "results" || id === "transfers");
      return {
        said: lists.map(({ label, description, tooltip }) => [label, description, ...(tooltip ?? [])]),
        asked: ledger.server.asked.filter((target) => target.startsWith(of)).length,
      };
    };
    const found = [{ ...transferred, transfers: [{ account: "0.0.1002", amount: 5 }] }];
    const empty = Array<unknown>(9).fill([]);
    assert.deepEqual(await quiet("account", [[], [], [], found, found]), {
      said: [
        ["Latest contract calls", "1", "The newest first"],
        ["Latest transfers", "1", "The newest first"],
      ],
      asked: 4,
    });
    const [where, older] = [
      "in the part of the history that was looked through.",
      "There may be older ones.",
    ];
    assert.deepEqual(await quiet("account", empty), {
      said: [
        ["Latest contract calls", "none recently", `No contract call by this account ${where} ${older}`],
        ["Latest transfers", "none recently", `No transfer of this account ${where} ${older}`],
      ],
      asked: 6,
    });
    assert.deepEqual(await quiet("contract", empty), {
      said: [["Latest calls", "none recently", `No call to this contract ${where} ${older}`]],
      asked: 6,
    });
    // Where the ledger names no other page, there is nothing older.
    assert.deepEqual(await quiet("account", [[], []]), {
      said: [
        ["Latest contract calls", "none", "No contract call by this account yet."],
        ["Latest transfers", "none", "No transfer of this account yet."],
      ],
      asked: 2,
    });
  });

  it("whose ledger names a page elsewhere is not looked for there, nor said to have nothing", async () => {
    const ledger = await startLedger(
      answersTo({
        "/api/v1/accounts/0.0.1002?transactions=false": { account: "0.0.1002" },
        "/api/v1/transactions?account.id=0.0.1002&limit=10&order=desc": {
          transactions: [],
          links: { next: "https://elsewhere.example/api/v1/transactions?timestamp=lt:5" },
        },
      }),
      stops,
    );
    const account = await ledger.service.account("0.0.1002");
    assert.deepEqual([account.transfers, account.hasOlderTransfers], [[], true]);
  });

  it("has no amount without a unit, an NFT by its collection, and a row that is cut whole on its hover", async () => {
    const moves = Array.from({ length: 9 }, (_, at) => ({
      token_id: `0.0.${5_000 + at}`,
      account: "0.0.1002",
      amount: 123_456_789_011 + at,
    }));
    const { service, network } = await startLedger(
      answersTo({
        "/api/v1/accounts/0.0.1002?transactions=false": {
          account: "0.0.1002",
          balance: { balance: 5, tokens: [{ token_id: "0.0.3001", balance: 4_200 }] },
        },
        "/api/v1/transactions?account.id=0.0.1002&limit=10&order=desc": {
          transactions: [
            {
              consensus_timestamp: "1676540101.000000001",
              token_transfers: [{ token_id: "0.0.3001", account: "0.0.1002", amount: 4_200 }],
              nft_transfers: [
                { token_id: "0.0.7777", serial_number: 12, receiver_account_id: "0.0.1002" },
                { token_id: "0.0.7778", serial_number: 3, receiver_account_id: "0.0.1003" },
              ],
            },
            { consensus_timestamp: "1676540100.000000001", token_transfers: moves },
          ],
        },
      }),
      stops,
    );
    const account = await service.account("0.0.1002");
    assert.deepEqual(shownTokens(account), ["0.0.3001", "0.0.7777", ...moves.map(({ token_id: id }) => id)]);
    const known = new Map([
      ["0.0.3001", { decimals: 0 }],
      ["0.0.7777", { decimals: 0, symbol: "ART" }],
      ...moves.map(({ token_id: id }, at) => [id, { decimals: 6, symbol: `COIN${at}` }] as const),
    ]);
    const row = accountRow(account, new ActionNamer(network, []), undefined, NOW, known);
    const below = (label: string) => row.children?.find((one) => one.label === label)?.children ?? [];
    const [first, second] = below("Latest transfers");
    assert.equal(first?.label, "+4,200 0.0.3001, +ART (0.0.7777) #12");
    assert.equal(first.wholeLabel, undefined);
    const whole = moves.map((_, at) => `+123,456.${789_011 + at} COIN${at}`).join(", ");
    assert.equal(second?.label.length, 120);
    assert.equal(second.wholeLabel, whole);
    assert.deepEqual(second.tooltip, [whole, "2023-02-16 09:35:00.000000001 UTC"]);
    const [held] = below("Tokens");
    assert.deepEqual([held?.label, held?.description], ["4,200 0.0.3001", undefined]);
  });

  it("looks up as many of the tokens that moved as its rows tell, and says how many others there were", async () => {
    const transactions = Array.from({ length: 10 }, (_, row) => ({
      consensus_timestamp: `1676540101.00000000${9 - row}`,
      token_transfers: Array.from({ length: 4 }, (__, at) => ({
        token_id: `0.0.${5_000 + 4 * row + at}`,
        account: "0.0.1002",
        amount: 1_000,
      })),
    }));
    const held = Array.from({ length: 12 }, (_, at) => ({ token_id: `0.0.${3_001 + at}`, balance: 1_000 }));
    const ledger = await startLedger((target) => {
      const id = /^\/api\/v1\/tokens\/(.*)$/.exec(target)?.[1];
      if (id !== undefined) return JSON.stringify({ token_id: id, decimals: "2", symbol: "SMC" });
      return answersTo({
        "/api/v1/accounts/0.0.1002?transactions=false": {
          account: "0.0.1002",
          balance: { balance: 5, tokens: held },
        },
        "/api/v1/transactions?account.id=0.0.1002&limit=10&order=desc": { transactions },
      })(target);
    }, stops);
    const account = await ledger.service.account("0.0.1002");
    const tokens = shownTokens(account);
    const known = await ledger.service.denominations(ledger.network, tokens, undefined);
    const asked = ledger.server.asked.filter((target) => target.startsWith("/api/v1/tokens/"));
    assert.deepEqual([tokens.length, asked.length, known.size], [40, 40, 40]);
    const row = accountRow(account, new ActionNamer(ledger.network, []), undefined, NOW, known);
    const labels = row.children?.find(({ id }) => id === "transfers")?.children?.map(({ label }) => label);
    const four = "+10.0 SMC, +10.0 SMC, +10.0 SMC, +10.0 SMC";
    assert.deepEqual(labels, [
      ...Array<string>(7).fill(four),
      "+10.0 SMC, +10.0 SMC, 2 other tokens",
      "4 other tokens",
      "4 other tokens",
    ]);
  });

  it("that is a contract is not asked for its transfers", async () => {
    const asked: string[] = [];
    const answers = answersTo(ofContract);
    const { service } = await startLedger((target) => {
      asked.push(target);
      return answers(target);
    }, stops);
    assert.equal((await service.account("0.0.1005")).transfers, undefined);
    assert.ok(!asked.some((target) => target.startsWith("/api/v1/transactions")));
  });

  it("loses what its network does not have, and nothing else", async () => {
    const { service } = await startLedger(answersTo({ "/api/v1/contracts/0.0.1005": contract }), stops);
    const account = await service.account("0.0.1005");
    assert.equal(account.isContract, true);
    assert.equal(account.results, undefined);
    assert.equal(account.balance, undefined);
  });

  it("is no mere account where the ledger can't tell whether it is a contract", async () => {
    const answers = answersTo(ofContract);
    const { service } = await startLedger(
      (target) =>
        target.startsWith("/api/v1/contracts/0.0.1005?") || target === "/api/v1/contracts/0.0.1005"
          ? { status: 503 }
          : answers(target),
      stops,
    );
    await assert.rejects(service.account("0.0.1005"), { code: "unavailable" });
  });

  it("that is nowhere is told in one sentence, and what fails is told before that", async () => {
    const nowhere = await startLedger(() => undefined, stops);
    await assert.rejects(nowhere.service.account("0.0.7"), { code: "not_found", message: /account 0\.0\.7/ });
    const failing = await startLedger(
      (target) => (target.includes("/accounts/") ? { status: 403 } : undefined),
      stops,
    );
    await assert.rejects(
      failing.service.account("0.0.7"),
      (error: { code?: string }) => error.code !== "not_found",
    );
  });

  it("takes no answer about another one", async () => {
    const { service } = await startLedger(
      answersTo({ "/api/v1/accounts/0.0.7?transactions=false": { account: "0.0.8" } }),
      stops,
    );
    await assert.rejects(service.account("0.0.7"), { code: "wrong_answer" });
  });

  it("of strange answers is drawn without a fault", () => {
    const dice = random("strange accounts");
    const network = networkAt("https://mainnet.mirrornode.hedera.com");
    for (let round = 0; round < proofSize({ sample: 200, whole: 20_000 }); round++) {
      const account = readAccount(
        {
          account: strange(dice, accountOfContract),
          contract: strange(dice, contract),
          results: strange(dice, { results: [transferred, reverted] }),
        },
        { network, canonical: dice.pick(["0.0.5", VAULT]), texts: [] },
      );
      const row = accountRow(
        account,
        new ActionNamer(network, []),
        dice.pick([undefined, "none", "match", "unknown", "unseen"]),
        NOW,
      );
      const all = [
        row,
        ...(row.children ?? []),
        ...(row.children ?? []).flatMap(({ children = [] }) => children),
      ];
      for (const { label } of all) assert.notEqual(label.trim(), "", `${dice.seed} ${round}`);
      assert.equal(new Set(all.map(({ id }) => id)).size, all.length, `${dice.seed} ${round}`);
    }
  });
});

/** A value of which parts are of another type, missing, or huge. */
function strange(dice: Random, value: unknown): unknown {
  const change = dice.below(12);
  if (change === 0) return dice.pick([null, undefined, 5, -1, "", "‮x", [], {}, true, "9".repeat(300)]);
  if (Array.isArray(value)) return value.map((one) => strange(dice, one));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, strange(dice, one)]));
  return value;
}
