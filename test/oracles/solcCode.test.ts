import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { revertStringsOf, SOLC_SINCE } from "../../src/core/languages/solidity/solcCode.ts";
import { atLeast, shortVersion } from "../../src/core/versions.ts";
import { manyCompilers } from "../sandbox/listedCompilers.ts";
import { errorsOf, SolcThreads } from "./solcPackages.ts";

const SOURCES = {
  "A.sol": { content: 'contract A { function f(uint x) public { require(x > 1, "too few"); } }' },
};

/** Settings by the first release that takes them. */
const SETTINGS: readonly (readonly [since: string, settings: object])[] = [
  [SOLC_SINCE.optimizerDetails, { optimizer: { details: { cse: true } } }],
  [SOLC_SINCE.inlinerSwitch, { optimizer: { details: { inliner: true } } }],
  [SOLC_SINCE.bytecodeHash, { metadata: { bytecodeHash: "none" } }],
  [SOLC_SINCE.viaIR, { viaIR: true }],
  [SOLC_SINCE.appendCBOR, { metadata: { appendCBOR: false } }],
  [SOLC_SINCE.experimental, { experimental: true }],
];

describe("Real solc", () => {
  let versions: readonly string[];
  let threads: SolcThreads;
  before(async () => {
    const compilers = await manyCompilers();
    const files = new Map(compilers.map(({ longVersion, file }) => [shortVersion(longVersion), file]));
    // Those before it take what they do not know, and say nothing.
    versions = [...files.keys()].filter((version) => atLeast(version, "0.5.0"));
    threads = new SolcThreads(files);
  });
  after(() => threads.stop());

  async function takes(version: string, settings: object): Promise<boolean> {
    const outputSelection = { "*": { "*": ["metadata"] } };
    const input = { language: "Solidity", sources: SOURCES, settings: { ...settings, outputSelection } };
    return errorsOf(await threads.compile(version, { input, lookIn: [] })).length === 0;
  }

  it("takes each setting from the release on that the table says", async () => {
    assert.ok(versions.length >= 10, versions.join());
    for (const version of versions)
      for (const [since, settings] of SETTINGS)
        assert.equal(
          await takes(version, settings),
          atLeast(version, since),
          `${version} ${JSON.stringify(settings)}`,
        );
  });

  it("takes what becomes of the reasons of reverts as the table says", async () => {
    for (const version of versions) {
      const taken = [];
      for (const revertStrings of ["default", "strip", "debug"])
        if (revertStrings === "default" || (await takes(version, { debug: { revertStrings } })))
          taken.push(revertStrings);
      assert.deepEqual(taken, revertStringsOf(version), version);
    }
  });
});
