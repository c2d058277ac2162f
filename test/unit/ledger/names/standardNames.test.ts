import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Interface, id, type JsonFragment } from "ethers";
import { erc1155Abi, erc20Abi, erc4626Abi, erc721Abi, multicall3Abi } from "viem";
import { ActionNamer } from "../../../../src/core/ledger/actions/actionNames.ts";
import { actionRow, actionWords } from "../../../../src/core/ledger/actions/actionRows.ts";
import { valuesText } from "../../../../src/core/ledger/actions/valueWords.ts";
import type { NamedDefinition, NameSource } from "../../../../src/core/ledger/names/nameSource.ts";
import { StandardNames } from "../../../../src/core/ledger/names/standardNames.ts";
import { STANDARD_TABLE } from "../../../../src/core/ledger/names/standardTable.ts";
import { networkAt } from "../../../../src/core/ledger/references/network.ts";
import type { ContractAction } from "../../../../src/core/ledger/actions/contractAction.ts";
import { pageAsJson, pageAsText } from "../../../../src/core/ledger/transactions/pageCopies.ts";
import { executionTree } from "../../../../src/core/ledger/transactions/executionCall.ts";
import { callRows, transactionPage } from "../../../../src/core/ledger/transactions/transactionPage.ts";
import { repositoryRoot } from "../../../rig/paths.ts";
import { addressOf, encoded, returned, reverted, treeOf } from "../actions.ts";

const network = networkAt("http://127.0.0.1:1");
const require = createRequire(import.meta.url);
const standards = new StandardNames();
const to = addressOf(9);

function knows(certainty: "workspace" | "verified" | "guess", abi: string): NameSource {
  return {
    certainty,
    definitions: (kind): Promise<readonly NamedDefinition[]> =>
      Promise.resolve(abi.startsWith(kind) ? [{ abi }] : []),
    contractName: () => Promise.resolve(undefined),
  };
}

async function wordsOf(fields: Readonly<Record<string, unknown>>, ...sources: readonly NameSource[]) {
  const tree = treeOf({ depth: 0, ...fields });
  const names = await new ActionNamer(network, sources).name(tree.actions[0] ?? {});
  return { names, words: actionWords(tree, 0, names), row: actionRow(tree, 0, names) };
}

describe("Names of standards", () => {
  it("are what the packages say that hold them, in at most 40 kB", async () => {
    const { standardModule } = (await import(join(repositoryRoot, "standardTable.mjs"))) as {
      standardModule: () => string;
    };
    assert.ok(standardModule().includes(STANDARD_TABLE), "run node standardTable.mjs");
    assert.ok(Buffer.byteLength(STANDARD_TABLE) <= 40_000);
  });

  it("name a call that nobody else knows, and say of which standard", async () => {
    const input = encoded("transfer(address,uint256)", [to, 5n]);
    const { words, row } = await wordsOf({ input, result_data: returned(["bool"], [true]) }, standards);
    assert.equal(words.label, "call 0.0.200.transfer(to: 0.0.9, value: 5)");
    assert.equal(words.result, "→ true");
    assert.match(row.description ?? "", /ERC-20/);
    assert.ok(row.tooltip?.some((line) => line.includes("by its selector, from ERC-20")));
  });

  it("count less than the workspace and verified sources, and more than the signature service", async () => {
    const input = encoded("transfer(address,uint256)", [to, 5n]);
    const mine = "function transfer(address receiver, uint256 coins)";
    for (const certainty of ["workspace", "verified"] as const) {
      const { names } = await wordsOf({ input }, knows(certainty, mine), standards);
      assert.equal(names.call?.certainty, certainty);
    }
    const { names } = await wordsOf({ input }, standards, knows("guess", mine));
    assert.equal(names.call?.certainty, "standard");
  });

  it("give way where the data is another function's", async () => {
    const input = `${id("transfer(address,uint256)").slice(0, 10)}00`;
    assert.equal((await wordsOf({ input }, standards)).names.call, undefined);
  });

  it("are told apart by what came back: ERC-721's approve returns nothing, ERC-20's a bool", async () => {
    const input = encoded("approve(address,uint256)", [to, 7n]);
    const coin = await wordsOf({ input, result_data: returned(["bool"], [true]) }, standards);
    const collectible = await wordsOf({ input, result_data: "0x" }, standards);
    assert.match(coin.words.label, /approve\(spender: 0\.0\.9, value: 7\)/);
    assert.match(collectible.words.label, /approve\(to: 0\.0\.9, tokenId: 7\)/);
  });

  it("name errors of OpenZeppelin", async () => {
    const failure = reverted(encoded("ERC721NonexistentToken(uint256)", [404n]));
    const { words } = await wordsOf({ input: "0x12345678", ...failure }, standards);
    assert.equal(words.failureText, "reverted: ERC721NonexistentToken(tokenId: 404)");
  });

  it("name errors that only OpenZeppelin 5.0 has", async () => {
    for (const [data, text] of [
      [encoded("FailedInnerCall()", []), "FailedInnerCall()"],
      [encoded("MathOverflowedMulDiv()", []), "MathOverflowedMulDiv()"],
      [encoded("AddressInsufficientBalance(address)", [to]), "AddressInsufficientBalance(account: 0.0.9)"],
    ] as const) {
      const { words } = await wordsOf({ input: "0x12345678", ...reverted(data) }, standards);
      assert.equal(words.failureText, `reverted: ${text}`);
    }
  });

  it("name every way to pack calls into one of Multicall3, the packed calls, and what they answered", async () => {
    const [approve, transfer] = [
      encoded("approve(address,uint256)", [to, 5n]),
      encoded("transfer(address,uint256)", [to, 7n]),
    ];
    const [coin, other] = [addressOf(1001), addressOf(1002)];
    const two = [
      [coin, approve],
      [other, transfer],
    ];
    const packed = "target: 0.0.1001, callData: approve(spender: 0.0.9, value: 5)";
    const calls = `calls: [(${packed}), (target: 0.0.1002, callData: transfer(to: 0.0.9, value: 7))]`;
    const yes = returned(["bool"], [true]);
    for (const { signature, values, args, answer = "0x", result } of [
      {
        signature: "aggregate((address,bytes)[])",
        values: [two],
        args: calls,
        answer: returned(["uint256", "bytes[]"], [17, [yes, yes]]),
        result: `→ 17, [${yes}, ${yes}]`,
      },
      {
        signature: "tryAggregate(bool,(address,bytes)[])",
        values: [false, two],
        args: `requireSuccess: false, ${calls}`,
        answer: returned(["(bool,bytes)[]"], [[[false, "0x"]]]),
        result: "→ [(success: false, returnData: 0x)]",
      },
      {
        signature: "tryBlockAndAggregate(bool,(address,bytes)[])",
        values: [true, two],
        args: `requireSuccess: true, ${calls}`,
      },
      { signature: "blockAndAggregate((address,bytes)[])", values: [two], args: calls },
      {
        signature: "aggregate3Value((address,bool,uint256,bytes)[])",
        values: [[[coin, true, 0, approve]]],
        args: `calls: [(${packed.replace(",", ", allowFailure: true, value: 0,")})]`,
      },
      ...MULTICALL3_READS.map((name) => ({ signature: `${name}()`, values: [], args: "" })),
      {
        signature: "getBlockHash(uint256)",
        values: [17],
        args: "blockNumber: 17",
        answer: `0x${"5e".repeat(32)}`,
        result: `→ 0x${"5e".repeat(32)}`,
      },
    ]) {
      const input = new Interface([`function ${signature}`]).encodeFunctionData(signature, values);
      const tree = treeOf({ depth: 0, input, result_data: answer });
      const names = await new ActionNamer(network, [standards]).name(tree.actions[0] ?? {});
      const words = actionWords(tree, 0, names, "whole");
      assert.equal(names.call?.signature, signature);
      assert.equal(words.args, args);
      if (result !== undefined) assert.equal(words.result, result);
      assert.equal(names.call.standard, "Multicall3");
    }
  });

  it("tell the logs of ERC-20 and ERC-721 apart by what is indexed", async () => {
    const namer = new ActionNamer(network, [standards]);
    const topic = id("Transfer(address,address,uint256)");
    const party = `0x${to.slice(2).padStart(64, "0")}`;
    const coin = await namer.event({ topics: [topic, party, party], data: returned(["uint256"], [7]) });
    const collectible = await namer.event({ topics: [topic, party, party, party], data: "0x" });
    assert.deepEqual([coin.event?.standard, collectible.event?.standard], ["ERC-20", "ERC-721"]);
  });

  it("know the ABIs of packages from which they were not made", async () => {
    const held: readonly (readonly [string, readonly JsonFragment[], number])[] = [
      ["viem erc20", erc20Abi, 1],
      // Its tokenByIndex takes an address, which that of the standard does not.
      ["viem erc721", erc721Abi, 17 / 18],
      ["viem erc1155", erc1155Abi, 1],
      ["viem erc4626", erc4626Abi, 1],
      ["viem multicall3", multicall3Abi, 1],
      ["NonfungiblePositionManager", abiOf("NonfungiblePositionManager.sol/NonfungiblePositionManager"), 0.9],
      ["SwapRouter", abiOf("SwapRouter.sol/SwapRouter"), 0.9],
    ];
    for (const [name, abi, least] of held) {
      const fragments = new Interface(abi).fragments.filter(({ type }) => /function|error|event/.test(type));
      const found = await Promise.all(
        fragments.map(async (fragment) => {
          const kind = fragment.type as "function" | "error" | "event";
          const hash = id(fragment.format("sighash"));
          const of = await standards.definitions(kind, kind === "event" ? hash : hash.slice(0, 10));
          return of.length > 0;
        }),
      );
      const known = found.filter(Boolean).length;
      console.log(`${name}: ${known} of ${fragments.length} named`);
      assert.ok(known >= least * fragments.length, name);
    }
  });
});

/** What Multicall3 tells of the chain without being asked for anything. */
const MULTICALL3_READS = [
  "getLastBlockHash",
  "getBlockNumber",
  "getCurrentBlockCoinbase",
  "getCurrentBlockDifficulty",
  "getCurrentBlockGasLimit",
  "getCurrentBlockTimestamp",
  "getChainId",
  "getBasefee",
];

function abiOf(file: string): readonly JsonFragment[] {
  const path = require.resolve(`@uniswap/v3-periphery/artifacts/contracts/${file}.json`);
  return (require(path) as { readonly abi: readonly JsonFragment[] }).abi;
}

describe("What values mean", () => {
  it("is said of an allowance without a limit, and of the role of AccessControl that has no name of its own", async () => {
    const most = 2n ** 256n - 1n;
    const words = async (signature: string, values: readonly unknown[]) => {
      const tree = treeOf({ depth: 0, input: encoded(signature, values) });
      const names = await new ActionNamer(network, [standards]).name(tree.actions[0] ?? {});
      return [actionWords(tree, 0, names).args, actionWords(tree, 0, names, "whole").args];
    };
    const [short, whole] = await words("approve(address,uint256)", [to, most]);
    assert.equal(short, "spender: 0.0.9, value: unlimited");
    assert.match(whole ?? "", /value: unlimited \(115,792,089,[\d,]+,639,935\)$/);
    const nearly = await words("approve(address,uint256)", [to, most - 1n]);
    assert.doesNotMatch(nearly[0] ?? "", /unlimited/);
    const sent = await words("transfer(address,uint256)", [to, most]);
    assert.match(sent[0] ?? "", /value: 115,792,089/);
    const none = `0x${"0".repeat(64)}`;
    const [role] = await words("grantRole(bytes32,address)", [none, to]);
    assert.equal(role, "role: DEFAULT_ADMIN_ROLE, account: 0.0.9");
    assert.equal((await words("grantRole(bytes32,address)", [none, to]))[1], role);
    // A deadline is a moment, unless its number is none of ours.
    const permit = "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)";
    const until = async (deadline: bigint) =>
      (await words(permit, [to, to, 5n, deadline, 27, none, none]))[1]?.replace(
        /.* deadline: (.*), v: .*/,
        "$1",
      );
    assert.equal(await until(1_764_000_600n), "2025-11-24 16:10:00 UTC (1,764,000,600)");
    assert.equal(await until(3_600n), "3,600");
    assert.match((await until(most)) ?? "", /^unlimited/);
    const namer = new ActionNamer(network, [standards]);
    const party = returned(["address"], [to]);
    const { event } = await namer.event({
      topics: [id("Approval(address,address,uint256)"), party, party],
      data: returned(["uint256"], [most]),
    });
    assert.equal(valuesText(event?.values ?? [], "short"), "owner: 0.0.9, spender: 0.0.9, value: unlimited");
    const refused = reverted(encoded("AccessControlUnauthorizedAccount(address,bytes32)", [to, none]));
    assert.equal(
      (await wordsOf({ input: "0x12345678", ...refused }, standards)).words.failureText,
      "reverted: AccessControlUnauthorizedAccount(account: 0.0.9, neededRole: DEFAULT_ADMIN_ROLE)",
    );
  });
});

describe("What a call came back with", () => {
  const input = encoded("transferFrom(address,address,uint256)", [to, to, 5n]);
  const head = async (...sources: readonly NameSource[]) => {
    const tree = treeOf({ depth: 0, ...reverted("0x") }, { depth: 1, input, recipient: "0.0.300" });
    const namer = new ActionNamer(network, sources);
    namer.learnTokens(tree.actions);
    for (const action of tree.actions) await namer.name(action);
    const namesOf = (action: ContractAction) => namer.known(action);
    return {
      ...transactionPage({
        canonical: "0.0.5-1-1",
        networkName: "Local",
        tree,
        complete: true,
        now: 0,
        namesOf,
      }),
      calls: callRows(tree, namesOf),
    };
  };

  it("is said where it is nothing and a bool was expected, up to the head", async () => {
    const { headline, calls } = await head(standards);
    assert.equal(headline, "Reverted in 0.0.200.receive: 0.0.300.transferFrom returned nothing");
    assert.equal(calls[1]?.failure, "transferFrom returned nothing");
  });

  it("is nothing odd of a collectible, which then is named as one, whatever its caller did next", async () => {
    const token = { recipient: "0.0.300", to: addressOf(300) };
    const owned = { input: encoded("ownerOf(uint256)", [5n]), result_data: returned(["address"], [to]) };
    const received = {
      depth: 2,
      recipient: "0.0.400",
      to: addressOf(400),
      from: addressOf(300),
      input: encoded("onERC721Received(address,address,uint256,bytes)", [to, to, 5n, "0x"]),
      result_data: returned(["bytes4"], ["0x150b7a02"]),
    };
    const said = async (
      ...calls: readonly (Readonly<Record<string, unknown>> & { readonly depth: number })[]
    ) => {
      const tree = treeOf(...calls);
      const namer = new ActionNamer(network, [standards]);
      namer.learnTokens(tree.actions);
      for (const action of tree.actions) await namer.name(action);
      const rows = callRows(tree, (action) => namer.known(action));
      return rows.map(({ args, failure }) => [args, failure]);
    };
    const nothing = ["from: 0.0.9, to: 0.0.9, tokenId: 5", undefined];
    const failing = { depth: 0, ...reverted("0x") };
    const moved = { depth: 1, ...token, input };
    assert.deepEqual((await said(failing, { depth: 1, ...token, ...owned }, moved))[2], nothing);
    const safe = {
      depth: 1,
      ...token,
      input: encoded("safeTransferFrom(address,address,uint256)", [to, to, 6n]),
    };
    assert.deepEqual((await said(failing, safe, received, moved))[3], nothing);
    // What went on, or failed for a reason of its own, expected nothing.
    assert.deepEqual((await said({ depth: 0 }, moved))[1], nothing);
    const later = { depth: 1, recipient: "0.0.500", to: addressOf(500), input: "0x12345678" };
    assert.deepEqual((await said(failing, moved, later))[1], nothing);
    const why = { depth: 0, ...reverted(encoded("Error(string)", ["too late"])) };
    assert.deepEqual((await said(why, moved))[1], nothing);
  });

  it("is read by the token's own logs once these are there, also of a token of another age that has no bool", async () => {
    const token = { depth: 1, recipient: "0.0.300", to: addressOf(300), input };
    const tree = treeOf({ depth: 0 }, token);
    const failing = treeOf({ depth: 0, ...reverted("0x") }, token);
    const topics = [
      id("Transfer(address,address,uint256)"),
      returned(["address"], [to]),
      returned(["address"], [to]),
    ];
    const [amount, serial] = [returned(["uint256"], [5n]), returned(["uint256"], [6n])];
    const said = async (of: typeof tree, log: { topics: readonly string[]; data: string }) => {
      const namer = new ActionNamer(network, [standards]);
      namer.learnTokens(of.actions);
      for (const action of of.actions) await namer.name(action);
      await namer.event({ address: addressOf(300), ...log });
      const row = callRows(of, (action) => namer.known(action))[1];
      return [row?.args, row?.failure];
    };
    assert.deepEqual(await said(tree, { topics, data: amount }), [
      "from: 0.0.9, to: 0.0.9, value: 5",
      undefined,
    ]);
    assert.deepEqual(await said(failing, { topics: [...topics, serial], data: "0x" }), [
      "from: 0.0.9, to: 0.0.9, tokenId: 5",
      undefined,
    ]);
  });

  it("has one reading: what is said to lack ERC-20's bool has its value, in front of a proxy and behind it", async () => {
    const proxy = { recipient: "0.0.300", to: addressOf(300) };
    const behind = {
      recipient: "0.0.301",
      to: addressOf(301),
      from: addressOf(300),
      call_operation_type: "DELEGATECALL",
    };
    const tree = treeOf(
      { depth: 0, ...reverted("0x") },
      { depth: 1, ...proxy, input },
      { depth: 2, ...behind, input },
    );
    const namer = new ActionNamer(network, [standards]);
    namer.learnTokens(tree.actions);
    for (const action of tree.actions) await namer.name(action);
    const rows = callRows(tree, (action) => namer.known(action));
    assert.deepEqual(
      rows.slice(1).map(({ args, failure }) => [args, failure]),
      [
        ["from: 0.0.9, to: 0.0.9, value: 5", "transferFrom returned nothing"],
        ["from: 0.0.9, to: 0.0.9, value: 5", undefined],
      ],
    );
  });

  it("is nothing odd where the function has no results", async () => {
    const none = knows("verified", "function transferFrom(address from, address to, uint256 tokenId)");
    assert.equal((await head(none)).headline, "Reverted without a reason in 0.0.200.receive");
  });
});

describe("A token's own calls", () => {
  const token = addressOf(1234);
  const inner = encoded("transfer(address,uint256)", [to, 1_000_000n]);
  const redirect = `0x618dc65e${token.slice(2)}${inner.slice(2)}`;
  const associate = id("associate()").slice(0, 10);
  const service = { to: addressOf(0x167), recipient: "0.0.359", call_operation_type: "DELEGATECALL" };

  const named = async (tree: ReturnType<typeof treeOf>, asked: string[][] = []) => {
    const namer = new ActionNamer(network, [standards], (_network, ids) => {
      asked.push([...ids]);
      return Promise.resolve(new Map(ids.map((one) => [one, { decimals: 6, symbol: "SMC" }])));
    });
    namer.learnTokens(tree.actions);
    for (const action of tree.actions) await namer.name(action);
    return namer;
  };

  it("are named above redirectForToken too, and have the result of what was handed on", async () => {
    const answer = returned(["int64", "bytes"], [22n, returned(["bool"], [true])]);
    const tree = treeOf(
      { depth: 0, to: token, recipient: "0.0.1234", input: associate },
      { depth: 1, ...service, input: `0x618dc65e${token.slice(2)}${associate.slice(2)}` },
      { depth: 0, to: token, recipient: "0.0.1234", input: inner, result_data: returned(["bool"], [true]) },
      { depth: 1, ...service, input: redirect, result_data: answer },
    );
    const namer = await named(tree);
    const words = tree.actions.map((action, at) => actionWords(tree, at, namer.known(action)));
    assert.equal(words[0]?.label, "call 0.0.1234.associate()");
    assert.equal(words[2]?.label, "call 0.0.1234.transfer(to: 0.0.9, amount: 1,000,000)");
    assert.deepEqual([words[2].result, words[3]?.result], ["→ true", "→ true"]);
  });

  it("say amounts in the token's decimals once it is looked up, each token once", async () => {
    const tree = treeOf({ depth: 0, ...service, input: redirect }, { depth: 0, ...service, input: redirect });
    const asked: string[][] = [];
    const namer = await named(tree, asked);
    assert.deepEqual(asked, []);
    assert.deepEqual(
      await Promise.all([namer.lookUpTokens(tree.actions), namer.lookUpTokens(tree.actions)]),
      [true, true],
    );
    assert.deepEqual(asked, [["0.0.1234"]]);
    const words = actionWords(tree, 0, namer.known(tree.actions[0] ?? {}));
    assert.equal(words.label, "delegate SMC.transfer(to: 0.0.9, amount: 1.0 SMC)");
    // A copy stays whole.
    const whole = actionWords(tree, 0, namer.known(tree.actions[0] ?? {}), "whole");
    assert.match(
      whole.label,
      /^delegate SMC \(0\.0\.1234\)\.transfer\(to: 0\.0\.9, amount: 1\.0 SMC \(1,000,000 smallest units\)\)$/,
    );
  });

  it("say the amounts of their events and errors alike, and ask for no token twice", async () => {
    const failed = {
      depth: 0,
      to: token,
      recipient: "0.0.1234",
      input: inner,
      result_data_type: "REVERT_REASON",
      result_data: encoded("ERC20InsufficientBalance(address,uint256,uint256)", [
        to,
        9_706_800n,
        10_000_000n,
      ]),
    };
    const tree = treeOf({ depth: 0, ...service, input: redirect }, failed, {
      ...failed,
      to: `0x${"ab".repeat(20)}`,
      recipient: "0.0.77",
    });
    const asked: string[][] = [];
    const namer = await named(tree, asked);
    await namer.lookUpTokens(tree.actions);
    const failures = tree.actions.map((action, at) => actionWords(tree, at, namer.known(action)).failureText);
    assert.equal(
      failures[1],
      "reverted: ERC20InsufficientBalance(sender: 0.0.9, balance: 9.7068 SMC, needed: 10.0 SMC)",
    );
    // Of a contract whose decimals nobody told.
    assert.match(failures[2] ?? "", /balance: 9,706,800, needed: 10,000,000/);
    const eventOf = async (name: string, address: string, topics: readonly string[], data: string) => {
      const { event } = await namer.event({ address, topics: [id(name), ...topics], data });
      return `${event?.name ?? ""}(${valuesText(event?.values ?? [], "short")})`;
    };
    const [from, receiver] = [returned(["address"], [addressOf(8)]), returned(["address"], [to])];
    const amount = returned(["uint256"], [5_000_000n]);
    const transfer = "Transfer(address,address,uint256)";
    assert.equal(
      await eventOf(transfer, token, [from, receiver], amount),
      "Transfer(from: 0.0.8, to: 0.0.9, value: 5.0 SMC)",
    );
    assert.equal(
      await eventOf("Approval(address,address,uint256)", addressOf(0x999), [from, receiver], amount),
      "Approval(owner: 0.0.8, spender: 0.0.9, value: 5.0 SMC)",
    );
    assert.equal(
      await eventOf(transfer, `0x${"ab".repeat(20)}`, [from, receiver], amount),
      "Transfer(from: 0.0.8, to: 0.0.9, value: 5,000,000)",
    );
    // A serial number is no amount.
    assert.equal(
      await eventOf(transfer, token, [from, receiver, returned(["uint256"], [7n])], "0x"),
      "Transfer(from: 0.0.8, to: 0.0.9, tokenId: 7)",
    );
    assert.deepEqual(asked, [["0.0.1234"], ["0.0.2457"]]);
  });

  it("are the token's by its symbol in the copy of the page, with its id, and its logs are, too", async () => {
    const tree = treeOf({
      depth: 0,
      to: token,
      recipient: "0.0.1234",
      input: inner,
      result_data: returned(["bool"], [true]),
    });
    const namer = new ActionNamer(network, [standards], (_network, ids) =>
      Promise.resolve(new Map(ids.map((one) => [one, { decimals: 6, symbol: "SMC" }]))),
    );
    namer.learnTokens([{ input: redirect }]);
    for (const action of tree.actions) await namer.name(action);
    await namer.lookUpTokens(tree.actions);
    const log = {
      address: token,
      contract_id: "0.0.1234",
      index: "0",
      topics: [
        id("Transfer(address,address,uint256)"),
        returned(["address"], [addressOf(8)]),
        returned(["address"], [to]),
      ],
      data: returned(["uint256"], [1_000_000n]),
    };
    const parts = {
      canonical: "0.0.5-1-1",
      networkName: "Local",
      tree,
      complete: true,
      now: 0,
      namesOf: (action: ContractAction) => namer.known(action),
      record: {
        problems: [],
        execution: {
          from: addressOf(8),
          to: token,
          contract_id: "0.0.1234",
          result: "SUCCESS",
          logs: [log],
        },
      },
      events: new Map([[0, await namer.event(log)]]),
    };
    const lines = pageAsText(parts).split("\n");
    const units = "1.0 SMC (1,000,000 smallest units)";
    for (const line of [
      "From: 0.0.8",
      "To: SMC (0.0.1234)",
      `call SMC (0.0.1234).transfer(to: 0.0.9, amount: ${units}) · → true · 100,000 gas`,
      `#0 SMC (0.0.1234) Transfer(from: 0.0.8, to: 0.0.9, value: ${units})`,
      "  from: 0.0.8",
      `  value: ${units}`,
    ])
      assert.ok(lines.includes(line), `${line} in\n${lines.join("\n")}`);
    assert.equal(callRows(tree, parts.namesOf)[0]?.contract, "SMC");
    assert.equal(transactionPage(parts).logs[0]?.event, "Transfer(from: 0.0.8, to: 0.0.9, value: 1.0 SMC)");
    // Automation gets what the ledger sent.
    const { logs } = JSON.parse(pageAsJson(parts)) as { logs: { event: { values: unknown[] } }[] };
    assert.deepEqual(logs[0]?.event.values[1], { name: "to", type: "address", text: to });
  });

  it("are the token's, too, where no actions are recorded, which is asked once", async () => {
    const execution = {
      from: addressOf(8),
      to: token,
      contract_id: "0.0.1234",
      result: "SUCCESS",
      function_parameters: inner,
      call_result: returned(["bool"], [true]),
    };
    const tree = executionTree(execution);
    const asked: string[][] = [];
    const namer = await named(tree, asked);
    const first = () => callRows(tree, (action) => namer.known(action))[0];
    await namer.lookUpTokens(tree.actions);
    assert.deepEqual(asked, [["0.0.1234"]]);
    assert.deepEqual([first()?.contract, first()?.args], ["SMC", "to: 0.0.9, value: 1.0 SMC"]);
    const party = returned(["address"], [to]);
    await namer.event({
      address: token,
      topics: [id("Transfer(address,address,uint256)"), party, party],
      data: returned(["uint256"], [1_000_000n]),
    });
    await namer.lookUpTokens(tree.actions);
    assert.deepEqual(asked, [["0.0.1234"]], "a log of it asks for it no second time");
  });

  it("differ from value that goes to an account", async () => {
    const { words } = await wordsOf({ value: 50_000_000, recipient: "0.0.9", recipient_type: "ACCOUNT" });
    assert.deepEqual([words.label, words.value], ["transfer to 0.0.9", "0.5 ℏ"]);
  });
});
