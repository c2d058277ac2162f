import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { linkedAt } from "../../../src/core/evm/hex.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import { predict } from "../../../src/core/matching/predict.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { compile, contract, type Compiled } from "../evm/solc.ts";

const optimizer = { enabled: true, runs: 200 };
const FILE = "Test.sol";

/** The creation code of a contract that another build made, as hex without `0x`. */
const child = contract(
  compile(
    "contract Child { uint256 public x; function set(uint256 a) external { x = a; } function echo(string calldata s) external pure returns (string memory) { return s; } }",
    { optimizer, metadata: { bytecodeHash: "none" } },
    { release: "solc-0.8.24", file: FILE },
  ),
  "Child",
).evm.bytecode.object;

/** A contract that holds that code as a constant, and reckons with a number. */
const holder = (number: number) => `contract Holder {
  bytes constant CODE = hex"${child}";
  function make() external returns (address made) { bytes memory code = CODE; assembly { made := create(0, add(code, 32), mload(code)) } }
  function sum(uint256 a) external pure returns (uint256) { return a + ${number}; }
}`;

interface Pair {
  readonly deployed: string;
  readonly submitted: string;
  readonly settings: CompilerSettings;
}

/** What is predicted of a source where another one is deployed, and how its failure is explained. */
async function told(name: string, { deployed, submitted, settings }: Pair) {
  const [there, here] = [deployed, submitted].map((source) => contract(compile(source, settings), name)) as [
    Compiled,
    Compiled,
  ];
  const [runtime, creation] = [there.evm.deployedBytecode.object, there.evm.bytecode.object];
  const prediction = await predict({
    deployedCode: `0x${runtime}`,
    deployedCreationCode: `0x${creation}`,
    localBuild: {
      language: "Solidity",
      compilerVersion: "0.8.37+commit.f401782d",
      metadata: here.metadata,
      runtimeBytecode: here.evm.deployedBytecode.object,
      creationBytecode: here.evm.bytecode.object,
      settings,
      sources: { [FILE]: submitted },
    },
  });
  const { causes } = atOnce(
    explainInPieces({
      error: {
        customCode: "no_match",
        message: "",
        onchainRuntimeCode: `0x${runtime}`,
        recompiledRuntimeCode: `0x${here.evm.deployedBytecode.object}`,
      },
      submitted: {
        compilerVersion: "0.8.37+commit.f401782d",
        contractIdentifier: `${FILE}:${name}`,
        stdJsonInput: { language: "Solidity", sources: { [FILE]: { content: submitted } }, settings },
      },
    }),
  );
  return { prediction, causes };
}

describe("The code of another contract that a source holds as hex", () => {
  for (const viaIR of [false, true]) {
    const way = viaIR ? "via IR" : "the legacy way";
    it(`takes nothing from an exact match (${way})`, async () => {
      const source = holder(1_234_567);
      const settings = { optimizer, viaIR };
      const { prediction } = await told("Holder", { deployed: source, submitted: source, settings });
      assert.deepEqual([prediction.prediction, prediction.isCertain], ["exact_match", true]);
    });

    it(`says nothing of the compiler of one without metadata (${way})`, async () => {
      const settings = { optimizer, viaIR, metadata: { appendCBOR: false } };
      const pair = { deployed: holder(1_234_567), submitted: holder(7_654_321), settings };
      const { causes, prediction } = await told("Holder", pair);
      assert.equal(causes[0]?.code, "edited_source");
      assert.ok(causes.every(({ code }) => code !== "compiler_version"));
      assert.ok(prediction.reasons.every((reason) => !reason.includes("0.8.24")));
    });

    it(`says nothing of the EVM version (${way})`, async () => {
      const settings = { optimizer, viaIR, evmVersion: "paris" };
      const pair = { deployed: holder(1_234_567), submitted: holder(7_654_321), settings };
      const { causes } = await told("Holder", pair);
      assert.equal(causes[0]?.code, "edited_source");
      assert.match(causes[0].evidence, /1,234,567 deployed, 7,654,321 compiled/);
      assert.ok(causes.every(({ code }) => code !== "evm_version"));
    });
  }
});

describe("The EVM version of a contract that holds code for a newer one", () => {
  it("is told of the contract's own instructions", () => {
    const newer = contract(
      compile(
        "contract Child { function echo(string calldata s) external pure returns (string memory) { return s; } }",
        {
          optimizer,
          evmVersion: "cancun",
        },
      ),
      "Child",
    ).evm.bytecode.object;
    const source = `contract Holder {
  bytes constant CODE = hex"${newer}";
  function make() external returns (address made) { bytes memory code = CODE; assembly { made := create(0, add(code, 32), mload(code)) } }
  function join(string calldata a, string calldata b) external pure returns (string memory) { return string.concat(a, b); }
}`;
    const [deployed, recompiled] = ["cancun", "paris"].map(
      (evmVersion) =>
        contract(compile(source, { optimizer, evmVersion }), "Holder").evm.deployedBytecode.object,
    ) as [string, string];
    const { causes } = atOnce(
      explainInPieces({
        error: {
          customCode: "bytecode_length_mismatch",
          message: "",
          onchainRuntimeCode: `0x${deployed}`,
          recompiledRuntimeCode: `0x${recompiled}`,
        },
        submitted: {
          compilerVersion: "0.8.37+commit.f401782d",
          contractIdentifier: `${FILE}:Holder`,
          stdJsonInput: {
            language: "Solidity",
            sources: { [FILE]: { content: source } },
            settings: { optimizer, evmVersion: "paris" },
          },
        },
      }),
    );
    assert.equal(causes[0]?.code, "evm_version");
  });
});

describe("What looks the same and is not", () => {
  it("is a source that holds the code of another contract as hex, with another metadata hash", async () => {
    const made = (comment: string) =>
      contract(
        compile(
          `// ${comment}\ncontract Child { uint256 public x; function set(uint256 a) external { x = a; } }`,
          {
            optimizer,
          },
        ),
        "Child",
      ).evm.bytecode.object;
    const lines = (code: string) => `hex"${(code.match(/.{1,64}/g) ?? []).join('"\n    hex"')}"`;
    const source = (code: string) => `contract Holder {
  bytes constant CODE = ${lines(code)};
  function make() external returns (address made) { bytes memory code = CODE; assembly { made := create(0, add(code, 32), mload(code)) } }
}`;
    const [deployed, submitted] = [source(made("one")), source(made("other"))];
    const { prediction, causes } = await told("Holder", { deployed, submitted, settings: { optimizer } });
    assert.deepEqual(
      [prediction.prediction, causes[0]?.code, causes.length],
      ["mismatch", "edited_source", 1],
    );
    assert.match(prediction.reasons[0] ?? "", /^A source holds the code of another contract as hex/);
    const same = await told("Holder", { deployed, submitted: deployed, settings: { optimizer } });
    assert.equal(same.prediction.prediction, "exact_match");
  });

  it("is an immutable that was set to zero, where a constant is submitted", async () => {
    const body = "function sum(uint256 a) external pure returns (uint256) { return a + 1; }";
    const { prediction, causes } = await told("Value", {
      deployed: `contract Value { bytes32 public immutable X; constructor() { X = bytes32(0); } ${body} }`,
      submitted: `contract Value { bytes32 public constant X = 0x1122334455667788112233445566778811223344556677881122334455667788; ${body} }`,
      settings: { optimizer },
    });
    assert.equal(prediction.prediction, "mismatch");
    assert.match(causes[0]?.evidence ?? "", /^A value differs: 0 deployed, 0x1122…7788 compiled, in X/);
  });

  it("is a metadata hash that was copied: without the code of the build it proves nothing", async () => {
    const source = "contract Value { uint256 public a; function f() external { a++; } }";
    const { metadata, evm } = contract(compile(source, { optimizer }), "Value");
    const code = evm.deployedBytecode.object;
    const tampered = `0x${code.slice(0, 60)}ff${code.slice(62)}`;
    const without = await predict({ deployedCode: tampered, localBuild: { metadata } });
    assert.equal(without.isCertain, undefined);
    const runtimeBytecode = code;
    const build = await predict({ deployedCode: tampered, localBuild: { metadata, runtimeBytecode } });
    assert.equal(build.prediction, "mismatch");
  });
});

describe("A constructor that returns code of its own", () => {
  it("is expected to match by its creation code", async () => {
    const source =
      'contract Odd { uint256 public a; constructor() { bytes memory code = hex"602a60005260206000f3"; assembly { return(add(code, 32), mload(code)) } } function f() external { a++; } }';
    const { metadata, evm } = contract(compile(source, { optimizer }), "Odd");
    const { prediction } = await predict({
      deployedCode: "0x602a60005260206000f3",
      deployedCreationCode: `0x${evm.bytecode.object}`,
      localBuild: {
        language: "Solidity",
        metadata,
        runtimeBytecode: evm.deployedBytecode.object,
        creationBytecode: evm.bytecode.object,
      },
    });
    assert.equal(prediction, "match");
  });
});

describe("A recompiled creation code that breaks off at a library", () => {
  it("does not make the rest of the deployed one arguments of the constructor", () => {
    const source = (
      number: number,
    ) => `library Sums { function sum(uint256 a) external pure returns (uint256) { return a + 1; } }
contract Vault { uint256 public total; constructor() { total = Sums.sum(5); } function fee(uint256 a) external pure returns (uint256) { return a * ${number}; } }`;
    const [there, here] = [12_345, 54_321].map((number) =>
      contract(compile(source(number), { optimizer }), "Vault"),
    ) as [Compiled, Compiled];
    const cut = (code: string) => `0x${code.split("__")[0] ?? ""}`;
    const { causes } = atOnce(
      explainInPieces({
        error: {
          customCode: "no_match",
          message: "",
          onchainRuntimeCode: `0x${there.evm.deployedBytecode.object}`,
          onchainCreationCode: `0x${linkedAt(there.evm.bytecode.object, "12".repeat(20))}`,
          recompiledRuntimeCode: cut(here.evm.deployedBytecode.object),
          recompiledCreationCode: cut(here.evm.bytecode.object),
        },
        submitted: {
          compilerVersion: "0.8.37+commit.f401782d",
          contractIdentifier: `${FILE}:Vault`,
          stdJsonInput: {
            language: "Solidity",
            sources: { [FILE]: { content: source(54_321) } },
            settings: { optimizer },
          },
        },
      }),
    );
    assert.equal(causes[0]?.code, "edited_source");
    assert.match(causes[0].evidence, /12,345 deployed, 54,321 compiled/);
    assert.ok(causes.every(({ code }) => code !== "constructor_arguments"));
  });
});
