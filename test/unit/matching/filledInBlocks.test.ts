import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import type { Cause } from "../../../src/core/matching/explanation.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { compile, contract } from "../evm/solc.ts";

/** What a deployment writes into every immutable, or for every library. */
const ADDRESS = "70997970C51812dc3A010C7d01b50e0d17dc79C8";
const ROLES = ["owner", "treasury", "feeRecipient", "guardian", "pauser", "minter", "upgrader", "keeper"];

function settingsOf(runs: number, viaIR: boolean): CompilerSettings {
  return { optimizer: { enabled: true, runs }, viaIR, metadata: { bytecodeHash: "none" } };
}

/** A contract whose roles are all given one address; the rest of it is the same whatever they are. */
function withRoles(names: readonly string[], kind: "immutable" | ""): string {
  return `contract C {
    ${names.map((name) => `address public ${kind} ${name};`).join("\n")}
    mapping(address => uint256) public paid;
    constructor(address given) { ${names.map((name) => `${name} = given;`).join(" ")} }
    function pay() external payable { require(msg.value > 0, "nothing"); paid[msg.sender] += msg.value; }
    function take(uint256 value) external {
      require(paid[msg.sender] >= value, "less");
      paid[msg.sender] -= value;
      payable(msg.sender).transfer(value);
    }
  }`;
}

/** What is told where one source was deployed and another is submitted. */
function causesOf(
  deployed: { readonly source: string; readonly settings: CompilerSettings },
  submitted: { readonly source: string; readonly settings: CompilerSettings },
): readonly Cause[] {
  const codeOf = ({ source, settings }: typeof deployed) =>
    contract(compile(source, settings), "C").evm.deployedBytecode.object;
  const written = codeOf(deployed).replaceAll(
    `7f${"0".repeat(64)}`,
    `7f${ADDRESS.toLowerCase().padStart(64, "0")}`,
  );
  return atOnce(
    explainInPieces({
      error: {
        customCode: "no_match",
        message: "",
        onchainRuntimeCode: `0x${written}`,
        recompiledRuntimeCode: `0x${codeOf(submitted)}`,
      },
      submitted: {
        compilerVersion: "0.8.37+commit.f401782d",
        stdJsonInput: {
          language: "Solidity",
          sources: { "Test.sol": { content: submitted.source } },
          settings: submitted.settings,
        },
        contractIdentifier: "Test.sol:C",
      },
    }),
  ).causes;
}

const tellsOfBlocks = ({ evidence }: Cause) => evidence.includes("twice");

describe("Blocks that a deployment made alike", () => {
  for (const viaIR of [false, true]) {
    const pipeline = viaIR ? "IR" : "legacy";

    for (const count of [4, 5, 6, 8])
      it(`are not taken for some that were not deduplicated: ${count} immutables of one address, ${pipeline}`, () => {
        const names = ROLES.slice(0, count);
        const settings = settingsOf(200, viaIR);
        const [deployed, sent] = [withRoles(names, "immutable"), withRoles(names, "")];
        const causes = causesOf({ source: deployed, settings }, { source: sent, settings });
        assert.ok(!causes.some(tellsOfBlocks), causes[0]?.evidence);
      });

    for (const runs of [1, 200, 1_000_000])
      it(`are not for any number of runs: 14 immutables, ${runs} runs, ${pipeline}`, () => {
        const names = Array.from({ length: 14 }, (_, at) => `role${at}`);
        const source = (kind: string) => `contract C {
          ${names.map((name) => `address public ${kind} ${name};`).join("\n")}
          constructor(address given) { ${names.map((name) => `${name} = given;`).join(" ")} }
        }`;
        const settings = settingsOf(runs, viaIR);
        const causes = causesOf({ source: source("immutable"), settings }, { source: source(""), settings });
        assert.ok(!causes.some(tellsOfBlocks), causes[0]?.evidence);
      });

    it(`are not where libraries have one address, ${pipeline}`, () => {
      const names = Array.from({ length: 8 }, (_, at) => `L${at}`);
      const called = names.map(
        (name, at) => `function g${at}(uint256 x) external pure returns (uint256) { return ${name}.f(x); }`,
      );
      const deployed = `${names.map((name) => `library ${name} { function f(uint256 x) external pure returns (uint256) { return x * 3; } }`).join("\n")}
        contract C { ${called.join("\n")} }`;
      const own = names.map(
        (_, at) => `function g${at}(uint256 x) external view returns (uint256) { return m[x] + ${at}; }`,
      );
      const sent = `contract C { mapping(uint256 => uint256) m; ${own.join("\n")} }`;
      const settings = settingsOf(200, viaIR);
      const libraries = { "Test.sol": Object.fromEntries(names.map((name) => [name, `0x${ADDRESS}`])) };
      const causes = causesOf(
        { source: deployed, settings: { ...settings, libraries } },
        { source: sent, settings },
      );
      assert.ok(!causes.some(tellsOfBlocks), causes[0]?.evidence);
    });
  }

  it("hide none that were not deduplicated", () => {
    const settings = settingsOf(200, false);
    const source = withRoles(ROLES, "immutable");
    const details = { deduplicate: false };
    const [first] = causesOf(
      { source, settings: { ...settings, optimizer: { enabled: true, runs: 200, details } } },
      { source, settings },
    );
    assert.ok(first && tellsOfBlocks(first), first?.evidence);
  });
});
