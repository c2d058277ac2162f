// Why a transaction failed, through calls, delegate calls and constructors of any depth, with names that are known for each
// contract alone: what the page's head and rows say is worked out here from how the trace was made.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Interface } from "ethers";
import { ActionNamer } from "../../../../src/core/ledger/actions/actionNames.ts";
import { buildActionTree, type ActionTree } from "../../../../src/core/ledger/actions/actionTree.ts";
import {
  callRows,
  pageTree,
  transactionPage,
} from "../../../../src/core/ledger/transactions/transactionPage.ts";
import type { NameSource } from "../../../../src/core/ledger/names/nameSource.ts";
import type { CallRow } from "../../../../src/core/ledger/transactions/pageModel.ts";
import { StandardNames } from "../../../../src/core/ledger/names/standardNames.ts";
import { networkAt } from "../../../../src/core/ledger/references/network.ts";
import { proofSize, seed } from "../../../rig/proofSize.ts";
import { randomFrom, type Random } from "../../random.ts";
import { action, addressOf, encoded, returned } from "../actions.ts";

const CONTRACTS = ["Router", "Pool", "Vault", "Oracle", "Registry", "Lens"].map((name, at) => ({
  name,
  id: 5_000 + at,
  address: addressOf(5_000 + at),
  abi: new Interface([
    `function run${name}(uint256 amount, address to) returns (uint256)`,
    `error ${name}TooHigh(uint256 amountOut, uint256 minimumOut)`,
    `error ${name}Only(address caller)`,
    `error ${name}Closed()`,
    `error ${name}Wrapped(bytes reason)`,
  ]),
}));
type Contract = (typeof CONTRACTS)[number];

/** Names of each contract alone, as verified sources know them. */
const verified: NameSource = {
  certainty: "verified",
  definitions: (kind, selector, { address }) => {
    const { abi } = CONTRACTS.find((one) => one.address === address) ?? {};
    const fragments = (abi?.fragments ?? []).filter(
      (one) => one.type === kind && "selector" in one && one.selector === selector,
    );
    return Promise.resolve(fragments.map((one) => ({ abi: one.format("full") })));
  },
  contractName: ({ address }) => {
    const found = CONTRACTS.find((one) => one.address === address);
    return Promise.resolve(found && { name: found.name });
  },
};

type Fields = Readonly<Record<string, unknown>>;

interface Failure {
  readonly fields: Fields;
  /** What the head says of it. */
  readonly words: RegExp;
  /** A call below it that came back with nothing. */
  readonly below?: Fields;
}

const ascii = (text: string) => `0x${Buffer.from(text).toString("hex")}`;
const revert = (data: string): Fields => ({ result_data_type: "REVERT_REASON", result_data: data });
const PANICS: readonly (readonly [number, RegExp])[] = [
  [0x01, /assertion failed/i],
  [0x11, /overflow or underflow/i],
  [0x12, /division or modulo by zero/i],
  [0x21, /out of range for the enumeration/i],
  [0x31, /pop on an empty array/i],
  [0x32, /array index is out of bounds/i],
  [0x41, /too much memory/i],
  [0x51, /internal function/i],
];

function failureOf(random: Random, { name, abi }: Contract, isKnown: boolean): Failure {
  const amount = 1_000_000 + random.below(1_000_000);
  const grouped = amount.toLocaleString("en-US");
  switch (random.below(9)) {
    case 0:
    case 1: {
      const data = abi.encodeErrorResult(`${name}TooHigh`, [amount, 7]);
      return {
        fields: revert(data),
        words: isKnown ? new RegExp(`${name}TooHigh\\(.*${grouped}.*7\\)`) : new RegExp(data.slice(0, 10)),
      };
    }
    case 2: {
      const data = abi.encodeErrorResult(`${name}Closed`, []);
      return { fields: revert(data), words: isKnown ? new RegExp(`${name}Closed\\(\\)`) : new RegExp(data) };
    }
    case 3: {
      const text = random.pick([
        "slippage too high",
        "ERC20: transfer amount exceeds balance",
        "STF",
        "Überlauf",
      ]);
      return { fields: revert(encoded("Error(string)", [text])), words: new RegExp(text) };
    }
    case 4: {
      const [code, words] = random.oneOf(PANICS);
      return { fields: revert(encoded("Panic(uint256)", [code])), words };
    }
    case 5:
      return { fields: revert("0x"), words: /without a reason/i };
    case 6:
      return {
        fields: { result_data_type: "ERROR", result_data: ascii("INSUFFICIENT_GAS") },
        words: /^out of gas/i,
      };
    case 7: {
      // A token that answers with nothing where its caller expects a bool.
      const input = encoded("transferFrom(address,address,uint256)", [addressOf(1), addressOf(2), 5n]);
      return {
        fields: revert("0x"),
        words: /transferFrom returned nothing/,
        below: {
          to: addressOf(9_999),
          recipient: "0.0.9999",
          input,
          result_data: "0x",
          result_data_type: "OUTPUT",
          gas_used: 10,
        },
      };
    }
    default: {
      const data = encoded("OwnableUnauthorizedAccount(address)", [addressOf(7_777)]);
      return { fields: revert(data), words: /OwnableUnauthorizedAccount\(.*0\.0\.7777\)/ };
    }
  }
}

function traceOf(random: Random) {
  const depth = 1 + random.below(6);
  const frames = Array.from({ length: depth }, (_, at) => {
    const operation =
      at > 0
        ? random.pick(["CALL", "CALL", "DELEGATECALL", "STATICCALL", "CREATE", "CREATE2"])
        : random.pick(["CALL", "CALL", "CREATE"]);
    return { operation, contract: random.oneOf(CONTRACTS), isUnknown: random.below(6) === 0 };
  });
  const leaf = frames.at(-1);
  assert.ok(leaf);
  const isCreation = (operation: string) => operation.startsWith("CREATE");
  const isKnown = !leaf.isUnknown && !isCreation(leaf.operation);
  const failure = failureOf(random, leaf.contract, isKnown);
  // Out of gas below does not travel up as data: its caller reverts with nothing, or runs out as well.
  const bubbled: Fields = failure.fields["result_data_type"] === "ERROR" ? revert("0x") : failure.fields;
  const catcher = depth > 1 && random.below(5) === 0 ? random.below(depth - 1) : -1;
  const actions: Fields[] = [];
  frames.forEach(({ operation, contract, isUnknown }, at) => {
    const isCreate = isCreation(operation);
    const isFailed = at > catcher;
    const fields = !isFailed
      ? { result_data: returned(["uint256"], [3n]), result_data_type: "OUTPUT" }
      : at === depth - 1
        ? failure.fields
        : bubbled;
    const id = isUnknown ? 8_000 + at : contract.id;
    actions.push({
      call_depth: at,
      call_operation_type: operation,
      call_type: isCreate ? "CREATE" : "CALL",
      input: isCreate
        ? `0x6080604052${"5f".repeat(40)}`
        : contract.abi.encodeFunctionData(`run${contract.name}`, [5, addressOf(1)]),
      to: isCreate && isFailed ? null : addressOf(id),
      recipient: isCreate && isFailed ? null : `0.0.${id}`,
      recipient_type: isCreate && isFailed ? null : "CONTRACT",
      gas_used: 100_000 - 10_000 * at,
      ...fields,
    });
    // A quiet call beside, before the one that goes on.
    if (random.below(3) === 0)
      actions.push({
        call_depth: at + 1,
        call_operation_type: "STATICCALL",
        input: encoded("balanceOf(address)", [addressOf(3)]),
        result_data: returned(["uint256"], [9n]),
        result_data_type: "OUTPUT",
        to: addressOf(9_998),
        recipient: "0.0.9998",
        gas_used: 500,
      });
  });
  if (failure.below) actions.push({ call_depth: depth, ...failure.below });
  // What failed and was caught beside the failure that travels up, and what was done after it.
  let caught = 0;
  const travels = String(bubbled["result_data"]).length > 2 && !failure.below;
  for (let level = depth - 1; travels && level > 0; level--) {
    if (random.below(3) > 0) continue;
    const isDecoy = random.below(2) === 0;
    caught += isDecoy ? 1 : 0;
    actions.push({
      call_depth: level,
      input: encoded("balanceOf(address)", [addressOf(3)]),
      to: addressOf(9_998),
      recipient: "0.0.9998",
      gas_used: 700,
      ...(isDecoy
        ? revert(encoded("Error(string)", ["caught"]))
        : { result_data: returned(["uint256"], [9n]), result_data_type: "OUTPUT" }),
    });
  }
  return {
    tree: buildActionTree(actions.map((fields, index) => action({ index, ...fields }))),
    failure,
    leaf,
    origin: actions.findLastIndex((one) => one["call_depth"] === depth - 1 && one["to"] !== addressOf(9_998)),
    isCaught: catcher >= 0,
    caught: caught + (catcher >= 0 ? 1 : 0),
  };
}

/** The head and the rows of a trace, named as the page names it. */
async function shownOf(tree: ActionTree, network: ReturnType<typeof networkAt>) {
  const namer = new ActionNamer(network, [verified, new StandardNames()]);
  namer.learnTokens(tree.actions);
  for (const one of tree.actions) await namer.name(one);
  const parts = {
    canonical: "0.0.5@1.2",
    networkName: "test",
    tree,
    complete: true,
    now: 0,
    namesOf: (one: Fields) => namer.known(one),
  };
  const page = transactionPage({ ...parts, tree: pageTree(parts) });
  return { page, rows: callRows(tree, parts.namesOf) };
}

/** What the first call of a transaction called, as its head says it. */
function calledIn([first]: readonly CallRow[]): string {
  assert.ok(first);
  const { operation, contract, name } = first;
  const isPlain = ["call", "static", "system", "precompile"].includes(operation);
  return `${isPlain ? "" : `${operation} `}${contract}${name === undefined ? "" : `.${name}`}`;
}

describe("Why a transaction failed, through calls of any kind", () => {
  it("is said in the head and marked in the rows", async () => {
    const random = randomFrom(seed("strange traces"));
    const count = proofSize({ sample: 75, whole: 5_000 });
    const wrong: string[] = [];
    const network = networkAt("http://127.0.0.1:1");
    for (let at = 0; at < count; at++) {
      const { tree, failure, leaf, origin, isCaught, caught } = traceOf(random);
      const { page, rows } = await shownOf(tree, network);
      const told = rows
        .map(
          ({ level, operation, contract, name, failure: why }) =>
            `${"  ".repeat(level)}${operation} ${contract}.${name ?? ""} ${why ?? ""}`,
        )
        .join("\n");
      try {
        const row = rows[origin];
        assert.ok(row);
        assert.equal(row.outcome, "failed");
        assert.equal(rows.filter((one) => one.isCaught).length, caught, "what was caught is marked");
        const whyRow = row.failure ?? "";
        if (isCaught) {
          assert.equal(page.headline, `Succeeded: ${calledIn(rows)}`);
          // What came back with nothing is said of the call that did.
          assert.match(failure.below ? rows.map((one) => one.failure).join("\n") : whyRow, failure.words);
        } else {
          assert.equal(page.outcome, "failed");
          assert.match(page.headline, failure.words);
          assert.ok(row.isOrigin, "the origin is marked");
          assert.doesNotMatch(page.headline, /failed.*failed|reverted.*reverted|undefined|null/i);
          const isCreate = leaf.operation.startsWith("CREATE");
          const where = isCreate
            ? /create|creation|constructor/i
            : leaf.isUnknown
              ? /in 0\.0\.8\d{3}|run|0x[0-9a-f]{8}/
              : new RegExp(`in ${leaf.contract.name}\\.run${leaf.contract.name}(?:$|: )`);
          assert.match(page.headline, where);
        }
      } catch (error) {
        wrong.push(
          `${at}: ${page.headline} | ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : ""}${error instanceof Error && "expected" in error ? ` ${String(error.expected)}` : ""}\n${process.env["STORY"] ? told : ""}`,
        );
      }
    }
    console.log(`strange traces: ${count - wrong.length} of ${count} failures are told`);
    assert.deepEqual(wrong, []);
  });

  it("is said of what is handed on to a token of the ledger, with what the token answered", async () => {
    const random = randomFrom(seed("strange redirects"));
    const count = proofSize({ sample: 75, whole: 3_000 });
    const wrong: string[] = [];
    const network = networkAt("http://127.0.0.1:1");
    const token = addressOf(4_242);
    for (let at = 0; at < count; at++) {
      const [signature, values, types, answers, result] = random.oneOf<
        readonly [string, readonly unknown[], readonly string[], readonly unknown[], RegExp]
      >([
        ["transfer(address,uint256)", [addressOf(9), 5_000_000n], ["bool"], [true], /true/],
        ["approve(address,uint256)", [addressOf(9), 77n], ["bool"], [true], /true/],
        ["transferFrom(address,address,uint256)", [addressOf(8), addressOf(9), 5n], ["bool"], [true], /true/],
        ["balanceOf(address)", [addressOf(9)], ["uint256"], [1_234_567n], /1,234,567/],
        ["decimals()", [], ["uint8"], [6], /6/],
        ["symbol()", [], ["string"], ["SMC"], /SMC/],
        ["ownerOf(uint256)", [3n], ["address"], [addressOf(9)], /0\.0\.9/],
        ["totalSupply()", [], ["uint256"], [10n ** 18n], /1,000,000,000,000,000,000/],
        ["allowance(address,address)", [addressOf(8), addressOf(9)], ["uint256"], [12n], /12/],
        ["setApprovalForAll(address,bool)", [addressOf(9), true], [], [], /^$/],
        ["isApprovedForAll(address,address)", [addressOf(8), addressOf(9)], ["bool"], [true], /true/],
      ]);
      const name = signature.replace(/\(.*/, "");
      const inner = encoded(signature, values);
      const [code, codeName] = random.oneOf<readonly [bigint, string]>([
        [184n, "TOKEN_NOT_ASSOCIATED_TO_ACCOUNT"],
        [178n, "INSUFFICIENT_TOKEN_BALANCE"],
        [7n, "INVALID_SIGNATURE"],
        [165n, "ACCOUNT_FROZEN_FOR_TOKEN"],
      ]);
      const isFailed = random.below(3) === 0;
      const plain = returned(types, answers);
      const wrapped = returned(["int64", "bytes"], [22n, plain]);
      const redirect =
        random.below(2) === 0
          ? `0x618dc65e${token.slice(2)}${inner.slice(2)}`
          : encoded("redirectForToken(address,bytes)", [token, inner]);
      const answered: Fields = isFailed
        ? revert(returned(["int64"], [code]))
        : { result_data_type: "OUTPUT", result_data: random.below(2) === 0 ? plain : wrapped };
      const hasFacade = random.below(3) > 0;
      const caller = random.oneOf(CONTRACTS);
      const tree = buildActionTree(
        [
          {
            call_depth: 0,
            input: caller.abi.encodeFunctionData(`run${caller.name}`, [5, addressOf(1)]),
            to: caller.address,
            recipient: `0.0.${caller.id}`,
            ...(isFailed
              ? revert(random.below(2) === 0 ? "0x" : returned(["int64"], [code]))
              : { result_data: returned(["uint256"], [3n]) }),
          },
          ...(hasFacade
            ? [
                {
                  call_depth: 1,
                  input: inner,
                  to: token,
                  recipient: "0.0.4242",
                  ...(isFailed ? revert(returned(["int64"], [code])) : { result_data: plain }),
                },
              ]
            : []),
          {
            call_depth: hasFacade ? 2 : 1,
            call_operation_type: random.pick(["CALL", "DELEGATECALL"]),
            call_type: "SYSTEM",
            input: redirect,
            to: addressOf(0x167),
            recipient: "0.0.359",
            ...answered,
          },
        ].map((fields, index) => action({ index, ...fields })),
      );
      const { page, rows: all } = await shownOf(tree, network);
      const rows = all.slice(1);
      try {
        for (const [place, row] of rows.entries()) {
          assert.equal(row.name, name);
          assert.match(row.contract, /0\.0\.4242/);
          if (isFailed && place < rows.length - 1) assert.equal(row.failure, "reverted");
          else if (isFailed) assert.match(row.failure ?? "", new RegExp(`^reverted here: .*${codeName}`));
          else {
            assert.equal(row.failure, undefined);
            assert.match(row.result ?? "", result);
            assert.ok((row.result ?? "").length < 60, `the result is one: ${row.result ?? ""}`);
          }
        }
        if (isFailed) assert.match(page.headline, new RegExp(codeName.toLowerCase().replaceAll("_", " ")));
        else assert.equal(page.headline, `Succeeded: ${calledIn(all)}`);
      } catch (error) {
        const seen = rows
          .map(
            ({ contract, name: told, result: gave, failure }) =>
              `${contract}.${told ?? ""} → ${gave ?? ""} ${failure ?? ""}`,
          )
          .join(" | ");
        wrong.push(
          `${at}: ${name} ${page.headline} | ${seen} | ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : ""}`,
        );
      }
    }
    console.log(`strange redirects: ${count - wrong.length} of ${count} calls are told`);
    assert.deepEqual(wrong, []);
  });
});
