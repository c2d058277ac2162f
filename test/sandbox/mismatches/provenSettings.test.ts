import { atOnce } from "../../../src/core/concurrency/turns.ts";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { longIt } from "../../rig/longTest.ts";
import { compareVersions } from "../../../src/core/versions.ts";
import { writeSameForm } from "../../../src/core/matching/compilerMetadata.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import { codeBytes } from "../../../src/core/evm/hex.ts";
import { lastAuxdata } from "../../../src/core/evm/auxdata.ts";
import { findProvenBuildInPieces, type ProvenDifference } from "../../../src/core/matching/metadataSearch.ts";
import { isWholeProof } from "../../rig/proofSize.ts";
import { chosenReleases } from "./corpora.ts";
import type { KeptCompilations } from "./keptCompilations.ts";

/** Text that releases escape in different ways. */
const SOURCES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Array.from({ length: 3 }, (_, at) => [
      `lib/Part${at}.sol`,
      `// SPDX-License-Identifier: MIT\npragma solidity >=0.4.0;\n\n// Größe ┌─┐ 😀 \u007f\ncontract Part${at} { uint256 public part${at}; }\n`,
    ]),
  ),
  "contracts/Whole.sol": `// SPDX-License-Identifier: MIT\npragma solidity >=0.4.0;\n\n${Array.from({ length: 3 }, (_, at) => `import "lib/Part${at}.sol";\n`).join("")}\ncontract Whole is ${Array.from({ length: 3 }, (_, at) => `Part${at}`).join(", ")} {\n    function sum(uint256 a) public returns (uint256) { return a * 3 + part0 + part1; }\n}\n`,
};

/** A contract that 0.5.0 and later ones of that line compile, with what most contracts have. */
const TILL: typeof SOURCES = {
  "contracts/Till.sol": `pragma solidity ^0.5.0;

contract Till {
    address public owner = msg.sender;
    mapping(address => uint256) public paid;
    uint256 public total;
    event Paid(address indexed who, uint256 amount);
    function pay() external payable {
        require(msg.value > 0, "nothing paid");
        paid[msg.sender] += msg.value;
        total += msg.value;
        emit Paid(msg.sender, msg.value);
    }
    function take(uint256 amount) external {
        require(amount <= paid[msg.sender], "not so much");
        paid[msg.sender] -= amount;
        msg.sender.transfer(amount);
    }
    function hand(address to) external {
        require(msg.sender == owner, "only the owner");
        owner = to;
    }
}
`,
};
const EDITED_TILL: typeof SOURCES = {
  "contracts/Till.sol": TILL["contracts/Till.sol"]?.replace("only the owner", "not the owner") ?? "",
};

const contentsOf = (sources: typeof SOURCES) =>
  Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }]));

const OPTIMIZED = { optimizer: { enabled: true, runs: 200 } };
const withDetails = (details: Readonly<Record<string, unknown>>) => ({
  optimizer: { enabled: true, runs: 200, details },
});

/** What a deployment may have had beside the submitted settings, since which release, and what proves it. */
const OTHERS: readonly (readonly [
  since: string,
  settings: Readonly<Record<string, unknown>>,
  ...proven: Extract<ProvenDifference, { kind: "setting" }>["setting"][],
])[] = [
  ["0.4.11", { ...OPTIMIZED, metadata: { useLiteralContent: true } }, "metadata"],
  ["0.4.11", { optimizer: { enabled: true, runs: 10_000 } }, "runs"],
  [
    "0.4.24",
    { ...OPTIMIZED, evmVersion: "constantinople", metadata: { useLiteralContent: true } },
    "evmVersion",
    "metadata",
  ],
  ["0.4.21", { ...OPTIMIZED, evmVersion: "homestead" }, "evmVersion"],
  ["0.5.8", withDetails({ deduplicate: false }), "details"],
  ["0.5.8", withDetails({ peephole: false }), "details"],
  ["0.6.0", withDetails({ yul: false }), "details"],
  ["0.6.0", withDetails({ yulDetails: { stackAllocation: false } }), "details"],
  ["0.8.6", withDetails({ inliner: false }), "details"],
  ["0.8.22", withDetails({ simpleCounterForLoopUncheckedIncrement: false }), "details"],
];

describe("A build record and a deployed metadata hash", () => {
  let compilers: KeptCompilations;
  let versions: readonly string[];

  before(async () => {
    ({ compilers, versions } = await chosenReleases("compilers of proven settings", isWholeProof()));
  });
  after(() => compilers.stop());

  async function compiled(
    version: string,
    settings: Readonly<Record<string, unknown>>,
    sources: typeof SOURCES = SOURCES,
  ) {
    const output = (await compilers.compile(version, {
      language: "Solidity",
      sources: contentsOf(sources),
      settings: {
        ...settings,
        outputSelection: { "*": { "*": ["metadata", "evm.deployedBytecode.object"] } },
      },
    })) as unknown as {
      contracts?: Record<
        string,
        Record<string, { metadata: string; evm: { deployedBytecode: { object: string } } }>
      >;
      errors?: readonly { severity: string; formattedMessage: string }[];
    };
    const [whole] = Object.entries(output.contracts ?? {}).flatMap(([file, { Whole, Till }]) =>
      file.startsWith("contracts/") ? (Whole ?? Till ?? []) : [],
    );
    assert.ok(whole, `${version}: ${JSON.stringify(output.errors?.slice(0, 1))}`);
    const code = `0x${whole.evm.deployedBytecode.object}`;
    return { metadata: whole.metadata, code, hash: lastAuxdata(codeBytes(code))?.hash };
  }

  it("prove literal content and every part of the optimizer, either way, with each release of solc", async () => {
    for (const version of versions) {
      const own = await compiled(version, OPTIMIZED);
      for (const [since, settings, ...proven] of OTHERS) {
        if (compareVersions(version, since) < 0) continue;
        const other = await compiled(version, settings);
        for (const [record, deployed] of [
          [own, other],
          [other, own],
        ] as const) {
          const what = `${version}, ${JSON.stringify(settings)}${record === own ? "" : ", submitted"}`;
          assert.ok(deployed.hash && (deployed.hash.digest !== own.hash?.digest) === (record === own), what);
          const found = atOnce(findProvenBuildInPieces(deployed.hash, record.metadata, SOURCES));
          assert.deepEqual(
            found?.differences.map((one) => (one.kind === "setting" ? one.setting : one.kind)),
            proven,
            what,
          );
        }
      }
    }
  });

  // The compilers that `npm test` has write their version into every code.
  longIt(
    "exclude another release that writes the same into metadata, so that an edit is told and no release is offered",
    async () => {
      const old = versions.filter((version) => compareVersions(version, "0.5.9") < 0);
      assert.ok(old.length > 4);
      for (const version of old) {
        const own = await compiled(version, OPTIMIZED);
        for (const other of old) {
          if (!writeSameForm(version, other) || other === version) continue;
          const { hash } = await compiled(other, OPTIMIZED);
          assert.ok(hash);
          const found = atOnce(findProvenBuildInPieces(hash, own.metadata, SOURCES));
          assert.equal(found?.differences[0]?.kind, "compiler", `${version} and ${other}`);
        }
        if (compareVersions(version, "0.5.5") < 0) continue;
        const evmVersion = "byzantium";
        const till = await compiled(version, OPTIMIZED, TILL);
        const edited = await compiled(version, { ...OPTIMIZED, evmVersion }, EDITED_TILL);
        const { causes } = atOnce(
          explainInPieces({
            error: {
              customCode: "no_match",
              message: "",
              onchainRuntimeCode: edited.code,
              recompiledRuntimeCode: till.code,
            },
            submitted: {
              compilerVersion: completeSolcVersion(version),
              contractIdentifier: "contracts/Till.sol:Till",
              stdJsonInput: { language: "Solidity", sources: contentsOf(TILL), settings: OPTIMIZED },
              metadata: till.metadata,
            },
          }),
        );
        const [first, second] = causes;
        assert.equal(first?.code, "edited_source");
        assert.match(first.evidence, /the sources changed/);
        assert.deepEqual(second?.action, {
          kind: "resubmit",
          label: "Resubmit for Byzantium",
          localLabel: "Verify for Byzantium",
          changes: { settings: { evmVersion } },
        });
        assert.ok(!causes.some(({ code }) => code === "compiler_version"));
      }
    },
  );
});
