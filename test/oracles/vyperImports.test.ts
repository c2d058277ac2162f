// The imports of a Vyper file: what real Vyper's parser says of them, however they are written, and what the product says.
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { scanVyper } from "../../src/core/languages/vyper/vyperScanner.ts";
import { proofSize } from "../rig/proofSize.ts";
import { vyperEnvironment } from "../sandbox/vyperEnvironment.ts";
import { random } from "../unit/random.ts";
import { run } from "./vyper/vyperPrograms.ts";

/** The imports of each text as level, dotted name and alias; none where the parser refuses the text. */
const PYTHON = `
import json, sys
from vyper.ast import nodes
from vyper.ast.parse import parse_to_ast
answers = []
for text in json.load(sys.stdin):
    try:
        body = parse_to_ast(text).body
    except Exception:
        answers.append(None)
        continue
    answers.append([
        [getattr(one, "level", None) or 0, ".".join(filter(None, [getattr(one, "module", None), one.name])), one.alias or one.name]
        for one in body if isinstance(one, (nodes.Import, nodes.ImportFrom))
    ])
print(json.dumps(answers))
`;

describe("The imports of a Vyper file", () => {
  it("are those that real Vyper reads, however they are written", async (context) => {
    const environment = vyperEnvironment("0.4.3");
    if (!("bin" in environment)) {
      context.skip(environment.missing);
      return;
    }
    const { pick, below } = random("Vyper imports");
    const blank = () => pick([" ", " ", "  ", "\t", " \\\n  ", "\\\n "]);
    const maybe = () => (below(3) === 0 ? blank() : "");
    const name = () => pick(["a", "b_1", "imported", "fromage", "import_", "external"]);
    const dots = () => Array.from({ length: below(4) }, () => `.${maybe()}`).join("");
    const path = () => [name(), ...Array.from({ length: below(3) }, name)].join(`${maybe()}.${maybe()}`);
    const alias = () => (below(2) === 0 ? `${blank()}as${blank()}${name()}` : "");
    const one = () => {
      if (below(3) === 0) return `import${blank()}${path()}${alias()}`;
      const up = dots();
      const from = up === "" || below(2) === 0 ? up + path() + blank() : up + maybe();
      const item = `${name()}${alias()}`;
      const lines = pick(["", "\n  ", "  # import no\n "]);
      return `from${up === "" ? blank() : maybe()}${from}import${
        below(3) === 0 ? `${maybe()}(${lines}${item}${pick(["", ",", " ,"])}${lines})` : `${blank()}${item}`
      }`;
    };
    const other = () =>
      pick([
        '"""\nimport no\n"""',
        "# from no import no",
        "'''from no import no\\'''\nimport no'''",
        "x: uint256",
        "@external\ndef f():\n    pass",
        "T: constant(String[40]) = 'a \\\n import no'",
      ]);
    const texts = Array.from(
      { length: proofSize({ sample: 1_000, whole: 20_000 }) },
      () => `${[other(), one(), other(), one()].join(pick(["\n", "\n\n", "  # import no\n"]))}\n`,
    );
    const python = join(environment.bin, "python");
    const answers = JSON.parse(await run(python, ["-c", PYTHON], tmpdir(), {}, JSON.stringify(texts))) as (
      readonly unknown[] | null
    )[];
    for (const [at, text] of texts.entries()) {
      const answer = answers[at];
      if (!answer) continue;
      const own = scanVyper(text).imports.map(({ level, module, alias: local }) => [level, module, local]);
      assert.deepEqual(own, answer, JSON.stringify(text));
    }
    const read = answers.filter(Boolean).length;
    assert.ok(read > texts.length / 2, `Vyper read only ${read} of ${texts.length} texts`);
    console.log(`The imports of ${read} texts`);
  });
});
