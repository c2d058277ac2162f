import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { id } from "ethers";
import { filterActions } from "../../../src/core/ledger/actions/actionFilter.ts";
import { ActionNamer, type ActionNames } from "../../../src/core/ledger/actions/actionNames.ts";
import {
  actionAsText,
  actionInFull,
  actionLine,
  actionRow,
  actionWords,
} from "../../../src/core/ledger/actions/actionRows.ts";
import { foundActions, searchWords } from "../../../src/core/ledger/actions/actionSearch.ts";
import { actionAsJson, actionsAsJson, actionsAsText } from "../../../src/core/ledger/actions/actionText.ts";
import type { ActionTree } from "../../../src/core/ledger/actions/actionTree.ts";
import { lineText } from "../../../src/core/text/labelledText.ts";
import { StandardNames } from "../../../src/core/ledger/names/standardNames.ts";
import type { NameCertainty, NameSource } from "../../../src/core/ledger/names/nameSource.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { systemFunctions, unpackRedirect } from "../../../src/core/ledger/actions/systemContracts.ts";
import { addressOf, encoded, returned, reverted, treeOf } from "./actions.ts";

const network = networkAt("http://127.0.0.1:1");
const token = "0x00000000000000000000000000000000000004d2";
const transferCall = encoded("transfer(address,uint256)", [addressOf(9), 5_000_000n]);

/** A source that knows these definitions by selector and one contract. */
function source(
  certainty: NameCertainty,
  { functions = [], contract }: { functions?: readonly string[]; contract?: string } = {},
): NameSource & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    certainty,
    asked,
    definitions(kind, selector, { address }) {
      if (kind === "error") return Promise.resolve([]);
      asked.push(`${selector} ${address ?? ""}`);
      const fitting = functions.filter((text) => {
        const [name = "", types = ""] = /^function (\w+)\(([^)]*)\)/.exec(text)?.slice(1) ?? [];
        const plain = types.split(",").map((one) => one.trim().split(" ")[0]);
        return id(`${name}(${plain.join(",")})`).startsWith(selector);
      });
      return Promise.resolve(fitting.map((abi) => ({ abi })));
    },
    contractName: () => Promise.resolve(contract === undefined ? undefined : { name: contract }),
  };
}

const names = (tree: ActionTree, at: number, ...sources: readonly NameSource[]): Promise<ActionNames> =>
  new ActionNamer(network, sources).name(tree.actions[at] ?? {});
const label = async (fields: Readonly<Record<string, unknown>>, ...sources: readonly NameSource[]) => {
  const tree = treeOf({ depth: 0, ...fields });
  return actionWords(tree, 0, await names(tree, 0, ...sources)).label;
};

describe("What an action did", () => {
  it("is told by operation, target and function", async () => {
    assert.equal(await label({}), "call 0.0.200.receive()");
    assert.equal(
      await label({ call_operation_type: "STATICCALL", input: transferCall }),
      "static 0.0.200.0xa9059cbb(…)",
    );
    assert.equal(
      await label({ call_operation_type: "DELEGATECALL", recipient: null }),
      "delegate 0.0.200.receive()",
    );
    assert.equal(
      await label({ call_type: "CREATE", call_operation_type: "CREATE2", input: "0x6080" }),
      "create2 0.0.200",
    );
    assert.equal(
      await label({ call_type: "CREATE", call_operation_type: "CREATE", recipient: null, to: null }),
      "create contract that was not created",
    );
    // The first records of 2022 have no operation.
    assert.equal(await label({ call_operation_type: undefined }), "call 0.0.200.receive()");
    assert.equal(
      await label({ call_operation_type: undefined, call_type: "SYSTEM" }),
      "system 0.0.200.receive()",
    );
    assert.equal(await label({ call_operation_type: "WARP", call_type: "WARP" }), "action 0.0.200.receive()");
    assert.equal(
      await label({ to: addressOf(1), call_type: "PRECOMPILE", input: "0x00" }),
      "precompile ecrecover(0x00)",
    );
  });

  it("carries value in HBAR if there is any, gas and own gas", () => {
    const tree = treeOf(
      { depth: 0, value: "9223372036854775807", gas_used: 121_944 },
      { depth: 1, gas_used: 107_842 },
    );
    assert.match(
      actionRow(tree, 0, undefined).description ?? "",
      /^121,944 gas · 92,233,720,368\.54775807 ℏ · own 14,102$/,
    );
    assert.equal(actionRow(tree, 1, undefined).description, "107,842 gas");
    const odd = treeOf({ depth: 0, value: -5, gas_used: "lots" });
    assert.match(actionRow(odd, 0, undefined).description ?? "", /-0\.00000005 ℏ/);
    assert.ok(actionRow(odd, 0, undefined).tooltip?.some((line) => line === "Gas used: lots"));
    const unreadable = treeOf({ depth: 0, value: 0.5 });
    assert.match(
      actionRow(unreadable, 0, undefined).description ?? "",
      /value 0\.5 \(as the server sent it\)/,
    );
  });

  it("is told with its long ids shortened in the middle, and copied with whole ones", async () => {
    const role = `0x${"9f".repeat(32)}`;
    const tree = treeOf({ depth: 0, input: encoded("hasRole(bytes32)", [role]) });
    const workspace = source("workspace", { functions: ["function hasRole(bytes32 role)"] });
    const found = await names(tree, 0, workspace);
    assert.equal(actionWords(tree, 0, found).args, "role: 0x9f9f…9f9f");
    assert.equal(actionWords(tree, 0, found, "whole").args, `role: ${role}`);
    assert.ok(actionRow(tree, 0, found).tooltip?.some((line) => line.includes(role)));
  });

  it("has addresses that are made of ids as these ids, in a copy as in a row, and no other bytes", async () => {
    const other = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
    const abi =
      "function pay(address[] to, (address who, bytes20 mark, bytes note)[] by, address none, address service)";
    const types = ["address[]", "tuple(address,bytes20,bytes)[]", "address", "address"];
    const values = [
      [addressOf(1001), other],
      [[addressOf(1002), addressOf(1003), addressOf(1004)]],
      addressOf(0),
      addressOf(0x167),
    ];
    const selector = id("pay(address[],(address,bytes20,bytes)[],address,address)").slice(0, 10);
    const input = selector + returned(types, values).slice(2);
    const paid = treeOf({ depth: 0, recipient: null, to: addressOf(1007), input });
    const known = await names(paid, 0, {
      ...source("workspace"),
      definitions: () => Promise.resolve([{ abi }]),
    });
    const args = (shown: string) =>
      `to: [0.0.1001, ${shown}], by: [(who: 0.0.1002, mark: ${addressOf(1003)}, note: ${addressOf(1004)})], ` +
      "none: zero address, service: Hedera Token Service";
    assert.equal(actionWords(paid, 0, known, "whole").label, `call 0.0.1007.pay(${args(other)})`);
    assert.match(
      actionWords(paid, 0, known).args ?? "",
      /^to: \[0\.0\.1001, 0x5FbD…0aa3\], by: \[\(who: 0\.0\.1002/,
    );
    assert.ok(actionRow(paid, 0, known).tooltip?.includes(`  to: [0.0.1001, ${other}]` as never));
  });

  it("tells value that came with nothing else from data that no function takes", async () => {
    assert.equal(await label({ value: 200_000_000 }), "call 0.0.200.receive()");
    assert.equal(await label({ input: "0x1234" }), "call 0.0.200.fallback(0x1234)");
  });

  it("has the calls that a multicall packs by their names, and leaves alone what is none", async () => {
    const [approve, transfer] = [
      encoded("approve(address,uint256)", [addressOf(1001), 5_000n]),
      encoded("transfer(address,uint256)", [addressOf(1002), 7n]),
    ];
    const inner = encoded("multicall(bytes[])", [[transfer]]);
    const noCall = `${transfer}00`;
    const input = encoded("multicall(uint256,bytes[])", [1_764_000_600n, [approve, inner, noCall, "0x"]]);
    const tree = treeOf({ depth: 0, input });
    const asked: string[] = [];
    const guess: NameSource = {
      ...source("guess"),
      definitions: (_kind, selector) => {
        asked.push(selector);
        return Promise.resolve([]);
      },
    };
    const known = await names(tree, 0, new StandardNames(), guess);
    assert.equal(
      actionWords(tree, 0, known, "whole").args,
      "deadline: 2025-11-24 16:10:00 UTC (1,764,000,600), data: [approve(spender: 0.0.1001, value: 5,000), " +
        `multicall(data: [transfer(to: 0.0.1002, value: 7)]), ${noCall}, 0x]`,
    );
    assert.match(actionRow(tree, 0, known).description ?? "", /data: \[approve\(spender: 0/);
    assert.deepEqual(asked, [], "a guess is not looked for in what is packed");
    // However deep and however many there are, it ends.
    let deep = transfer;
    for (let level = 0; level < 40; level++) deep = encoded("multicall(bytes[])", [[deep]]);
    const wide = encoded("multicall(bytes[])", [Array.from({ length: 500 }, () => transfer)]);
    const much = treeOf({ depth: 0, input: deep }, { depth: 0, input: wide });
    const [nested, many] = await Promise.all([0, 1].map((at) => names(much, at, new StandardNames())));
    assert.match(
      actionWords(much, 0, nested, "whole").args ?? "",
      /^(?:data: \[multicall\(){3}data: \[0x[\da-f]+\]\)\]\)\]\)\]$/,
    );
    assert.equal(actionWords(much, 1, many, "whole").args?.match(/transfer\(/g)?.length, 100);
  });

  it("has what precompiled contracts were given and answered", () => {
    const precompile = (number: number, input: string, result_data: string) => {
      const tree = treeOf({ depth: 0, to: addressOf(number), call_type: "PRECOMPILE", input, result_data });
      return ["short", "whole"].map((form) => actionLine(actionWords(tree, 0, undefined, form as "short")));
    };
    const [hash, part] = ["5e".repeat(32), "aa".repeat(32)];
    const signature = `${"1b".padStart(64, "0")}${part}${part}`;
    assert.equal(
      precompile(1, `0x${hash}${signature}`, returned(["address"], [addressOf(1001)]))[1],
      `precompile ecrecover(hash: 0x${hash}, v: 27, r: 0x${part}, s: 0x${part}) · → 0.0.1001 · 100,000 gas`,
    );
    assert.deepEqual(precompile(2, "0x1234", `0x${hash}`), [
      "precompile sha256(0x1234) · → 0x5e5e…5e5e · 100,000 gas",
      `precompile sha256(0x1234) · → 0x${hash} · 100,000 gas`,
    ]);
    assert.match(
      precompile(3, "0x12", `0x${"5e".repeat(20).padStart(64, "0")}`)[1] ?? "",
      /→ 0x(?:5e){20} ·/,
    );
    assert.equal(precompile(4, "0x12", "0x12")[1], "precompile identity(0x12) · → 0x12 · 100,000 gas");
    // A signature that is none has no signer.
    assert.equal(precompile(1, "0x", "0x")[1], "precompile ecrecover() · 100,000 gas");
  });

  it("says nothing twice where the pointer is", () => {
    const tree = treeOf({ depth: 0 }, { depth: 1, call_operation_type: "STATICCALL", gas_used: 25_000 });
    const [first = [], second = []] = [0, 1].map((at) => actionInFull(tree, at, undefined).map(lineText));
    for (const line of [
      "From: 0.0.100 · ACCOUNT",
      "To: 0.0.200 · CONTRACT",
      "Operation: CALL",
      "Gas used: 100,000",
      "Index: 0",
      "Depth: 0",
    ])
      assert.ok(first.includes(line as never), `${line} in\n${first.join("\n")}`);
    assert.ok(second.includes("Operation: CALL · STATICCALL" as never));
    assert.ok(first.includes("Own gas: 75,000" as never));
    assert.ok(!second.some((one) => one.startsWith("Own gas")), "what it called itself is all");
    assert.ok(second.includes("Gas used: 25,000 (25 % of the first call)" as never));
  });

  it("names the network's own contracts", async () => {
    for (const [number, name] of [
      [0x167, "Hedera Token Service"],
      [0x168, "Exchange Rate"],
      [0x169, "Pseudorandom Number Generator"],
      [0x16a, "Hedera Account Service"],
      [0x16b, "Hedera Schedule Service"],
      [0x16c, "Hedera Token Service (0x16c)"],
    ] as const)
      assert.equal(await label({ to: addressOf(number), call_type: "SYSTEM" }), `system ${name}.receive()`);
    const associate = encoded("associateToken(address,address)", [addressOf(9), token]);
    assert.equal(
      await label({ to: addressOf(0x167), input: associate }),
      "call Hedera Token Service.associateToken(account: 0.0.9, token: 0.0.1234)",
    );
    // Another shard's contract 0x167 is none of them.
    assert.equal(
      await label({ to: `0x00000001${"0".repeat(29)}167`, recipient: null }),
      "call 1.0.359.receive()",
    );
  });

  it("unpacks redirectForToken, packed and padded", async () => {
    const packed = `0x618dc65e${token.slice(2)}${transferCall.slice(2)}`;
    const padded = encoded("redirectForToken(address,bytes)", [token, transferCall]);
    for (const input of [packed, padded]) {
      assert.deepEqual(unpackRedirect(input), { token, input: transferCall });
      assert.equal(
        await label({ to: addressOf(0x167), input, call_operation_type: "DELEGATECALL" }),
        "delegate 0.0.1234.transfer(to: 0.0.9, amount: 5,000,000)",
      );
    }
    for (const broken of ["0x618dc65e", "0x618dc65e00", transferCall, null, 5])
      assert.equal(unpackRedirect(broken), undefined);
  });

  it("is a guess only where nothing tells better, and says so", async () => {
    const [workspace, verified, guess] = [
      source("workspace"),
      source("verified", {
        functions: ["function transfer(address to, uint256 amount) returns (bool)"],
        contract: "Coin",
      }),
      source("guess", { functions: ["function transfer(address a, uint256 b)"] }),
    ];
    const tree = treeOf({ depth: 0, input: transferCall, result_data: returned(["bool"], [true]) });
    const known = await names(tree, 0, workspace, verified, guess);
    assert.equal(known.call?.certainty, "verified");
    assert.match(actionWords(tree, 0, known).label, /^call Coin\.transfer\(to: /);
    assert.equal(actionWords(tree, 0, known).result, "→ true");
    assert.equal(workspace.asked.length, 1);
    assert.equal(guess.asked.length, 0);
    const guessed = await names(tree, 0, guess);
    assert.match(actionWords(tree, 0, guessed).label, /\.transfer\?\(/);
    assert.match(actionRow(tree, 0, guessed).description ?? "", /name is a guess/);
    // A chance hit on a selector does not give the data again.
    const other = treeOf({ depth: 0, input: `${transferCall}00` });
    assert.equal((await names(other, 0, guess)).call, undefined);
  });

  it("survives a source that fails, and asks again for the one who was not cancelled", async () => {
    const broken: NameSource = {
      ...source("workspace"),
      definitions: () => Promise.reject(new Error("down")),
    };
    const tree = treeOf({ depth: 0, input: transferCall }, { depth: 1, input: transferCall });
    assert.equal((await names(tree, 0, broken)).call, undefined);
    let asked = 0;
    const slow: NameSource = {
      ...source("verified"),
      definitions: (_kind, _selector, { signal }) =>
        asked++ === 0
          ? new Promise((_resolve, reject) => {
              signal?.addEventListener("abort", () => {
                reject(new DOMException("stopped", "AbortError"));
              });
            })
          : Promise.resolve([{ abi: "function transfer(address to, uint256 amount)" }]),
    };
    const namer = new ActionNamer(network, [slow]);
    const controller = new AbortController();
    const first = namer.name(tree.actions[0] ?? {}, controller.signal);
    const second = namer.name(tree.actions[1] ?? {});
    controller.abort();
    await assert.rejects(first, { name: "AbortError" });
    assert.equal((await second).call?.name, "transfer");
  });

  it("has selectors of the system contracts as they are published", async () => {
    for (const [selector, name] of [
      ["0x189a554c", "cryptoTransfer"],
      ["0x49146bde", "associateToken"],
      ["0xeca36917", "transferToken"],
      ["0xe0f4059a", "mintToken"],
      ["0xd83bf9a1", "getPseudorandomSeed"],
      ["0x2e3cff6a", "tinycentsToTinybars"],
      ["0x618dc65e", "redirectForToken"],
      ["0xa9059cbb", "transfer"],
      ["0x70a08231", "balanceOf"],
    ] as const)
      assert.match((await systemFunctions(selector))[0] ?? "", new RegExp(`^function ${name}\\(`), selector);
  });
});

describe("An action told in full", () => {
  const line = (lines: readonly string[], name: string) =>
    lines.find((one) => one.startsWith(`${name}: `)) ?? "";

  it("has its arguments and its results whole", async () => {
    const note = "a long note ".repeat(900);
    const tree = treeOf({
      depth: 0,
      input: encoded("remember(string)", [note]),
      result_data: returned(["string"], [note]),
    });
    const known = await names(
      tree,
      0,
      source("workspace", { functions: ["function remember(string note) returns (string said)"] }),
    );
    const full = actionInFull(tree, 0, known).map(lineText);
    assert.equal(line(full, "  note"), `  note: "${note}"`);
    assert.equal(line(full, "Returned said"), `Returned said: "${note}"`);
    assert.equal(line(full, "Input"), `Input: ${String(tree.actions[0]?.input)}`);
    assert.equal(full[0], `call 0.0.200.remember(note: "${note}")`);
    // The view's own hover is drawn by the editor, for every row that the pointer passes.
    const short = line(actionRow(tree, 0, known).tooltip ?? [], "  note");
    assert.match(short, /… \(9,80\d more characters, which a copy has\)$/);
  });

  it("says of a megabyte how much is left out", () => {
    const input = `0x${"ab".repeat(500_000)}`;
    const told = line(actionInFull(treeOf({ depth: 0, input }), 0, undefined).map(lineText), "Input");
    assert.ok(told.length < 101_000, String(told.length));
    assert.match(told, /^Input: 0xabab.*… \(900,00\d more characters, which a copy has\)$/);
    const copied = actionAsText(treeOf({ depth: 0, input }), 0, undefined);
    assert.equal(line(copied.split("\n"), "Input"), `Input: ${input}`);
  });

  it("is copied as JSON by itself, as it stands among all of them", async () => {
    const tree = treeOf({ depth: 0 }, { depth: 1, input: transferCall, value: "9223372036854775807" });
    const namer = new ActionNamer(network, [
      source("workspace", { functions: ["function transfer(address to, uint256 amount)"] }),
    ]);
    for (const one of tree.actions) await namer.name(one);
    const copied = actionAsJson(tree, 1, namer.known(tree.actions[1] ?? {}));
    const all = actionsAsJson(tree, (one) => namer.known(one));
    assert.deepEqual(JSON.parse(copied), (JSON.parse(all) as unknown[])[1]);
    assert.match(copied, /"value": 9223372036854775807\b/);
    assert.match(copied, /"signature":"transfer\(address,uint256\)"/);
  });
});

describe("Hostile actions", () => {
  it("reach a row without their teeth, and cut where they are long", () => {
    const tree = treeOf({
      depth: 0,
      recipient: `\u202e$(check)\n${"🙂".repeat(500)}`,
      ...reverted(`0x${Buffer.from("x🙂".repeat(5000)).toString("hex")}`),
      caller: "[x](command:y)",
    });
    const row = actionRow(tree, 0, undefined);
    const shown = [row.label, row.description ?? "", ...(row.tooltip ?? [])];
    for (const text of shown) {
      assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Cs}]|\$\(|\]\(/u);
      assert.ok(text.length < 5000);
    }
    assert.ok(row.label.length < 100);
  });
});

describe("Filtering actions", () => {
  const tree = treeOf(
    { depth: 0 },
    { depth: 1, call_operation_type: "STATICCALL", recipient: "0.0.301" },
    { depth: 2, recipient: "0.0.302" },
    { depth: 1, call_operation_type: "STATICCALL", recipient: "0.0.303", ...reverted("0x") },
    { depth: 1, call_operation_type: "STATICCALL", recipient: "0.0.304" },
  );
  const shown = (filter: Parameters<typeof filterActions>[1]) => {
    const { visible, matches } = filterActions(tree, filter, (at) =>
      actionLine(actionWords(tree, at, undefined)),
    );
    return { visible: Array.from(visible), matches };
  };

  it("keeps the callers of what matches", () => {
    assert.deepEqual(shown({ text: " 0.0.302 " }), { visible: [1, 1, 1, 0, 0], matches: 1 });
    assert.deepEqual(shown({ text: "WITHOUT A REASON" }), { visible: [1, 0, 0, 1, 0], matches: 1 });
    assert.deepEqual(shown({ text: "nothing has this" }), { visible: [0, 0, 0, 0, 0], matches: 0 });
    assert.equal(shown({}).matches, 5);
  });

  it("finds what a row has in short or by another name: whole addresses, ids, and the end of a text", async () => {
    const [caller, callee, payee] = ["ca", "ce", "9a"].map((digits) => `0x${digits.repeat(20)}`);
    const found = treeOf(
      { depth: 0 },
      {
        depth: 1,
        from: caller,
        to: callee,
        input: encoded("pay(address,address,string)", [
          payee,
          addressOf(4_321),
          `${"a long note ".repeat(9)}NEEDLE`,
        ]),
      },
    );
    const pay = source("workspace", {
      functions: ["function pay(address to, address also, string note)"],
      contract: "Vault",
    });
    const namer = new ActionNamer(network, [pay]);
    for (const one of found.actions) await namer.name(one);
    const row = actionLine(actionWords(found, 1, namer.known(found.actions[1] ?? {})));
    for (const text of [
      caller,
      callee,
      payee,
      "0.0.4321",
      addressOf(4_321),
      "needle",
      "Vault.pay",
      "0x9a9a…",
    ]) {
      assert.ok(text);
      const { visible, matches } = filterActions(found, { text }, (at) =>
        searchWords(found, at, namer.known(found.actions[at] ?? {})),
      );
      assert.deepEqual([Array.from(visible), matches], [[1, 1], 1], text);
      const places = [...foundActions(found, text.toUpperCase(), (one) => namer.known(one))].flat();
      assert.deepEqual(places, [1], text);
    }
    assert.ok(!row.includes("NEEDLE") && !row.includes(payee ?? ""), row);
  });

  it("hides static calls, but never a failed one", () => {
    assert.deepEqual(shown({ hideStatic: true }).visible, [1, 1, 1, 1, 0]);
  });

  it("copies what is shown, as text and as JSON with every digit", () => {
    const big = treeOf(
      { depth: 0, value: "9223372036854775807", ...reverted("0x"), future: "9223372036854775806" },
      { depth: 1, ...reverted("0x") },
      { depth: 1, call_operation_type: "STATICCALL" },
    );
    assert.deepEqual(actionsAsText(big).split("\n"), [
      "!! call 0.0.200.receive() · 92,233,720,368.54775807 ℏ · reverted without a reason · 100,000 gas",
      "  ! call 0.0.200.receive() · reverted without a reason · 100,000 gas",
      "  static 0.0.200.receive() · 100,000 gas",
      "",
    ]);
    const json = actionsAsJson(big);
    assert.match(json, /"value": 9223372036854775807\b/);
    assert.match(json, /"future": "9223372036854775806"/);
    const parsed = JSON.parse(json) as { position: number; parent: number | null }[];
    assert.deepEqual(
      parsed.map(({ position, parent }) => [position, parent]),
      [
        [0, null],
        [1, 0],
        [2, 0],
      ],
    );
    const { visible } = filterActions(big, { hideStatic: true }, () => "");
    assert.equal((JSON.parse(actionsAsJson(big, undefined, visible)) as unknown[]).length, 2);
    assert.equal(actionsAsText(big, undefined, visible).split("\n").length, 3);
    assert.equal(actionsAsJson(treeOf()), "[]\n");
  });

  it("marks where the failure began in the copy", () => {
    const failing = treeOf({ depth: 0, ...reverted("0x1234") }, { depth: 1, ...reverted("0x1234") });
    assert.deepEqual(
      actionsAsText(failing)
        .split("\n")
        .map((line) => line.slice(0, 5)),
      ["! cal", "  !! ", ""],
    );
  });
});
