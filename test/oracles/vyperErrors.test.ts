// Real Vyper refuses sources, as the service hands it on; the problem shown is where the fault was put.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { StandardJsonInput } from "../../src/core/sources/standardJsonInput.ts";
import { fieldAt } from "../../src/core/json/looseData.ts";
import { compilerProblems } from "../../src/core/jobs/compilerProblems.ts";
import { firstCompilerError } from "../../src/core/service/failure.ts";
import { pythonPackages, vyperEnvironment } from "../sandbox/vyperEnvironment.ts";
import { random } from "../unit/random.ts";
import { compileInputs, type VyperCall } from "./vyper/vyperPrograms.ts";

const MODULAR = vyperEnvironment("0.4.3");
const OLDER = pythonPackages(MODULAR, ["vyper==0.4.0"]);
const EARLIER = vyperEnvironment("0.3.10");

/** A statement that Vyper refuses; the fault begins at `|`. */
const FAULTS: readonly [string, ...string[]] = [
  'self.count = |"four"',
  "self.count = |missing",
  "self.count = |self.nowhere",
  "self.count = |convert(1, String[2])",
  "|unknown(1)",
];

const MAIN = "contracts/Main.vy";
const MODULE = "contracts/library.vy";
const CASES = 12;

const VERSIONS: readonly (readonly [version: string, call: () => VyperCall | string])[] = [
  ["0.3.10", () => ("missing" in EARLIER ? EARLIER.missing : { bin: EARLIER.bin, folder: "." })],
  [
    "0.4.0",
    () => {
      if ("missing" in MODULAR) return MODULAR.missing;
      if ("missing" in OLDER) return OLDER.missing;
      return { bin: MODULAR.bin, folder: ".", pythonPath: [OLDER.folder] };
    },
  ],
  ["0.4.3", () => ("missing" in MODULAR ? MODULAR.missing : { bin: MODULAR.bin, folder: "." })],
];

describe("A source that Vyper refuses", () => {
  for (const [version, call] of VERSIONS) {
    it(`has its problem where the fault is, with Vyper ${version}`, async (test) => {
      const vyper = call();
      if (typeof vyper === "string") {
        test.skip(vyper);
        return;
      }
      const dice = random(`faults for Vyper ${version}`);
      const cases = Array.from({ length: CASES }, () => {
        const inModule = version !== "0.3.10" && dice.below(3) === 0;
        return { inModule, ...faulty(dice.pick(FAULTS), dice.below(6), inModule ? "module" : "contract") };
      });
      const inputs = cases.map(({ text, inModule }) => inputOf(text, inModule));
      const outputs = await compileInputs(vyper, inputs);
      for (const [at, output] of outputs.entries()) {
        const { text, line, character, inModule } = cases[at] ?? assert.fail("no case");
        const error = {
          customCode: "compiler_error",
          message: "Compiler error",
          errorData: { compilerErrors: fieldAt(output, "errors") },
        };
        const [problem] = compilerProblems(error, inputs[at] ?? assert.fail("no input"));
        const told = `${text}\n${JSON.stringify(error)}`;
        assert.ok(problem, told);
        assert.equal(problem.name, inModule ? MODULE : MAIN, told);
        assert.deepEqual(problem.start, { line, character }, told);
        assert.ok(firstCompilerError(error).startsWith(`${inModule ? MODULE : MAIN}:${line + 1}: `), told);
      }
    });
  }
});

/** A file with one fault behind some functions; zero-based. */
function faulty(
  fault: string,
  before: number,
  kind: "module" | "contract",
): { readonly text: string; readonly line: number; readonly character: number } {
  const visibility = kind === "module" ? "@internal" : "@external";
  const lines = ["# é: two bytes, one character", "count: uint256", ""];
  for (let at = 0; at < before; at++)
    lines.push(visibility, `def fine${at}() -> uint256:`, `    return ${at}`, "");
  lines.push(visibility, "def faulty():");
  const statement = `    ${fault}`;
  const character = statement.indexOf("|");
  return {
    text: [...lines, statement.replace("|", ""), ""].join("\n"),
    line: lines.length,
    character,
  };
}

function inputOf(text: string, inModule: boolean): StandardJsonInput {
  const main = inModule
    ? "from contracts import library\n\ninitializes: library\n\n@external\ndef run():\n    library.faulty()\n"
    : text;
  return {
    language: "Vyper",
    sources: { [MAIN]: { content: main }, ...(inModule && { [MODULE]: { content: text } }) },
    settings: { outputSelection: { [MAIN]: ["evm.bytecode.object"] } },
  };
}
