import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AbiCoder, FunctionFragment, Interface, type ParamType } from "ethers";
import { failureOf } from "../../../../src/core/ledger/actions/actionFailure.ts";
import { ActionNamer } from "../../../../src/core/ledger/actions/actionNames.ts";
import { actionRow, actionWords } from "../../../../src/core/ledger/actions/actionRows.ts";
import { answersWithResponseCode } from "../../../../src/core/ledger/actions/systemContracts.ts";
import { HEDERA_TABLE } from "../../../../src/core/ledger/names/hederaTable.ts";
import { expanded } from "../../../../src/core/ledger/names/shippedTables.ts";
import { StandardNames } from "../../../../src/core/ledger/names/standardNames.ts";
import { STANDARD_TABLE } from "../../../../src/core/ledger/names/standardTable.ts";
import { networkAt } from "../../../../src/core/ledger/references/network.ts";
import { action, addressOf, returned, treeOf } from "../actions.ts";

const [TOKENS, SCHEDULES, LATER_TOKENS] = [addressOf(0x167), addressOf(0x16b), addressOf(0x16c)];
const [token, someone] = [addressOf(1234), addressOf(9)];
const NO_KEYS: readonly unknown[] = [];

/** Call data by ethers. */
function call(signature: string, ...values: readonly unknown[]): string {
  const abi = new Interface([`function ${signature}`]);
  return abi.encodeFunctionData(signature.slice(0, signature.indexOf("(")), values);
}

async function named(
  ...actions: readonly (Readonly<Record<string, unknown>> & { readonly depth: number })[]
) {
  const tree = treeOf(...actions);
  const namer = new ActionNamer(networkAt("http://127.0.0.1:1"), [new StandardNames()]);
  namer.learnTokens(tree.actions);
  for (const one of tree.actions) await namer.name(one);
  return tree.actions.map((one, at) => ({
    ...namer.known(one),
    words: actionWords(tree, at, namer.known(one), "whole"),
    row: actionRow(tree, at, namer.known(one)),
  }));
}

describe("Functions of the network's own contracts", () => {
  it("ship in at most 40 kB together with those of standards", () => {
    assert.ok(Buffer.byteLength(HEDERA_TABLE) + Buffer.byteLength(STANDARD_TABLE) <= 40_000);
    assert.doesNotMatch(expanded(HEDERA_TABLE).join("\n"), /\$/);
  });

  it("say what token is created, member by member", async () => {
    const keyed = "(bool,address,bytes,bytes,address)";
    const type = `(string,string,address,string,bool,int64,bool,(uint256,${keyed})[],(int64,address,int64))`;
    const coin = ["Coin", "CN", someone, "", true, 5000, false, NO_KEYS, [0, someone, 7776000]];
    const input = call(`createFungibleToken(${type},int64,int32)`, coin, 1_000_000, 6);
    const [row] = await named({
      depth: 0,
      to: TOKENS,
      input,
      result_data: returned(["int64", "address"], [22, token]),
    });
    assert.match(
      row?.words.label ?? "",
      /^call Hedera Token Service\.createFungibleToken\(token: \(name: "Coin", symbol: "CN", treasury: .*maxSupply: 5000, .*autoRenewPeriod: 7776000\)\), initialTotalSupply: 1,000,000, decimals: 6\)$/,
    );
    assert.deepEqual(
      row?.results?.map(({ name, text }) => [name, text]),
      [
        ["responseCode", "22"],
        ["tokenAddress", token],
      ],
    );
  });

  it("say who gets what of an airdrop", async () => {
    const signature = "airdropTokens((address,(address,int64,bool)[],(address,address,int64,bool)[])[])";
    const input = call(signature, [[token, [[someone, 5, false]], [[someone, someone, 3, true]]]]);
    const [row] = await named({ depth: 0, to: TOKENS, input, result_data: returned(["int32"], [22]) });
    assert.match(
      row?.words.label ?? "",
      /transfers: \[\(accountID: 0\.0\.9, amount: 5, isApproval: false\)\]/,
    );
    assert.match(row?.words.label ?? "", /receiverAccountID: 0\.0\.9, serialNumber: 3, isApproval: true/);
  });

  it("are told apart where they have one name", async () => {
    const result_data = returned(["int64", "int64", "int64[]"], [22, 7, [1, 2]]);
    const rows = await named(
      ...["uint64", "int64"].map((amount) => ({
        depth: 0,
        to: TOKENS,
        input: call(`mintToken(address,${amount},bytes[])`, token, 7, []),
        result_data,
      })),
    );
    assert.deepEqual(
      rows.map((row) => [row.call?.signature, row.words.args, row.words.result]),
      ["uint64", "int64"].map((amount) => [
        `mintToken(address,${amount},bytes[])`,
        "token: 0.0.1234, amount: 7, metadata: []",
        "→ SUCCESS (22), newTotalSupply: 7, serialNumbers: [1, 2]",
      ]),
    );
    assert.deepEqual(
      rows[0]?.results?.map(({ name }) => name),
      ["responseCode", "newTotalSupply", "serialNumbers"],
    );
  });

  it("answer with a response code, which is said where it is none of success", async () => {
    const input = call("deleteToken(address)", token);
    const [row] = await named({ depth: 0, to: TOKENS, input, result_data: returned(["int64"], [167]) });
    assert.match(
      row?.words.failureText ?? "",
      /^Hedera Token Service answered invalid token ID \(INVALID_TOKEN_ID, 167\)$/,
    );
    assert.deepEqual(
      row?.results?.map(({ name, text }) => [name, text]),
      [["responseCode", "167"]],
    );
  });

  it("say that they went well, and count what they answer in the token's units, but no response code", async () => {
    const tree = treeOf(
      {
        depth: 0,
        to: TOKENS,
        input: call("mintToken(address,int64,bytes[])", token, 500, []),
        result_data: returned(["int64", "int64", "int64[]"], [22, 150_000, []]),
      },
      {
        depth: 0,
        to: TOKENS,
        input: call("allowance(address,address,address)", token, someone, someone),
        result_data: returned(["int64", "uint256"], [22, 300]),
      },
      {
        depth: 0,
        to: TOKENS,
        input: call("isToken(address)", token),
        result_data: returned(["int64", "bool"], [22, true]),
      },
    );
    const namer = new ActionNamer(networkAt("http://127.0.0.1:1"), [new StandardNames()], (_network, ids) =>
      Promise.resolve(new Map(ids.map((one) => [one, { decimals: 2, symbol: "SMC" }]))),
    );
    for (const one of tree.actions) await namer.name(one);
    await namer.lookUpTokens(tree.actions);
    assert.deepEqual(
      tree.actions.map((one, at) => actionWords(tree, at, namer.known(one)).result),
      ["→ SUCCESS, newTotalSupply: 1,500.0 SMC", "→ SUCCESS, allowance: 3.0 SMC", "→ SUCCESS, isToken: true"],
    );
  });

  it("say what is scheduled, and for when", async () => {
    const signature = "scheduleCall(address,uint256,uint256,uint64,bytes)";
    const input = call(signature, someone, 1_800_000_000, 100_000, 5, "0x1234");
    const result_data = returned(["int64", "address"], [22, addressOf(77)]);
    const [row] = await named({ depth: 0, to: SCHEDULES, input, result_data });
    assert.match(
      row?.words.label ?? "",
      /^call Hedera Schedule Service\.scheduleCall\(to: 0\.0\.9, expirySecond: 1,800,000,000, gasLimit: 100,000, value: 5, callData: 0x1234\)$/,
    );
    assert.deepEqual(row?.results?.[1]?.name, "schedule");
  });

  it("answer as the contract does that was called, where another has the same function", async () => {
    const input = call("getTokenInfo(address)", token);
    const answers = functionsOf("Hedera Token Service", "Hedera Token Service (0x16c)").filter(
      ({ name }) => name === "getTokenInfo",
    );
    const rows = await named(
      ...answers.map(({ outputs }, at) => ({
        depth: 0,
        to: at === 0 ? TOKENS : LATER_TOKENS,
        input,
        result_data: AbiCoder.defaultAbiCoder().encode(outputs, outputs.map(emptyOf)),
      })),
    );
    assert.deepEqual(
      rows.map((row) => row.results?.[1]?.text.includes("metadata: 0x)")),
      [false, true],
    );
  });

  it("of a collectible may return nothing where those of a coin return a bool", async () => {
    const input = call("approve(address,uint256)", someone, 7);
    const redirect = { depth: 1, to: TOKENS, input: `0x618dc65e${token.slice(2)}${input.slice(2)}` };
    const facade = { depth: 0, to: token, recipient: "0.0.1234", input };
    const nothing = await named({ ...facade, result_data: "0x" }, { ...redirect, result_data: "0x" });
    const done = returned(["bool"], [true]);
    const coin = await named({ ...facade, result_data: done }, { ...redirect, result_data: done });
    assert.deepEqual(
      [...nothing, ...coin].map(({ words }) => [words.failureText, words.result]),
      [
        [undefined, undefined],
        [undefined, undefined],
        [undefined, "→ true"],
        [undefined, "→ true"],
      ],
    );
  });

  it("of a facade may answer with a code where the standard has no result", async () => {
    const input = call("setApprovalForAll(address,bool)", someone, true);
    const redirect = { depth: 0, to: TOKENS, input: `0x618dc65e${token.slice(2)}${input.slice(2)}` };
    const rows = await named(
      { ...redirect, result_data: returned(["int64"], [22]) },
      { ...redirect, result_data: "0x" },
    );
    assert.deepEqual(
      rows.map(({ words }) => [words.failureText, words.result]),
      [
        [undefined, "→ SUCCESS (22)"],
        [undefined, undefined],
      ],
    );
  });

  it("of accounts and schedules are named below and above what handed them on", async () => {
    const input = call("hbarAllowance(address)", someone);
    const [account, service] = await named(
      { depth: 0, to: addressOf(77), recipient: "0.0.77", input },
      { depth: 1, to: addressOf(0x16a), input: `0xe4cbd3a7${addressOf(77).slice(2)}${input.slice(2)}` },
    );
    assert.match(account?.words.label ?? "", /0\.0\.77\.hbarAllowance\(spender: /);
    assert.match(service?.words.label ?? "", /0\.0\.77\.hbarAllowance\(spender: /);
    const sign = call("signSchedule()");
    const [schedule] = await named({
      depth: 0,
      to: SCHEDULES,
      input: call("redirectForScheduleTxn(address,bytes)", addressOf(88), sign),
    });
    assert.match(schedule?.words.label ?? "", /0\.0\.88\.signSchedule\(\)/);
  });

  it("are marked with their service where a contract has one of their selectors", async () => {
    const input = call("associateToken(address,address)", someone, token);
    const [row] = await named({ depth: 0, input });
    assert.match(row?.row.description ?? "", /Hedera Token Service/);
    assert.ok(row?.row.tooltip?.some((line) => line.includes("by its selector, from Hedera Token Service")));
  });

  it("never read as a response code what is none", () => {
    const abi = new Interface(["function hasScheduleCapacity(uint256,uint256)"]);
    const input = abi.encodeFunctionData("hasScheduleCapacity", [1, 2]);
    const yes = { to: SCHEDULES, input, result_data: returned(["bool"], [true]) };
    assert.equal(failureOf(action(yes)), undefined);
    // A service's functions that answer with something else are known to what looks for codes, but for those of facades.
    const odd = functionsOf(
      "Hedera Token Service",
      "Hedera Token Service (0x16c)",
      "Hedera Schedule Service",
    ).filter(({ outputs }) => outputs[0]?.name !== "responseCode");
    const direct = odd.filter(({ selector }) => !answersWithResponseCode(SCHEDULES, selector));
    assert.deepEqual(direct.map(({ name }) => name).sort(), ["hasScheduleCapacity", "redirectForToken"]);
    const facades =
      "allowance approve balanceOf decimals getApproved isApprovedForAll isAssociated name ownerOf " +
      "redirectForScheduleTxn symbol tokenURI totalSupply transfer transferFrom";
    const others = odd.filter((one) => !direct.includes(one)).map(({ name }) => name);
    assert.deepEqual([...new Set(others)].sort(), facades.split(" "));
  });
});

/** What the table has of these contracts. */
function functionsOf(...contracts: readonly string[]): readonly FunctionFragment[] {
  let isOne = false;
  return expanded(HEDERA_TABLE).flatMap((line) => {
    if (line.startsWith("# ")) isOne = contracts.includes(line.slice(2));
    return isOne && !line.startsWith("# ") ? [FunctionFragment.from(`function ${line}`)] : [];
  });
}

/** A value of a type, of which there is as little as can be. */
function emptyOf(type: ParamType): unknown {
  if (type.isArray()) return [];
  if (type.isTuple()) return type.components.map(emptyOf);
  if (type.baseType === "address") return token;
  return { bool: false, string: "", bytes: "0x" }[type.baseType] ?? 0;
}
