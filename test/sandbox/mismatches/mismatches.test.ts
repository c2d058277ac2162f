import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { longIt } from "../../rig/longTest.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { runCase, type CaseResult, type MismatchCase } from "./mismatchCase.ts";
import { COMPARED, predictedOf } from "./predictedWord.ts";
import { ASKING } from "./judgedCase.ts";
import { repair, type Repair } from "./repair.ts";
import { solidityCases } from "./solidityCases.ts";
import { startWorld } from "./world.ts";

/** Share of the cases whose true cause must be ranked first. */
const MIN_SCORE = 0.95;

/** One of so many cases is tried. */
const ONE_OF = proofSize({ sample: 3, whole: 1 });

describe("Why deployed and submitted code differ", () => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  const results = new Map<MismatchCase, CaseResult>();
  const repairs = new Map<MismatchCase, Repair>();
  before(async () => {
    world = await startWorld();
  });
  after(() => world.stop());

  for (const [at, one] of solidityCases.entries()) {
    (at % ONE_OF === 0 ? it : longIt)(one.name, async () => {
      const result = await runCase(world, one);
      results.set(one, result);
      const [first] = result.explanation.causes;
      const isRight = first !== undefined && one.causes.includes(first.code);
      const repaired = await repair(world, one, result);
      if (repaired) repairs.set(one, repaired);
      console.log(
        `${isRight ? "right" : "WRONG"} · ${one.name} · service: ${result.answer} · ${result.explanation.causes
          .map(({ code, confidence }) => `${code} ${confidence.toFixed(2)}`)
          .join(", ")}\n        ${first?.evidence ?? ""} ${first?.fix ?? ""}\n        ${
          repaired
            ? `${repaired.labels.join(" → ")}: ${repaired.answer}`
            : (first?.action?.kind ?? "no button")
        }`,
      );
      assert.ok(first, "a cause is given");
      if (one.changedFunctions !== undefined) {
        const [first] = result.explanation.causes;
        assert.ok(first?.evidence.startsWith(`The code of ${one.changedFunctions} differs`), first?.evidence);
      }
      for (const { evidence, fix } of result.explanation.causes)
        for (const sentence of [evidence, fix ?? "None."]) {
          assert.match(sentence, /^\S.*\.$/);
          assert.doesNotMatch(sentence, /undefined|NaN|\[object|[{}!]| {2}|\.\./);
        }
    });
  }

  it("ranks the true cause first in at least 95 %", () => {
    const right = [...results].filter(([{ causes }, { explanation }]) =>
      causes.includes(explanation.causes[0]?.code ?? "server"),
    ).length;
    console.log(`true cause first: ${right} of ${results.size}`);
    assert.ok(results.size >= 40 / ONE_OF);
    assert.ok(right >= MIN_SCORE * results.size, `${right} of ${results.size}`);
  });

  it("verifies once the first cause's button was pressed, wherever a button submits something", () => {
    const unrepaired = [...repairs].filter(([, { answer }]) => predictedOf(answer) === "mismatch");
    const kinds = new Map<string, number>();
    for (const [one, { explanation }] of results) {
      if (repairs.has(one)) continue;
      const kind = explanation.causes[0]?.action?.kind ?? "none";
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    console.log(
      `the button repaired ${repairs.size - unrepaired.length} of ${repairs.size}; ${[...kinds].map(([kind, count]) => `${kind}: ${count}`).join(", ")}`,
    );
    assert.deepEqual(
      unrepaired.map(([{ name }, { labels, answer }]) => `${name}: ${labels.join(" → ")}: ${answer}`),
      [],
    );
    // These ask a person: for sources that only they have, or another address.
    const asking = [...ASKING, "none"];
    assert.deepEqual(
      [...kinds.keys()].filter((kind) => !asking.includes(kind)),
      [],
    );
    assert.ok(repairs.size > results.size / 2);
  });

  it("predicts what the service finds when it compares codes", () => {
    const wrong = [...results].filter(
      ([, { answer, prediction }]) =>
        prediction !== undefined && COMPARED.test(answer) && predictedOf(answer) !== prediction.prediction,
    );
    assert.deepEqual(
      wrong.map(
        ([{ name }, { answer, prediction }]) => `${name}: ${prediction?.prediction ?? ""}, service ${answer}`,
      ),
      [],
    );
  });
});
