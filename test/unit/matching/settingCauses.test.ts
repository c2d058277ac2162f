import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { provenCauses } from "../../../src/core/matching/causes/provenCauses.ts";
import type { AnalysedCode } from "../../../src/core/matching/codeTraits.ts";
import type { SubmittedBuild } from "../../../src/core/matching/explanation.ts";
import { metadataDigest } from "../../../src/core/matching/metadataSearch.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { searchedCause } from "../../../src/core/settingsSearch/searchedCause.ts";

const compilerVersion = "0.8.30+commit.73712a01";
const contractIdentifier = "src/Vault.sol:Vault";
const [SUMS, OTHER] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`];

function metadataOf(settings: object): string {
  return JSON.stringify({
    compiler: { version: compilerVersion },
    language: "Solidity",
    output: {},
    settings: { compilationTarget: {}, evmVersion: "prague", libraries: {}, ...settings, remappings: [] },
    sources: {},
    version: 1,
  });
}

function buildOf(settings: CompilerSettings): Omit<SubmittedBuild, "metadata"> {
  return {
    compilerVersion,
    contractIdentifier,
    stdJsonInput: {
      language: "Solidity",
      sources: { "src/Vault.sol": { content: "contract Vault {}" } },
      settings,
    },
  };
}

/** The code of the cause that a search names, which compiled the deployed code. */
function codeBySearch(submitted: CompilerSettings, deployed: CompilerSettings): string | undefined {
  const found = { submission: buildOf(deployed), verdict: { verdict: "exact_match" } } as never;
  return searchedCause(buildOf(submitted), { found, tried: [], seconds: 1 })?.code;
}

describe("The cause that a setting is", () => {
  it("has no button where files have to be others, too, which nothing rewrites", () => {
    const submitted = buildOf({});
    const deployed = buildOf({ evmVersion: "paris" });
    const ended = {
      ...deployed,
      stdJsonInput: {
        ...deployed.stdJsonInput,
        sources: { "src/Vault.sol": { content: "contract Vault {}\r\n" } },
      },
    };
    const causeOf = (submission: typeof deployed) =>
      searchedCause(submitted, {
        found: { submission, verdict: { verdict: "exact_match" } } as never,
        tried: [],
        seconds: 1,
      });
    assert.equal(causeOf(deployed)?.action?.kind, "resubmit");
    assert.equal(causeOf(ended)?.action, undefined);
    assert.equal(
      causeOf(ended)?.fix,
      "Give src/Vault.sol the line endings of the deployed build, then verify again with these settings.",
    );
  });

  const optimizer = (runs: number) => ({ optimizer: { enabled: true, runs } });

  it("has one code, whether the metadata hash proves it or compiling does", () => {
    const cases: readonly (readonly [
      code: string,
      submitted: object,
      deployed: CompilerSettings,
      own: CompilerSettings,
    ])[] = [
      [
        "metadata_settings",
        { libraries: { "src/Vault.sol:Sums": SUMS } },
        {},
        { libraries: { "src/Vault.sol": { Sums: SUMS } } },
      ],
      ["evm_version", { evmVersion: "paris" }, { evmVersion: "prague" }, { evmVersion: "paris" }],
      ["optimizer_runs", optimizer(999), optimizer(200), optimizer(999)],
      ["via_ir", { viaIR: true }, {}, { viaIR: true }],
    ];
    for (const [code, submitted, deployed, own] of cases) {
      const hash = { kind: "ipfs", digest: metadataDigest(metadataOf(deployed), "ipfs") } as const;
      const causes = atOnce(
        provenCauses({ ...buildOf(own), metadata: metadataOf(submitted) }, {
          auxdata: { hash, compilerVersion: "0.8.30" },
        } as AnalysedCode),
      );
      assert.deepEqual(
        causes.map((cause) => cause.code),
        [code],
      );
      assert.equal(codeBySearch(own, deployed), code);
    }
  });

  it("is a library that is not linked only where the deployed build links one", () => {
    const linked = (address: string) => ({ libraries: { "src/Vault.sol": { Sums: address } } });
    assert.equal(codeBySearch({}, linked(SUMS)), "unlinked_library");
    assert.equal(codeBySearch(linked(SUMS), linked(OTHER)), "unlinked_library");
    assert.equal(codeBySearch(linked(SUMS), {}), "metadata_settings");
  });
});
