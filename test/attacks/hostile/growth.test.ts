import { atOnce } from "../../../src/core/concurrency/turns.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { disassemble } from "../../../src/core/evm/disassembly.ts";
import { compilerProblems } from "../../../src/core/jobs/compilerProblems.ts";
import { analyseCode } from "../../../src/core/matching/codeTraits.ts";
import { findProvenBuildInPieces } from "../../../src/core/matching/metadataSearch.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../../unit/random.ts";
import { UNITS } from "./shapes.ts";
import { TEXT_READERS } from "./textReaders.ts";

/** Characters of the first look, which finds soon what never ends, and of the second. */
const LENGTHS = [512, proofSize({ sample: 8_192, whole: 131_072 })];
/** Below, a reader is quick enough for any shape of growth: with the square it would take longer than that. */
const FLOOR_MS = 5;
/** Linear is 2, with the square 4. */
const MAX_GROWTH = 3;
const TRIES = 4;
/** A collection of garbage can look like growth once, and does not go on growing. */
const DOUBLINGS = 3;
/** Longer than any reading of these lengths may take, however it grows. */
const ENDLESS_MS = 3_000;
/** One of so many shapes is tried with each reader in a sample, and all of them in the whole. */
const ONE_OF = proofSize({ sample: 128, whole: 1 });

/** Shapes that took the square of the time once, and are tried always. */
const KNOWN: readonly (readonly [reader: string, frame: string, unit: string])[] = [
  ["compilerErrorCauses", "…", "a"],
  ["compilerErrorCauses", "…", "Version specification "],
  ["compilerErrorCauses", "…a", ":"],
  ["feContractsIn", "…", '"\\'],
  ["globCovers by a pattern", "…", "["],
  ["groupDigits", "…", "9"],
  ["globCovers a path", "…", "a"],
  ["readVyperDeclarations", "…", "a\n"],
  ["readVyperDeclarations", "x: public(…)", " "],
  ["readVyperDeclarations", "# pragma version …", "# pragma version "],
  ["readVyperDeclarations", "@external\ndef f(a: …):\n    pass", " a"],
  ["scanVyper", "from …", "."],
  ["scanVyper", "from …", " "],
  ["parseSolidityVersionExpression", "…", "/* a "],
  ["resolveImportPath", "./…", "/*"],
  ["parseExactJson", "[…]", "1e9,"],
  ["readExportedLiteral", "export default …", "+"],
  ["readExportedLiteral", "export default …", "(a b,"],
  ["readExportedLiteral", "…", "const a "],
  ["readExportedLiteral", "…", "const a = 1 "],
  ["readExportedLiteral", "…", "function f() "],
  ["readExportedLiteral", "export default …", "a ? "],
  ["readExportedLiteral", "export default …", "x => ("],
  ["readExportedLiteral", "let a = {}; … export default a", "a.b = 1; if (a) {"],
  ["readExportedLiteral", "export default …", "f<a>("],
  ["readExportedLiteral", "export default …", "async<a>("],
  ["readExportedLiteral", "export default a…", ".b"],
  ["readExportedLiteral", "let a = {}; a… = 1; export default a", ".b"],
  ["readExportedLiteral", "let a = 1; … export default a", "if (x) a = [a, a]; "],
  ["readExportedLiteral", "let a = 1; … export default a", "f(() => { "],
  ["readSolidityDeclarations", "contract A { … }", "mapping("],
  ["readVyperConfig of ape-config.yaml", "…", "k№: &a№ 1\n"],
  ["readVyperConfig of ape-config.yaml", 'vyper: "…', "\\x"],
  ["evaluateConstant", "…", "/* a "],
  ["evaluateConstant", "…", "9"],
];

type Read<T> = (input: T) => unknown;

/** Milliseconds of the processor that this thread took for a reading: a busy machine counts for nothing. */
async function cost<T>(read: Read<T>, input: T): Promise<number> {
  const before = process.threadCpuUsage();
  try {
    await read(input);
  } catch (error) {
    if (!(error instanceof LedgerLensError)) throw error;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The least of several tries, which end with the first that takes less than is enough to know. */
async function leastCost<T>(read: Read<T>, input: T, enough = FLOOR_MS): Promise<number> {
  let least = Infinity;
  for (let at = 0; at < TRIES && least >= enough; at++) least = Math.min(least, await cost(read, input));
  return least;
}

/** How a reading grows where it grows faster than its text, as words; `undefined` where it does not. */
async function growth<T>(read: Read<T>, shape: (length: number) => T): Promise<string | undefined> {
  for (const first of LENGTHS) {
    let before = await leastCost(read, shape(first));
    if (before < FLOOR_MS) continue;
    const costs = [`${first} characters or bytes take ${before.toFixed(1)} ms`];
    for (let length = 2 * first; ; length *= 2) {
      const now = await leastCost(read, shape(length), MAX_GROWTH * before);
      if (now < MAX_GROWTH * before) break;
      costs.push(`${length} take ${now.toFixed(1)} ms`);
      if (costs.length > DOUBLINGS || now > ENDLESS_MS) return costs.join(", ");
      before = now;
    }
  }
  return undefined;
}

/** The unit again and again, to a length; each `№` in it is another number. */
function run(frame: string, unit: string): (length: number) => string {
  return (length) => {
    const times = Math.ceil(length / unit.length);
    const units = unit.includes("№")
      ? Array.from({ length: times }, (_, at) => unit.replaceAll("№", String(at))).join("")
      : unit.repeat(times);
    return frame.replace("…", () => units);
  };
}

/** What a text may have many of, each with another name: names are looked up among each other. */
const NAMED = [
  "k№: 1\n",
  "k№: &a№ 1\n",
  "k№ = 1\n",
  "[t№]\n",
  "k№/=lib/k№/\n",
  '"k№":1,',
  'import "../../unit/hostile/k№.sol";\n',
  "import k№\n",
  "const k№ = k;\n",
  "contract C№ { function f№() public {} }\n",
  "struct S№ { uint k№; }\n",
  "k№: uint256\n",
];

const { below } = random("growth of readers");
for (const reader of TEXT_READERS)
  it(`Twice the text takes ${reader.name} about twice the time`, async () => {
    const known = KNOWN.filter(([name]) => name === reader.name).map(([, ...shape]) => shape);
    const all = ["…", ...(reader.frames ?? [])].flatMap((frame) =>
      [...UNITS, ...NAMED].map((unit) => [frame, unit] as const).filter(() => below(ONE_OF) === 0),
    );
    const wrong: string[] = [];
    for (const [frame, unit] of [...known, ...all]) {
      const found = await growth(reader.read, run(frame, unit));
      if (found !== undefined) wrong.push(`${JSON.stringify(unit)} in ${JSON.stringify(frame)}: ${found}`);
    }
    assert.deepEqual(wrong, []);
  });

const hexOf = (value: number) => (value % 65_536).toString(16).padStart(4, "0");

/** Codes of about a length in bytes, each byte as two hex digits. */
const CODES: readonly (readonly [what: string, code: (length: number) => string])[] = [
  ["nothing but places to jump to, with a value each", (length) => "5b36".repeat(length / 2)],
  ["duplicates that are swapped", (length) => "368091".repeat(length / 3)],
  ["values of all lengths", (length) => "7f".repeat(length)],
  [
    "many words in memory, and many branches behind them",
    (length) => {
      const each = Math.floor(length / 10);
      const stores = Array.from({ length: each }, (_, at) => `3661${hexOf(32 * at)}52`).join("");
      return `${stores}${`3661${hexOf(10 * each)}57`.repeat(each)}5b00`;
    },
  ],
  [
    "branches that go back, to a stack that is higher each time",
    (length) => `5b${"36".repeat(length / 2)}${"36600057".repeat(length / 8)}`,
  ],
  ["auxdata that may be", (length) => "a26469706673582212200033".repeat(length / 12)],
];
for (const [what, code] of CODES)
  it(`Twice the code takes its analysis about twice the time: ${what}`, async () => {
    const shape = (length: number) => Buffer.from(code(length), "hex");
    assert.equal(await growth(analyseCode, shape), undefined);
  });

const AUXDATA = Buffer.from("a165767970657283000304", "hex");

/** Codes of about a length in bytes whose cut into contracts has to be looked for. */
const CUT_CODES: readonly (readonly [what: string, code: (length: number) => Uint8Array])[] = [
  [
    "many starts and sizes of contracts, and many auxdatas",
    (length) => {
      const each = Math.floor(length / 11);
      const auxdatas = Array.from({ length: Math.floor(each / 3) }, () => AUXDATA);
      const first = 6 * each + 2 + auxdatas.length * AUXDATA.length;
      const push = (value: number) => `61${hexOf(value)}`;
      const pushed = Array.from({ length: each }, (_, at) => push(first + at) + push(17 + at)).join("");
      return Buffer.concat([
        Buffer.from(`${pushed}00fe`, "hex"),
        ...auxdatas,
        Buffer.from("60".repeat(each) + "6060f3", "hex"),
      ]);
    },
  ],
  [
    "contracts within each other",
    (length) => {
      const levels = Math.floor(length / 12);
      const size = (level: number) => (12 * (levels - level - 1) + 5).toString(16).padStart(6, "0");
      const heads = Array.from({ length: levels }, (_, level) => `62${size(level)}80600c5f395ff3fe`);
      return Buffer.from(`${heads.join("")}60016000f3`, "hex");
    },
  ],
];
for (const [what, code] of CUT_CODES)
  it(`Twice the code takes about twice the time to cut: ${what}`, async () => {
    assert.equal(await growth(disassemble, code), undefined);
  });

it("Codes within each other that each claim all that is behind them take little longer to cut than one code", async () => {
  const length = 32_768;
  const nested = new Uint8Array(length);
  // What is copied and returned does not lie right behind the RETURN, so that nothing says where a code ends before all of it.
  for (let at = 0; at + 20 <= length; at += 20) {
    const size = length - at - 20;
    nested.set(
      [0x62, size >> 16, (size >> 8) & 0xff, size & 0xff, 0x80, 0x60, 20, 0x5f, 0x39, 0x5f, 0xf3],
      at,
    );
    nested.set([0x61, size >> 8, size & 0xff, 0x5b], at + 12);
  }
  const single = nested.map((byte) => (byte === 0x39 ? 0x20 : byte));
  await leastCost(disassemble, single);
  const one = await leastCost(disassemble, single);
  const all = await leastCost(disassemble, nested, 16 * one);
  assert.ok(
    all < 16 * one,
    `one code takes ${one.toFixed(0)} ms, those within each other ${all.toFixed(0)} ms`,
  );
});

it("Twice the messages about a source of twice the length take about twice the time to place", async () => {
  const shape = (length: number) => {
    const line = "// 漢\n";
    const places = Math.ceil(length / 100);
    const compilerErrors = Array.from({ length: places }, (_, at) => ({
      sourceLocation: { file: "A.sol", start: 60 * at, end: 60 * at + 9 },
    }));
    const sources = { "A.sol": { content: line.repeat(length / line.length) } };
    const input = { language: "Solidity" as const, sources, settings: {} };
    return { error: { customCode: "", message: "", errorData: { compilerErrors } }, input };
  };
  assert.equal(await growth(({ error, input }) => compilerProblems(error, input), shape), undefined);
  const { error, input } = shape(1_000_000);
  assert.ok(compilerProblems(error, input).length <= 1_000, "and no person reads ten thousand");
});

it("Four times the files of a build take little longer to look for the deployed one among their variants", async () => {
  const search = (files: number, enough = Infinity) => {
    const names = Array.from({ length: files }, (_, at) => `src/F${at}.sol`);
    const metadata = JSON.stringify({
      compiler: { version: "0.8.28+commit.7893614a" },
      language: "Solidity",
      settings: { evmVersion: "cancun", optimizer: { enabled: false, runs: 200 } },
      sources: Object.fromEntries(
        names.map((name) => [name, { keccak256: `0x${"11".repeat(32)}`, urls: [] }]),
      ),
    });
    const sources = Object.fromEntries(names.map((name) => [name, `contract A {} // ${name}\r\n`]));
    const nowhere = { kind: "ipfs" as const, digest: `1220${"ab".repeat(32)}` };
    return leastCost(() => atOnce(findProvenBuildInPieces(nowhere, metadata, sources)), undefined, enough);
  };
  await search(20);
  const few = await search(200);
  const many = await search(800, 4 * few);
  // So much is hashed and no more, however many files there are; with the square it was eight times as long.
  assert.ok(many < 4 * few, `200 files take ${few.toFixed(0)} ms, 800 take ${many.toFixed(0)} ms`);
});

it("knows each shape that was wrong once by the name of a reader", () => {
  const names = new Set(TEXT_READERS.map(({ name }) => name));
  assert.deepEqual(
    KNOWN.filter(([name]) => !names.has(name)),
    [],
  );
});
