// Which variable lies in a slot, by what solc says of the layout and what a chain wrote.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Interface } from "ethers";
import { storageLayout } from "../../src/core/evm/storageLayout.ts";
import { storedText, StoredVariables } from "../../src/core/evm/storedVariables.ts";
import { fieldAt } from "../../src/core/json/looseData.ts";
import { readAs } from "../../src/core/json/shape.ts";
import { startChain, type Chain } from "../sandbox/chain.ts";
import { compileNow } from "../sandbox/solcNow.ts";

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Base { address internal owner = msg.sender; bool internal paused; uint64 internal since; }
contract Shelf is Base {
  enum Kind { None, Book, Map }
  struct Item { uint128 price; uint64 stock; Kind kind; address[] buyers; mapping(address => uint256) paid; }
  mapping(address => mapping(uint256 => uint256)) internal allowed;
  mapping(uint256 => Item) internal items;
  mapping(bytes4 => bool) internal supported;
  uint8[40] internal small;
  uint256[3][2] internal grid;
  Item[] internal shelf;
  string internal title;
  bytes internal blob;
  int32 internal low;
  function write(address who, uint256 id, string calldata text, bytes calldata data) external {
    paused = true; since = 77;
    allowed[who][id] = 5;
    items[id].price = 1000; items[id].stock = 3; items[id].kind = Kind.Map;
    items[id].buyers.push(who); items[id].paid[who] = 9;
    supported[0x01ffc9a7] = true;
    small[33] = 7; grid[1][2] = 8;
    shelf.push(); shelf.push(); shelf[1].stock = 4;
    title = text; blob = data; low = -5;
  }
}`;

interface Difference {
  readonly post: Readonly<Record<string, { readonly storage?: Readonly<Record<string, string>> }>>;
}

describe("The variables of the slots that a transaction wrote", () => {
  let chain: Chain;
  before(async () => {
    chain = await startChain();
  });
  after(() => chain.stop());

  it("are those of the source, with keys, indexes and values", async () => {
    const output = compileNow({
      language: "Solidity",
      sources: { "Shelf.sol": { content: SOURCE } },
      settings: { outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "storageLayout"] } } },
    });
    const contract = fieldAt(output, "contracts", "Shelf.sol", "Shelf");
    const layout = readAs(storageLayout, fieldAt(contract, "storageLayout"));
    assert.ok(layout, "the layout is read");
    const { address } = await chain.deploy(`0x${String(fieldAt(contract, "evm", "bytecode", "object"))}`);
    const abi = new Interface(JSON.stringify(fieldAt(contract, "abi")));
    const [from = "", who = ""] = await chain.rpc<string[]>("eth_accounts");
    const input = abi.encodeFunctionData("write", [who, 12, "Atlas", `0x${"ab".repeat(40)}`]);
    const hash = await chain.rpc<string>("eth_sendTransaction", {
      from,
      to: address,
      data: input,
      gas: "0x1000000",
    });
    await chain.rpc("evm_mine").catch(() => undefined);
    const { post } = await chain.rpc<Difference>("debug_traceTransaction", hash, {
      tracer: "prestateTracer",
      tracerConfig: { diffMode: true },
    });
    // What the call says, word for word, and what the source writes as a key.
    const words = [...(input.slice(10).match(/.{64}/g) ?? []), "01ffc9a7".padEnd(64, "0")];
    const variables = new StoredVariables(layout, words);
    const written = Object.entries(post[address]?.storage ?? {}).flatMap(([slot, value]) => {
      const found = variables.at(BigInt(slot));
      assert.notEqual(found.length, 0, `nothing lies in ${slot}`);
      return found.map((one) => `${one.name} = ${storedText(value.replace(/^0x/, ""), one)}`);
    });
    assert.deepEqual(written.filter((line) => !/^small\[(?!33)/.test(line)).sort(), [
      `allowed[${who.toLowerCase()}][12] = 5`,
      "blob = 40 bytes",
      `blob from byte 0 = 0x${"ab".repeat(32)}`,
      `blob from byte 32 = 0x${"ab".repeat(8)}${"00".repeat(24)}`,
      "grid[1][2] = 8",
      "items[12].buyers.length = 1",
      `items[12].buyers[0] = ${who.toLowerCase()}`,
      "items[12].kind = 2",
      `items[12].paid[${who.toLowerCase()}] = 9`,
      "items[12].price = 1000",
      "items[12].stock = 3",
      "low = -5",
      `owner = ${from.toLowerCase()}`,
      "paused = true",
      "shelf.length = 2",
      "shelf[1].kind = 0",
      "shelf[1].price = 0",
      "shelf[1].stock = 4",
      "since = 77",
      "small[33] = 7",
      "supported[0x01ffc9a7] = true",
      'title = "Atlas"',
    ]);
  });
});
