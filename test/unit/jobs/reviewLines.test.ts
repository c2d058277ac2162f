import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { t } from "@vscode/l10n";
import type { ProxyCode } from "../../../src/core/evm/proxy.ts";
import { recordedMatch } from "../../../src/core/jobs/recordedMatch.ts";
import {
  DETAIL_CHARACTERS,
  expectationDetail,
  LABEL_CHARACTERS,
  sentenceRow,
  SOURCE_CHARACTERS,
  sourceInBrief,
} from "../../../src/core/jobs/reviewLines.ts";
import { proxyInWords } from "../../../src/core/matching/findingWords.ts";
import { IN_BRIEF } from "../../../src/core/matching/reasonsInBrief.ts";
import { sourceVariants } from "../../../src/core/matching/sourceVariants.ts";
import type { VerifiedContract } from "../../../src/core/service/job.ts";
import { withShortIds } from "../../../src/core/text/inBrief.ts";
import { inGerman } from "../inGerman.ts";

const ADDRESS = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const PROXIES: readonly ProxyCode[] = [
  { kind: "EIP-7702", implementation: ADDRESS },
  { kind: "EIP-1167", implementation: ADDRESS },
  { kind: "Safe", slot: "0x00" },
  { kind: "ZeppelinOS", slot: "0x00" },
  { kind: "EIP-1967 beacon", beacon: ADDRESS },
  { kind: "other" },
];
/** As large as these get: a deployed code has 24,576 bytes, an input some hundred files. */
const [BYTES, FILES, FUNCTIONS, VERSION] = [24_576, 999, 100, "0.8.37"];
/** The longest setting that a difference names. */
const SETTING = "experimental";

/** Each of them as long as it gets. */
const BRIEFS: Readonly<Record<keyof typeof IN_BRIEF, () => readonly string[]>> = {
  blueprint: () => [IN_BRIEF.blueprint()],
  proxy: () => PROXIES.map((proxy) => IN_BRIEF.proxy(proxyInWords(proxy))),
  sameHash: () => [IN_BRIEF.sameHash()],
  sameHashOtherCode: () => [IN_BRIEF.sameHashOtherCode(BYTES)],
  sameBuildChangedFiles: () => [IN_BRIEF.sameBuildChangedFiles(FILES)],
  otherHash: () => [IN_BRIEF.otherHash()],
  otherSetting: () => [IN_BRIEF.otherSetting(SETTING)],
  filesAsOnDisk: () => [IN_BRIEF.filesAsOnDisk(FILES)],
  otherFiles: () => sourceVariants.map(({ description }) => IN_BRIEF.otherFiles(FILES, t(description))),
  byChance: () => [IN_BRIEF.byChance()],
  sameCodeChangedFiles: () => [IN_BRIEF.sameCodeChangedFiles(FILES)],
  sameIntegrity: () => [IN_BRIEF.sameIntegrity()],
  sameCodeOtherHash: () => [IN_BRIEF.sameCodeOtherHash()],
  otherCode: () => [IN_BRIEF.otherCode(BYTES)],
  otherMetadataForm: () => [IN_BRIEF.otherMetadataForm()],
  otherInnerCompiler: () => [IN_BRIEF.otherInnerCompiler()],
  viaIR: () => [true, false].map(IN_BRIEF.viaIR),
  optimizer: () => [true, false].map(IN_BRIEF.optimizer),
  otherFunctions: () => [IN_BRIEF.otherFunctions(FUNCTIONS, FUNCTIONS)],
  compiledExactly: () => [IN_BRIEF.compiledExactly(VERSION)],
  compiledAlike: () => [IN_BRIEF.compiledAlike(VERSION)],
  compiledOtherwise: () => [IN_BRIEF.compiledOtherwise(VERSION)],
  refusedByCompiler: () => [IN_BRIEF.refusedByCompiler(VERSION)],
};

const inEachLanguage = async (work: () => void) => {
  work();
  await inGerman(work);
};

describe("A line of a review", () => {
  it("holds each reason that there is in brief, in each language", () =>
    inEachLanguage(() => {
      const words = Object.values(BRIEFS).flatMap((brief) => brief());
      const long = (brief: string) =>
        expectationDetail({ reasons: ["A reason ".repeat(20)], brief }) ?? assert.fail();
      for (const brief of words) {
        const detail = long(brief);
        assert.equal(detail, withShortIds(brief), `${brief.length} characters: ${brief}`);
        assert.ok(detail.length <= DETAIL_CHARACTERS);
      }
    }));

  it("holds what is said where no reason fits, and leads to it", () =>
    inEachLanguage(() => {
      for (const unfit of [undefined, `${"Some/Deep/Folder/".repeat(9)}A.sol has changed.`]) {
        const reasons = [`The node answers ${"no ".repeat(50)}`];
        const detail = expectationDetail({ reasons, ...(unfit !== undefined && { brief: unfit }) });
        assert.equal(detail, t`Select this line to read why.`);
        assert.ok(detail.length <= DETAIL_CHARACTERS);
      }
    }));

  it("says the first sentence itself where it fits, and nothing where there is no reason", () => {
    const detail = expectationDetail({ reasons: ["The code is the same. More of it."], brief: "Same code." });
    assert.equal(detail, "The code is the same.");
    assert.equal(expectationDetail({ reasons: [] }), undefined);
  });

  it("holds what a service has on record", () =>
    inEachLanguage(() => {
      const contract = { match: "match" } as const;
      const told = (["exact_match", "match", "mismatch", "unknown"] as const).flatMap((prediction) =>
        (["exact_match", "match"] as const).map(
          (ceiling) => recordedMatch("Vault", contract as VerifiedContract, prediction, ceiling)?.brief,
        ),
      );
      for (const brief of told) assert.ok(brief && brief.length <= LABEL_CHARACTERS, brief);
    }));

  it("holds a sentence of any length, that goes on below", () => {
    assert.deepEqual(sentenceRow("A.sol is empty."), { label: "A.sol is empty." });
    const sentence =
      "contracts/Vault.sol has changed since the build in artifacts/build-info/5f1c3bd0a2c44e9f8d7e6a5b4c3d2e1f.json. Build again.";
    const { label, detail = "" } = sentenceRow(sentence);
    assert.equal(`${label} ${detail}`, sentence.replace(/5f1c.*2e1f/, "5f1c3b…2e1f"), "nothing is lost");
    for (const long of [sentence, "deep/".repeat(90), "many words ".repeat(90)]) {
      const row = sentenceRow(long);
      assert.ok(row.label.length <= LABEL_CHARACTERS, row.label);
      assert.ok((row.detail ?? "").length <= DETAIL_CHARACTERS, row.detail);
    }
    assert.match(sentenceRow("many words ".repeat(90)).detail ?? "", /…$/);
  });

  it("holds where an input was read from, however deep, with the file's name or both ends of it", () =>
    inEachLanguage(() => {
      const deep = "packages/contracts-of-the-vault-of-everybody/artifacts/build-info/";
      for (const source of ["build-info", "metadata", "derived"] as const)
        for (const record of [undefined, `${deep}0123.json`, `${deep}${"solc-0_8_28-".repeat(9)}77aa.json`]) {
          const words = sourceInBrief(source, record);
          assert.ok(words.length <= SOURCE_CHARACTERS, words);
          if (record !== undefined && source !== "derived") assert.match(words, /(?:0123|aa)\.json/);
        }
      assert.match(
        sourceInBrief("build-info", `${deep}0123.json`),
        / packages\/…\/artifacts\/build-info\/0123\.json$/,
      );
    }));
});
