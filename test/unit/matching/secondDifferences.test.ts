import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { codeBytes } from "../../../src/core/evm/hex.ts";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { analyseCode } from "../../../src/core/matching/codeTraits.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import type { Cause } from "../../../src/core/matching/explanation.ts";
import { predict } from "../../../src/core/matching/predict.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { compile, contract } from "../evm/solc.ts";

const OPTIMIZED: CompilerSettings = { optimizer: { enabled: true, runs: 200 } };

const VAULT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Vault {
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) public debtOf;
    address public owner;
    constructor(address owner_) { owner = owner_; }
    function deposit() external payable { balanceOf[msg.sender] += msg.value; }
    function borrow(uint256 amount) external {
        require(debtOf[msg.sender] + amount <= balanceOf[msg.sender] / 2, "Utilization of the vault is too high");
        debtOf[msg.sender] += amount;
        payable(msg.sender).transfer(amount);
    }
    function repay() external payable {
        for (uint256 at = 0; at < 3; at++) debtOf[msg.sender] -= msg.value / 3;
    }
}
`;

interface Side {
  readonly source: string;
  readonly settings?: CompilerSettings;
}

function built({ source, settings = OPTIMIZED }: Side) {
  return contract(compile(source, settings), "Vault");
}

function causesOf(deployed: Side, submitted: Side): readonly Cause[] {
  const [there, own] = [built(deployed).evm, built(submitted).evm];
  const { causes } = atOnce(
    explainInPieces({
      error: {
        customCode: "no_match",
        message: "",
        onchainRuntimeCode: `0x${there.deployedBytecode.object}`,
        recompiledRuntimeCode: own.deployedBytecode.object,
        onchainCreationCode: `0x${there.bytecode.object}${"0".repeat(24)}${"ab".repeat(20)}`,
        // A code with a library that is not linked breaks off there.
        recompiledCreationCode: own.bytecode.object.split("__")[0] ?? "",
      },
      submitted: {
        stdJsonInput: {
          language: "Solidity",
          sources: { "Test.sol": { content: submitted.source } },
          settings: submitted.settings ?? OPTIMIZED,
        },
        compilerVersion: "0.8.37+commit.f401782d",
        contractIdentifier: "Test.sol:Vault",
      },
    }),
  );
  return causes;
}

describe("A deployment that differs from what is submitted in two ways", () => {
  it("is told the text that changed beside the pipeline", () => {
    const source = VAULT.replace("Utilization of", "Utilisation of");
    const [first, second] = causesOf({ source, settings: { ...OPTIMIZED, viaIR: true } }, { source: VAULT });
    assert.equal(first?.code, "via_ir");
    assert.equal(second?.code, "edited_source");
    assert.match(second.evidence, /^The sources changed as well\. .*"Utilisation of the vault is too high"/);
    assert.ok(second.confidence > 0.5 && second.confidence < first.confidence);
  });

  it("is told that its metadata is missing beside the runs", () => {
    const [first, ...others] = causesOf(
      { source: VAULT, settings: { optimizer: { enabled: true, runs: 1 }, metadata: { appendCBOR: false } } },
      { source: VAULT, settings: { optimizer: { enabled: true, runs: 1_000_000 } } },
    );
    assert.equal(first?.code, "optimizer_runs");
    const besides = others.find(({ code }) => code === "metadata_settings");
    assert.match(besides?.evidence ?? "", /^The deployed code carries no metadata/);
  });
});

describe("A deployment whose reverts give no reasons", () => {
  const factory = {
    source: `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Child { uint256 public a; address immutable owner; constructor() { owner = msg.sender; }
  function set(uint256 b) external { require(msg.sender == owner, "only the owner of the child may set"); a = b; } }
contract Vault { Child[] public kids; constructor(address) {}
  function make(uint256 n) external { require(n > 3, "too small a number"); kids.push(new Child()); } }`,
  };
  const stripped = { ...factory, settings: { ...OPTIMIZED, debug: { revertStrings: "strip" } } };

  it("is told the setting, and not that the texts changed with the sources", () => {
    for (const [deployed, submitted] of [
      [stripped, factory],
      [factory, stripped],
    ] as const) {
      const [first, ...others] = causesOf(deployed, submitted);
      assert.equal(first?.code, "metadata_settings");
      assert.deepEqual(
        others.filter(({ evidence }) => evidence.includes("changed as well.")),
        [],
      );
    }
  });

  it("is told the text that changed beside it", () => {
    const renamed = {
      ...stripped,
      source: factory.source.replace(
        "a = b;",
        'a = b; emit Said("the child has another value"); } event Said(string what); function no() private {',
      ),
    };
    const said = causesOf(renamed, factory).map(({ evidence }) => evidence);
    assert.ok(said.some((one) => one.includes('Only the deployed code has "the child has another value"')));
    assert.ok(said.every((one) => !one.includes("too small a number")));
  });
});

describe("A library that is linked elsewhere", () => {
  const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
library Sums { function sum(uint256 a, uint256 b) external pure returns (uint256) { return a + b; } }
contract Vault {
    uint256 public total;
    function add(uint256 amount) external { total = Sums.sum(total, amount); }
}
`;
  const linkedAt = (digits: string) => ({
    ...OPTIMIZED,
    libraries: { "Test.sol": { Sums: `0x${digits.repeat(20)}` } },
  });

  it("is told with the metadata that is missing as well", () => {
    const settings = { ...linkedAt("bb"), metadata: { bytecodeHash: "none" } };
    const causes = causesOf({ source, settings }, { source, settings: linkedAt("aa") });
    assert.deepEqual(
      causes.map(({ code }) => code),
      ["unlinked_library", "metadata_settings"],
    );
  });
});

describe("A text of as many bytes as an address", () => {
  it("is told as the text that it is", () => {
    const of = (text: string): Side => ({
      source: VAULT.replace("Utilization of the vault is too high", text),
    });
    const said = causesOf(of("caller is not owner!"), of("sender is not owner!")).map(
      ({ code, evidence }) => [code, evidence],
    );
    assert.deepEqual(
      said.map(([code]) => code),
      ["edited_source"],
    );
    assert.ok(!said[0]?.[1]?.includes("address"));
  });
});

describe("A deployment whose constructor differs", () => {
  const head = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n";
  const other = {
    source: VAULT.replace(
      "constructor(address owner_) { owner = owner_; }",
      'constructor(address owner_) { require(owner_ != address(0), "no owner"); owner = owner_; }',
    ),
  };

  it("is told so, and that it is a match by its runtime code", () => {
    const [first, ...others] = causesOf(other, { source: VAULT });
    assert.equal(
      first?.evidence,
      "The runtime code is the same but for its metadata hash, and the creation code is not: the constructor differs, what it passes on, or a library or a setting that it alone depends on.",
    );
    assert.deepEqual(others, []);
    const [comment] = causesOf({ source: `${VAULT}// deployed\n` }, { source: VAULT });
    assert.match(
      comment?.evidence ?? "",
      /^Every instruction is the same and only the metadata hash differs/,
    );
  });

  it("is told so where neither code has a metadata hash", () => {
    const settings: CompilerSettings = { ...OPTIMIZED, metadata: { bytecodeHash: "none" } };
    const causes = causesOf({ ...other, settings }, { source: VAULT, settings });
    assert.deepEqual(
      causes.map(({ code, evidence }) => [code, evidence.split(":")[0]]),
      [["edited_source", "The runtime code is the same, and the creation code is not"]],
    );
  });

  it("is told what reaches the constructor alone: a library, an address, a setting or a value", () => {
    const first = (deployed: Side, submitted: Side) => {
      const [cause, ...others] = causesOf(deployed, submitted);
      assert.ok(others.every(({ confidence }) => confidence <= 0.3));
      return [cause?.code, cause?.evidence.split("is not. ")[1]];
    };
    const librarian = `${head}library Sums { function sum(uint256 a) public pure returns (uint256) { return a * 7; } }
      contract Vault { uint256 public total; constructor(address a) { total = Sums.sum(uint160(a)); } }`;
    const linked = (digits: string): Side => ({
      source: librarian,
      settings: { ...OPTIMIZED, libraries: { "Test.sol": { Sums: `0x${digits.repeat(20)}` } } },
    });
    assert.deepEqual(first(linked("bb"), linked("aa")), [
      "unlinked_library",
      `The library Sums is linked at 0x${"bb".repeat(20)} in the deployed code; you sent 0x${"aa".repeat(20)}.`,
    ]);

    const passing = `${head}contract Vault { constructor(address to, bytes memory data) payable {
        (bool ok,) = to.delegatecall(abi.encodePacked(data)); require(ok); } fallback() external payable {} }`;
    const on = (evmVersion: string): Side => ({ source: passing, settings: { ...OPTIMIZED, evmVersion } });
    assert.deepEqual(first(on("shanghai"), on("cancun")), [
      "evm_version",
      "The recompiled code copies memory with MCOPY and the deployed code never does, as before Cancun; you sent Cancun.",
    ]);

    const counting = `${head}contract Vault { uint256[9] a; constructor(address x) {
        for (uint256 i = 0; i < 9; i++) a[i] = uint160(x) / (i + 1); } fallback() external payable {} }`;
    assert.deepEqual(
      first({ source: counting, settings: { optimizer: { enabled: false } } }, { source: counting }),
      ["optimizer", "The deployed code is not optimized; you sent the optimizer on."],
    );

    const started = (fee: number): Side => ({
      source: `${head}contract Vault { uint256 public fee; constructor(address) { fee = ${fee}; } }`,
    });
    assert.deepEqual(first(started(4_321), started(1_234)), [
      "edited_source",
      "A value differs: 4,321 deployed, 1,234 compiled, in Test.sol:3.",
    ]);
  });

  const edits: readonly (readonly [what: string, deployed: string, submitted: string])[] = [
    [
      "takes no text any more",
      "contract Vault { string public name; constructor() {} }",
      "contract Vault { string public name; constructor(string memory n) { name = n; } }",
    ],
    [
      "must be sent nothing",
      "contract Vault { address public owner; constructor(address o) payable { require(msg.value == 0); owner = o; } }",
      "contract Vault { address public owner; constructor(address o) payable { owner = o; } }",
    ],
    [
      "gives errors of its own for reasons",
      "contract Vault { uint256 public a; error No(uint256 n); constructor(uint256 n) { if (n == 0) revert No(n); if (n > 9) revert No(9); a = n; } }",
      'contract Vault { uint256 public a; error No(uint256 n); constructor(uint256 n) { require(n != 0, "too small a number"); require(n < 10, "too large a number"); a = n; } }',
    ],
    [
      "asks for nothing any more",
      "contract Vault { uint256 public a; constructor(uint256 n) { a = n; } }",
      'contract Vault { uint256 public a; constructor(uint256 n) { require(n != 0, "too small a number"); require(n < 10, "too large a number"); a = n; } }',
    ],
  ];
  for (const [what, deployed, submitted] of edits)
    it(`is told no setting where it ${what}`, () => {
      const [first, ...others] = causesOf({ source: head + deployed }, { source: head + submitted });
      assert.equal(first?.code, "edited_source");
      assert.deepEqual(
        others.filter(({ confidence }) => confidence >= 0.5),
        [],
      );
    });

  it("is told the library that is not linked, where the creation code breaks off", () => {
    const source = `${head}library Sums { function sum(uint256 a) public pure returns (uint256) { return a * 7; } }
      contract Vault { uint256 public total; constructor(address a) { total = Sums.sum(uint160(a)); } }`;
    const at = `0x${"bb".repeat(20)}`;
    const [first] = causesOf(
      { source, settings: { ...OPTIMIZED, libraries: { "Test.sol": { Sums: at } } } },
      { source },
    );
    assert.equal(first?.code, "unlinked_library");
    assert.ok(first.evidence.includes(`the deployed code has ${at} there`));
  });

  it("is predicted with the same words", async () => {
    const [there, own] = [built(other), built({ source: VAULT })];
    const said = async (creation: string) => {
      const { prediction, reasons } = await predict({
        deployedCode: `0x${there.evm.deployedBytecode.object}`,
        deployedCreationCode: creation,
        localBuild: {
          language: "Solidity",
          compilerVersion: "0.8.37+commit.f401782d",
          settings: OPTIMIZED,
          sources: { "Test.sol": VAULT },
          runtimeBytecode: own.evm.deployedBytecode.object,
          creationBytecode: own.evm.bytecode.object,
          metadata: own.metadata,
        },
      });
      return [prediction, reasons.join(" ").includes("creation code")];
    };
    assert.deepEqual(await said(`0x${there.evm.bytecode.object}${"0".repeat(64)}`), ["match", true]);
    assert.deepEqual(await said(""), ["match", false]);
  });
});

describe("A value that is no constant on both sides", () => {
  it("is told as the immutable that it is in the sources, and with all its digits", () => {
    const declared = "address public owner;";
    const [first] = causesOf(
      { source: VAULT.replace(declared, `uint256 public constant cap = 5_000_000e18; ${declared}`) },
      { source: VAULT.replace(declared, `uint256 public immutable cap = block.number; ${declared}`) },
    );
    assert.match(
      first?.evidence ?? "",
      /^A value differs: 5,000,000,000,000,000,000,000,000 deployed, where the compiled code has an immutable/,
    );
  });
});

describe("A library that the deployed code had inside", () => {
  const LIBRARY = `library Half { function of_(uint256 whole) VISIBILITY pure returns (uint256) { return whole / 2; } }
`;
  const using = (visibility: string) => ({
    source: `${LIBRARY.replace("VISIBILITY", visibility)}${VAULT.replace("balanceOf[msg.sender] / 2", "Half.of_(balanceOf[msg.sender])")}`,
  });

  it("is named where the submitted contract calls it as one to be linked", () => {
    const [first] = causesOf(using("internal"), using("public"));
    assert.equal(first?.code, "edited_source");
    assert.match(
      first.evidence,
      /^The compiled code calls (?:a library|the library Half), which has to be linked/,
    );
  });
});

describe("A comparison with a selector that ends in zeros", () => {
  it("is found where Vyper asks behind it whether the calldata is long enough", () => {
    // PUSH4 7ecebe00 DUP2 EQ PUSH1 3 CALLDATASIZE GT AND ISZERO PUSH2 0014 JUMPI, behind the selector of the calldata.
    const code = "5f3560e01c637ecebe0081146003361116156100175760206040f35b5f5ffd";
    assert.deepEqual(analyseCode(codeBytes(code)).selectors, ["7ecebe00"]);
  });
});
