import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { explain } from "../../../src/core/verification/explanation/explain.ts";
import { completeSolcVersion } from "../../../src/core/compilerInput/solcReleases.ts";
import { predict } from "../../../src/core/verification/prediction/predict.ts";
import { random } from "../../unit/random.ts";
import { SolidityCompilers } from "../solidityCompilers.ts";
import { compileBuild, contractOf } from "./mismatchCase.ts";
import { drawPair } from "./randomCases.ts";

const PAIRS = Number(process.env["PAIRS"] ?? 200);
const LEAST_SCORE = 0.95;

/** Fingerprints and versions in them do not count: such a pair is a match, which needs no explanation. */
function withoutFingerprints(code: string): string {
  return code.replaceAll(/a264697066735822.{68}64736f6c6343.{6}0033/g, "");
}

describe("Random contracts and settings", () => {
  let compilers: SolidityCompilers;
  before(() => {
    compilers = new SolidityCompilers();
  });
  after(() => compilers.stop());

  it("are explained by what really differs in at least 95 %", async () => {
    const source = random("random mismatches");
    const scores = new Map<string, [right: number, all: number]>();
    const wrong: string[] = [];
    let [same, failed] = [0, 0];
    for (let count = 0; count < PAIRS;) {
      const pair = drawPair(source);
      const [deployed, submitted] = [
        await compileBuild(compilers, pair.deployed),
        await compileBuild(compilers, pair.submitted),
      ];
      if (deployed.errors.length + submitted.errors.length > 0) {
        // Some draws are too deep for the legacy pipeline.
        failed++;
        assert.ok(failed < PAIRS, deployed.errors[0] ?? submitted.errors[0]);
        continue;
      }
      const [onChain, own] = [
        contractOf(deployed.output, "Drawn").contract,
        contractOf(submitted.output, "Drawn").contract,
      ];
      const [left, right] = [onChain.evm.deployedBytecode.object, own.evm.deployedBytecode.object];
      const prediction = await predict({
        deployedCode: `0x${left}`,
        localBuild: {
          metadata: own.metadata,
          runtimeBytecode: right,
          sources: pair.submitted.sources,
        },
      });
      if (withoutFingerprints(left) === withoutFingerprints(right)) {
        same++;
        assert.match(prediction.prediction, /^(?:exact_)?match$/, prediction.reasons.join(" "));
        continue;
      }
      count++;
      if (pair.kind !== "metadata_settings")
        assert.equal(prediction.prediction, "mismatch", `${pair.kind}: ${prediction.reasons.join(" ")}`);
      const { causes } = explain({
        error: {
          customCode: left.length === right.length ? "no_match" : "bytecode_length_mismatch",
          message: "",
          onchainRuntimeCode: `0x${left}`,
          recompiledRuntimeCode: `0x${right}`,
        },
        submitted: {
          compilerVersion: completeSolcVersion(pair.submitted.version),
          stdJsonInput: submitted.input,
          contractIdentifier: "Drawn.sol:Drawn",
        },
      });
      const score = scores.get(pair.kind) ?? [0, 0];
      score[1]++;
      if (causes[0]?.code === pair.kind) score[0]++;
      else {
        const found = causes.map(({ code, confidence }) => `${code} ${confidence.toFixed(2)}`).join(", ");
        wrong.push(
          `${pair.kind}: ${JSON.stringify([pair.deployed.version, pair.deployed.settings, pair.submitted.settings])} → ${found}`,
        );
      }
      scores.set(pair.kind, score);
    }
    for (const [kind, [right, all]] of scores) console.log(`${kind}: ${right} of ${all}`);
    for (const one of wrong) console.log(`  wrong · ${one}`);
    const right = [...scores.values()].reduce((sum, [one]) => sum + one, 0);
    console.log(
      `true cause first: ${right} of ${PAIRS}; ${same} more pairs had the same code, ${failed} did not compile`,
    );
    assert.ok(right >= LEAST_SCORE * PAIRS, `${right} of ${PAIRS}`);
  });
});
