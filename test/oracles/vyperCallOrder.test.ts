import { atOnce } from "../../src/core/concurrency/turns.ts";
import { codeBytes } from "../../src/core/evm/hex.ts";
// Real Vyper compiles contracts of random calls in several processes; where the codes differ, we said that they may.
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isOtherOrder } from "../../src/core/evm/instructionOrder.ts";
import { disassemble } from "../../src/core/evm/disassembly.ts";
import type { StandardJsonInput } from "../../src/core/sources/standardJsonInput.ts";
import { explainInPieces } from "../../src/core/matching/explain.ts";
import { predict } from "../../src/core/matching/predict.ts";
import { functionsByChance } from "../../src/core/languages/vyper/vyperCallOrder.ts";
import { keepResult, keptResult } from "../rig/keptResults.ts";
import { proofSize } from "../rig/proofSize.ts";
import { vyperPackages } from "../sandbox/vyperCompiler.ts";
import { vyperEnvironment } from "../sandbox/vyperEnvironment.ts";
import { random } from "../unit/random.ts";
import { run } from "./vyper/vyperPrograms.ts";

const CONTRACTS = proofSize({ sample: 10, whole: 600 });
const PROCESSES = proofSize({ sample: 5, whole: 12 });
const NAMES = ["one", "two", "alpha", "b", "transfer", "mint", "_x", "_burn", "update"] as const;

const ALL_VERSIONS = [
  ["0.3.7", true],
  ["0.3.4", true],
  ["0.3.8", false],
] as const;
const VERSIONS = ALL_VERSIONS.slice(0, proofSize({ sample: 1, whole: ALL_VERSIONS.length }));

/** Of which at least two of the first seeds make different codes. */
const CERTAIN = `# @version ^0.3.0
count: uint256

@external
def all():
    self.one()
    self.two()
    self.three()

@internal
def one():
    self.count += 1

@internal
def two():
    self.count += 2

@internal
def three():
    self.count += 3
`;

/** Reads sources as a JSON list, and answers their runtime codes. */
const COMPILE = `
import json, sys
from vyper.compiler import compile_code
print(json.dumps([compile_code(s, ["bytecode_runtime"])["bytecode_runtime"] for s in json.load(sys.stdin)]))
`;

/** A contract whose functions, in random order, call some of those that come later in another random order. */
function contractOf(dice: ReturnType<typeof random>): string {
  const count = 2 + dice.below(6);
  const names = Array.from({ length: count }, (_, at) => `${dice.pick(NAMES)}${at}`);
  const calls = names.map((_, at) => names.slice(at + 1).filter(() => dice.below(10) < 3));
  const called = new Set(calls.flat());
  const functions = names.map((name, at) => ({
    rank: dice.below(2 ** 30),
    text: [
      called.has(name) ? "@internal" : "@external",
      `def ${name}():`,
      ...(calls[at] ?? []).map((other) => `    self.${other}()`),
      `    self.count += ${at + 1}`,
    ].join("\n"),
  }));
  functions.sort((one, other) => one.rank - other.rank);
  return `# @version ^0.3.0\ncount: uint256\n\n${functions.map((one) => one.text).join("\n\n")}\n`;
}

/** The codes of sources as one process with a seed gives them; what it gave before is taken from the test cache. */
async function compiled(bin: string, sources: readonly string[], seed: number): Promise<string[]> {
  const input = JSON.stringify(sources);
  const key = ["Vyper in any order", vyperPackages(bin), COMPILE, `${seed}`, input] as const;
  let codes = keptResult(key);
  if (codes === undefined) {
    const environment = { PYTHONHASHSEED: `${seed}` };
    codes = await run(join(bin, "python"), ["-c", COMPILE], tmpdir(), environment, input);
    keepResult(key, codes);
  }
  return JSON.parse(codes) as string[];
}

function submissionOf(content: string, compilerVersion: string) {
  const stdJsonInput: StandardJsonInput = {
    language: "Vyper",
    sources: { "contracts/Vault.vy": { content } },
    settings: {},
  };
  return { compilerVersion, stdJsonInput, contractIdentifier: "contracts/Vault.vy:Vault" };
}

describe("Functions that a compiler puts in any order", () => {
  for (const [version, isByChance] of VERSIONS) {
    it(`are ${isByChance ? "" : "not "}expected of Vyper ${version}, and found where they are`, async (test) => {
      const vyper = vyperEnvironment(version);
      if ("missing" in vyper) {
        test.skip(vyper.missing);
        return;
      }
      const dice = random(`calls for Vyper ${version}`);
      const sources = [CERTAIN, ...Array.from({ length: CONTRACTS }, () => contractOf(dice))];
      const runs: string[][] = [];
      for (let seed = 0; seed < PROCESSES; seed++) runs.push(await compiled(vyper.bin, sources, seed));
      const [first = []] = runs;
      let [differing, expected] = [0, 0];
      for (const [at, source] of sources.entries()) {
        const deployed = first[at] ?? "";
        const other = runs.map((run) => run[at] ?? "").find((code) => code !== deployed);
        const isExpected = functionsByChance(source, `${version}+commit.0`) !== undefined;
        if (isExpected) expected++;
        if (other === undefined) continue;
        differing++;
        assert.ok(isExpected, source);
        assert.ok(isOtherOrder(disassemble(codeBytes(deployed)), disassemble(codeBytes(other))), source);
        const submitted = submissionOf(source, `${version}+commit.6020b8b`);
        const { causes } = atOnce(
          explainInPieces({
            error: {
              customCode: "no_match",
              message: "",
              onchainRuntimeCode: deployed,
              recompiledRuntimeCode: other,
            },
            submitted,
          }),
        );
        assert.equal(causes[0]?.code, "compiler_version");
        const told = `The code may not be reproducible with Vyper ${version}: `;
        assert.ok(causes[0].evidence.startsWith(told), causes[0].evidence);
        const prediction = await predict({
          deployedCode: deployed,
          localBuild: {
            language: "Vyper",
            compilerVersion: submitted.compilerVersion,
            sources: { "contracts/Vault.vy": source },
            runtimeBytecode: other,
          },
        });
        assert.equal(prediction.prediction, "unknown");
        assert.match(prediction.reasons[0] ?? "", /may not be reproducible/);
      }
      console.log(
        `${sources.length} contracts in ${PROCESSES} processes of Vyper ${version}: ${differing} differ, ${expected} may`,
      );
      assert.equal(differing > 0, isByChance);
      if (!isByChance) assert.equal(expected, 0);
    });
  }
});
