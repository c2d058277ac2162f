import { readableText } from "../../../src/core/evm/hex.ts";
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { AbiCoder, id } from "ethers";
import { base58 } from "../../../src/core/evm/base58.ts";
import { decodeCbor } from "../../../src/core/evm/cbor.ts";
import { codeItems } from "../../../src/core/evm/codeItems.ts";
import { disassemble } from "../../../src/core/evm/disassembly.ts";
import { findSelectors } from "../../../src/core/evm/dispatcher.ts";
import { findAuxdata, lastAuxdata } from "../../../src/core/evm/auxdata.ts";
import { findProxy } from "../../../src/core/evm/proxy.ts";
import { parseExactJson } from "../../../src/core/json/exactJson.ts";
import { abiDecoder } from "../../../src/core/evm/abiDecoding.ts";
import { failureOf } from "../../../src/core/ledger/actions/actionFailure.ts";
import { entityIdMessage } from "../../../src/core/ledger/protobuf/entityIdMessage.ts";
import { readLedgerKey } from "../../../src/core/ledger/tokens/ledgerKey.ts";
import { readMessage } from "../../../src/core/ledger/protobuf/protobufWire.ts";
import { unpackRedirect } from "../../../src/core/ledger/actions/systemContracts.ts";
import { decodeTransactionBody } from "../../../src/core/ledger/protobuf/transactionBody.ts";
import { sqliteRows } from "../../unit/tools/sqliteRows.ts";
import { analyseCode } from "../../../src/core/matching/codeTraits.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { bytesOf, integerOf } from "../../sandbox/ledger/protobufEncoder.ts";
import { scheduleBodies } from "../../sandbox/ledger/scheduleBodies.ts";
import { random } from "../../unit/random.ts";
import { recordedCompilations } from "../../unit/evm/recordedCompilations.ts";
import { FUZZ_INPUTS, tryAll } from "./fuzzing.ts";
import { mutatedBytes, mutatedText } from "./mutations.ts";
import { sharedObjects } from "./prototypes.ts";

const INPUTS = proofSize(FUZZ_INPUTS);
const shared = sharedObjects();
const dice = random("fuzz of decoders of bytes");

const word = (value: bigint) => value.toString(16).padStart(64, "0");
const COMPILED = recordedCompilations.flatMap((one) =>
  Object.values(one).flatMap((value) =>
    typeof value === "string" && /^(?:0x)?(?:[0-9a-f]{2}){20,}$/.test(value)
      ? [Buffer.from(value.replace(/^0x/, ""), "hex")]
      : [],
  ),
);
const CODES = [
  ...COMPILED,
  Buffer.from(
    "6080604052348015600e575f80fd5b50600436106026575f3560e01c8063a9059cbb14602a575b5f80fd5b",
    "hex",
  ),
  Buffer.from(`363d3d373d3d3d363d73${"ab".repeat(20)}5af43d82803e903d91602b57fd5bf3`, "hex"),
  Buffer.from(`60015ffea2646970667358221220${"12".repeat(32)}64736f6c634300081c0033`, "hex"),
];
/** Those of whole analyses, which take longer. */
const SHORT_CODES = CODES.filter(({ length }) => length < 400);
const BODIES = [
  scheduleBodies.transfer("0.0.1001", "0.0.1002", 5n, "rent"),
  scheduleBodies.contractCall("0.0.1003", "a9059cbb", 100_000n),
].map((body) => Buffer.from(body, "base64"));
const MESSAGES = [
  ...BODIES,
  Buffer.concat([
    integerOf(1, 7n),
    bytesOf(2, Buffer.from("memo"), integerOf(3, -1n)),
    integerOf(200, 2n ** 63n),
  ]),
];
const CBOR = [
  Buffer.from(`a2646970667358221220${"12".repeat(32)}64736f6c634300081c`, "hex"),
  Buffer.from("8418201818f5a16576797065728300040083010203", "hex"),
];

const BYTE_READERS: readonly (readonly [
  name: string,
  examples: readonly Uint8Array[],
  read: (bytes: Uint8Array) => unknown,
])[] = [
  ["decodeCbor", CBOR, (bytes) => decodeCbor(bytes, 0, bytes.length)],
  ["findAuxdata", CODES, (bytes) => [findAuxdata(bytes), lastAuxdata(bytes)]],
  [
    "disassemble",
    CODES,
    (bytes) => {
      const code = disassemble(bytes);
      assert.equal(
        code.sections.reduce((end, section) => (assert.equal(section.start, end), section.end), 0),
        bytes.length,
      );
      return code.sections.length > 0;
    },
  ],
  ["analyseCode", SHORT_CODES, (bytes) => analyseCode(bytes).selectors],
  [
    "what stands in code",
    SHORT_CODES,
    (bytes) => {
      const code = disassemble(bytes);
      return [findProxy(code), findSelectors(code), codeItems(code).length];
    },
  ],
  ["readMessage", MESSAGES, readMessage],
  [
    "decodeTransactionBody",
    MESSAGES,
    (bytes) => decodeTransactionBody(Buffer.from(bytes).toString("base64")),
  ],
  [
    "readLedgerKey",
    [
      Buffer.from(`32220a20${"ab".repeat(32)}`, "hex"),
      Buffer.from(`2a4e0802124a0a221220${"ab".repeat(32)}0a2412220a20${"cd".repeat(32)}`, "hex"),
    ],
    (bytes) => readLedgerKey({ _type: "ProtobufEncoded", key: Buffer.from(bytes).toString("hex") }),
  ],
  ["entityIdMessage", [integerOf(3, 1234n), integerOf(1, 1n)], entityIdMessage],
  ["readableText", [Buffer.from("slippage too high"), Buffer.from("\u202eü")], readableText],
  [
    "failureOf data",
    [
      Buffer.from(
        `08c379a0${word(32n)}${word(5n)}${Buffer.from("hello").toString("hex").padEnd(64, "0")}`,
        "hex",
      ),
      Buffer.from(`4e487b71${word(17n)}`, "hex"),
      Buffer.from(word(22n), "hex"),
    ],
    (bytes) =>
      ["REVERT_REASON", "ERROR", "OUTPUT"].map((type) =>
        failureOf({
          result_data_type: type,
          result_data: `0x${Buffer.from(bytes).toString("hex")}`,
          to: "0x0000000000000000000000000000000000000167",
        }),
      ),
  ],
  [
    "unpackRedirect",
    [Buffer.from(`618dc65e${"00".repeat(16)}000004d2a9059cbb${word(1n)}`, "hex")],
    (bytes) => unpackRedirect(`0x${Buffer.from(bytes).toString("hex")}`),
  ],
];

function tryBytes(
  name: string,
  examples: readonly Uint8Array[],
  read: (bytes: Uint8Array) => unknown,
): Promise<void> {
  return tryAll({
    name,
    inputs: INPUTS,
    input: () => mutatedBytes(dice, examples),
    read,
    mayFail: () => false,
    written: (bytes) => Buffer.from(bytes).toString("hex"),
  });
}

for (const [name, examples, read] of BYTE_READERS)
  it(`${name} reads any bytes or says that they are none`, () => tryBytes(name, examples, read));

it("eachSqliteRow reads what is whole of any database", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
  try {
    const path = join(folder, "a.db");
    const database = new DatabaseSync(path);
    database.exec(
      'PRAGMA page_size = 512; CREATE TABLE t(id integer primary key, "__proto__" text, n real, b blob)',
    );
    const insert = database.prepare("INSERT INTO t VALUES(?, ?, ?, ?)");
    for (let row = 1; row <= 12; row++) insert.run(row, "ü".repeat(row * 30), row / 3, Buffer.alloc(row));
    database.close();
    const whole = readFileSync(path);
    assert.equal(sqliteRows(whole, "t").length, 12);
    assert.ok(sqliteRows(whole, "t").every((row) => Object.hasOwn(row, "__proto__")));
    await tryBytes("eachSqliteRow", [whole], (bytes) => sqliteRows(bytes, "t").length > 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("base58 is undone by counting in 58", () => {
  const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  for (let at = 0; at < INPUTS; at++) {
    const bytes = Uint8Array.from({ length: dice.below(40) }, () =>
      dice.below(4) === 0 ? 0 : dice.below(256),
    );
    const text = base58(bytes);
    const number = Array.from(text).reduce((sum, digit) => sum * 58n + BigInt(ALPHABET.indexOf(digit)), 0n);
    assert.equal(number, BigInt(`0x0${Buffer.from(bytes).toString("hex")}`));
    assert.equal(
      /^1*/.exec(text)?.[0].length,
      bytes.findIndex((byte) => byte !== 0) < 0 ? bytes.length : bytes.findIndex((byte) => byte !== 0),
    );
  }
});

/** A value with numbers of all sizes, and its JSON in which each is written out. */
function exactValue(depth: number): { readonly json: string; readonly expected: unknown } {
  const kind = dice.below(depth > 3 ? 3 : 5);
  if (kind === 0) {
    const digits = `${dice.pick(["", "-"])}${1 + dice.below(9)}${"0123456789".repeat(3).slice(0, dice.below(30))}`;
    return { json: digits, expected: Number.isSafeInteger(Number(digits)) ? Number(digits) : digits };
  }
  if (kind === 1) {
    const text = mutatedText(dice, ['"1e99,[12345678901234567890', '\\"1e9:']);
    return { json: JSON.stringify(text), expected: JSON.parse(JSON.stringify(text)) as unknown };
  }
  if (kind === 2) return { json: "0.5", expected: 0.5 };
  const items = Array.from({ length: dice.below(4) }, () => exactValue(depth + 1));
  if (kind === 3)
    return {
      json: `[${items.map(({ json }) => json).join(" , ")}]`,
      expected: items.map(({ expected }) => expected),
    };
  const named = items.map(({ json, expected }, at) => ({
    name: `${dice.pick(["a", "__proto__", "1e99", ":"])}${at}`,
    json,
    expected,
  }));
  return {
    json: `{${named.map(({ name, json }) => `${JSON.stringify(name)}: ${json}`).join(",")}}`,
    expected: Object.fromEntries(named.map(({ name, expected }) => [name, expected])),
  };
}

it("parseExactJson keeps every digit", () => {
  for (let at = 0; at < INPUTS; at++) {
    const { json, expected } = exactValue(0);
    assert.deepEqual(parseExactJson(json), expected, json);
  }
});

const TYPES = ["uint256", "int8", "address", "bool", "bytes", "bytes4", "string", "uint64"] as const;

/** A type of the ABI, and a value of it. */
function abiValue(depth: number): { readonly type: string; readonly value: unknown } {
  const kind = depth > 2 ? 0 : dice.below(5);
  if (kind === 3) {
    const parts = Array.from({ length: 1 + dice.below(3) }, () => abiValue(depth + 1));
    return { type: `(${parts.map(({ type }) => type).join(",")})`, value: parts.map(({ value }) => value) };
  }
  if (kind === 4) {
    const { type, value } = abiValue(depth + 1);
    const length = dice.below(3);
    return dice.below(2) === 0 || length === 0
      ? { type: `${type}[]`, value: Array.from({ length }, () => value) }
      : { type: `${type}[${length}]`, value: Array.from({ length }, () => value) };
  }
  const type = dice.pick(TYPES);
  const hex = (bytes: number) =>
    `0x${Array.from({ length: bytes }, () => dice.below(256).toString(16).padStart(2, "0")).join("")}`;
  switch (type) {
    case "address":
      return { type, value: hex(20) };
    case "bool":
      return { type, value: dice.below(2) === 1 };
    case "bytes":
      return { type, value: hex(dice.below(70)) };
    case "bytes4":
      return { type, value: hex(4) };
    case "string":
      return { type, value: dice.pick(["", "__proto__", "ü\u202e$(bug)", "x".repeat(40)]) };
    case "int8":
      return { type, value: BigInt(dice.below(256) - 128) };
    default:
      return { type, value: BigInt(dice.below(2 ** 31)) };
  }
}

it("calls are decoded as ethers encoded them, and any others are malformed and no more", () => {
  const decoder = abiDecoder();
  const coder = AbiCoder.defaultAbiCoder();
  let [whole, reached] = [0, 0];
  const each = INPUTS / 10;
  for (let at = 0; at < each; at++) {
    const parts = Array.from({ length: dice.below(4) }, () => abiValue(0));
    const signature = `f(${parts.map(({ type }) => type).join(",")})`;
    const item = `function ${signature} returns (${parts.map(({ type }) => type).join(",") || "bool"})`;
    const encoded = coder.encode(
      parts.map(({ type }) => type),
      parts.map(({ value }) => value),
    );
    const data = id(signature).slice(0, 10) + encoded.slice(2);
    const found = decoder.decode(item, data);
    assert.ok(found && !found.isMalformed && found.isCanonical, `${item} ${data}`);
    assert.deepEqual(
      found.values.map(({ type }) => type),
      parts.map(({ type }) => type),
    );
    for (const [index, { type, value }] of parts.entries())
      if (/^u?int\d+$|^bool$/.test(type)) assert.equal(found.values[index]?.text, String(value));
    whole++;
    for (let change = 0; change < 9; change++) {
      const hostile = Buffer.from(mutatedBytes(dice, [Buffer.from(encoded.slice(2), "hex")])).toString("hex");
      const other = decoder.decode(item, data.slice(0, 10) + hostile);
      assert.ok(other, "the selector is the function's");
      if (!other.isMalformed) reached++;
      decoder.decodeResult(item, `0x${hostile}`);
    }
  }
  shared.assertUntouched("the ABI decoder");
  console.log(`ABI decoding: ${whole} whole calls, ${reached} of ${9 * each} changed ones decoded`);
});
