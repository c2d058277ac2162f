import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import {
  parseSolidityVersionExpression,
  satisfiesSolidity,
} from "../../../../src/core/languages/solidity/solidityPragma.ts";
import { completeSolcVersion, solcReleases } from "../../../../src/core/languages/solidity/solcReleases.ts";
import { SolidityCompilers } from "../../../sandbox/solidityCompilers.ts";
import { proofSize } from "../../../rig/proofSize.ts";
import { random } from "../../random.ts";

const accepts = (expression: string, version: string) => {
  const parsed = parseSolidityVersionExpression(expression);
  return parsed !== undefined && satisfiesSolidity(version, parsed);
};

const EXPRESSIONS = proofSize({ sample: 300, whole: 5_000 });

describe("Version pragmas", () => {
  const compilers = new SolidityCompilers();
  after(() => compilers.stop());

  it("follow solc and not npm where they differ", () => {
    assert.ok(accepts("^0.0.3", "0.0.9"));
    assert.ok(accepts(">=0.4.22<0.9.0", "0.8.37"));
    assert.ok(accepts('"0.8.37"', "0.8.37"));
    assert.ok(!accepts("v0.8.37", "0.8.37"));
    assert.ok(!accepts("0.8.0 - 0.9.0 >=0.8", "0.8.37"));
  });

  it(`are accepted exactly where real solc accepts them, over ${EXPRESSIONS.toLocaleString("en")} random expressions`, async () => {
    const { below, pick } = random("version expressions");
    const number = () => pick(["0", "0", "8", String(below(40)), "7", "24", "28", "37", "6"]);
    const version = () => [number(), number(), number()].slice(0, 1 + below(3)).join(".");
    const near = () => `0.${pick(["7", "8"])}.${pick(["0", "6", "24", "28", "37", String(below(40))])}`;
    const quoted = (text: string) =>
      pick(["", "", "", "", "", "", "", '"']).replace('"', `"${text}"`) || text;
    const part = () =>
      pick(["", "^", "~", ">=", "<=", ">", "<", "="]) +
      pick(["", "", "", " ", "/* any */"]) +
      quoted(
        pick([
          near(),
          near(),
          near(),
          version(),
          "0.8.x",
          "0.*",
          "0.8.X",
          "*",
          "v0.8.24",
          "0.8.24-rc",
          "0.8.24.",
          "0.8.",
        ]),
      );
    const conjunction = () =>
      below(6) === 0
        ? `${near()} - ${near()}${pick(["", "", "", " >=0.4"])}`
        : [part(), part(), part()].slice(0, 1 + below(3)).join(pick([" ", " ", ""]));
    const expressions = Array.from({ length: EXPRESSIONS }, () =>
      [conjunction(), conjunction()].slice(0, 1 + below(2)).join(pick(["||", " || "])),
    );
    for (const compiler of compilers.versions) {
      // Many sources in one call: a rejected pragma is an error of its own file. solc gives up at 256 errors.
      for (let first = 0; first < expressions.length; first += 200) {
        const batch = expressions.slice(first, first + 200);
        const sources = Object.fromEntries(
          batch.map((expression, at) => [`${at}.sol`, { content: `pragma solidity ${expression};` }]),
        );
        const output = await compilers.compile(compiler, {
          language: "Solidity",
          sources,
          settings: { stopAfter: "parsing" },
        });
        const errors = (output?.errors ?? []).filter(({ severity }) => severity === "error");
        const rejected = new Set(errors.map(fileOf));
        for (const [at, expression] of batch.entries()) {
          const isRejected = rejected.has(`${at}.sol`);
          assert.equal(accepts(expression, compiler), !isRejected, `"${expression}" with solc ${compiler}`);
        }
      }
    }
  });
});

describe("The list of compilers", () => {
  it("agrees with the compilers at hand", async () => {
    const compilers = new SolidityCompilers();
    for (const version of compilers.versions) {
      const output = await compilers.compile(version, {
        language: "Solidity",
        sources: { "A.sol": { content: "contract A {}" } },
        settings: { outputSelection: { "*": { "*": ["metadata"] } } },
      });
      const metadata = JSON.parse(output?.contracts?.["A.sol"]?.["A"]?.metadata ?? "{}") as {
        compiler: { version: string };
      };
      assert.equal(completeSolcVersion(version), metadata.compiler.version);
    }
    await compilers.stop();
  });

  it("is in order and in full form", () => {
    assert.ok(solcReleases.every((release) => /^0\.\d+\.\d+\+commit\.[0-9a-f]{8}$/.test(release)));
    assert.deepEqual(
      solcReleases.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })),
      [...solcReleases],
    );
  });

  it("names a release to use when a version is unknown", () => {
    assert.throws(() => completeSolcVersion("0.9.0"), /Use a release like 0\.8\.37/);
  });
});

function fileOf(error: object): string {
  return (error as { sourceLocation?: { file?: string } }).sourceLocation?.file ?? "";
}
