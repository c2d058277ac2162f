import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { sentSummaryInPieces } from "../../../src/core/jobs/page/sentSummary.ts";
import { compiledOffer } from "../../../src/core/jobs/reviewOffers.ts";
import { metadataDigest, findProvenBuildInPieces } from "../../../src/core/matching/metadataSearch.ts";
import type { StandardJsonInput } from "../../../src/core/sources/standardJsonInput.ts";
import { inGerman } from "../inGerman.ts";

const SETTINGS = {
  evmVersion: "cancun",
  metadata: { bytecodeHash: "none", useLiteralContent: true },
  optimizer: { enabled: true, runs: 20_000 },
  remappings: [],
  viaIR: true,
};
/** What the page of a job says of the settings that were sent. */
const summary = (input: Partial<StandardJsonInput> = {}, compilerVersion = "0.8.28+commit.7893614a") =>
  atOnce(
    sentSummaryInPieces({
      compiler: `solc ${compilerVersion}`,
      compilerVersion,
      contractIdentifier: "Vault.sol:Vault",
      stdJsonInput: { language: "Solidity", sources: {}, settings: SETTINGS, ...input },
      placeOf: () => undefined,
    }),
  );
/** What a review offers in the place of what was chosen. */
const offered = () =>
  compiledOffer(
    {
      settings: {
        optimizer: { runs: 20_000, details: { yul: false } },
        evmVersion: null,
        viaIR: false,
      },
    },
    "match",
  ).description;
/** What the deployed metadata hash proves. */
const proven = () => {
  const metadata = (optimizer: object, evmVersion = "cancun") =>
    JSON.stringify({
      compiler: { version: "0.8.28+commit.7893614a" },
      language: "Solidity",
      output: {},
      settings: { compilationTarget: {}, evmVersion, libraries: {}, optimizer, remappings: [] },
      sources: {},
      version: 1,
    });
  const [sent, deployed] = [metadata({ enabled: true, runs: 200 }), metadata({ enabled: false, runs: 200 })];
  const digest = metadataDigest(deployed, "ipfs");
  const [difference] =
    atOnce(findProvenBuildInPieces({ kind: "ipfs", digest }, sent, {}, "0.8.28"))?.differences ?? [];
  return difference?.kind === "setting" ? [difference.local, difference.deployed] : difference;
};

describe("A compiler setting in words", () => {
  it("is the same wherever it is told", () => {
    const { brief, facts } = summary();
    assert.equal(brief, "solc 0.8.28 · cancun · optimizer on, 20,000 runs · IR pipeline on · 0 files · 0 kB");
    assert.deepEqual(
      facts.slice(2).map(({ label, value }) => [label, value]),
      [
        ["evmVersion", "cancun"],
        ["metadata", "bytecodeHash none, useLiteralContent on"],
        ["optimizer", "on, 20,000 runs"],
        ["remappings", "none"],
        ["viaIR", "on"],
      ],
    );
    assert.equal(
      offered(),
      "optimizer on, 20,000 runs, with details, the compiler's own EVM version, IR pipeline off",
    );
    assert.deepEqual(proven(), ["on", "off"]);
  });

  it("is told where it is the compiler's own choice, as long as no source makes another", () => {
    const told = (input: Partial<StandardJsonInput>, version: string) => {
      const { brief, facts } = summary({ settings: {}, ...input }, version);
      return [brief.split(" · ")[1], facts.find(({ label }) => label === "evmVersion")?.value];
    };
    assert.deepEqual(told({}, "0.8.20"), ["shanghai by default", "shanghai, the compiler's default"]);
    assert.deepEqual(told({}, "0.8.30+commit.73712a01"), [
      "prague by default",
      "prague, the compiler's default",
    ]);
    assert.deepEqual(told({}, "0.4.11"), ["0 files", undefined], "it could not be told one");
    const vyper = (content: string) => ({ language: "Vyper" as const, sources: { "a.vy": { content } } });
    assert.deepEqual(told(vyper("x: uint256"), "0.3.10"), [
      "shanghai by default",
      "shanghai, the compiler's default",
    ]);
    assert.deepEqual(told(vyper("#pragma evm-version paris\n"), "0.3.10"), ["1 file", undefined]);
    assert.deepEqual(told({ language: "Fe" }, "26.0.0"), ["0 files", undefined]);
  });

  it("is German where the editor is", () =>
    inGerman(() => {
      const { brief, facts } = summary();
      assert.equal(
        brief,
        "solc 0.8.28 · cancun · Optimierer an, 20,000 Läufe · IR-Pipeline an · 0 Dateien · 0 kB",
      );
      assert.deepEqual(
        facts.slice(2).map(({ value }) => value),
        ["cancun", "bytecodeHash none, useLiteralContent an", "an, 20,000 Läufe", "keine", "an"],
      );
      assert.equal(
        offered(),
        "Optimierer an, 20,000 Läufe, mit Details, die EVM-Version des Compilers, IR-Pipeline aus",
      );
      assert.deepEqual(proven(), ["an", "aus"]);
    }));
});
