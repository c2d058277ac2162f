import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { proofSize } from "../../rig/proofSize.ts";
import { startChain } from "../../sandbox/chain.ts";
import { installedCompilers } from "../../sandbox/installedCompilers.ts";
import { corpusCompilers, corpusFolders } from "../../sandbox/mismatches/corpora.ts";
import { KeptCompilations } from "../../sandbox/mismatches/keptCompilations.ts";
import { random } from "../../unit/random.ts";
import { STRANGE_BUILDS } from "./strangeBuilds/buildCases.ts";
import {
  searched,
  type SearchOutcome,
  type SearchWorld,
  type StrangeBuild,
} from "./strangeBuilds/strangeBuild.ts";

/** What a person waits for; a sample runs beside everything else that is tested. */
const LIMIT_SECONDS = proofSize({ sample: 240, whole: 60 });
/** For what is never found: long enough for what might be found by mistake. */
const NEVER_SECONDS = 20;
/** Of those that can be found. */
const MIN_FOUND = 0.98;

describe("A deployment that somebody built otherwise than the folder says", () => {
  let world: SearchWorld;
  const ends: (() => Promise<void>)[] = [];
  before(async () => {
    const files = await corpusCompilers(true);
    const makers = new KeptCompilations(files);
    const chain = await startChain();
    const { compilers, compile, stop } = installedCompilers(files);
    ends.push(
      stop,
      () => makers.stop(),
      () => chain.stop(),
    );
    world = { chain, packages: await corpusFolders(), makers, compilers, compile };
  });
  after(async () => {
    for (const end of ends) await end();
  });

  /** A sample is of what compiles quickly and can be found. */
  function chosen(): readonly StrangeBuild[] {
    const draw = random("strange builds");
    const quick = STRANGE_BUILDS.filter((one) => !one.isLarge && !["none", "open"].includes(one.atLeast));
    return proofSize({
      sample: Array.from({ length: 2 }, () => draw.oneOf(quick)),
      whole: STRANGE_BUILDS,
    });
  }

  it("is found with what it was built with, or not at all", async () => {
    const outcomes: SearchOutcome[] = [];
    for (const build of chosen()) {
      const outcome = await searched(world, build, build.atLeast === "none" ? NEVER_SECONDS : LIMIT_SECONDS);
      outcomes.push(outcome);
      console.log(`${outcome.word}: ${wordsOf(outcome)}`);
    }
    const named = (word: SearchOutcome["word"]) =>
      outcomes.filter((one) => one.word === word).map(({ build }) => build.name);
    const findable = outcomes.filter(({ build }) => !["none", "open"].includes(build.atLeast));
    const figures = (values: readonly number[]) => {
      const sorted = values.toSorted((a, b) => a - b);
      return `median ${sorted[Math.floor(sorted.length / 2)]?.toFixed(1)}, worst ${sorted.at(-1)?.toFixed(1)}`;
    };
    console.log(`found: ${findable.length - named("not found").length} of ${findable.length}`);
    console.log(`attempts: ${figures(findable.map(({ result }) => result.tried.length))}`);
    console.log(`seconds: ${figures(findable.map(({ result }) => result.seconds))}`);
    assert.deepEqual(named("false"), []);
    assert.deepEqual(named("lesser"), []);
    const missed = named("not found");
    assert.ok(missed.length <= (1 - MIN_FOUND) * findable.length, missed.join("; "));
  });
});

function wordsOf({ build, result: { found, tried, seconds } }: SearchOutcome): string {
  const [nearest] = tried.toSorted((a, b) => a.distance - b.distance);
  const end = found
    ? `${found.verdict.verdict} with ${found.what}`
    : `nearest ${nearest?.distance.toFixed(4)}, ${nearest?.what}`;
  return `${build.name} (${tried.length} tried, ${seconds.toFixed(1)} s) → ${end}`;
}
