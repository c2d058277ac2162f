import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { runCase, type CaseResult, type MismatchCase } from "./mismatchCase.ts";
import { solidityCases } from "./solidityCases.ts";
import { startWorld } from "./world.ts";

/** Share of the cases whose true cause must be ranked first. */
const LEAST_SCORE = 0.95;

/** Answers that come from comparing codes. */
const COMPARED = /^(?:exact_match|match|no_match|bytecode_length_mismatch|extra_file_input_bug)$/;

describe("Why deployed and submitted code differ", () => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  const results = new Map<MismatchCase, CaseResult>();
  before(async () => {
    world = await startWorld();
  });
  after(() => world.stop());

  for (const one of solidityCases) {
    it(one.name, async () => {
      const result = await runCase(world, one);
      results.set(one, result);
      const [first] = result.explanation.causes;
      const isRight = first !== undefined && one.causes.includes(first.code);
      console.log(
        `${isRight ? "right" : "WRONG"} · ${one.name} · service: ${result.answer} · ${result.explanation.causes
          .map(({ code, confidence }) => `${code} ${confidence.toFixed(2)}`)
          .join(", ")}\n        ${first?.evidence ?? ""} ${first?.fix ?? ""}`,
      );
      assert.ok(first, "a cause is given");
    });
  }

  it("ranks the true cause first in at least 95 %", () => {
    const right = [...results].filter(([{ causes }, { explanation }]) =>
      causes.includes(explanation.causes[0]?.code ?? "server"),
    ).length;
    console.log(`true cause first: ${right} of ${results.size}`);
    assert.ok(results.size >= 40);
    assert.ok(right >= LEAST_SCORE * results.size, `${right} of ${results.size}`);
  });

  it("predicts what the service finds when it compares codes", () => {
    const matched = (answer: string) => answer === "match" || answer === "exact_match";
    const wrong = [...results].filter(
      ([, { answer, prediction }]) =>
        prediction !== undefined &&
        COMPARED.test(answer) &&
        matched(answer) !== matched(prediction.prediction),
    );
    assert.deepEqual(
      wrong.map(
        ([{ name }, { answer, prediction }]) => `${name}: ${prediction?.prediction ?? ""}, service ${answer}`,
      ),
      [],
    );
  });
});
