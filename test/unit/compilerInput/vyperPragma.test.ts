import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { satisfiesVyper } from "../../../src/core/compilerInput/vyperPragma.ts";
import { completeVyperVersion, vyperReleases } from "../../../src/core/compilerInput/vyperReleases.ts";
import { random } from "../random.ts";

/** Vyper's own check of a version pragma, from 0.3.10 on, for lines of `[expression, version]`. */
const PYTHON = `
import json, re, sys
from packaging.specifiers import SpecifierSet, InvalidSpecifier
answers = []
for expression, version in json.load(sys.stdin):
    written = "==" + expression if re.match("[v0-9]", expression) else expression
    written = re.sub("^\\\\^", "~=", written)
    try:
        answers.append(expression != "" and SpecifierSet(written).contains(version, prereleases=True))
    except InvalidSpecifier:
        answers.append(False)
print(json.dumps(answers))
`;

function byPython(questions: readonly (readonly [string, string])[]): boolean[] | undefined {
  const { status, stdout } = spawnSync("python3", ["-c", PYTHON], {
    input: JSON.stringify(questions),
    encoding: "utf8",
  });
  return status === 0 ? (JSON.parse(stdout) as boolean[]) : undefined;
}

describe("A version pragma of Vyper", () => {
  it("is read by PEP 440 from 0.3.10 on", () => {
    const cases: readonly (readonly [expression: string, version: string, accepted: boolean])[] = [
      ["0.4.3", "0.4.3", true],
      ["0.4.0", "0.4.3", false],
      ["^0.4.0", "0.4.3", true],
      ["^0.4", "0.4.3", true],
      ["^0.3", "0.4.3", true],
      ["~=0.4.0", "0.3.10", false],
      [">=0.3.7,<0.4", "0.3.10", true],
      [">=0.4.0 <0.5", "0.4.3", false],
      ["==0.4.*", "0.4.2", true],
      ["!=0.4.*", "0.4.2", false],
      ["===0.4.0", "0.4.0", true],
      ["===0.4", "0.4.0", false],
      ["~=1", "1.0.0", false],
      ["", "0.4.3", false],
    ];
    for (const [expression, version, accepted] of cases)
      assert.equal(satisfiesVyper(version, expression), accepted, `${expression} for ${version}`);
  });

  it("is read by npm's rules before that", () => {
    const cases: readonly (readonly [string, string, boolean])[] = [
      ["0.3.7", "0.3.7", true],
      ["^0.3.0", "0.3.9", true],
      ["^0.2.0", "0.3.0", false],
      [">=0.2.4 <0.3.0", "0.2.16", true],
      ["0.2.8 - 0.3.3", "0.3.3", true],
      ["0.2.x || 0.3.7", "0.2.12", true],
      ["~0.3", "0.3.9", true],
      ["^0.0.3", "0.0.4", false],
      ["*", "0.3.1", true],
    ];
    for (const [expression, version, accepted] of cases)
      assert.equal(satisfiesVyper(version, expression), accepted, `${expression} for ${version}`);
  });

  it("agrees with Python's own reader on random expressions", (context) => {
    const dice = random("Vyper pragmas");
    const version = () =>
      dice.pick([
        "0.4.0",
        "0.4",
        "0.3",
        "0.3.10",
        "0.4.3",
        "0.4.1rc3",
        "0.4.0b1",
        "1",
        "0",
        "v0.4.0",
        "0.10.1",
        "0.4.3.0",
        "0.4.*",
      ]);
    const clause = () =>
      dice.pick(["", "^", "~=", "==", "!=", "<=", ">=", "<", ">", "===", "~"]) +
      dice.pick(["", " "]) +
      version();
    const questions = Array.from({ length: 5_000 }, () => {
      const clauses = Array.from({ length: 1 + dice.below(3) }, clause);
      return [
        clauses.join(dice.pick([",", ", ", " "])).trim(),
        dice.pick(["0.3.10", "0.4.0", "0.4.1", "0.4.2", "0.4.3"]),
      ] as const;
    });
    const answers = byPython(questions);
    if (!answers) {
      context.skip("Python with the package packaging is not there");
      return;
    }
    for (const [at, [expression, release]] of questions.entries())
      assert.equal(satisfiesVyper(release, expression), answers[at], `${expression} for ${release}`);
    console.log(`accepted: ${answers.filter(Boolean).length} of ${answers.length}`);
  });
});

describe("A release of Vyper", () => {
  it("is completed to the name of its file", () => {
    assert.equal(completeVyperVersion("0.4.3"), "0.4.3+commit.bff19ea2");
    assert.equal(completeVyperVersion("v0.3.10+commit.9136169"), "0.3.10+commit.91361694");
    assert.equal(completeVyperVersion("0.5.0+commit.0123abcd"), "0.5.0+commit.0123abcd");
    assert.throws(() => completeVyperVersion("0.9"), { code: "invalid_compiler_version" });
    assert.ok(vyperReleases.every((release) => completeVyperVersion(release) === release));
  });
});
