import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  decodeAbiParameters,
  decodeErrorResult,
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  type Abi,
  type AbiParameter,
  type Hex,
} from "viem";
import { abiDecoder, type AbiDecoder, type AbiItem } from "../../../src/core/evm/abiDecoding.ts";
import { readAbi } from "../../../src/core/evm/abiEntry.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { valuesText } from "../../../src/core/ledger/actions/valueWords.ts";
import { random, type Random } from "../random.ts";

/** A parameter of an ABI to be, without viem's unions: a struct has components, in arrays too. */
interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly components?: readonly Parameter[];
}

function parameter(source: Random, depth: number, name: string): Parameter {
  const { below, pick } = source;
  switch (below(depth > 0 ? 9 : 6)) {
    case 0:
      return { name, type: `${pick(["u", ""])}int${8 * (1 + below(32))}` };
    case 1:
      return { name, type: "address" };
    case 2:
      return { name, type: "bool" };
    case 3:
      return { name, type: `bytes${1 + below(32)}` };
    case 4:
      return { name, type: "bytes" };
    case 5:
      return { name, type: "string" };
    case 6: {
      const components = Array.from({ length: 1 + below(3) }, (_, at) =>
        parameter(source, depth - 1, below(4) === 0 ? "" : `field${at}`),
      );
      return { name, type: "tuple", components };
    }
    default: {
      const element = parameter(source, depth - 1, "");
      return { ...element, name, type: `${element.type}${pick(["[]", `[${1 + below(3)}]`])}` };
    }
  }
}

function hexBytes({ below }: Random, length: number): Hex {
  return `0x${Array.from({ length }, () => below(256).toString(16).padStart(2, "0")).join("")}`;
}

/** A value that viem encodes as this type. */
function value(source: Random, type: string, components: readonly Parameter[] = []): unknown {
  const { below, pick } = source;
  const [, element, size] = /^(.*)\[(\d*)\]$/.exec(type) ?? [];
  if (element !== undefined) {
    const length = size === "" ? below(4) : Number(size);
    return Array.from({ length }, () => value(source, element, components));
  }
  if (type === "tuple") return structOf(source, components);
  const [, sign, width] = /^(u?)int(\d+)$/.exec(type) ?? [];
  if (width !== undefined) {
    const bits = BigInt(width);
    const raw = BigInt(hexBytes(source, 32)) >> BigInt(below(256));
    const edge = pick([raw, 0n, (1n << bits) - 1n, 1n << (bits - 1n)]);
    const exact = sign === "u" ? BigInt.asUintN(Number(bits), edge) : BigInt.asIntN(Number(bits), edge);
    // viem takes and gives small integers as numbers.
    return bits <= 48n ? Number(exact) : exact;
  }
  if (type === "address") return hexBytes(source, 20);
  if (type === "bool") return below(2) === 1;
  if (type === "bytes") return hexBytes(source, below(70));
  if (type === "string")
    return pick(["", "rent", "漢字🙂", '"quoted"', "\u202e$(check)\u0000\n", "x".repeat(64)]);
  return hexBytes(source, Number(type.slice("bytes".length)));
}

/** viem wants an object where every component has a name, and a list where one has none. */
function structOf(source: Random, components: readonly Parameter[]): unknown {
  const values = components.map((one) => value(source, one.type, one.components));
  const isNamed = components.every(({ name }) => name !== "");
  return isNamed ? Object.fromEntries(components.map(({ name }, at) => [name, values[at]])) : values;
}

/** What a row has to say of a value of viem's; written again here, with nothing of the code that is tested. */
function shown(of: unknown, type: string, components: readonly Parameter[] = []): string {
  const element = /^(.*)\[\d*\]$/.exec(type)?.[1];
  if (element !== undefined)
    return `[${(of as unknown[]).map((one) => shown(one, element, components)).join(", ")}]`;
  if (type === "tuple") {
    const values = Array.isArray(of)
      ? (of as unknown[])
      : components.map(({ name }) => (of as Record<string, unknown>)[name]);
    const parts = components.map(
      (one, at) => (one.name === "" ? "" : `${one.name}: `) + shown(values[at], one.type, one.components),
    );
    return `(${parts.join(", ")})`;
  }
  if (type !== "string") return type === "address" ? String(of).toLowerCase() : String(of);
  const visible = String(of)
    .replace("\n", " ")
    .replace("\u202e", "\\u{202e}")
    .replace("\u0000", "\\u{0}")
    .replace("$(", "$ (");
  return `"${visible}"`;
}

/** Addresses without the checksum in the case of their letters, which the text of a string could not be told from. */
const plain = (text: string) => text.replace(/0x[0-9a-fA-F]{40}\b/g, (address) => address.toLowerCase());

const CASES = proofSize({ sample: 75, whole: 5_000 });

describe("Decoding by an ABI", () => {
  it("gives what viem gives, for calls, results and custom errors", () => {
    const decoder = abiDecoder();
    const source = random("random ABIs");
    for (let round = 0; round < CASES; round++) {
      const inputs = Array.from({ length: source.below(5) }, (_, at) =>
        parameter(source, 3, source.below(5) === 0 ? "" : `argument${at}`),
      );
      const args = inputs.map(({ type, components }) => value(source, type, components));
      const name = `f${round}`;
      const type = source.pick(["function", "error"]);
      const item =
        type === "function"
          ? { type, name, inputs, outputs: inputs, stateMutability: "view" }
          : { type, name, inputs };
      const abi = [item] as unknown as Abi;
      const data =
        type === "function"
          ? encodeFunctionData({ abi, functionName: name, args })
          : encodeErrorResult({ abi, errorName: name, args });
      const byViem =
        type === "function" ? decodeFunctionData({ abi, data }) : decodeErrorResult({ abi, data });
      const expected = inputs.map(({ type: kind, components }, at) =>
        shown(byViem.args?.[at], kind, components),
      );
      const decoded = decoder.decode(item, data);
      assert.ok(decoded, name);
      assert.deepEqual([decoded.name, decoded.isMalformed, decoded.isCanonical], [name, false, true]);
      assert.deepEqual(
        decoded.values.map(({ text }) => plain(text)),
        expected,
      );
      assert.deepEqual(
        decoded.values.map(({ name: own = "" }) => own),
        inputs.map(({ name: own }) => own),
      );
      if (type === "function" && inputs.length > 0) {
        const results = decoder.decodeResult(
          item,
          encodeAbiParameters(inputs as readonly AbiParameter[], args),
        );
        assert.deepEqual(
          results?.map(({ text }) => plain(text)),
          expected,
        );
      }
      // One selector names one function.
      assert.equal(decoder.decode(item, `0x${"00".repeat(4)}${data.slice(10)}`)?.name, undefined);
    }
  });

  it("calls data that breaks off malformed, as viem does, and never throws on damaged data", () => {
    const decoder = abiDecoder();
    const source = random("damaged calls");
    let refused = 0;
    for (let round = 0; round < CASES; round++) {
      const inputs = Array.from({ length: 1 + source.below(3) }, (_, at) => parameter(source, 2, `a${at}`));
      const args = inputs.map(({ type, components }) => value(source, type, components));
      const item = { type: "function", name: "f", inputs, outputs: inputs, stateMutability: "view" };
      const data = encodeFunctionData({ abi: [item] as unknown as Abi, args });
      const cut = data.slice(0, 10 + 2 * source.below((data.length - 10) / 2 + 1));
      const body = source.below(2) === 0 ? cut : damaged(source, data);
      const decoded = decoder.decode(item, body);
      assert.ok(decoded);
      const byViem = viemDecodes(inputs, body);
      // viem refuses a boolean of 2; ethers takes it, but then encoding gives other data.
      if (!byViem) {
        refused++;
        assert.ok(decoded.isMalformed || !decoded.isCanonical, body);
      } else if (decoded.isCanonical && !decoded.isMalformed) {
        const expected = inputs.map(({ type, components }, at) => shown(byViem[at], type, components));
        if (!expected.join("").includes("\ufffd"))
          assert.deepEqual(
            decoded.values.map(({ text }) => visibleAgain(plain(text))),
            expected.map(visibleAgain),
          );
      }
      assert.doesNotThrow(() => decoder.decodeResult(item, `0x${body.slice(10)}`));
    }
    assert.ok(refused > CASES / 10, `only ${refused} refused`);
  });

  it("shows the bytes of a string that is no UTF-8, and the other arguments with it", () => {
    const decoder = abiDecoder();
    const inputs = [
      { name: "note", type: "string" },
      { name: "amount", type: "uint256" },
      { name: "tags", type: "string[]" },
    ];
    const asBytes = [{ type: "bytes" }, { type: "uint256" }, { type: "bytes[]" }] as const;
    const body = encodeAbiParameters(asBytes, ["0xff00c328", 2n ** 256n - 1n, ["0x6f6b", "0xc0"]]);
    const abi = { type: "function", name: "pay", inputs, outputs: inputs };
    const data = encodeFunctionData({
      abi: [{ ...abi, stateMutability: "view" }] as unknown as Abi,
      args: ["", 0n, []],
    });
    const decoded = decoder.decode(abi, data.slice(0, 10) + body.slice(2));
    assert.deepEqual(
      [decoded?.isMalformed, decoded?.isCanonical, decoded?.signature],
      [false, true, "pay(string,uint256,string[])"],
    );
    const texts = ["0xff00c328", String(2n ** 256n - 1n), '["ok", 0xc0]'];
    assert.deepEqual(
      decoded?.values.map(({ text }) => text),
      texts,
    );
    assert.deepEqual(
      decoded.values.map(({ type }) => type),
      ["string", "uint256", "string[]"],
    );
    assert.deepEqual(
      decoder.decodeResult(abi, body)?.map(({ text }) => text),
      texts,
    );
  });

  it("says where in a list or a struct its addresses, bytes and integers are, whatever texts stand beside them", () => {
    const type = "(address who, string said, bytes note, bytes20 mark, int64 size)[] all";
    const [who, mark] = [`0x${"00".repeat(18)}03e9`, `0x${"00".repeat(18)}03ea`];
    const body = encodeAbiParameters(
      [
        {
          type: "tuple[]",
          components: ["address", "string", "bytes", "bytes20", "int64"].map((one) => ({ type: one })),
        },
      ],
      [[[who, `${who}, note: 0x, size: 1`, "0x1234", mark, -970_685n]]] as never,
    );
    const [value] = abiDecoder().decodeResult(`function all() returns (${type})`, body) ?? [];
    const { text: whole = "", parts = [] } = value ?? {};
    assert.deepEqual(
      parts.map(({ type: kind, at, text }) => [kind, at, text]),
      [
        ["address", "[(who: ".length, who],
        ["bytes", whole.indexOf("note: 0x1234") + "note: ".length, "0x1234"],
        ["integer", whole.indexOf("size: -") + "size: ".length, "-970685"],
      ],
    );
    for (const { at, text } of parts) assert.equal(whole.slice(at, at + text.length), text);
  });

  it("groups the numbers in a list or a struct in a row, and leaves them whole in a copy, whose lists are split at commas", () => {
    const item = "function amounts() returns (uint256[] all, (int32 low, string said) pair)";
    const pair = { type: "tuple", components: [{ type: "int32" }, { type: "string" }] };
    const body = encodeAbiParameters([{ type: "uint256[]" }, pair], [
      [1_000n, 970_685n],
      [-5_000, "7000"],
    ] as never);
    const values = abiDecoder().decodeResult(item, body) ?? [];
    assert.equal(valuesText(values, "short"), 'all: [1,000, 970,685], pair: (low: -5,000, said: "7000")');
    assert.equal(valuesText(values, "whole"), 'all: [1000, 970685], pair: (low: -5000, said: "7000")');
  });

  it("takes nothing from a definition of ten thousand levels, dimensions or letters, and takes no time for it", () => {
    const decoder = abiDecoder();
    const many = 10_000;
    let tuple: object = { name: "a", type: "uint256" };
    for (let at = 0; at < many; at++) tuple = { name: "a", type: "tuple", components: [tuple] };
    const dimensions = { name: "a", type: `uint256${"[]".repeat(many)}` };
    const levels = { name: "a", type: `${"(".repeat(many)}uint256${")".repeat(many)}` };
    const parameters = Array.from({ length: many }, () => ({ name: "a", type: "uint256" }));
    const item = (inputs: readonly object[], outputs: readonly object[] = [], name = "f") => ({
      type: "function",
      name,
      inputs,
      outputs,
    });
    const items: AbiItem[] = [
      ...[[tuple], [dimensions], [levels], parameters].flatMap((some) => [item(some), item([], some)]),
      item([], [], "f".repeat(1024 * 1024)),
      `function f(${levels.type})`,
      `function f(${dimensions.type})`,
      `function ${"f".repeat(1024 * 1024)}()`,
    ];
    const before = process.threadCpuUsage();
    for (const one of items) {
      assert.equal(decoder.decode(one, `0x26121ff0${"00".repeat(32)}`), undefined);
      assert.equal(decoder.decodeResult(one, `0x${"00".repeat(64)}`), undefined);
      if (typeof one !== "string") assert.deepEqual(readAbi([one]), []);
    }
    const { user, system } = process.threadCpuUsage(before);
    // The readers behind it take more than a minute of it.
    assert.ok(user + system < 2_000_000, `${((user + system) / 1000).toFixed(0)} ms`);
  });

  it("takes nothing from a definition that is hostile or half", async () => {
    const decoder = abiDecoder();
    const word = "00".repeat(32);
    for (const item of [
      "",
      "function",
      "function f(",
      "event E()",
      "function f(uint257 a)",
      {},
      { type: "function" },
      { type: "function", name: "f", inputs: 5 },
      { type: "function", name: "f", inputs: [null] },
    ])
      assert.equal(decoder.decode(item, `0x12345678${word}`), undefined);
    // Arrays of a billion take neither time nor memory.
    for (const type of ["uint256[1000000000]", "uint256[1000][1000][1000]", "uint256[100000][]"]) {
      const item = {
        type: "function",
        name: "f",
        inputs: [{ name: "a", type }],
        outputs: [{ name: "", type }],
      };
      const decoded = await decodedOf(
        decoder,
        item,
        `${"20".padStart(64, "0")}${"1".padStart(64, "0")}${word}`,
      );
      assert.equal(decoded?.isMalformed, true, type);
    }
    const named = { type: "function", name: "f", inputs: [{ name: "\u202e$(check)", type: "bool" }] };
    const decoded = await decodedOf(decoder, named, word);
    assert.ok(decoded === undefined || !/\u202e|\$\(/.test(decoded.values[0]?.name ?? ""));
  });
});

async function decodedOf(
  decoder: AbiDecoder,
  item: { readonly inputs: readonly { readonly type: string }[] } & Readonly<Record<string, unknown>>,
  body: string,
) {
  const { toFunctionSelector } = await import("viem");
  const signature = `${String(item["name"])}(${item.inputs.map(({ type }) => type).join(",")})`;
  return decoder.decode(item, toFunctionSelector(signature) + body);
}

/** Call data with one byte changed, mostly in what tells lengths and offsets. */
function damaged({ below, pick }: Random, data: Hex): string {
  const bytes = Buffer.from(data.slice(2), "hex");
  const words = (bytes.length - 4) / 32;
  const at = words === 0 ? 0 : 4 + 32 * below(words) + pick([31, 31, 30, below(32)]);
  if (at >= 4) bytes[at] = below(256);
  return `0x${bytes.toString("hex")}`;
}

function viemDecodes(inputs: readonly Parameter[], data: string): readonly unknown[] | undefined {
  try {
    return decodeAbiParameters<readonly AbiParameter[]>(inputs, `0x${data.slice(10)}`);
  } catch {
    return undefined;
  }
}

/** Damage may put a control character into a string; both sides are compared with those out of the way. */
function visibleAgain(text: string): string {
  return text.replace(/(?:\\u\{[0-9a-f]+\}|[\p{Cc}\p{Cf}\s?])+/gu, "?");
}
