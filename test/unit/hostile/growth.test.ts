import assert from "node:assert/strict";
import { it } from "node:test";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../random.ts";
import { UNITS } from "./shapes.ts";
import { TEXT_READERS, type TextReader } from "./textReaders.ts";

/** Characters of the first look, which finds soon what never ends, and of the second. */
const LENGTHS = [512, proofSize({ sample: 16_384, whole: 131_072 })];
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
const ONE_OF = proofSize({ sample: 5, whole: 1 });

/** Shapes that took the square of the time once, and are tried always. */
const KNOWN: readonly (readonly [reader: string, frame: string, unit: string])[] = [
  ["compilerErrorCauses", "…", "a"],
  ["compilerErrorCauses", "…", "Version specification "],
  ["feContractsIn", "…", '"\\'],
  ["globCovers by a pattern", "…", "["],
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
  ["readSolidityDeclarations", "contract A { … }", "mapping("],
];

/** Milliseconds of the processor that this thread took for a reading: a busy machine counts for nothing. */
async function cost(reader: TextReader, text: string): Promise<number> {
  const before = process.threadCpuUsage();
  try {
    await reader.read(text);
  } catch (error) {
    if (!(error instanceof LedgerLensError)) throw error;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

async function leastCost(reader: TextReader, text: string): Promise<number> {
  let least = Infinity;
  for (let at = 0; at < TRIES && least >= FLOOR_MS; at++) least = Math.min(least, await cost(reader, text));
  return least;
}

/** How a reading grows where it grows faster than its text, as words; `undefined` where it does not. */
async function growth(reader: TextReader, shape: (length: number) => string): Promise<string | undefined> {
  for (const first of LENGTHS) {
    let before = await leastCost(reader, shape(first));
    if (before < FLOOR_MS) continue;
    const costs = [`${first} characters take ${before.toFixed(1)} ms`];
    for (let length = 2 * first; ; length *= 2) {
      const now = await leastCost(reader, shape(length));
      if (now < MAX_GROWTH * before) break;
      costs.push(`${length} take ${now.toFixed(1)} ms`);
      if (costs.length > DOUBLINGS || now > ENDLESS_MS) return costs.join(", ");
      before = now;
    }
  }
  return undefined;
}

/** The unit again and again, to a length. */
function run(frame: string, unit: string): (length: number) => string {
  return (length) => frame.replace("…", () => unit.repeat(Math.ceil(length / unit.length)));
}

const { below } = random("growth of readers");
for (const reader of TEXT_READERS)
  it(`Twice the text takes ${reader.name} about twice the time`, async () => {
    const known = KNOWN.filter(([name]) => name === reader.name).map(([, ...shape]) => shape);
    const all = ["…", ...(reader.frames ?? [])].flatMap((frame) =>
      UNITS.map((unit) => [frame, unit] as const).filter(() => below(ONE_OF) === 0),
    );
    const wrong: string[] = [];
    for (const [frame, unit] of [...known, ...all]) {
      const found = await growth(reader, run(frame, unit));
      if (found !== undefined) wrong.push(`${JSON.stringify(unit)} in ${JSON.stringify(frame)}: ${found}`);
    }
    assert.deepEqual(wrong, []);
  });

it("knows each shape that was wrong once by the name of a reader", () => {
  const names = new Set(TEXT_READERS.map(({ name }) => name));
  assert.deepEqual(
    KNOWN.filter(([name]) => !names.has(name)),
    [],
  );
});
