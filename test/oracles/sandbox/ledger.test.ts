import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { LedgerService } from "../../../src/core/ledger/ledgerService.ts";
import { ActionNamer } from "../../../src/core/ledger/actions/actionNames.ts";
import { valuesText } from "../../../src/core/ledger/actions/valueWords.ts";
import { StandardNames } from "../../../src/core/ledger/names/standardNames.ts";
import { TokenContracts } from "../../../src/core/ledger/names/tokenContracts.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { readSchedule, scheduleState } from "../../../src/core/ledger/schedules/schedule.ts";
import { decodeTransactionBody } from "../../../src/core/ledger/protobuf/transactionBody.ts";
import { startChain, type Chain } from "../../sandbox/chain.ts";
import type { CallFrame } from "../../sandbox/ledger/contractActions.ts";
import {
  atFirst,
  badGateway,
  brokenConnection,
  databaseTimeout,
  forbiddenPage,
  foreignNextPage,
  onlyFor,
  slow,
  tooManyRequests,
  truncatedBody,
} from "../../sandbox/ledger/ledgerFaults.ts";
import { playLedgerScenes, type LedgerScenes } from "../../sandbox/ledger/ledgerScenes.ts";
import { startLedgerServer, type LedgerServer } from "../../sandbox/ledger/ledgerServer.ts";
import { createSampleWorkspace } from "../../sandbox/sampleWorkspace.ts";
import { SolidityCompilers } from "../../sandbox/solidityCompilers.ts";

interface Action {
  readonly call_depth: number;
  readonly call_operation_type: string;
  readonly call_type: string;
  readonly caller: string;
  readonly caller_type: string;
  readonly from: string;
  readonly gas_used: number;
  readonly index: number;
  readonly input: string;
  readonly recipient: string | null;
  readonly recipient_type: string | null;
  readonly result_data: string;
  readonly result_data_type: string;
  readonly timestamp: string;
  readonly to: string | null;
  readonly value: number;
}

interface ActionsPage {
  readonly actions: readonly Action[];
  readonly links: { readonly next: string | null };
}

interface SchedulesPage {
  readonly schedules: readonly Readonly<Record<string, unknown>>[];
  readonly links: { readonly next: string | null };
}

interface Transactions {
  readonly transactions: readonly {
    readonly consensus_timestamp: string;
    readonly name: string;
    readonly nonce: number;
    readonly parent_consensus_timestamp: string | null;
    readonly result: string;
    readonly scheduled: boolean;
    readonly transaction_hash: string;
    readonly transaction_id: string;
  }[];
  readonly links?: { readonly next: string | null };
}

let chain: Chain;
let ledger: LedgerServer;
let scenes: LedgerScenes;
let workspace: string;
let owner: string;

before(async () => {
  workspace = await mkdtemp(join(tmpdir(), "ledger-sample-"));
  await createSampleWorkspace(workspace);
  chain = await startChain();
  ledger = await startLedgerServer(chain);
  const compilers = new SolidityCompilers();
  scenes = await playLedgerScenes({ chain, compilers, ledger }, workspace);
  await compilers.stop();
  [owner = ""] = await chain.rpc<string[]>("eth_accounts");
});

after(async () => {
  await ledger.stop();
  await chain.stop();
  await rm(workspace, { recursive: true, force: true });
});

function ask(target: string, init?: RequestInit): Promise<Response> {
  return fetch(`${ledger.url}${target}`, init);
}

async function get<T>(target: string): Promise<T> {
  const response = await ask(target);
  assert.equal(response.status, 200, `${target}: ${response.statusText}`);
  return (await response.json()) as T;
}

/** The status of a refusal and its messages. */
async function refusal(target: string): Promise<[number, ...string[]]> {
  const response = await ask(target);
  const { _status: said } = (await response.json()) as { _status: { messages: { message: string }[] } };
  assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
  return [response.status, ...said.messages.map(({ message }) => message)];
}

const actionsOf = (transaction: string, query = "") =>
  `/api/v1/contracts/results/${transaction}/actions${query}`;
const indexes = ({ actions }: ActionsPage) => actions.map(({ index }) => index);
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

describe("A token", () => {
  const path = (id: string, query = "") => `/api/v1/tokens/${id}${query}`;

  it("is found by every form of its id, and by no other address", async () => {
    const address = "000000000000000000000000000000000006f89a";
    for (const id of ["0.0.456858", "0.456858", "456858", address, `0x${address}`, `0.0.${address}`]) {
      const { token_id: found } = await get<{ token_id: string }>(path(id));
      assert.equal(found, "0.0.456858", id);
    }
    for (const id of ["abc", `0.0.0x${address}`, scenes.contracts.router, "0.0.0.1", "1-2"]) {
      assert.deepEqual(await refusal(path(id)), [400, "Invalid parameter: tokenid"], id);
    }
    for (const id of ["0.0.1", "1.0.456858"]) assert.deepEqual(await refusal(path(id)), [404, "Not found"]);
  });

  it("was another before it changed", async () => {
    const supply = async (query: string) =>
      (await get<{ total_supply: string }>(path(scenes.tokens.coin, query))).total_supply;
    const { modified_timestamp: changed, created_timestamp: created } = await get<Record<string, string>>(
      path(scenes.tokens.coin),
    );
    const [earlier, later] = ["5000000000000", "5432109876543"];
    assert.equal(await supply(""), later);
    assert.equal(await supply(`?timestamp=${scenes.coinBefore}`), earlier);
    assert.equal(await supply(`?timestamp=${changed}`), later);
    assert.equal(await supply(`?timestamp=eq:${changed}`), later);
    assert.equal(await supply(`?timestamp=lte:${changed}`), later);
    assert.equal(await supply(`?timestamp=lt:${changed}`), earlier);
    assert.equal(await supply(`?timestamp=${created}&timestamp=${changed}`), later);
    assert.equal(await supply(`?TimeStamp=${changed}&timestamp=${created}`), earlier);
    assert.deepEqual(await refusal(path(scenes.tokens.coin, `?timestamp=lt:${created}`)), [404, "Not found"]);
  });

  it("takes a fraction as it stands behind the point: .5 is half a second", async () => {
    ledger.store.putToken("0.0.77", { modified_timestamp: "1600000000.400000000", name: "early" });
    ledger.store.putToken("0.0.77", { modified_timestamp: "1600000000.600000000", name: "late" });
    const name = async (timestamp: string) =>
      (await get<{ name: string }>(path("0.0.77", `?timestamp=${timestamp}`))).name;
    assert.equal(await name("1600000000.5"), "early");
    assert.equal(await name("1600000000.60"), "late");
    assert.deepEqual(await refusal(path("0.0.77", "?timestamp=1600000000.000000005")), [404, "Not found"]);
  });

  it("refuses other operators and other parameters, with a message for each", async () => {
    for (const wrong of ["gt:5", "gte:5", "ne:5", "now", "5.1234567890", "12345678901"]) {
      assert.deepEqual(await refusal(path("0.0.1", `?timestamp=${wrong}`)), [
        400,
        "Invalid parameter: timestamp",
      ]);
    }
    assert.deepEqual(await refusal(path("0.0.1", "?limit=5&timestamp=now&order=asc")), [
      400,
      "Invalid parameter: timestamp",
      "Unknown query parameter: limit",
      "Unknown query parameter: order",
    ]);
  });

  it("has its integers as they are, beyond what a double holds, and its figures as strings", async () => {
    const text = await (await ask(path(scenes.tokens.coin))).text();
    const expiry = /"expiry_timestamp":(\d{19}),/.exec(text)?.[1] ?? "";
    assert.ok(BigInt(expiry) > 2n ** 53n);
    assert.notEqual(String(Number(expiry)), expiry);
    assert.match(text, /"decimals":"6"/);
    assert.match(text, /"max_supply":"0".*"supply_type":"INFINITE"/);
    assert.match(text, /"fractional_fees":/);
    assert.doesNotMatch(text, /"royalty_fees":/);
    const art = await (await ask(path(scenes.tokens.art))).text();
    assert.match(art, /"royalty_fees":/);
    assert.doesNotMatch(art, /"fractional_fees":/);
  });
});

describe("The contract actions of a transaction", () => {
  it("are the calls of the chain's own trace, in the order in which they began", async () => {
    for (const [scene, hash] of Object.entries(scenes.transactions)) {
      if (scene === "plainTransfer") continue;
      const expected: { depth: number; frame: CallFrame }[] = [];
      const open = [
        {
          depth: 0,
          frame: await chain.rpc<CallFrame>("debug_traceTransaction", hash, { tracer: "callTracer" }),
        },
      ];
      for (let next = open.pop(); next; next = open.pop()) {
        expected.push(next);
        const { depth, frame } = next;
        open.push(...(frame.calls ?? []).map((call) => ({ depth: depth + 1, frame: call })).reverse());
      }
      const actions = await everyAction(hash);
      assert.deepEqual(
        actions.map((action) => [
          action.call_depth,
          action.call_operation_type,
          action.input,
          action.gas_used,
          action.result_data_type === "OUTPUT",
        ]),
        expected.map(({ depth, frame }) => [
          depth,
          frame.type,
          frame.input,
          Number(frame.gasUsed),
          frame.error === undefined,
        ]),
        scene,
      );
      assert.deepEqual(
        actions.map(({ index }) => index),
        upTo(expected.length),
      );
    }
  });

  it("name everybody by entity ids, which lead back to the contracts of the chain", async () => {
    const [swap] = await everyAction(scenes.transactions.swap);
    assert.ok(swap);
    assert.equal(swap.caller_type, "ACCOUNT");
    assert.equal(swap.recipient_type, "CONTRACT");
    assert.equal(Number(swap.to), Number(swap.recipient?.split(".")[2]));
    assert.equal(Number(swap.from), Number(swap.caller.split(".")[2]));
    assert.equal(swap.caller, scenes.transactionIds.swap.split("-")[0]);
    for (const name of [swap.recipient, swap.to, scenes.contracts.router, scenes.contracts.router.slice(2)]) {
      const contract = await get<Record<string, string>>(`/api/v1/contracts/${name}`);
      assert.equal(contract["evm_address"], scenes.contracts.router);
      assert.equal(
        contract["runtime_bytecode"],
        await chain.rpc("eth_getCode", scenes.contracts.router, "latest"),
      );
    }
    assert.deepEqual(await refusal(`/api/v1/contracts/${swap.caller}`), [404, "Not found"]);
    assert.deepEqual(await refusal(`/api/v1/contracts/${owner}`), [404, "Not found"]);
    assert.deepEqual(await refusal("/api/v1/contracts/router"), [400, "Invalid parameter: contractid"]);
  });

  it("say what a call was: static, delegated, a creation, a precompile, a system contract", async () => {
    const kinds = async (scene: keyof LedgerScenes["transactions"]) =>
      (await everyAction(scenes.transactions[scene])).map(
        ({ call_depth: depth, call_operation_type: operation, call_type: type }) =>
          `${depth} ${operation} ${type}`,
      );
    assert.deepEqual(await kinds("fingerprint"), ["0 CALL CALL", "1 STATICCALL PRECOMPILE"]);
    assert.deepEqual(await kinds("coinTransfer"), ["0 CALL CALL", "1 DELEGATECALL SYSTEM"]);
    assert.deepEqual(await kinds("createPool"), ["0 CALL CALL", "1 CREATE CREATE"]);
    assert.deepEqual(await kinds("createPoolAt"), ["0 CALL CALL", "1 CREATE2 CREATE"]);
    assert.deepEqual((await kinds("throughProxy")).slice(0, 3), [
      "0 CALL CALL",
      "1 DELEGATECALL CALL",
      "2 CALL CALL",
    ]);
    assert.deepEqual((await kinds("slippage")).slice(-2), ["3 STATICCALL CALL", "3 STATICCALL CALL"]);
    const [, redirect] = await everyAction(scenes.transactions.coinTransfer);
    assert.equal(redirect?.recipient, "0.0.359");
    assert.match(redirect.input, /^0x618dc65e0{35}6f89aa9059cbb/);
  });

  it("say why a call failed, each in the form that the ledger has for it", async () => {
    const hexOf = (text: string) => `0x${Buffer.from(text).toString("hex")}`;
    const [outermost, deepest] = [0, -1];
    const failures: readonly [keyof LedgerScenes["transactions"], number, string, RegExp][] = [
      ["slippage", outermost, "REVERT_REASON", /^0x[0-9a-f]{136}$/],
      ["slippage", deepest, "REVERT_REASON", /^0x[0-9a-f]{136}$/],
      ["wrongToken", deepest, "REVERT_REASON", /^0x08c379a0/],
      ["pairExists", deepest, "REVERT_REASON", /^0x[0-9a-f]{8}0{24}[0-9a-f]{40}$/],
      ["divisionByZero", deepest, "REVERT_REASON", /^0x4e487b710{62}12$/],
      ["emptyRevert", outermost, "REVERT_REASON", /^0x$/],
      ["emptyRevert", deepest, "REVERT_REASON", /^0x$/],
      ["outOfGas", deepest, "ERROR", new RegExp(`^${hexOf("INSUFFICIENT_GAS")}$`)],
      ["outOfGasInside", outermost, "REVERT_REASON", /^0x$/],
      ["outOfGasInside", deepest, "ERROR", new RegExp(`^${hexOf("INSUFFICIENT_GAS")}$`)],
      ["saltTaken", deepest, "ERROR", new RegExp(`^${hexOf("ILLEGAL_STATE_CHANGE")}$`)],
    ];
    for (const [scene, at, type, data] of failures) {
      const failed = (await everyAction(scenes.transactions[scene])).filter(
        ({ result_data_type: one }) => one !== "OUTPUT",
      );
      assert.equal(failed.at(at)?.result_data_type, type, scene);
      assert.match(failed.at(at)?.result_data ?? "", data, scene);
    }
    const slippage = await everyAction(scenes.transactions.slippage);
    assert.deepEqual(
      slippage
        .filter(({ result_data_type: type }) => type !== "OUTPUT")
        .map(({ call_depth: depth }) => depth),
      [0, 1, 2],
    );
  });

  it("name no recipient of a creation that failed", async () => {
    const creation = (await everyAction(scenes.transactions.saltTaken)).at(-1);
    assert.equal(creation?.call_type, "CREATE");
    assert.deepEqual([creation.recipient, creation.recipient_type, creation.to], [null, null, null]);
  });

  it("take what was created and reverted for a contract that did not last, not for an account", async () => {
    // CREATE of a contract with one byte of code, then REVERT: all of it in a constructor.
    const { hash } = await send({ data: "0x6460016000f36000526005601b6000f060006000fd" });
    const [outer, inner, ...others] = await everyAction(hash);
    assert.deepEqual(others, []);
    assert.equal(outer?.call_operation_type, "CREATE");
    assert.equal(outer.result_data_type, "REVERT_REASON");
    assert.deepEqual([outer.recipient, outer.recipient_type, outer.to], [null, null, null]);
    assert.equal(inner?.call_operation_type, "CREATE");
    assert.equal(inner.result_data_type, "OUTPUT");
    assert.deepEqual([inner.caller_type, inner.recipient_type], ["CONTRACT", "CONTRACT"]);
  });

  it("have values in tinybars, exact beyond 2^53", async () => {
    const [, part] = await everyAction(scenes.transactions.tip);
    assert.equal(part?.value, 25_000_000);
    const tinybars = 2n ** 60n + 1n;
    const wei = `0x${(tinybars * 10n ** 10n).toString(16)}`;
    await chain.rpc("anvil_setBalance", owner, `0x${(tinybars * 10n ** 11n).toString(16)}`);
    const { hash } = await send({ to: scenes.contracts.proxy, value: wei });
    const text = await (await ask(actionsOf(hash))).text();
    assert.match(text, new RegExp(`"value":${tinybars}[,}]`));
  });

  it("are an empty list where no contract was called, and missing where no transaction is", async () => {
    assert.deepEqual(await get(actionsOf(scenes.transactions.plainTransfer)), {
      actions: [],
      links: { next: null },
    });
    assert.deepEqual(await refusal(actionsOf(`0x${"ab".repeat(32)}`)), [404, "Not found"]);
    assert.deepEqual(await refusal(actionsOf("0.0.5-1-1")), [404, "Not found"]);
  });

  it("are found by id and by a hash of 32 bytes, and by nothing else that people have", async () => {
    const [hash, id] = [scenes.transactions.swap, scenes.transactionIds.swap];
    const [account = "", seconds = "", nanos = ""] = id.split("-");
    const { actions } = await get<ActionsPage>(actionsOf(hash));
    for (const name of [
      id,
      `${account}-${seconds}-${Number(nanos)}`,
      hash.slice(2),
      `0x${hash.slice(2).toUpperCase()}`,
    ]) {
      assert.deepEqual((await get<ActionsPage>(actionsOf(name))).actions, actions, name);
    }
    const wrong =
      'Invalid Transaction id. Please use "shard.realm.num-sss-nnn" format where sss are seconds and nnn are nanoseconds';
    for (const name of [
      `${account}@${seconds}.${nanos}`,
      `${hash}${"07".repeat(16)}`,
      actions[0]?.timestamp ?? "",
      `${id}-1`,
      "nonsense",
    ]) {
      assert.deepEqual(await refusal(actionsOf(encodeURIComponent(name))), [400, wrong], name);
    }
  });

  it("come in pages of 25, or of up to 100, and of no more", async () => {
    const many = scenes.transactions.manyCalls;
    assert.deepEqual(indexes(await get<ActionsPage>(actionsOf(many))), upTo(25));
    assert.equal((await get<ActionsPage>(actionsOf(many, "?limit=1000"))).actions.length, 100);
    assert.equal((await get<ActionsPage>(actionsOf(many, "?limit=3&limit=2"))).actions.length, 2);
    for (const limit of ["-1", "0", "many", "1.5", ""]) {
      assert.deepEqual(await refusal(actionsOf(many, `?limit=${limit}`)), [400, "Invalid parameter: limit"]);
    }
  });

  it("lead from page to page by a path, up or down", async () => {
    const many = scenes.transactions.manyCalls;
    const first = await get<ActionsPage>(actionsOf(many, "?limit=1"));
    assert.equal(first.links.next, actionsOf(many, "?limit=1&index=gt:0"));
    const whole = await get<ActionsPage>(actionsOf(many));
    assert.equal(whole.links.next, actionsOf(many, "?index=gt:24"));
    const last = await get<ActionsPage>(actionsOf(many, "?Order=DESC&limit=2"));
    assert.deepEqual(indexes(last), [260, 259]);
    assert.equal(last.links.next, actionsOf(many, "?order=DESC&limit=2&index=lt:259"));
    const { headers } = await ask(actionsOf(many));
    assert.equal(headers.get("link"), `<${whole.links.next}>; rel="next"`);
    const [up, down] = [await everyAction(many), await everyAction(many, "?order=desc&limit=100")];
    assert.equal(up.length, 261);
    assert.deepEqual(down.reverse(), up);
  });

  it("promise another page behind a full one, even where nothing follows", async () => {
    const { swap } = scenes.transactions;
    const full = await get<ActionsPage>(actionsOf(swap, "?limit=8"));
    assert.equal(full.actions.length, 8);
    assert.equal(full.links.next, actionsOf(swap, "?limit=8&index=gt:7"));
    assert.deepEqual(await get(full.links.next), { actions: [], links: { next: null } });
    assert.equal((await get<ActionsPage>(actionsOf(swap, "?limit=9"))).links.next, null);
  });

  it("can be bounded on one side or on both, which holds on the next page as well", async () => {
    const many = scenes.transactions.manyCalls;
    const some = async (query: string) => indexes(await get<ActionsPage>(actionsOf(many, query)));
    assert.deepEqual(await some("?index=7"), [7]);
    assert.deepEqual(await some("?index=eq:7"), [7]);
    assert.deepEqual(await some("?index=gt:258"), [259, 260]);
    assert.deepEqual(await some("?index=lte:1"), [0, 1]);
    const bounded = await get<ActionsPage>(actionsOf(many, "?index=gte:3&index=lt:8&limit=3"));
    assert.deepEqual(indexes(bounded), [3, 4, 5]);
    assert.equal(bounded.links.next, actionsOf(many, "?index=lt:8&index=gt:5&limit=3"));
    assert.deepEqual(indexes(await get<ActionsPage>(bounded.links.next)), [6, 7]);
    const exhausted = await get<ActionsPage>(actionsOf(many, "?index=gte:3&index=lt:6&limit=3"));
    assert.deepEqual([indexes(exhausted), exhausted.links.next], [[3, 4, 5], null]);
    for (const index of ["ne:3", "in:3", "-1", "x", "0.0.3"]) {
      assert.deepEqual(await refusal(actionsOf(many, `?index=${index}`)), [400, "Invalid parameter: index"]);
    }
  });

  it("refuse what they do not know, before they look for the transaction", async () => {
    assert.deepEqual(await refusal(actionsOf("0.0.5-1-1", "?nonce=0&limit=x&order=up&index=ne:1")), [
      400,
      "Invalid parameter: index",
      "Invalid parameter: limit",
      "Invalid parameter: order",
      "Unknown query parameter: nonce",
    ]);
    const often = Array.from({ length: 101 }, () => "index=gt:1").join("&");
    assert.deepEqual(await refusal(actionsOf(scenes.transactions.swap, `?${often}`)), [
      400,
      "Parameter values count exceeds maximum number allowed: index count: 101 max: 100",
    ]);
  });
});

describe("The result of a contract transaction", () => {
  it("says whether it succeeded, and what came back", async () => {
    const results: readonly [keyof LedgerScenes["transactions"], string, string, RegExp | null][] = [
      ["swap", "SUCCESS", "0x1", null],
      ["slippage", "CONTRACT_REVERT_EXECUTED", "0x0", /^0x[0-9a-f]{136}$/],
      ["emptyRevert", "CONTRACT_REVERT_EXECUTED", "0x0", /^0x$/],
      ["outOfGas", "INSUFFICIENT_GAS", "0x0", /^INSUFFICIENT_GAS$/],
    ];
    for (const [scene, result, status, message] of results) {
      const found = await get<Record<string, unknown>>(
        `/api/v1/contracts/results/${scenes.transactions[scene]}`,
      );
      assert.deepEqual([found["result"], found["status"]], [result, status], scene);
      if (message === null) assert.equal(found["error_message"], null);
      else assert.match(String(found["error_message"]), message, scene);
    }
    const transfer = await get<{ logs: { address: string; topics: string[] }[] }>(
      `/api/v1/contracts/results/${scenes.transactionIds.tokenTransfer}`,
    );
    assert.equal(transfer.logs.length, 1);
    assert.equal(transfer.logs[0]?.topics.length, 3);
  });
});

describe("Schedules", () => {
  const path = (query = "") => `/api/v1/schedules${query}`;
  const ids = ({ schedules }: SchedulesPage) =>
    schedules.map(({ schedule_id: id }) => Number(String(id).split(".")[2]));

  it("come the oldest first unless asked otherwise, of all creators or some", async () => {
    const list = async (query: string) => ids(await get<SchedulesPage>(path(query)));
    assert.deepEqual(await list(""), [7708, 7709, 7710, 7711, 7712]);
    assert.deepEqual(await list("?order=desc"), [7712, 7711, 7710, 7709, 7708]);
    assert.deepEqual(await list("?account.id=0.0.2009"), [7708]);
    assert.deepEqual(await list("?account.id=ne:2009"), [7709, 7710, 7711, 7712]);
    assert.deepEqual(await list("?schedule.id=gte:0.0.7711"), [7711, 7712]);
    assert.deepEqual(await list("?schedule.id=gt:7708&schedule.id=lt:0.7711"), [7709, 7710]);
  });

  it("lead on with the creator and the order kept", async () => {
    const first = await get<SchedulesPage>(path("?account.id=0.0.2002&order=desc&limit=2"));
    assert.deepEqual(ids(first), [7712, 7711]);
    assert.equal(first.links.next, path("?account.id=0.0.2002&order=desc&limit=2&schedule.id=lt:0.0.7711"));
    const second = await get<SchedulesPage>(first.links.next);
    assert.deepEqual(ids(second), [7710, 7709]);
    assert.ok(second.links.next !== null);
    assert.deepEqual(await get(second.links.next), { schedules: [], links: { next: null } });
  });

  it("refuse what is no id, and addresses", async () => {
    assert.deepEqual(await refusal(path("?account.id=me&schedule.id=gt:x&timestamp=5")), [
      400,
      "Invalid parameter: account.id",
      "Invalid parameter: schedule.id",
      "Unknown query parameter: timestamp",
    ]);
    for (const id of ["abc", `0x${"0".repeat(36)}1e1f`, "0.0.7711-1-1"]) {
      assert.deepEqual(await refusal(path(`/${id}`)), [400, "Invalid parameter: scheduleid"], id);
    }
    assert.deepEqual(await refusal(path("/0.0.7711?limit=1")), [400, "Unknown query parameter: limit"]);
    assert.deepEqual(await refusal(path("/0.0.456858")), [404, "Not found"]);
  });

  it("may be kept for an hour once nothing can change any more, and no longer than a second before", async () => {
    for (const [scene, id] of Object.entries(scenes.schedules)) {
      const response = await ask(path(`/${id}`));
      const record = (await response.json()) as Record<string, unknown>;
      const state = scheduleState(readSchedule(record, networkAt(ledger.url)), Date.now());
      assert.equal(state, scene === "garbage" ? "pending" : scene);
      const seconds = state === "pending" ? 1 : 3600;
      assert.equal(response.headers.get("cache-control"), `public, max-age=${seconds}`, scene);
    }
  });

  it("hold what they will do as the network's own message, or bytes that are none", async () => {
    const kinds = new Map<string, string | undefined>();
    for (const [scene, id] of Object.entries(scenes.schedules)) {
      const record = await get<Record<string, unknown>>(path(`/${id}`));
      kinds.set(scene, decodeTransactionBody(record["transaction_body"])?.kind);
    }
    assert.deepEqual(Object.fromEntries(kinds), {
      expired: "cryptoTransfer",
      deleted: "tokenMint",
      executed: "contractCall",
      pending: "contractCall",
      garbage: undefined,
    });
  });
});

describe("Transactions", () => {
  const path = (rest: string) => `/api/v1/transactions${rest}`;

  it("are found by consensus timestamp, such as the one that a schedule ran", async () => {
    const { executed_timestamp: executed } = await get<Record<string, string>>(
      `/api/v1/schedules/${scenes.schedules.executed}`,
    );
    const { transactions, links } = await get<Transactions>(path(`?timestamp=${executed}`));
    assert.equal(transactions.length, 1);
    assert.equal(transactions[0]?.scheduled, true);
    assert.equal(transactions[0].result, "SUCCESS");
    assert.equal(transactions[0].transaction_id, scenes.transactionIds.scheduledCall);
    assert.equal(links?.next, null);
    assert.deepEqual((await get<Transactions>(path("?timestamp=1"))).transactions, []);
  });

  it("come the newest first, page by page, and by result", async () => {
    const all: Transactions["transactions"][number][] = [];
    for (let next: string | null = path("?limit=7"); next !== null;) {
      const page: Transactions = await get<Transactions>(next);
      all.push(...page.transactions);
      next = page.links?.next ?? null;
    }
    const times = all.map(({ consensus_timestamp: time }) => time);
    assert.ok(all.length > 35);
    assert.equal(new Set(times).size, times.length);
    assert.deepEqual([...times].sort().reverse(), times);
    const failed = await get<Transactions>(path("?result=fail&limit=100"));
    assert.deepEqual(
      failed.transactions.map(({ consensus_timestamp: time }) => time),
      all.filter(({ result }) => result !== "SUCCESS").map(({ consensus_timestamp: time }) => time),
    );
    assert.deepEqual(await refusal(path("?result=maybe&timestamp=now&index=1")), [
      400,
      "Invalid parameter: timestamp",
      "Invalid parameter: result",
      "Unknown query parameter: index",
    ]);
  });

  it("are told apart under one id: what was scheduled, and the children of a call", async () => {
    const scheduled = scenes.transactionIds.scheduledCall;
    const names = async (rest: string) =>
      (await get<Transactions>(path(`/${rest}`))).transactions.map(
        ({ name, nonce, scheduled: isScheduled }) => `${name} ${nonce}${isScheduled ? " scheduled" : ""}`,
      );
    assert.deepEqual(await names(scheduled), ["SCHEDULECREATE 0", "ETHEREUMTRANSACTION 0 scheduled"]);
    assert.deepEqual(await names(`${scheduled}?scheduled=true`), ["ETHEREUMTRANSACTION 0 scheduled"]);
    assert.deepEqual(await names(`${scheduled}?Scheduled=FALSE`), ["SCHEDULECREATE 0"]);
    const coin = scenes.transactionIds.coinTransfer;
    assert.deepEqual(await names(coin), ["ETHEREUMTRANSACTION 0", "CRYPTOTRANSFER 1"]);
    const { transactions } = await get<Transactions>(path(`/${coin}?nonce=1`));
    const [parent] = (await get<Transactions>(path(`/${coin}?nonce=0`))).transactions;
    assert.equal(transactions[0]?.parent_consensus_timestamp, parent?.consensus_timestamp);
    assert.deepEqual(await refusal(path(`/${coin}?nonce=2`)), [404, "Not found"]);
    assert.deepEqual(await refusal(path(`/${coin}?nonce=x&scheduled=perhaps&limit=1`)), [
      400,
      "Invalid parameter: nonce",
      "Invalid parameter: scheduled",
      "Unknown query parameter: limit",
    ]);
  });

  it("have a hash of 48 bytes, which begins with the chain's and finds them in hex and in base64", async () => {
    const [{ transaction_hash: base64 } = assert.fail()] = (
      await get<Transactions>(path(`/${scenes.transactionIds.swap}`))
    ).transactions;
    const hex = Buffer.from(base64, "base64").toString("hex");
    assert.equal(hex.length, 96);
    assert.equal(`0x${hex.slice(0, 64)}`, scenes.transactions.swap);
    const urlSafe = base64.replaceAll("+", "-").replaceAll("/", "_");
    for (const name of [hex, `0x${hex}`, urlSafe, encodeURIComponent(base64)]) {
      const { transactions } = await get<Transactions>(path(`/${name}`));
      assert.equal(transactions[0]?.transaction_id, scenes.transactionIds.swap, name);
    }
    // Without 0x, 32 bytes in hex are 48 in base64.
    assert.deepEqual(await refusal(path(`/${hex.slice(0, 64)}`)), [404, "Not found"]);
    assert.equal((await refusal(path(`/0x${hex.slice(0, 64)}`)))[0], 400);
  });

  it("that were scheduled long before can't be reached by their id, but by their hash", async () => {
    const id = scenes.transactionIds.scheduledCall;
    assert.deepEqual((await get<ActionsPage>(actionsOf(id))).actions, []);
    assert.deepEqual(await refusal(`/api/v1/contracts/results/${id}`), [404, "Not found"]);
    const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
    try {
      const network = networkAt(ledger.url);
      const service = new LedgerService({ client, network: () => network });
      const [account = "", seconds = "", nanos = ""] = id.split("-");
      const found = await service.actions(`${account}@${seconds}.${nanos}?scheduled`);
      assert.equal(found.toRecord().actions.length, 2);
    } finally {
      await client.dispose();
    }
  });
});

describe("An answer", () => {
  const token = () => `/api/v1/tokens/${scenes.tokens.coin}`;

  it("says how long it may be kept", async () => {
    const ages: readonly (readonly [string, number])[] = [
      [token(), 5],
      ["/api/v1/schedules", 10],
      [actionsOf(scenes.transactions.swap), 600],
      [`/api/v1/contracts/results/${scenes.transactions.swap}`, 600],
      [`/api/v1/transactions/${scenes.transactionIds.swap}`, 600],
      [`/api/v1/contracts/${scenes.contracts.router}`, 1],
    ];
    for (const [target, seconds] of ages) {
      const { headers } = await ask(target);
      assert.equal(headers.get("cache-control"), `public, max-age=${seconds}`, target);
      assert.equal(headers.get("access-control-allow-origin"), "*");
    }
  });

  it("has a weak tag, and no body for who has it already", async () => {
    const etag = (await ask(token())).headers.get("etag") ?? "";
    assert.match(etag, /^W\/"[0-9a-f]+-[A-Za-z0-9+/]{27}"$/);
    for (const known of [etag, `"other", ${etag}`, etag.slice(2), "*"]) {
      const response = await ask(token(), { headers: { "if-none-match": known } });
      assert.deepEqual([response.status, await response.text()], [304, ""], known);
      assert.equal(response.headers.get("etag"), etag);
    }
    assert.equal((await ask(token(), { headers: { "if-none-match": 'W/"other"' } })).status, 200);
  });

  it("is compressed where it is worth it and wanted", async () => {
    const wanted = { headers: { "accept-encoding": "gzip" } };
    const [small, large] = [actionsOf(scenes.transactions.plainTransfer), token()];
    assert.equal((await ask(large, wanted)).headers.get("content-encoding"), "gzip");
    assert.equal((await ask(small, wanted)).headers.get("content-encoding"), null);
    const plain = await ask(large, { headers: { "accept-encoding": "identity" } });
    assert.equal(plain.headers.get("content-encoding"), null);
    assert.equal(await plain.text(), await (await ask(large, wanted)).text());
  });

  it("tells the supply of the network as of its last transaction, which shows that the ledger is alive", async () => {
    const { timestamp, ...supply } = await get<Record<string, unknown>>("/api/v1/network/supply");
    const [last] = (await get<Transactions>("/api/v1/transactions?limit=1")).transactions;
    assert.equal(timestamp, last?.consensus_timestamp);
    assert.deepEqual(supply, { released_supply: "5000000000000000000", total_supply: "5000000000000000000" });
  });

  it("is an error body for what is not there, for other methods, and for broken escapes", async () => {
    assert.deepEqual(await refusal("/api/v1/nothing"), [404, "Not found"]);
    assert.equal((await ask(token(), { method: "POST" })).status, 404);
    assert.equal((await ask(token(), { method: "HEAD" })).status, 200);
    assert.equal((await refusal("/api/v1/tokens/%E0%A4"))[0], 400);
  });

  it("names its host in links where the ledger is set up so", async () => {
    const other = await startLedgerServer(chain, { includeHostInLink: true });
    try {
      const target = actionsOf(scenes.transactions.swap, "?limit=1");
      const { links } = (await (await fetch(other.url + target)).json()) as ActionsPage;
      assert.equal(links.next, `${other.url}${target}&index=gt:0`);
    } finally {
      await other.stop();
    }
  });
});

describe("A ledger in trouble", () => {
  const target = () => actionsOf(scenes.transactions.manyCalls);
  afterEach(() => {
    ledger.fault = undefined;
  });

  it("hides behind a firewall's page", async () => {
    ledger.fault = forbiddenPage();
    const response = await ask(target());
    assert.equal(response.status, 403);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(await response.text(), /^<!doctype html>.*403 Forbidden$/);
  });

  it("comes back after a burst of bad gateways, and counts who asked", async () => {
    ledger.fault = atFirst(2, badGateway());
    const path = target();
    const before = ledger.timesAsked(path);
    const statuses = [];
    for (const query of ["", "?limit=1", "?limit=2"]) statuses.push((await ask(path + query)).status);
    assert.deepEqual(statuses, [502, 502, 200]);
    assert.equal(ledger.timesAsked(path) - before, 3);
  });

  it("runs into its database's timeout, and into its limits", async () => {
    ledger.fault = databaseTimeout(1);
    assert.deepEqual(await refusal(target()), [503, "Service unavailable"]);
    ledger.fault = tooManyRequests();
    assert.equal((await ask(target())).headers.get("retry-after"), null);
    ledger.fault = tooManyRequests("7");
    const limited = await ask(target());
    assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "7"]);
  });

  it("sends half of a body, or loses the connection", async () => {
    const whole = await (await ask(target())).text();
    ledger.fault = truncatedBody();
    const half = await (await ask(target())).text();
    assert.equal(half, whole.slice(0, Math.floor(whole.length / 2)));
    assert.throws(() => void JSON.parse(half), SyntaxError);
    ledger.fault = brokenConnection();
    await assert.rejects(async () => (await ask(target())).text());
  });

  it("names a page elsewhere, but only where it was told to", async () => {
    ledger.fault = onlyFor(/\?limit=1$/, foreignNextPage("http://10.0.0.1:5551"));
    const next = async (query: string) => (await get<ActionsPage>(target() + query)).links.next;
    assert.equal(await next("?limit=1"), `http://10.0.0.1:5551${target()}?limit=1&index=gt:0`);
    assert.equal(await next("?limit=2"), `${target()}?limit=2&index=gt:1`);
  });

  it("answers late, but answers", async () => {
    ledger.fault = slow(5);
    assert.equal((await get<ActionsPage>(target())).actions.length, 25);
  });
});

/** All actions through all pages. */
async function everyAction(transaction: string, query = ""): Promise<Action[]> {
  const actions: Action[] = [];
  for (let next: string | null = actionsOf(transaction, query); next !== null;) {
    const page: ActionsPage = await get<ActionsPage>(next);
    actions.push(...page.actions);
    next = page.links.next;
  }
  return actions;
}

/** Sends a transaction of the owner and waits until the ledger has it. */
async function send(transaction: object): Promise<{ hash: string }> {
  const hash = await chain.rpc<string>("eth_sendTransaction", {
    from: owner,
    gas: "0x1e8480",
    ...transaction,
  });
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    if (await ledger.transactions.find(hash)) return { hash };
  }
  throw new Error(`The transaction ${hash} did not reach the ledger.`);
}

describe("A contract", () => {
  const callOf = (to: string, data: string, more: object = {}) =>
    ask("/api/v1/contracts/call", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ data, to, block: "latest", estimate: false, ...more }),
    });

  it("answers a call as the chain does, by its address or the one of its id, and says where it reverts", async () => {
    const { token, router } = scenes.contracts;
    const wanted = await chain.rpc<string>("eth_call", { to: token, data: "0x95d89b41" }, "latest");
    for (const to of [token, ledger.entities.longZeroOf(token)]) {
      const response = await callOf(to, "0x95d89b41");
      assert.deepEqual([response.status, await response.json()], [200, { result: wanted }], to);
    }
    const reverted = await callOf(router, "0x95d89b41");
    assert.equal(reverted.status, 400);
    assert.match(await reverted.text(), /CONTRACT_REVERT_EXECUTED/);
  });

  it("is asked for its decimals, by which the balances are told that the failed swap asked for", async () => {
    const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
    try {
      const network = networkAt(ledger.url);
      const service = new LedgerService({ client, network: () => network });
      const contracts = new TokenContracts(service);
      const namer = new ActionNamer(network, [new StandardNames()], undefined, (scope) =>
        contracts.at(scope),
      );
      const { tree } = await service.actions(scenes.transactions.slippage);
      namer.learnTokens(tree.actions);
      for (const action of tree.actions) await namer.name(action);
      // balanceOf(address)
      const asked = tree.actions.find(({ input }) => String(input).startsWith("0x70a08231"));
      const told = () => valuesText((asked && namer.known(asked)?.results) ?? [], "short");
      assert.match(told(), /^1,010,000,000,000,000,000,000$/);
      assert.equal(await namer.lookUpContracts([]), true);
      assert.equal(told(), "1,010.0 SMPL");
    } finally {
      await client.dispose();
    }
  });
});
