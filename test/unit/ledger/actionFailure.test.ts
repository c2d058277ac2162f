import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { failureOf, type ActionFailure } from "../../../src/core/ledger/actions/actionFailure.ts";
import { ActionNamer } from "../../../src/core/ledger/actions/actionNames.ts";
import {
  actionRow,
  actionWords,
  failureHeadline,
  reasonRow,
} from "../../../src/core/ledger/actions/actionRows.ts";
import { actionsAsText } from "../../../src/core/ledger/actions/actionText.ts";
import { callRows } from "../../../src/core/ledger/transactions/transactionPage.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { action, addressOf, encoded, failed, returned, reverted, treeOf } from "./actions.ts";

const network = networkAt("http://127.0.0.1:1");
const ascii = (text: string) => `0x${Buffer.from(text).toString("hex")}`;
const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`;

function failure(fields: Readonly<Record<string, unknown>>): ActionFailure {
  const found = failureOf(action(fields));
  assert.ok(found);
  return found;
}

describe("Why a call failed", () => {
  it("is the reason that the contract gave", () => {
    const found = failure(reverted(encoded("Error(string)", ["slippage too high"])));
    assert.deepEqual([found.kind, found.text], ["error_string", 'reverted: "slippage too high"']);
    assert.equal(
      failure(reverted(encoded("Error(string)", ["\u202e$(check)\n"]))).text,
      'reverted: "\\u{202e}$ (check) "',
    );
    assert.equal(failure(reverted(encoded("Error(string)", [""]))).text, 'reverted: ""');
  });

  it("is a panic in words", () => {
    for (const [code, words] of [
      [0x00, "generic panic that the compiler inserted"],
      [0x01, "assertion failed"],
      [0x11, "arithmetic overflow or underflow"],
      [0x12, "division or modulo by zero"],
      [0x21, "value is out of range for the enumeration"],
      [0x22, "storage byte array is incorrectly encoded"],
      [0x31, "pop on an empty array"],
      [0x32, "array index is out of bounds"],
      [0x41, "too much memory was allocated"],
      [0x51, "internal function is not initialized"],
    ] as const) {
      const shown = `0x${code.toString(16).padStart(2, "0")}`;
      assert.equal(
        failure(reverted(encoded("Panic(uint256)", [code]))).text,
        `reverted: ${words} (panic ${shown})`,
      );
    }
    assert.match(
      failure(reverted(encoded("Panic(uint256)", [2n ** 256n - 1n]))).text,
      /unknown code \(panic 0xf{64}\)/,
    );
  });

  it("is never OK when the revert is empty", () => {
    for (const nothing of ["0x", "", null, undefined]) {
      assert.deepEqual(failure(reverted(nothing)).kind, "empty_revert");
      assert.equal(failure(reverted(nothing)).text, "reverted without a reason");
      assert.equal(failure(failed(nothing)).text, "failed without a reason");
    }
    for (const zero of ["0x00", word(0n)])
      for (const fields of [reverted(zero), failed(zero)])
        assert.doesNotMatch(failure(fields).text, /\bOK\b|SUCCESS/);
  });

  it("is a response code by its name", () => {
    assert.equal(failure(reverted(word(167n))).text, "reverted: invalid token ID (INVALID_TOKEN_ID, 167)");
    assert.equal(
      failure(failed(word(184n))).text,
      "failed: token not associated to account (TOKEN_NOT_ASSOCIATED_TO_ACCOUNT, 184)",
    );
    assert.equal(failure(reverted(word(60_000n))).kind, "data");
    assert.equal(failure(reverted(word(2n ** 255n))).kind, "data");
  });

  it("is a name in hex of ASCII", () => {
    assert.equal(
      failure(failed("0x505245434f4d50494c455f4552524f52")).text,
      "failure of a precompiled contract (PRECOMPILE_ERROR)",
    );
    assert.equal(failure(failed(ascii("INSUFFICIENT_GAS"))).text, "out of gas (INSUFFICIENT_GAS)");
    assert.equal(failure(failed(ascii("SOMETHING_NEW"))).text, "failed: SOMETHING_NEW");
    assert.equal(failure(failed(ascii("CONSTRUCTOR"))).text, "failed: CONSTRUCTOR");
    // Not encoded at all.
    assert.equal(failure(failed("INSUFFICIENT_GAS")).text, "out of gas (INSUFFICIENT_GAS)");
  });

  it("is text, or the bytes as they are", () => {
    assert.equal(failure(reverted(ascii("not today"))).text, 'reverted: "not today"');
    // 36 letters are as long as a selector and a word.
    assert.equal(failure(reverted(ascii("a".repeat(36)))).kind, "text");
    assert.equal(failure(reverted("0x0102")).text, "reverted with 2 bytes of data: 0x0102");
    assert.equal(
      failure(reverted(`0x${"00ff".repeat(600)}`)).text,
      `reverted with 1,200 bytes of data: 0x${"00ff".repeat(16)}…`,
    );
    assert.equal(failure(reverted("no hex")).text, 'reverted: "no hex"');
    assert.equal(failure(reverted({ a: 1 })).text, 'reverted: "{"a":1}"');
    // Broken data of a known selector.
    for (const broken of [
      "0x08c379a0",
      "0x08c379a0" + "ff".repeat(64),
      "0x4e487b71ff",
      "0x08c379a0" + word(32n).slice(2),
    ])
      assert.ok(failure(reverted(broken)).text.length > 0);
  });

  it("is a custom error, by name where its definition is known", async () => {
    const data = encoded("InsufficientBalance(uint256,uint256)", [1n, 2n ** 63n]);
    const tree = treeOf({ depth: 0, ...reverted(data) });
    const unnamed = actionWords(tree, 0, undefined);
    assert.equal(unnamed.failureText, `reverted with custom error ${data.slice(0, 10)}`);
    const known = { abi: "error InsufficientBalance(uint256 available, uint256 required)" };
    for (const certainty of ["verified", "guess"] as const) {
      const namer = new ActionNamer(network, [
        {
          certainty,
          definitions: (kind, selector) =>
            Promise.resolve(kind === "error" && selector === data.slice(0, 10) ? [known] : []),
          contractName: () => Promise.resolve(undefined),
        },
      ]);
      const named = actionWords(tree, 0, await namer.name(tree.actions[0] ?? {}));
      assert.equal(
        named.failureText,
        `reverted: InsufficientBalance(available: 1, required: 9,223,372,036,854,775,808)${certainty === "guess" ? " (name is a guess)" : ""}`,
      );
    }
  });

  it("is told once in the rows: where it began, and of the calls that it went through only that they reverted", () => {
    const reason = encoded("Error(string)", ["slippage too high"]);
    const other = encoded("Error(string)", ["swap failed"]);
    const tree = treeOf(
      { depth: 0, ...reverted(other) },
      { depth: 1, ...reverted(other) },
      { depth: 2, ...reverted("0x") },
      { depth: 3, ...reverted(reason) },
      { depth: 4, ...reverted(reason) },
    );
    const names = () => undefined;
    assert.deepEqual(
      callRows(tree, names).map(({ failure: text }) => text),
      [
        "reverted",
        // What a caller made of it is another reason.
        'reverted: "swap failed"',
        "reverted",
        "reverted",
        'reverted here: "slippage too high"',
      ],
    );
    const rows = [0, 1, 2, 3, 4].map((at) => actionRow(tree, at, undefined).description ?? "");
    assert.deepEqual(
      rows.map((text) => text.split(" · ")[0]),
      ["reverted", 'reverted: "swap failed"', "reverted", "reverted", "reverted here"],
    );
    assert.equal(reasonRow(tree, 4, undefined).label, 'reverted: "slippage too high"');
    assert.equal(actionsAsText(tree).split("slippage too high").length, 2);
    assert.equal(failureHeadline(tree, 4, names), 'Reverted: "slippage too high" in 0.0.200.receive');
    const gas = treeOf({ depth: 0, ...failed("0x") }, { depth: 1, ...failed(ascii("INSUFFICIENT_GAS")) });
    assert.deepEqual(
      callRows(gas, names).map(({ failure: text }) => text),
      ["failed: an inner call ran out of gas", "failed here: out of gas (INSUFFICIENT_GAS)"],
    );
    const empty = treeOf({ depth: 0, ...reverted("0x") }, { depth: 1, ...reverted("0x") });
    assert.equal(callRows(empty, names)[1]?.failure, "reverted here without a reason");
  });

  it("is said to be unknown where the node recorded none", () => {
    for (const type of [undefined, null, ""])
      assert.equal(failure({ result_data_type: type }).text, "outcome not recorded");
    assert.equal(failure({ result_data_type: "EXPLODED" }).text, "outcome EXPLODED");
    assert.equal(failure({ result_data_type: ["a"] }).text, 'outcome ["a"]');
    assert.equal(failureOf(action()), undefined);
  });

  it("is remarked where a system contract answered a code other than SUCCESS without reverting", () => {
    const answer = (code: bigint, to = addressOf(0x167)) =>
      failureOf(action({ to, input: "0x49146bde", result_data: returned(["int64"], [code]) }));
    assert.equal(
      answer(167n)?.text,
      "Hedera Token Service answered invalid token ID (INVALID_TOKEN_ID, 167)",
    );
    assert.equal(answer(22n), undefined);
    assert.equal(answer(167n, addressOf(0x168)), undefined);
    assert.equal(answer(167n, addressOf(1234)), undefined);
  });
});
