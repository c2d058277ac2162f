import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { LedgerLensError } from "../../../../src/core/errors.ts";
import { ActionNamer } from "../../../../src/core/ledger/actions/actionNames.ts";
import { buildActionTree } from "../../../../src/core/ledger/actions/actionTree.ts";
import type { ContractAction } from "../../../../src/core/ledger/actions/contractAction.ts";
import { balancesOf } from "../../../../src/core/ledger/transactions/balances.ts";
import {
  callRows,
  pageTree,
  transactionPage,
} from "../../../../src/core/ledger/transactions/transactionPage.ts";
import { pageAsJson, pageAsText } from "../../../../src/core/ledger/transactions/pageCopies.ts";
import type { NameSource } from "../../../../src/core/ledger/names/nameSource.ts";
import type { TransactionRecord } from "../../../../src/core/ledger/transactions/transactionRecord.ts";
import { random } from "../../random.ts";
import { encoded } from "../actions.ts";
import { startLedger } from "../loopbackLedger.ts";

const HASH = `0x${"ab".repeat(32)}`;
const ADDRESS = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const MOMENT = "1700000000.000000001";

/** The result of a transaction that failed with a custom error, as a mirror node without sidecars has it. */
const RESULT = {
  amount: 250_000_000,
  block_number: 58_201_334,
  call_result: "0x",
  contract_id: "0.0.1010",
  error_message: encoded("SlippageTooHigh(uint256,uint256)", [9706n, 10000n]),
  from: "0x00000000000000000000000000000000000003e9",
  function_parameters: encoded("swap(uint256)", [10n ** 20n]),
  gas_consumed: 121_000,
  gas_limit: 200_000,
  gas_used: 160_000,
  hash: HASH,
  logs: [],
  result: "CONTRACT_REVERT_EXECUTED",
  state_changes: [],
  status: "0x0",
  timestamp: MOMENT,
  to: ADDRESS,
};

const TRANSACTION = {
  charged_tx_fee: 8_400_000,
  consensus_timestamp: MOMENT,
  memo_base64: Buffer.from("Grüße \u202e").toString("base64"),
  name: "ETHEREUMTRANSACTION",
  result: "CONTRACT_REVERT_EXECUTED",
  transaction_id: "0.0.1001-1699999997-000000001",
  transfers: [
    { account: "0.0.1001", amount: -8_400_000 },
    { account: "0.0.98", amount: 8_400_000 },
  ],
  token_transfers: [{ token_id: "0.0.456858", account: "0.0.1001", amount: "-9223372036854775807" }],
  nft_transfers: [
    { token_id: "0.0.7", serial_number: 3, sender_account_id: null, receiver_account_id: "0.0.5" },
  ],
};

const names: NameSource = {
  certainty: "workspace",
  definitions: (kind, selector) => {
    const abi = {
      function: "function swap(uint256 amountIn)",
      error: "error SlippageTooHigh(uint256 amountOut, uint256 minimumOut)",
      event: "event Transfer(address indexed from, address indexed to, uint256 value)",
    }[kind];
    return Promise.resolve(selector === "0x" ? [] : [{ abi }]);
  },
  contractName: () => Promise.resolve({ name: "Pool" }),
};

const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops) await stop();
});

/** What a copy as JSON is. */
interface PageJson {
  readonly head: Readonly<Record<string, unknown>>;
  readonly gas: Readonly<Record<string, unknown>>;
  readonly actions: readonly Readonly<Record<string, unknown>>[];
  readonly logs: readonly Readonly<Record<string, unknown>>[];
  readonly state: readonly Readonly<Record<string, unknown>>[];
  readonly transfers: readonly Readonly<Record<string, unknown>>[];
  readonly nfts: readonly Readonly<Record<string, unknown>>[];
}

/** The page of a transaction of a ledger that answers so to each path. */
async function pageOf(
  answers: Readonly<Record<string, unknown>>,
  transaction = HASH,
  now = Date.parse("2026-01-01T00:00:00Z"),
) {
  const ledger = await startLedger((target) => {
    const path = target.replace("/api/v1", "").replace(/\?.*/, "");
    return answers[path] === undefined ? undefined : JSON.stringify(answers[path]);
  }, stops);
  const actions = await ledger.service.actions(transaction);
  const record = await ledger.service.transactionRecord(actions);
  const namer = new ActionNamer(ledger.network, [names]);
  const parts = {
    canonical: actions.canonical,
    networkName: ledger.network.name,
    tree: actions.tree,
    complete: actions.complete,
    namesOf: (action: ContractAction) => namer.known(action),
    record,
    now,
  };
  const tree = pageTree(parts);
  for (const action of tree.actions) await namer.name(action);
  const events = new Map(
    await Promise.all(
      (record.execution?.logs ?? []).map(async (log, at) => [at, await namer.event(log)] as const),
    ),
  );
  const page = transactionPage({ ...parts, events });
  return {
    page,
    calls: callRows(tree, parts.namesOf),
    facts: Object.fromEntries(page.facts.map(({ label, value }) => [label, value])) as Record<string, string>,
    copy: pageAsText({ ...parts, events }),
    json: JSON.parse(pageAsJson({ ...parts, events })) as PageJson,
    asked: ledger.server.asked,
  };
}

const ACTIONS = `/contracts/results/${HASH}/actions`;
const RESULTS = `/contracts/results/${HASH}`;
const EMPTY = { actions: [], links: { next: null } };

describe("The page of a transaction", () => {
  it("explains a failure by the result where the ledger recorded no actions", async () => {
    const { page, calls, facts, copy, asked } = await pageOf({
      [ACTIONS]: EMPTY,
      [RESULTS]: RESULT,
      "/transactions": { transactions: [TRANSACTION] },
    });
    assert.equal(
      asked.filter((target) => target.endsWith(RESULTS)).length,
      1,
      "the result is asked for once",
    );
    assert.equal(page.outcome, "failed");
    assert.equal(
      page.headline,
      "Reverted: SlippageTooHigh(amountOut: 9,706, minimumOut: 10,000) in Pool.swap",
    );
    assert.deepEqual(
      calls.map(({ contract, opens, name, args, value, gas }) => [contract, opens, name, args, value, gas]),
      [["Pool", "0.0.1010", "swap", "amountIn: 100,000,000,000,000,000,000", "2.5 ℏ", "160000"]],
    );
    assert.match(page.notes.join(), /recorded no contract actions/);
    assert.deepEqual(facts, {
      From: "0.0.1001",
      To: "Pool (0.0.1010)",
      Value: "2.5 ℏ",
      Fee: "0.084 ℏ",
      Gas: "121,000 used of 200,000, 160,000 charged",
      Block: "58,201,334",
      Consensus: "2023-11-14 22:13:20.000000001 UTC",
      Memo: "Grüße \\u{202e}",
      Type: "Ethereum transaction",
      Result: "contract revert executed",
      Id: "0.0.1001-1699999997-000000001",
      Hash: "0xabab…abab",
      Network: facts["Network"],
    });
    assert.deepEqual(
      page.transfers.map(({ account, amount, asset }) => `${account} ${amount} ${asset}`),
      [
        "0.0.1001 −0.084 ℏ HBAR",
        "0.0.98 +0.084 ℏ HBAR",
        "0.0.1001 −9,223,372,036,854,775,807 smallest units 0.0.456858",
      ],
    );
    assert.deepEqual(page.nfts, [{ nft: "0.0.7 #3", to: "0.0.5", opensToken: "0.0.7", opensTo: "0.0.5" }]);
    assert.ok(copy.includes("\n0.0.7 #3 minted to 0.0.5\n"), copy);
  });

  it("says of no list that it is empty before the ledger has told what is in it", () => {
    const parts = {
      canonical: HASH,
      networkName: "Hedera Testnet",
      tree: buildActionTree([]),
      complete: true,
      namesOf: () => undefined,
      now: 0,
    };
    const unknownOf = (record?: TransactionRecord) =>
      transactionPage({ ...parts, ...(record && { record }) }).unknown;
    assert.deepEqual(unknownOf(), { logs: "asked", state: "asked", transfers: "asked" });
    const problems = [new LedgerLensError("unavailable", "The ledger is overloaded.")];
    assert.deepEqual(unknownOf({ problems }), { logs: "untold", state: "untold", transfers: "untold" });
    assert.deepEqual(unknownOf({ problems: [] }), {}, "a plain transfer has no result");
    const execution = { logs: [], state_changes: [] } as unknown as NonNullable<
      TransactionRecord["execution"]
    >;
    assert.deepEqual(unknownOf({ execution, problems }), { transfers: "untold" });
  });

  it("loses of a network what it lacks and nothing else, and says what failed", async () => {
    const call = {
      call_depth: 0,
      call_type: "CALL",
      call_operation_type: "CALL",
      gas_used: 21_000,
      index: 0,
      input: RESULT.function_parameters,
      result_data: "0x",
      result_data_type: "OUTPUT",
      timestamp: MOMENT,
      to: ADDRESS,
    };
    const actions = { actions: [call], links: { next: null } };
    const bare = await pageOf({ [ACTIONS]: actions });
    assert.equal(bare.page.headline, "Succeeded: Pool.swap");
    assert.equal(bare.page.callCount, 1);
    assert.deepEqual(bare.page.notes, []);
    assert.deepEqual(bare.page.transfers, []);
    const half = await pageOf({
      [ACTIONS]: actions,
      [RESULTS]: "no object",
      "/transactions": { transactions: [{ ...TRANSACTION, result: "SUCCESS" }] },
    });
    assert.equal(half.facts["Fee"], "0.084 ℏ");
    assert.equal(half.page.notes.length, 1);
    assert.match(half.page.notes[0] ?? "", /result of 0xabab/);
    // By the moment of the actions: a hash of 32 bytes names no transaction there.
    assert.ok(half.asked.some((path) => path.endsWith(`/transactions?timestamp=${MOMENT}`)));
  });

  it("says of a list without calls what is known of the reason, and never that nothing was called where something was", async () => {
    const id = "0.0.1001-1699999997-000000001";
    const own = (path: string) => path.replace(HASH, id);
    const called = { ...TRANSACTION, name: "CONTRACTCALL", result: "SUCCESS" };
    const answers = { [own(ACTIONS)]: EMPTY, [`/transactions/${id}`]: { transactions: [called] } };
    const [later, justSent] = [Date.parse("2024-01-01T00:00:00Z"), (1_699_999_997 + 20) * 1_000];
    const notesAt = async (now: number, others: Readonly<Record<string, unknown>> = {}, given = id) =>
      (await pageOf({ ...answers, ...others }, given, now)).page.notes;
    assert.deepEqual(await notesAt(later), [
      "The ledger has no contract actions and no result of this transaction, which calls a contract (contract call): it is older than their recording, or this network keeps none.",
    ]);
    assert.deepEqual(await notesAt(justSent), [
      "The mirror node has not imported the contract actions yet: this transaction was just sent. Refresh in a few seconds.",
    ]);
    // The result may be there sooner; then its call stands in their place.
    const [early] = await notesAt(justSent, { [own(RESULTS)]: { ...RESULT, result: "SUCCESS" } });
    assert.equal(
      early,
      "The mirror node has not imported the contract actions yet: what the result says of the first call is shown. Refresh in a few seconds.",
    );
    // A result that can't be had is no sign of no call, and why is said, too.
    const unreadable = await notesAt(later, { [own(RESULTS)]: "no object" });
    assert.equal(unreadable.length, 2);
    assert.match(
      unreadable[0] ?? "",
      /no contract actions of this transaction, which calls a contract \(contract call\)/,
    );
    assert.match(unreadable[1] ?? "", /result of 0\.0\.1001/);
    assert.deepEqual(
      await notesAt(later, {
        [`/transactions/${id}`]: { transactions: [{ ...called, name: "CRYPTOTRANSFER" }] },
      }),
      ["This transaction called no contract (crypto transfer)."],
    );
    // What was refused never ran, now or at any time.
    for (const [result, words] of [
      ["INSUFFICIENT_PAYER_BALANCE", "insufficient payer balance"],
      ["WRONG_NONCE", "wrong nonce"],
      ["CONSENSUS_GAS_EXHAUSTED", "consensus gas exhausted"],
    ] as const)
      for (const now of [later, justSent]) {
        const refused = { [`/transactions/${id}`]: { transactions: [{ ...called, result }] } };
        assert.deepEqual(await notesAt(now, refused), [
          `Nothing was executed: the network refused this transaction before it called a contract (${words}).`,
        ]);
        assert.deepEqual(await notesAt(now, { ...refused, [own(RESULTS)]: { ...RESULT, result } }), [
          `Nothing was executed (${words}): the call that was to be made is shown.`,
        ]);
      }
    // What the EVM answers, too, tells nothing of that.
    assert.match(
      (
        await notesAt(later, {
          [`/transactions/${id}`]: { transactions: [{ ...called, result: "INSUFFICIENT_GAS" }] },
        })
      ).join(),
      /no contract actions and no result/,
    );
    // A hash that nothing else is known of.
    assert.deepEqual(await notesAt(later, { [ACTIONS]: EMPTY }, HASH), [
      "The ledger has no contract actions and no result of this transaction: it called no contract, or this network keeps none.",
    ]);
    assert.deepEqual(
      await notesAt(
        justSent,
        { [ACTIONS]: EMPTY, [RESULTS]: { ...RESULT, timestamp: "1700000000.1" } },
        HASH,
      ),
      [early],
    );
  });

  it("believes no answer about another transaction", async () => {
    const call = { call_depth: 0, index: 0, timestamp: MOMENT, result_data_type: "OUTPUT" };
    const { page } = await pageOf({
      [ACTIONS]: { actions: [call], links: { next: null } },
      [RESULTS]: { ...RESULT, timestamp: "1700000009.000000000" },
      "/transactions": { transactions: [{ ...TRANSACTION, consensus_timestamp: "1600000000.000000000" }] },
    });
    assert.equal(page.headline, "Succeeded");
    assert.deepEqual(page.transfers, []);
    assert.equal(page.notes.length, 2);
  });

  it("names events whose parameters stand in topics and in the data, and no event that has others indexed", async () => {
    const word = (value: bigint) => value.toString(16).padStart(64, "0");
    const transfer = encoded("Transfer(address,address,uint256)", [ADDRESS, ADDRESS, 1n]);
    const topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    assert.ok(topic.startsWith(transfer.slice(0, 10)));
    const log = {
      address: ADDRESS,
      contract_id: "0.0.1010",
      index: 0,
      topics: [topic, `0x${word(0x12n)}`, `0x${word(BigInt(ADDRESS))}`],
      data: `0x${word(5_000_000n)}`,
    };
    const { page, copy } = await pageOf({
      [ACTIONS]: EMPTY,
      [RESULTS]: {
        ...RESULT,
        result: "SUCCESS",
        error_message: null,
        // Where the id is not told, the contract is opened by its address.
        logs: [
          log,
          { ...log, contract_id: null, index: 1, topics: [...log.topics, `0x${word(7n)}`], data: "0x" },
        ],
      },
    });
    assert.deepEqual(
      page.logs.map(({ contract, opens, event }) => [contract, opens, event]),
      [
        ["Pool (0.0.1010)", "0.0.1010", "Transfer(from: 0.0.18, to: 0x5FbD…0aa3, value: 5,000,000)"],
        ["Pool (0x5fbd…0aa3)", ADDRESS, topic],
      ],
    );
    // Nothing is shortened in a copy.
    assert.ok(copy.includes("to: 0x5FbDB2315678afecb367f032d93F642f64180aa3"), copy);
    assert.ok(copy.includes(`topic 0: ${topic}`));
    assert.ok(copy.includes("amountIn: 100,000,000,000,000,000,000"));
  });

  it("is copied whole, as text and as JSON: the head, the calls, the logs, the storage and the transfers", async () => {
    const party = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
    const error = encoded("SlippageTooHigh(uint256,uint256)", [9706n, 10n ** 30n]);
    const changes = { address: party, slot: "0x7", value_read: "0x5", value_written: `0x${"12".repeat(32)}` };
    const log = {
      address: party,
      index: 0,
      topics: [`0x${"cd".repeat(32)}`],
      data: `0x${"ef".repeat(3_000)}`,
    };
    const call = {
      call_depth: 0,
      call_type: "CALL",
      call_operation_type: "CALL",
      index: 0,
      input: RESULT.function_parameters,
      result_data: error,
      result_data_type: "REVERT_REASON",
      timestamp: MOMENT,
      to: party,
      value: "9223372036854775807",
    };
    const { copy, json, page } = await pageOf({
      [ACTIONS]: { actions: [call], links: { next: null } },
      [RESULTS]: { ...RESULT, contract_id: null, to: party, logs: [log], state_changes: [changes] },
      "/transactions": {
        transactions: [{ ...TRANSACTION, transfers: [{ account: party, amount: `1${"0".repeat(450)}1` }] }],
      },
    });
    for (const whole of [
      "amountIn: 100,000,000,000,000,000,000",
      "minimumOut: 1,000,000,000,000,000,000,000,000,000,000",
      party,
      log.data,
      changes.value_written,
      HASH,
      "0.0.1001 −9,223,372,036,854,775,807 smallest units of 0.0.456858",
      "92,233,720,368.54775807 ℏ",
      ",000".repeat(100),
    ])
      assert.ok(copy.includes(whole), whole.slice(0, 80));
    assert.doesNotMatch(copy, /…/);
    assert.equal(json.head["headline"], page.headline);
    assert.equal(json.head["outcome"], "failed");
    assert.deepEqual((json.head["result"] as typeof RESULT).gas_used, "160000");
    assert.equal((json.head["record"] as { charged_tx_fee: string }).charged_tx_fee, "8400000");
    assert.equal(json.actions[0]?.["result_data"], error);
    assert.deepEqual(json.logs, [{ ...log, index: "0", contract: "Pool" }]);
    assert.deepEqual(json.state, [changes]);
    assert.deepEqual(json.transfers, [
      { account: party, amount: `1${"0".repeat(450)}1` },
      { account: "0.0.1001", amount: "-9223372036854775807", token_id: "0.0.456858" },
    ]);
    assert.deepEqual(json.nfts, [{ tokenId: "0.0.7", serial: "3", to: "0.0.5" }]);
  });

  it("has the sums of gas, what was decoded, and all that the mirror node said in its copies", async () => {
    const call = {
      call_depth: 0,
      call_type: "CALL",
      gas_used: 160_000,
      index: 0,
      input: RESULT.function_parameters,
      recipient: "0.0.1010",
      result_data: RESULT.error_message,
      result_data_type: "REVERT_REASON",
      to: ADDRESS,
    };
    const log = {
      address: ADDRESS,
      contract_id: "0.0.1010",
      data: "0x",
      index: 0,
      topics: [],
      bloom: "0x02",
    };
    const further = { access_list: "0x", bloom: "0x01", chain_id: "0x127", nonce: 7 };
    const child = {
      ...TRANSACTION,
      nonce: 1,
      parent_consensus_timestamp: MOMENT,
      consensus_timestamp: "1700000000.000000002",
    };
    const { copy, json } = await pageOf({
      [ACTIONS]: {
        actions: [call, { ...call, call_depth: 1, index: 1, gas_used: 1_000 }],
        links: { next: null },
      },
      [RESULTS]: { ...RESULT, ...further, logs: [log] },
      "/transactions/0.0.1001-1699999997-000000001": {
        transactions: [{ ...TRANSACTION, bytes: null, valid_duration_seconds: "120", children: 4 }, child],
      },
      "/transactions": { transactions: [TRANSACTION] },
    });
    const sum = { calls: 2, gas: "160000" };
    assert.deepEqual(json.gas, {
      used: "160000",
      by_contract: [{ name: "Pool", opens: "0.0.1010", ...sum }],
      by_function: [{ name: "Pool.swap", opens: "0.0.1010", ...sum }],
    });
    assert.ok(copy.includes("\nGas by contract\nPool: 160,000 gas, 2 calls\n"), copy);
    assert.ok(copy.includes("\nGas by function\nPool.swap: 160,000 gas, 2 calls\n"), copy);
    const { decoded, ...raw } = json.actions[0] ?? {};
    assert.deepEqual(raw, { position: 0, parent: null, ...call });
    assert.deepEqual(decoded, {
      contract: "Pool",
      function: {
        signature: "swap(uint256)",
        certainty: "workspace",
        values: [{ name: "amountIn", type: "uint256", text: "100000000000000000000" }],
      },
      error: {
        signature: "SlippageTooHigh(uint256,uint256)",
        certainty: "workspace",
        values: [
          { name: "amountOut", type: "uint256", text: "9706" },
          { name: "minimumOut", type: "uint256", text: "10000" },
        ],
      },
    });
    const result = json.head["result"] as Readonly<Record<string, unknown>>;
    for (const [name, value] of Object.entries(further)) assert.deepEqual(result[name], value, name);
    assert.equal(json.logs[0]?.["bloom"], "0x02");
    const record = json.head["record"] as typeof TRANSACTION & Readonly<Record<string, unknown>>;
    assert.deepEqual(
      record.transfers,
      TRANSACTION.transfers.map(({ account, amount }) => ({ account, amount: String(amount) })),
    );
    assert.equal(record.token_transfers[0]?.amount, "-9223372036854775807");
    assert.equal(record.nft_transfers[0]?.serial_number, "3");
    assert.equal(record["valid_duration_seconds"], "120");
    // What a server calls like a part of ours is none.
    assert.equal((record["children"] as unknown[]).length, 1);
  });

  it("has the storage of each contract together, below its name", async () => {
    const other = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
    const change = (address: string, id: string | null, slot: string) => ({
      address,
      contract_id: id,
      slot,
      value_read: "0x1",
      value_written: "0x2",
    });
    const { page, copy } = await pageOf({
      [ACTIONS]: EMPTY,
      [RESULTS]: {
        ...RESULT,
        state_changes: [
          change(ADDRESS, "0.0.1010", "0x1"),
          change(other, null, "0x5"),
          change(ADDRESS.toUpperCase().replace("0X", "0x"), "0.0.1010", "0x2"),
        ],
      },
    });
    assert.deepEqual(
      page.state.map(({ contract, opens, slots }) => [contract, opens, slots.map(({ slot }) => slot)]),
      [
        ["Pool (0.0.1010)", "0.0.1010", ["0x1", "0x2"]],
        ["0x7099…79c8", other, ["0x5"]],
      ],
    );
    assert.ok(
      copy.includes(`State\nPool (0.0.1010)\n  0x1: 0x1 → 0x2\n  0x2: 0x1 → 0x2\n${other}\n  0x5`),
      copy,
    );
  });

  it("tells the gas that was used, that was charged and the limit, each where the ledger has it", async () => {
    const gasOf = async (fields: Readonly<Record<string, unknown>>) => {
      const none = { gas_consumed: null, gas_limit: null, gas_used: null };
      const { facts } = await pageOf({ [ACTIONS]: EMPTY, [RESULTS]: { ...RESULT, ...none, ...fields } });
      return facts["Gas"];
    };
    const [consumed, limit, charged] = [
      { gas_consumed: 21_900 },
      { gas_limit: 200_000 },
      { gas_used: 160_000 },
    ];
    assert.equal(
      await gasOf({ ...consumed, ...limit, ...charged }),
      "21,900 used of 200,000, 160,000 charged",
    );
    assert.equal(await gasOf({ ...limit, ...charged }), "160,000 charged, limit 200,000");
    assert.equal(await gasOf({ ...consumed, ...charged }), "21,900 used, 160,000 charged");
    assert.equal(await gasOf({ ...consumed, ...limit }), "21,900 used of 200,000");
    assert.equal(
      await gasOf({ ...limit, gas_consumed: 160_000, ...charged }),
      "160,000 used of 200,000",
      "nothing else was charged",
    );
    assert.equal(await gasOf(limit), "limit 200,000");
    assert.equal(await gasOf({}), undefined);
  });

  it("names who sent a transaction apart from who paid for it, on the page and in a copy", async () => {
    const alias = "0x1111111111111111111111111111111111111111";
    const partiesOf = async (
      transaction: Readonly<Record<string, unknown>>,
      fields: Readonly<Record<string, unknown>>,
      actions: unknown = EMPTY,
    ) => {
      const { page, copy } = await pageOf({
        [ACTIONS]: actions,
        [RESULTS]: { ...RESULT, from: alias, ...fields },
        "/transactions": { transactions: [{ ...TRANSACTION, ...transaction }] },
      });
      const shown = page.facts.filter(({ label }) => ["From", "Paid by"].includes(label));
      return {
        page: shown.map(({ label, value, opens }) => `${label}: ${value} opens ${opens ?? "nothing"}`),
        copy: copy.split("\n").filter((line) => /^(?:From|Paid by):/.test(line)),
      };
    };
    const payer = "Paid by: 0.0.1001 opens 0.0.1001";
    // A relay paid for what a wallet signed.
    assert.deepEqual(await partiesOf({}, {}), {
      page: [`From: 0x1111…1111 opens ${alias}`, payer],
      copy: [`From: ${alias}`, "Paid by: 0.0.1001"],
    });
    // Its actions tell the sender's id.
    const call = {
      call_depth: 0,
      caller: "0.0.5100",
      caller_type: "ACCOUNT",
      from: alias,
      index: 0,
      timestamp: MOMENT,
    };
    assert.deepEqual(await partiesOf({}, {}, { actions: [call], links: { next: null } }), {
      page: ["From: 0.0.5100 opens 0.0.5100", payer],
      copy: [`From: 0.0.5100 · ${alias}`, "Paid by: 0.0.1001"],
    });
    const own = { page: ["From: 0.0.1001 opens 0.0.1001"], copy: [`From: 0.0.1001 · ${alias}`] };
    assert.deepEqual(
      await partiesOf({}, {}, { actions: [{ ...call, caller: "0.0.1001" }], links: { next: null } }),
      own,
    );
    // What is called without a wallet's signature is sent by who pays, whatever address that has.
    assert.deepEqual(await partiesOf({ name: "CONTRACTCALL" }, {}), own);
    // What was scheduled has the id of the transaction that did so; another account may pay.
    assert.deepEqual(await partiesOf({ name: "CONTRACTCALL", scheduled: true }, {}), {
      page: [`From: 0x1111…1111 opens ${alias}`],
      copy: [`From: ${alias}`],
    });
    // A child is a contract's, and its parent was paid for.
    const ofContract = { from: "0x00000000000000000000000000000000000003f2" };
    assert.deepEqual(await partiesOf({ name: "CONTRACTCALL", nonce: 1 }, ofContract), {
      page: ["From: 0.0.1010 opens 0.0.1010", payer],
      copy: ["From: 0.0.1010", "Paid by: 0.0.1001"],
    });
    // Of what never ran nothing tells the sender.
    const { facts } = await pageOf(
      {
        [ACTIONS]: EMPTY,
        "/transactions": { transactions: [{ ...TRANSACTION, result: "WRONG_NONCE" }] },
        "/transactions/0.0.1001-1699999997-000000001": {
          transactions: [{ ...TRANSACTION, result: "WRONG_NONCE" }],
        },
        [ACTIONS.replace(HASH, "0.0.1001-1699999997-000000001")]: EMPTY,
      },
      "0.0.1001-1699999997-000000001",
    );
    assert.equal(facts["From"], undefined);
    assert.equal(facts["Paid by"], "0.0.1001");
  });

  it("says of a creation that failed that it was in the constructor of a new contract", async () => {
    const creation = {
      ...RESULT,
      address: "0x",
      contract_id: null,
      error_message: encoded("Error(string)", ["init failed"]),
      function_parameters: "0x",
      to: null,
    };
    const made = async (name: string, fields: Readonly<Record<string, unknown>> = {}) => {
      const transactions = [{ ...TRANSACTION, name }];
      const { page, facts } = await pageOf({
        [ACTIONS]: EMPTY,
        [RESULTS]: { ...creation, ...fields },
        "/transactions": { transactions },
      });
      return [page.headline, facts["To"]];
    };
    const failed = ['Reverted: "init failed" in the constructor', "new contract"];
    assert.deepEqual(await made("CONTRACTCREATEINSTANCE"), failed);
    assert.deepEqual(await made("ETHEREUMTRANSACTION"), failed);
    assert.deepEqual(await made("CONTRACTCREATEINSTANCE", { address: ADDRESS }), [
      'Reverted: "init failed" in the constructor of Pool',
      "Pool (0x5fbd…0aa3)",
    ]);
    // A call of what is no contract names no receiver either.
    assert.deepEqual(
      await made("CONTRACTCALL", { error_message: "INVALID_CONTRACT_ID", result: "INVALID_CONTRACT_ID" }),
      ["Failed: invalid contract ID", "unknown"],
    );
  });

  it("says who caught a failure of a transaction that went well", async () => {
    const call = (index: number, to: string, fields: Readonly<Record<string, unknown>>) => ({
      call_depth: index,
      call_type: "CALL",
      call_operation_type: "CALL",
      index,
      input: RESULT.function_parameters,
      timestamp: MOMENT,
      to,
      ...fields,
    });
    const reason = encoded("Error(string)", ["stale price"]);
    const failed = { result_data: reason, result_data_type: "REVERT_REASON" };
    const went = { result_data: "0x", result_data_type: "OUTPUT" };
    const { page } = await pageOf({
      [ACTIONS]: {
        actions: [
          call(0, ADDRESS, went),
          call(1, ADDRESS, went),
          call(2, ADDRESS, failed),
          call(3, ADDRESS, failed),
        ],
        links: { next: null },
      },
    });
    assert.equal(page.headline, "Succeeded: Pool.swap");
    assert.deepEqual(page.notes, ['Reverted: "stale price" in Pool.swap, caught by Pool.swap.']);
  });

  it("tells slots that were only read from those that were written", async () => {
    const read = {
      address: ADDRESS,
      contract_id: "0.0.1010",
      slot: "0x1",
      value_read: "0x5",
      value_written: null,
    };
    const copied = async (...state_changes: readonly unknown[]) =>
      (await pageOf({ [ACTIONS]: EMPTY, [RESULTS]: { ...RESULT, state_changes } })).copy;
    assert.match(
      await copied(read),
      /^State \(only read, nothing was written\)\n.*\n {2}0x1: 0x5, only read$/m,
    );
    const written = { ...read, slot: "0x2", value_written: "0x6" };
    assert.match(
      await copied(read, written),
      /^State \(1 written, 1 only read\)\n.*\n {2}0x1: 0x5, only read\n {2}0x2: 0x5 → 0x6$/m,
    );
    assert.match(await copied(written), /^State$/m);
  });

  it("is short of what called no contract, and says the ledger's names in words with the names behind them", async () => {
    const id = "0.0.1001-1699999997-000000001";
    const moved = {
      ...TRANSACTION,
      name: "TOKENAIRDROP",
      node: "0.0.3",
      token_transfers: [],
      nft_transfers: [],
    };
    const { page, copy } = await pageOf(
      {
        [`/contracts/results/${id}/actions`]: EMPTY,
        [`/transactions/${id}`]: {
          transactions: [
            {
              ...moved,
              result: "SUCCESS",
              staking_reward_transfers: [{ account: "0.0.1001", amount: 12_345_678 }],
              transfers: [
                { account: "0.0.1001", amount: -8_400_000 + 12_345_678 },
                { account: "0.0.800", amount: -12_345_678 },
                { account: "0.0.98", amount: 8_000_000 },
                { account: "0.0.3", amount: 400_000 },
              ],
            },
          ],
        },
      },
      id,
    );
    assert.equal(page.headline, "Succeeded: token airdrop");
    assert.equal(page.isWithoutCalls, true);
    assert.doesNotMatch(copy, /^Calls/m);
    assert.match(copy, /^Type: token airdrop \(TOKENAIRDROP\)$/m);
    assert.match(copy, /^Result: success \(SUCCESS\)$/m);
    assert.match(copy, /^Consensus: 2023-11-14 22:13:20\.000000001 UTC \(1700000000\.000000001\)$/m);
    assert.deepEqual(copy.slice(copy.indexOf("Transfers\n")).trimEnd().split("\n"), [
      "Transfers",
      "0.0.800 (staking rewards) −0.12345678 ℏ",
      "0.0.3 (node) +0.004 ℏ",
      "0.0.1001 +0.03945678 ℏ, including a staking reward of 0.12345678 ℏ",
      "0.0.98 (network fees) +0.08 ℏ",
    ]);
    const refused = await pageOf(
      {
        [`/contracts/results/${id}/actions`]: EMPTY,
        [`/transactions/${id}`]: { transactions: [{ ...moved, result: "INSUFFICIENT_PAYER_BALANCE" }] },
      },
      id,
    );
    assert.equal(refused.page.headline, "Failed: insufficient payer balance");
    assert.match(refused.copy, /^Failed: insufficient payer balance \(INSUFFICIENT_PAYER_BALANCE\)$/m);
    // What is not there yet is not said to be missing.
    const justSent = (1_699_999_997 + 20) * 1_000;
    const early = await pageOf({ [`/contracts/results/${id}/actions`]: EMPTY }, id, justSent);
    assert.equal(early.page.headline, "Outcome not known yet");
    const late = await pageOf({ [`/contracts/results/${id}/actions`]: EMPTY }, id);
    assert.equal(late.page.headline, "Outcome not recorded");
  });

  it("says what was taken from an account by an allowance, of all that it gave", async () => {
    const id = "0.0.1005-1699999997-000000001";
    const taken = { is_approval: true };
    const { copy, page, json } = await pageOf(
      {
        [`/contracts/results/${id}/actions`]: EMPTY,
        [`/transactions/${id}`]: {
          transactions: [
            {
              ...TRANSACTION,
              name: "CRYPTOTRANSFER",
              result: "SUCCESS",
              transaction_id: id,
              transfers: [
                { account: "0.0.1001", amount: -100_000_000, ...taken },
                { account: "0.0.1001", amount: -20_000_000, is_approval: false },
                { account: "0.0.1003", amount: -30_000_000, ...taken },
                { account: "0.0.1003", amount: 40_000_000, is_approval: false },
                { account: "0.0.1002", amount: 110_000_000, ...taken },
              ],
              token_transfers: [
                { token_id: "0.0.3001", account: "0.0.1001", amount: -1_000, ...taken },
                { token_id: "0.0.3001", account: "0.0.1002", amount: 1_000, is_approval: false },
              ],
              nft_transfers: [
                {
                  token_id: "0.0.7",
                  serial_number: 3,
                  sender_account_id: "0.0.5",
                  receiver_account_id: "0.0.6",
                  ...taken,
                },
              ],
            },
          ],
        },
      },
      id,
    );
    assert.deepEqual(copy.slice(copy.indexOf("Transfers\n")).trimEnd().split("\n"), [
      "Transfers",
      "0.0.1001 −1.2 ℏ, of it 1 ℏ by allowance",
      "0.0.1003 +0.1 ℏ, 0.3 ℏ given by allowance",
      "0.0.1002 +1.1 ℏ",
      "0.0.1001 −1,000 smallest units of 0.0.3001, by allowance",
      "0.0.1002 +1,000 smallest units of 0.0.3001",
      "0.0.7 #3 from 0.0.5 to 0.0.6, by allowance",
    ]);
    assert.deepEqual(
      page.transfers.map(({ remark }) => remark),
      ["of it 1 ℏ by allowance", "0.3 ℏ given by allowance", undefined, "by allowance", undefined],
    );
    assert.deepEqual(
      json.transfers.map(({ allowed }) => allowed),
      ["100000000", "30000000", undefined, "1000", undefined],
    );
  });

  it("sums what accounts got and gave, exactly, however many transfers there were", () => {
    const dice = random("transfers");
    for (let round = 0; round < 50; round++) {
      const accounts = ["0.0.1", "0.0.2", "0.0.3", "0.0.4"];
      const transfers = Array.from({ length: dice.below(40) }, () => ({
        account: dice.oneOf(accounts),
        amount: String(BigInt(dice.below(2 ** 32)) * BigInt(dice.below(2 ** 32)) - 2n ** 62n),
      }));
      const { assets } = balancesOf({ transfers });
      for (const account of accounts) {
        const wanted = transfers
          .filter((one) => one.account === account)
          .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
        const found = assets[0]?.changes.find((one) => one.account === account)?.amount;
        assert.equal(BigInt(found ?? "0"), wanted);
      }
    }
  });
});

describe("The children of a transaction", () => {
  const ID = "0.0.1001-1699999997-000000001";
  const TOKEN = "0.0.3001";
  const child = (nonce: number, fields: Readonly<Record<string, unknown>>) => ({
    charged_tx_fee: 0,
    consensus_timestamp: `1700000000.00000000${1 + nonce}`,
    name: "CRYPTOTRANSFER",
    nonce,
    parent_consensus_timestamp: MOMENT,
    result: "SUCCESS",
    scheduled: false,
    transaction_id: ID,
    transfers: [],
    ...fields,
  });
  const moves = (from: string, to: string, amount: number) => [
    { token_id: TOKEN, account: from, amount: -amount },
    { token_id: TOKEN, account: to, amount },
  ];
  const parent = {
    ...TRANSACTION,
    name: "CONTRACTCALL",
    nft_transfers: [],
    nonce: 0,
    parent_consensus_timestamp: null,
    result: "SUCCESS",
    scheduled: false,
    token_transfers: [],
  };
  const others = [
    child(1, { token_transfers: moves("0.0.1001", "0.0.2000", 1_000) }),
    child(2, { token_transfers: moves("0.0.2000", "0.0.1002", 400) }),
    child(3, {
      name: "TOKENMINT",
      nft_transfers: [
        { token_id: "0.0.4001", serial_number: 7, sender_account_id: null, receiver_account_id: "0.0.1001" },
      ],
    }),
    child(4, {
      name: "TOKENBURN",
      result: "INVALID_TOKEN_ID",
      token_transfers: moves("0.0.1001", "0.0.9", 5),
    }),
    child(5, { result: "REVERTED_SUCCESS", token_transfers: moves("0.0.1001", "0.0.9", 6) }),
    // What has the same id and is none of its children.
    { ...parent, consensus_timestamp: "1700000004.000000001", result: "DUPLICATE_TRANSACTION" },
    { ...parent, consensus_timestamp: "1700000009.000000001", scheduled: true },
    child(1, {
      parent_consensus_timestamp: "1700000009.000000001",
      scheduled: true,
      token_transfers: moves("0.0.1001", "0.0.9", 8),
    }),
  ];
  const succeeded = { ...RESULT, error_message: null, result: "SUCCESS", status: "0x1" };
  const told = ({ page }: Awaited<ReturnType<typeof pageOf>>) => ({
    moves: [
      ...page.transfers.map(({ account, amount, asset }) => `${account} ${amount} ${asset}`),
      ...page.nfts.map(({ nft, from, to }) => `${nft}: ${from ?? "none"} → ${to ?? "none"}`),
    ],
    notes: page.notes.filter((note) => !note.includes("recorded no contract actions")),
  });
  const expected = {
    moves: [
      "0.0.1001 −0.084 ℏ HBAR",
      "0.0.98 +0.084 ℏ HBAR",
      `0.0.1001 −1,000 smallest units ${TOKEN}`,
      `0.0.1002 +400 smallest units ${TOKEN}`,
      `0.0.2000 +600 smallest units ${TOKEN}`,
      "0.0.4001 #7: none → 0.0.1001",
    ],
    notes: [
      "The transfers include those of 3 child transactions (crypto transfer and token mint).",
      "A child transaction (4, token burn) failed: invalid token ID (INVALID_TOKEN_ID).",
      "A child transaction (5, crypto transfer) was undone, for its caller failed (REVERTED_SUCCESS).",
      "It came to the network again and was refused as a duplicate (1 time).",
    ],
  };

  it("move what its contracts had moved: their transfers are among its own, once each", async () => {
    const page = await pageOf(
      {
        [`/contracts/results/${ID}/actions`]: EMPTY,
        [`/contracts/results/${ID}`]: succeeded,
        [`/transactions/${ID}`]: { transactions: [parent, ...others] },
      },
      ID,
    );
    assert.deepEqual(told(page), expected);
    assert.deepEqual(
      page.asked.map((target) => target.replace("/api/v1", "")),
      [`/contracts/results/${ID}/actions?limit=100`, `/contracts/results/${ID}`, `/transactions/${ID}`],
    );
    assert.equal((page.json.head["record"] as { children: unknown[] }).children.length, 5);
  });

  it("are found of a hash, too, with one question more", async () => {
    const answers = {
      [ACTIONS]: EMPTY,
      [RESULTS]: succeeded,
      "/transactions": { transactions: [parent] },
      [`/transactions/${ID}`]: { transactions: [parent, ...others] },
    };
    const page = await pageOf(answers);
    assert.deepEqual(told(page), expected);
    assert.deepEqual(
      page.asked.slice(2).map((target) => target.replace("/api/v1", "")),
      [`/transactions?timestamp=${MOMENT}`, `/transactions/${ID}`],
    );
    // A ledger that has no list of them loses them and nothing else.
    const alone = await pageOf({ ...answers, [`/transactions/${ID}`]: undefined });
    assert.deepEqual(told(alone), { moves: expected.moves.slice(0, 2), notes: [] });
  });

  it("are looked for by no other way than there is: by its moment where its id is not known there", async () => {
    const answers = {
      [`/contracts/results/${ID}/actions`]: EMPTY,
      [`/contracts/results/${ID}`]: succeeded,
      "/transactions": { transactions: [parent] },
    };
    const { page, asked } = await pageOf(answers, ID);
    assert.equal(page.transfers.length, 2);
    assert.ok(asked.at(-1)?.endsWith(`/transactions?timestamp=${MOMENT}`));
    // Found by its moment in the first place, its id is known.
    const plain = { ...parent, name: "CRYPTOTRANSFER", transaction_hash: "q6ur".repeat(16) };
    const found = await pageOf(
      {
        [ACTIONS]: EMPTY,
        "/transactions": { transactions: [plain] },
        [`/transactions/${ID}`]: { transactions: [plain, others[0]] },
      },
      MOMENT,
    );
    assert.equal(found.page.headline, "Succeeded: crypto transfer");
    assert.deepEqual(told(found).notes.slice(1), [
      "The transfers include those of 1 child transaction (crypto transfer).",
    ]);
    assert.ok(found.asked.at(-1)?.endsWith(`/transactions/${ID}`));
  });

  it("may have moved something and back, which is said", async () => {
    const back = [
      child(1, { token_transfers: moves("0.0.1001", "0.0.2000", 1_000) }),
      child(2, { token_transfers: moves("0.0.2000", "0.0.1001", 1_000) }),
    ];
    const page = await pageOf(
      {
        [`/contracts/results/${ID}/actions`]: EMPTY,
        [`/contracts/results/${ID}`]: succeeded,
        [`/transactions/${ID}`]: { transactions: [parent, ...back] },
      },
      ID,
    );
    assert.deepEqual(told(page), {
      moves: expected.moves.slice(0, 2),
      notes: [
        "The transfers include those of 2 child transactions (crypto transfer).",
        `${TOKEN} was moved, and in the end each account has as much of it as before.`,
      ],
    });
  });

  it("are no transactions of their own: the one that did its work is told, whatever came before it", async () => {
    const { page } = await pageOf(
      {
        [`/contracts/results/${ID}/actions`]: EMPTY,
        [`/transactions/${ID}`]: {
          transactions: [
            child(1, { consensus_timestamp: "1699999999.999999999", name: "CRYPTOCREATEACCOUNT" }),
            {
              ...parent,
              consensus_timestamp: "1699999999.9",
              name: "CRYPTOTRANSFER",
              result: "INVALID_NODE_ACCOUNT",
            },
            { ...parent, name: "CRYPTOTRANSFER" },
          ],
        },
      },
      ID,
    );
    assert.equal(page.headline, "Succeeded: crypto transfer");
    assert.deepEqual(
      page.transfers.map(({ account, amount }) => `${account} ${amount}`),
      ["0.0.1001 −0.084 ℏ", "0.0.98 +0.084 ℏ"],
    );
  });
});
