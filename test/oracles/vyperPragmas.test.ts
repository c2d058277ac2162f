// Version pragmas: what real Vyper says of an expression when it checks a file, and what the product says.
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { satisfiesVyper } from "../../src/core/languages/vyper/vyperPragma.ts";
import { scanVyper } from "../../src/core/languages/vyper/vyperScanner.ts";
import { pythonPackages, vyperEnvironment } from "../sandbox/vyperEnvironment.ts";
import { random } from "../unit/random.ts";
import { run } from "./vyper/vyperPrograms.ts";

const ENVIRONMENT = vyperEnvironment("0.3.10");

/** The last Vyper that reads pragmas as npm does, with the reader it uses. */
const NPM_READER = ["vyper==0.3.9", "semantic-version==2.10.0"];

/**
 * Vyper's own reading of a file up to its version pragma, for pairs of a text and the version that the compiler believes
 * to have.
 */
const PYTHON = `
import json, sys
import vyper
from vyper.ast.pre_parser import pre_parse
from vyper.exceptions import VersionException, StructureException
answers = []
for text, version in json.load(sys.stdin):
    vyper.__version__ = version
    try:
        pre_parse(text)
        answers.append(True)
    except (VersionException, StructureException):
        answers.append(False)
print(json.dumps(answers))
`;

interface Question {
  readonly text: string;
  readonly version: string;
}

async function compare(bin: string, questions: readonly Question[], pythonPath?: string): Promise<void> {
  const output = await run(
    join(bin, "python"),
    ["-c", PYTHON],
    tmpdir(),
    pythonPath === undefined ? {} : { PYTHONPATH: pythonPath },
    JSON.stringify(questions.map(({ text, version }) => [text, version])),
  );
  const answers = JSON.parse(output) as readonly boolean[];
  assert.equal(answers.length, questions.length);
  for (const [at, { text, version }] of questions.entries()) {
    const accepted = scanVyper(text).versionPragmas.every(({ value }) => satisfiesVyper(version, value));
    assert.equal(accepted, answers[at], `${JSON.stringify(text)} for ${version}`);
  }
  console.log(`${answers.length} version pragmas, ${answers.filter(Boolean).length} of them satisfied`);
}

function environment(context: TestContext): string | undefined {
  if ("bin" in ENVIRONMENT) return ENVIRONMENT.bin;
  context.skip(ENVIRONMENT.missing);
  return undefined;
}

describe("A version pragma of Vyper is satisfied where real Vyper says so,", () => {
  it("over 4,000 random expressions of PEP 440", async (context) => {
    const bin = environment(context);
    if (bin === undefined) return;
    const { pick, below } = random("PEP 440 pragmas");
    const version = () =>
      pick([
        "0.4.0",
        "0.4",
        "0.3",
        "0.3.10",
        "0.4.3",
        "0.4.1rc3",
        "0.4.0b1",
        "0.5.0b1",
        "1",
        "0",
        "v0.4.0",
        "0.10.1",
        "0.4.3.0",
        "0.4.*",
        "0.*",
        `0.${below(6)}.${below(12)}`,
      ]);
    const clause = () =>
      pick(["", "^", "~=", "==", "!=", "<=", ">=", "<", ">", "===", "~"]) + pick(["", " "]) + version();
    const comment = () => pick(["#pragma version ", "# pragma version ", "# @version ", "#@version  "]);
    const questions = Array.from({ length: 4_000 }, () => {
      const clauses = Array.from({ length: 1 + below(3) }, clause);
      const expression = clauses.join(pick([",", ", ", " , ", " "]));
      return {
        text: `${comment()}${expression}\nx: uint256\n`,
        version: pick(["0.3.10", "0.4.0", "0.4.1", "0.4.1rc3", "0.4.2", "0.4.3", "0.5.0a1", "0.5.0b1"]),
      };
    });
    await compare(bin, questions);
  });

  it("over 4,000 random expressions of npm's kind, before 0.3.10", async (context) => {
    const bin = environment(context);
    if (bin === undefined) return;
    const packages = pythonPackages(ENVIRONMENT, NPM_READER);
    if ("missing" in packages) {
      context.skip(packages.missing);
      return;
    }
    const { pick, below } = random("npm pragmas");
    const full = () => `0.${pick(["1", "2", "3", "4"])}.${below(17)}`;
    const version = () =>
      pick([
        full(),
        full(),
        full(),
        full(),
        `0.${below(4)}`,
        "0",
        "1",
        "0.3.x",
        "0.2.*",
        "0.x",
        "*",
        "v0.3.1",
        "0.1.0b17",
        "0.1.0-beta.16",
        "0.3.1-rc.1",
      ]);
    const part = () => pick(["", "", "^", "~", ">=", "<=", ">", "<", "=", ">= ", "v^"]) + version();
    const alternative = () =>
      below(6) === 0
        ? `${full()} - ${full()}`
        : Array.from({ length: 1 + below(2) }, part).join(pick([" ", " ", " ", "  "]));
    const questions = Array.from({ length: 4_000 }, () => ({
      text: `# @version ${Array.from({ length: 1 + (below(4) === 0 ? 1 : 0) }, alternative).join(pick(["||", " || "]))}\nx: uint256\n`,
      version: pick([
        "0.2.4",
        "0.2.8",
        "0.2.12",
        "0.2.16",
        "0.3.0",
        "0.3.1",
        "0.3.3",
        "0.3.7",
        "0.3.9",
        "0.1.0b17",
      ]),
    }));
    await compare(bin, questions, packages.folder);
  });
});
