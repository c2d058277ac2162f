import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { id } from "ethers";
import { ActionNamer } from "../../../src/core/ledger/actions/actionNames.ts";
import type { TokenUnits } from "../../../src/core/ledger/tokens/tokenUnits.ts";
import { actionRow, actionWords } from "../../../src/core/ledger/actions/actionRows.ts";
import { valuesText } from "../../../src/core/ledger/actions/valueWords.ts";
import type { NameSource } from "../../../src/core/ledger/names/nameSource.ts";
import { StandardNames } from "../../../src/core/ledger/names/standardNames.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { addressOf, encoded, returned, reverted, treeOf } from "./actions.ts";

const COIN = `0x${"c0".repeat(20)}`;
const OTHER = `0x${"d1".repeat(20)}`;
const to = addressOf(9);
const network = networkAt("http://127.0.0.1:1");
type Call = Readonly<Record<string, unknown>>;

/** A call of the token, or of another contract. */
const call = (signature: string, values: readonly unknown[], result: string, more: Call = {}) => ({
  depth: 1,
  to: COIN,
  recipient: "0.0.300",
  input: encoded(signature, values),
  result_data: result,
  ...more,
});
const decimals = (count: number | bigint, more: Call = {}) =>
  call("decimals()", [], returned(["uint256"], [count]), { call_operation_type: "STATICCALL", ...more });
const symbol = (text: string) => call("symbol()", [], returned(["string"], [text]));
const transfer = (more: Call = {}) =>
  call("transfer(address,uint256)", [to, 10_000_000n], returned(["bool"], [true]), more);

async function traced(calls: readonly (Call & { readonly depth: number })[], ...sources: NameSource[]) {
  const tree = treeOf({ depth: 0 }, ...calls);
  const namer = new ActionNamer(network, [...sources, new StandardNames()]);
  namer.learnTokens(tree.actions);
  for (const action of tree.actions) await namer.name(action);
  const namesAt = (at: number) => namer.known(tree.actions[at] ?? {});
  return {
    tree,
    namer,
    /** Arguments, result and failure of the call at a position, in short. */
    said: (at: number) => {
      const { args, result, failureText } = actionWords(tree, at, namesAt(at));
      return [args, result ?? failureText].join(" ");
    },
    namesAt,
  };
}

describe("Amounts of a token of the network that is called at its address", () => {
  const TOKEN = addressOf(3001);
  const plain = (signature: string, values: readonly unknown[], result: string, more: Call = {}) =>
    call(signature, values, result, { to: TOKEN, recipient: "0.0.3001", ...more });
  const named = async (
    tokens: Readonly<Record<string, TokenUnits>>,
    ...calls: (Call & { readonly depth: number })[]
  ) => {
    const tree = treeOf(...calls);
    const asked: string[] = [];
    const namer = new ActionNamer(network, [new StandardNames()], (_network, ids) => {
      asked.push(...ids);
      return Promise.resolve(new Map(Object.entries(tokens).filter(([token]) => ids.includes(token))));
    });
    namer.learnTokens(tree.actions);
    for (const action of tree.actions) await namer.name(action);
    await namer.lookUpTokens(tree.actions);
    const words = (at: number, form?: "whole") =>
      actionWords(tree, at, namer.known(tree.actions[at] ?? {}), form);
    return { asked, words, namer, tree };
  };

  it("are in its decimals with its symbol where no action hands the call on, in copies, too", async () => {
    const { asked, words } = await named(
      { "0.0.3001": { decimals: 6, symbol: "SMC" } },
      plain("transfer(address,uint256)", [to, 10_000_000n], returned(["bool"], [true]), { depth: 0 }),
      plain("balanceOf(address)", [to], returned(["uint256"], [1_500_000n])),
      plain("approve(address,uint256)", [to, 1n], returned(["bool"], [true])),
    );
    assert.deepEqual(asked, ["0.0.3001"], "each token is looked up once");
    assert.equal(words(0).callee, "SMC.transfer");
    assert.match(words(0).args ?? "", /^to: 0\.0\.9, value: 10\.0 SMC$/);
    assert.match(words(0, "whole").args ?? "", /value: 10\.0 SMC \(10,000,000 smallest units\)$/);
    assert.equal(words(1).result, "→ 1.5 SMC");
    assert.match(words(2).args ?? "", /value: 0\.000001 SMC$/);
  });

  it("stay as they are where that is no token, or may have serial numbers, and nothing else is asked for", async () => {
    const nothing = await named(
      {},
      plain("transfer(address,uint256)", [to, 10_000_000n], returned(["bool"], [true]), { depth: 0 }),
    );
    assert.match(nothing.words(0).args ?? "", /value: 10,?000,?000$/);
    const collectible = await named(
      { "0.0.3001": { decimals: 0, symbol: "ART" } },
      plain("transferFrom(address,address,uint256)", [to, to, 7n], "0x", { depth: 0 }),
    );
    assert.match(collectible.words(0).args ?? "", /: 7$/);
    const other = await named(
      {},
      plain("owner()", [], returned(["address"], [to]), { depth: 0 }),
      call("transfer(address,uint256)", [to, 1n], returned(["bool"], [true])),
    );
    assert.deepEqual(other.asked, [], "neither another function, nor an address that is made of no id");
  });
});

describe("Amounts of a token that answered within the transaction", () => {
  it("are in its decimals with its symbol, in calls, results and errors of ERC-20, wherever they stand", async () => {
    const balance = returned(["uint256"], [1_010_500_000n]);
    const { said, tree, namesAt } = await traced([
      transfer(),
      call("transferFrom(address,address,uint256)", [to, to, 1n], returned(["bool"], [true])),
      call("approve(address,uint256)", [to, 1_500_000n], returned(["bool"], [true])),
      call("balanceOf(address)", [to], balance),
      transfer(
        reverted(encoded("ERC20InsufficientBalance(address,uint256,uint256)", [to, 9_706_800n, 10_000_000n])),
      ),
      decimals(6),
      symbol("SMC"),
    ]);
    assert.equal(said(1), "to: 0.0.9, value: 10.0 SMC → true");
    assert.equal(said(2), "from: 0.0.9, to: 0.0.9, value: 0.000001 SMC → true");
    assert.equal(said(3), "spender: 0.0.9, value: 1.5 SMC → true");
    assert.equal(said(4), "account: 0.0.9 → 1,010.5 SMC");
    assert.match(said(5), /balance: 9\.7068 SMC, needed: 10\.0 SMC\)$/);
    assert.equal(said(6), " → 6", "the decimals themselves are a number");
    // What was sent stays whole in a copy, and where the pointer is.
    assert.match(
      actionWords(tree, 1, namesAt(1), "whole").args ?? "",
      /value: 10\.0 SMC \(10,000,000 smallest units\)$/,
    );
    assert.ok(
      actionRow(tree, 1, namesAt(1)).tooltip?.some((line) =>
        line.endsWith("value: 10.0 SMC (10,000,000 smallest units)"),
      ),
    );
    assert.equal(namesAt(1), namesAt(1), "made once");
  });

  it("are so whatever the contract's own source calls them, but not where that is a serial number", async () => {
    const source = (abi: string): NameSource => ({
      certainty: "verified",
      definitions: (kind, selector) =>
        Promise.resolve(kind === "function" && selector === "0xa9059cbb" ? [{ abi }] : []),
      contractName: () => Promise.resolve(undefined),
    });
    const saidBy = async (abi: string) => (await traced([transfer(), decimals(6)], source(abi))).said(1);
    assert.equal(
      await saidBy("function transfer(address guy, uint256 wad)"),
      "guy: 0.0.9, wad: 10.0 tokens ",
    );
    for (const name of ["tokenId", "_id", "amountOrId", "valueOrId_", "tokenID"])
      assert.equal(
        await saidBy(`function transfer(address to, uint256 ${name})`),
        `to: 0.0.9, ${name}: 10,000,000 `,
      );
    assert.equal(
      await saidBy("function transfer(address to, uint256 paid)"),
      "to: 0.0.9, paid: 10.0 tokens ",
      "no id",
    );
  });

  it("stay as they are where decimals are not told for certain", async () => {
    const plain = "to: 0.0.9, value: 10,000,000 → true";
    for (const [why, ...answers] of [
      ["nobody asked"],
      ["another contract answered", decimals(6, { to: OTHER })],
      ["two answers differ", decimals(6), decimals(18), decimals(6)],
      ["the call failed", decimals(6, { result_data_type: "REVERT_REASON" })],
      ["it ended in no known way", decimals(6, { result_data_type: null })],
      ["the code of another contract answered", decimals(6, { call_operation_type: "DELEGATECALL" })],
      ["there are none, as of collectibles", decimals(0)],
      ["no amount has so many", decimals(78)],
      ["it is a number of another kind", decimals(2n ** 255n)],
      ["it is no number", call("decimals()", [], returned(["string"], ["6"]))],
    ] as const)
      assert.equal((await traced([transfer(), ...answers, symbol("SMC")])).said(1), plain, why);
    const delegated = await traced([transfer({ call_operation_type: "DELEGATECALL" }), decimals(6)]);
    assert.equal(delegated.said(1), plain, "its code runs in the place of another contract");
  });

  it("have no symbol where it would be read as something else, or is not told for certain", async () => {
    for (const [said, ...answers] of [
      ["10.0 tokens"],
      ["10.0 USD₮0", symbol("USD₮0")],
      ["10.0 tokens", symbol("SMC"), symbol("USDC")],
      ["10.0 tokens", symbol("")],
      ["10.0 tokens", symbol("000 USDC")],
      ["10.0 tokens", symbol("000")],
      ["10.0 tokens", symbol("-1")],
      ["10.0 tokens", symbol("½")],
      ["10.0 tokens", symbol("e18")],
      ["10.0 tokens", symbol("+USDC")],
      ["10.0 1INCH", symbol("1INCH")],
      ["10.0 tokens", symbol("A, to: B")],
      ["10.0 tokens", symbol("A\u202eB")],
      ["10.0 tokens", symbol("$(error)")],
      ["10.0 tokens", symbol("x".repeat(33))],
      ["10.0 tokens", call("symbol()", [], `0x${"534d43".padEnd(64, "0")}`)],
      ["10.0 tokens", call("symbol()", [], "0x")],
    ] as const)
      assert.equal(
        (await traced([transfer(), decimals(6), ...answers])).said(1),
        `to: 0.0.9, value: ${said} → true`,
      );
  });

  it("are so in the events of that contract, which index no amount", async () => {
    const { namer } = await traced([decimals(6), symbol("SMC")]);
    const [party, amount] = [returned(["address"], [to]), returned(["uint256"], [5_000_000n])];
    const eventOf = async (name: string, address: string, topics: readonly string[], data: string) => {
      const { event } = await namer.event({ address, topics: [id(name), ...topics], data });
      return valuesText(event?.values ?? [], "short");
    };
    const name = "Transfer(address,address,uint256)";
    const approval = "Approval(address,address,uint256)";
    const parties = [party, party];
    assert.equal(await eventOf(name, COIN, parties, amount), "from: 0.0.9, to: 0.0.9, value: 5.0 SMC");
    assert.match(await eventOf(approval, COIN.toUpperCase().replace("X", "x"), parties, amount), /5\.0 SMC$/);
    assert.match(await eventOf(name, OTHER, parties, amount), /value: 5,000,000$/);
    assert.match(await eventOf(name, COIN, [...parties, amount], "0x"), /tokenId: 5,000,000$/);
  });

  it("are so, too, once the answer is loaded that tells the decimals", async () => {
    const { namer, tree, said } = await traced([transfer()]);
    assert.equal(said(1), "to: 0.0.9, value: 10,000,000 → true");
    namer.learnTokens([...tree.actions, ...treeOf(decimals(6)).actions]);
    assert.equal(said(1), "to: 0.0.9, value: 10.0 tokens → true");
    namer.learnTokens([...tree.actions, ...treeOf(decimals(6), symbol("SMC")).actions]);
    assert.equal(said(1), "to: 0.0.9, value: 10.0 SMC → true");
  });
});
