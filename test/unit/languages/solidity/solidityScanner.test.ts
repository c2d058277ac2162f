import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { scanSolidity } from "../../../../src/core/languages/solidity/solidityScanner.ts";

const pathsOf = (text: string) => scanSolidity(text).imports.map(({ path }) => path);

describe("Reading the imports of a Solidity file", () => {
  it("finds every form of the directive", () => {
    const text = `import "a.sol";import 'b.sol' as b;
      import * as c from "c.sol";
      import {A, B as C} from './d.sol';`;
    assert.deepEqual(pathsOf(text), ["a.sol", "b.sol", "c.sol", "./d.sol"]);
  });

  it("allows comments between all tokens, and decoys in them", () => {
    const text = `import /* "no.sol" */ {A // import "no.sol";
      } /**/ from // 'no.sol'
      "yes.sol" /* ; */ ;`;
    assert.deepEqual(pathsOf(text), ["yes.sol"]);
  });

  it("ignores the word in NatSpec, strings, identifiers and assembly", () => {
    const text = `/// import "no1.sol";
      /** import "no2.sol"; */
      string constant s = "import 'no3.sol';";
      contract C { string s = 'import "no4.sol";'; function important() { assembly { let import_ := "import 'no5.sol'" } } }
      import "yes.sol";`;
    assert.deepEqual(pathsOf(text), ["yes.sol"]);
  });

  it("finds imports behind other definitions", () => {
    assert.deepEqual(pathsOf(`contract A { function f() public { if (true) {} } } import "late.sol";`), [
      "late.sol",
    ]);
  });

  it("decodes a path of any length", () => {
    const long = "a".repeat(300_000);
    assert.deepEqual(pathsOf(String.raw`import "\x42${long}";`), [`B${long}`]);
  });

  it("decodes escapes, and continues behind an escaped quote", () => {
    assert.deepEqual(pathsOf(String.raw`import "\x42\u002esol"; import "a\"b.sol"; import 'c\'d.sol';`), [
      "B.sol",
      'a"b.sol',
      "c'd.sol",
    ]);
  });

  it("ends a line comment where solc ends it", () => {
    for (const end of ["\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"]) {
      assert.deepEqual(
        pathsOf(`// comment${end}import "a.sol";`),
        ["a.sol"],
        `U+${end.charCodeAt(0).toString(16)}`,
      );
    }
  });

  it("does not fail on a file that breaks off", () => {
    for (const text of [
      'import "',
      "import {A",
      "/* open",
      "contract",
      "pragma solidity ^0.8.0",
      'contract A { "',
      "import",
      "hex",
      "",
    ]) {
      assert.doesNotThrow(() => scanSolidity(text));
    }
  });

  it("says where the path stands", () => {
    const text = 'contract A {}\nimport {B} from "b.sol";';
    assert.equal(scanSolidity(text).imports[0]?.start, text.indexOf('"b.sol"'));
  });
});

describe("Reading definitions and pragmas", () => {
  it("tells contracts, abstract contracts, interfaces and libraries apart", () => {
    const text = `abstract contract A {} contract B is A {} interface C {} library D {} contract E layout at 0x10 {}`;
    assert.deepEqual(
      scanSolidity(text).definitions.map(({ kind, name }) => `${kind} ${name}`),
      ["abstract contract A", "contract B", "interface C", "library D", "contract E"],
    );
  });

  it("reads version pragmas only, comments included", () => {
    const text = `pragma abicoder v2; pragma solidity >=0.8.0 /* not */ <0.9.0; pragma experimental "x";`;
    assert.deepEqual(
      scanSolidity(text).versionPragmas.map(({ expression }) => expression),
      [">=0.8.0 /* not */ <0.9.0"],
    );
  });
});
