// Which variables a transaction wrote: contracts with variables of any type, made by chance, compiled by real releases of solc
// and run on a real chain; each slot that changed has to be told by the variable that the source wrote.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Interface } from "ethers";
import { storageLayout } from "../../src/core/evm/storageLayout.ts";
import { storedText, StoredVariables, textsIn } from "../../src/core/evm/storedVariables.ts";
import { fieldAt } from "../../src/core/json/looseData.ts";
import { readAs } from "../../src/core/json/shape.ts";
import { proofSize, seed } from "../rig/proofSize.ts";
import { startChain, type Chain } from "../sandbox/chain.ts";
import { compileNow } from "../sandbox/solcNow.ts";
import { randomFrom, type Random } from "../unit/random.ts";

/** What is written: the left side as the page names it, and its value; `undefined` where a value is not looked at. */
interface Written {
  readonly name: string;
  readonly value: string | undefined;
}

/** Arguments of the call, by which mappings are keyed. */
interface Arguments {
  readonly who: string;
  readonly id: bigint;
  readonly word: string;
  readonly low: bigint;
  readonly short: string;
  readonly flag: true;
}

interface Kind {
  readonly type: string;
  /** Statements that write into a place called so, and what they write. */
  readonly write: (
    place: string,
    name: string,
  ) => { readonly code: string; readonly written: readonly Written[] };
}

class Types {
  readonly declarations: string[] = [];
  readonly #random: Random;
  readonly #given: Arguments;
  readonly #isNew: boolean;
  #structs = 0;

  constructor(random: Random, given: Arguments, isNew: boolean) {
    this.#random = random;
    this.#given = given;
    this.#isNew = isNew;
  }

  value(): Kind {
    const random = this.#random;
    const plain = (type: string, code: string, value: string): Kind => ({
      type,
      write: (place, name) => ({ code: `${place} = ${code};`, written: [{ name, value }] }),
    });
    const bits = 8 * (1 + random.below(32));
    switch (random.below(9)) {
      case 0: {
        const value = 1 + random.below(200);
        return plain(`uint${bits}`, `${value}`, `${value}`);
      }
      case 1: {
        const value = -1 - random.below(100);
        return plain(`int${bits}`, `${value}`, `${value}`);
      }
      case 2:
        return plain("bool", "true", "true");
      case 3:
        return plain("address", "who", this.#given.who);
      case 4: {
        const bytes = 1 + random.below(32);
        const digits = Array.from({ length: bytes }, () => (16 + random.below(240)).toString(16)).join("");
        return plain(
          `bytes${bytes}`,
          bytes === 20 ? `bytes20(hex"${digits}")` : `hex"${digits}"`,
          `0x${digits}`,
        );
      }
      case 5:
        return plain("Kind", "Kind.Map", "2");
      case 6:
        return plain("IShop", "IShop(who)", this.#given.who);
      case 7:
        return this.#isNew ? plain("Price", "Price.wrap(77)", "77") : plain("uint64", "77", "77");
      default: {
        const value = 2n ** BigInt(bits - 1) + BigInt(random.below(100));
        return plain(`uint${bits}`, `${value}`, `${value}`);
      }
    }
  }

  any(depth: number): Kind {
    const random = this.#random;
    const kind = depth === 0 ? 0 : random.below(9);
    switch (kind) {
      case 4: {
        const text = random.pick(["Atlas", "x", "a text of exactly thirty-one ch", "Ein Wort: Öl"]);
        return {
          type: "string",
          write: (place, name) => ({
            code: `${place} = ${/^[\x20-\x7e]*$/.test(text) ? "" : "unicode"}"${text}";`,
            written: [{ name, value: `"${text}"` }],
          }),
        };
      }
      case 5: {
        const inner = this.any(depth - 1);
        const length = 1 + random.below(5);
        const at = random.below(length);
        return {
          type: `${inner.type}[${length}]`,
          write: (place, name) => inner.write(`${place}[${at}]`, `${name}[${at}]`),
        };
      }
      case 6: {
        const inner = this.any(depth - 1);
        const count = 1 + random.below(4);
        return {
          type: `${inner.type}[]`,
          write: (place, name) => {
            const last = inner.write(`${place}[${count - 1}]`, `${name}[${count - 1}]`);
            return {
              code: `${`${place}.push(); `.repeat(count)}${last.code}`,
              written: [{ name: `${name}.length`, value: `${count}` }, ...last.written],
            };
          },
        };
      }
      case 7: {
        const members = Array.from({ length: 1 + random.below(4) }, (_, at) => ({
          name: `m${at}`,
          kind: this.any(depth - 1),
        }));
        const struct = `S${this.#structs++}`;
        this.declarations.push(
          `struct ${struct} { ${members.map(({ name, kind: one }) => `${one.type} ${name};`).join(" ")} }`,
        );
        const chosen = members.filter(() => random.below(3) > 0);
        return {
          type: struct,
          write: (place, name) => {
            const parts = (chosen.length > 0 ? chosen : members.slice(0, 1)).map((one) =>
              one.kind.write(`${place}.${one.name}`, `${name}.${one.name}`),
            );
            return {
              code: parts.map(({ code }) => code).join(" "),
              written: parts.flatMap(({ written }) => written),
            };
          },
        };
      }
      case 8: {
        const { who, id, word, low, short } = this.#given;
        const [type, key, told] = random.pick([
          ["address", "who", who],
          ["address", "msg.sender", SENDER],
          ["uint256", "id", `${id}`],
          ["uint32", "uint32(id)", `${id}`],
          ["bytes32", "word", word],
          ["int256", "low", `${low}`],
          ["int64", "int64(low)", `${low}`],
          ["string", "short", `"${short}"`],
          ["bool", "flag", "true"],
          ["IShop", "IShop(who)", who],
        ]);
        const inner = this.any(depth - 1);
        return {
          type: `mapping(${type} => ${inner.type})`,
          write: (place, name) => inner.write(`${place}[${key}]`, `${name}[${told}]`),
        };
      }
      default:
        return this.value();
    }
  }
}

const SENDER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const hexOf = (random: Random, bytes: number) =>
  Array.from({ length: bytes }, () => (1 + random.below(255)).toString(16).padStart(2, "0")).join("");

function storyOf(random: Random) {
  const release = random.pick(["solc", "solc", "solc-0.8.28", "solc-0.8.24", "solc-0.7.6"]);
  const isNew = release !== "solc-0.7.6";
  const given: Arguments = {
    who: `0x${hexOf(random, 20)}`,
    id: BigInt(1_000 + random.below(2 ** 30)),
    word: `0x${hexOf(random, 32)}`,
    low: -BigInt(1_000 + random.below(2 ** 30)),
    short: random.pick(["gold", "a", "a key that is longer than one word of storage is"]),
    flag: true,
  };
  const types = new Types(random, given, isNew);
  const variables = Array.from({ length: 3 + random.below(8) }, (_, at) => ({
    name: `v${at}`,
    kind: types.any(3),
  }));
  const split = random.below(variables.length);
  const declared = (from: number, to: number) =>
    variables
      .slice(from, to)
      .map(({ name, kind }) => `  ${kind.type} internal ${name};`)
      .join("\n");
  const written = variables.filter(() => random.below(4) > 0).map(({ name, kind }) => kind.write(name, name));
  const start = release === "solc" && random.below(3) === 0 ? ` layout at 0x${hexOf(random, 9)}` : "";
  const source = `// SPDX-License-Identifier: MIT
pragma solidity >=0.7.0;
${isNew ? "type Price is uint96;" : ""}
interface IShop {}
enum Kind { None, Book, Map }
${types.declarations.join("\n")}
contract Base {
${declared(0, split)}
}
contract Shelf is Base${start} {
  uint256 internal constant RATE = 25;
  uint256 internal immutable since = 5;
${declared(split, variables.length)}
  function write(address who, uint256 id, bytes32 word, int256 low, string calldata short, bool flag) external {
    who; id; word; low; short; flag;
${written.map(({ code }) => `    ${code}`).join("\n")}
  }
}`;
  return { release, given, source, written: written.flatMap((one) => one.written) };
}

interface Difference {
  readonly post: Readonly<Record<string, { readonly storage?: Readonly<Record<string, string>> }>>;
}

describe("The variables that a transaction wrote, of any type", () => {
  let chain: Chain;
  before(async () => {
    chain = await startChain();
  });
  after(() => chain.stop());

  it("are those of the source, with keys, indexes and values", async () => {
    const random = randomFrom(seed("strange storage"));
    const count = proofSize({ sample: 20, whole: 500 });
    let tried = 0;
    const wrong: string[] = [];
    for (let at = 0; at < count; at++) {
      const { release, given, source, written } = storyOf(random);
      const output = compileNow(
        {
          language: "Solidity",
          sources: { "Shelf.sol": { content: source } },
          settings: {
            optimizer: { enabled: true, runs: 1 },
            outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "storageLayout"] } },
          },
        },
        release,
      );
      const contract = fieldAt(output, "contracts", "Shelf.sol", "Shelf");
      const code = fieldAt(contract, "evm", "bytecode", "object");
      // Too large for a slot, a stack or a type of this release: another one is drawn.
      if (typeof code !== "string" || code === "") {
        if (process.env["STORY"]) console.log(JSON.stringify(fieldAt(output, "errors")).slice(0, 600));
        continue;
      }
      tried++;
      try {
        const layout = readAs(storageLayout, fieldAt(contract, "storageLayout"));
        assert.ok(layout, "the layout is read");
        const { address } = await chain.deploy(`0x${code}`);
        const abi = new Interface(JSON.stringify(fieldAt(contract, "abi")));
        const input = abi.encodeFunctionData("write", [
          given.who,
          given.id,
          given.word,
          given.low,
          given.short,
          given.flag,
        ]);
        const hash = await chain.rpc<string>("eth_sendTransaction", {
          from: SENDER,
          to: address,
          data: input,
          gas: "0x1000000",
        });
        await chain.rpc("evm_mine").catch(() => undefined);
        const { post } = await chain.rpc<Difference>("debug_traceTransaction", hash, {
          tracer: "prestateTracer",
          tracerConfig: { diffMode: true },
        });
        const words = [...(input.slice(10).match(/.{64}/g) ?? []), SENDER.slice(2).padStart(64, "0")];
        const variables = new StoredVariables(layout, words, textsIn(input.slice(10), 100));
        const told = Object.entries(post[address]?.storage ?? {}).flatMap(([slot, value]) => {
          const found = variables.at(BigInt(slot));
          assert.notEqual(found.length, 0, `nothing lies in ${slot}`);
          return found.map((one) => `${one.name} = ${storedText(value.replace(/^0x/, ""), one)}`);
        });
        const wanted = written.map(({ name, value }) => `${name} = ${value ?? ""}`);
        // What shares a slot and was not written is nothing.
        const isNothing = (line: string) => / = (?:0x0*|0|false|""|0 bytes)$/.test(line);
        assert.deepEqual(
          [...new Set(told.filter((line) => !isNothing(line)))].sort(),
          [...new Set(wanted)].sort(),
        );
      } catch (error) {
        wrong.push(
          `${release} (${at}): ${error instanceof Error ? error.message : String(error)}\n${process.env["STORY"] ? source : ""}`,
        );
      }
    }
    console.log(`strange storage: ${tried - wrong.length} of ${tried} contracts are told`);
    assert.deepEqual(wrong, []);
  });
});
