import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isWholeProof, proofSize } from "../../rig/proofSize.ts";
import { random, randomFrom } from "../../unit/random.ts";
import { corpusCompilers, corpusFolders } from "./corpora.ts";
import { KeptCompilations } from "./keptCompilations.ts";
import { CaseIsNotDeployed, compileBuild, runCase } from "./mismatchCase.ts";
import { registryContracts } from "./registryContracts.ts";
import { repair } from "./repair.ts";
import { runsCases, type RunsCase } from "./runsCases.ts";
import { startWorld } from "./world.ts";

/** The seed of the cases of the whole proof. */
const SEED = 20_261_122;

/** How many cases a run tries: each compiles as often as a button is pressed, and twice more. */
const CASES = proofSize({ sample: 2, whole: 240 });

/**
 * How many draws a case of a sample may take, and how many of the whole have to be cases: both numbers of runs may make
 * the same code.
 */
const MAX_DRAWS = 6;
const MIN_USED = 0.5;

/** How often a person presses before they give up, and the share of the cases that must have ended by then. */
const FEW_PRESSES = 5;
const MIN_SHARE = 0.95;
const MAX_PRESSES = 8;

/** `CASE=17` runs one case of the whole alone, `COUNT=40` the first forty of them. */
const { CASE: ONLY, COUNT } = process.env;

/** Why a draw is no case. */
type LeftOut = "does not compile" | "too large" | "nothing differs";

/** What became of a case. */
interface Ended {
  readonly presses: number;
  readonly end: "match" | "nothing" | "loop" | "too many";
  readonly line: string;
}

describe("A contract that was deployed for another number of runs", () => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  let compilers: KeptCompilations;
  let cases: readonly RunsCase[] = [];
  const isWhole = isWholeProof() || ONLY !== undefined || COUNT !== undefined;

  before(async () => {
    const solcs = await corpusCompilers(isWhole);
    compilers = new KeptCompilations(solcs);
    world = await startWorld(compilers);
    const all = registryContracts(await corpusFolders());
    const possible = all.flatMap((one) => {
      const versions = one.versions.filter((version) => solcs.has(version));
      return versions.length > 0 ? [{ ...one, versions }] : [];
    });
    const source = isWhole ? randomFrom(SEED) : random("runs");
    const count = COUNT === undefined ? (ONLY === undefined ? CASES : Number(ONLY) + 1) : Number(COUNT);
    const drawn = runsCases(possible, source, isWhole ? count : MAX_DRAWS * count).filter(
      ({ id }) => ONLY === undefined || id === ONLY,
    );
    cases = isWhole
      ? drawn.sort((a, b) => a.version.localeCompare(b.version, "en", { numeric: true }))
      : drawn;
  });
  after(() => world.stop());

  it("is verified after a few presses of the button that is offered", async () => {
    const ended: Ended[] = [];
    const leftOut: string[] = [];
    for (const one of cases) {
      if (!isWhole && ended.length === CASES) break;
      const found = await pressed(one);
      if (typeof found === "string") {
        leftOut.push(`${found}: ${one.name}`);
        continue;
      }
      ended.push(found);
      if (isWhole || found.end !== "match") console.log(found.line);
    }
    for (const line of leftOut) console.log(`left out, ${line}`);
    if (ONLY === undefined)
      assert.ok(ended.length >= (isWhole ? MIN_USED * cases.length : CASES), `${ended.length}`);
    const counts = Array.from(
      { length: MAX_PRESSES + 1 },
      (_, presses) => ended.filter((found) => found.presses === presses).length,
    );
    const ends = new Set(ended.map(({ end }) => end));
    console.log(`presses: ${counts.map((count, presses) => `${presses}: ${count}`).join(", ")}`);
    console.log(
      [...ends].map((end) => `${end}: ${ended.filter((found) => found.end === end).length}`).join(", "),
    );
    const linesOf = (...wrong: readonly Ended["end"][]) =>
      ended.filter(({ end }) => wrong.includes(end)).map(({ line }) => line);
    assert.deepEqual(linesOf("loop", "too many"), []);
    // A sample says what it finds: the limits are those of the whole, which a few cases can't show.
    if (!isWhole) return;
    assert.deepEqual(linesOf("nothing"), []);
    const few = ended.filter(({ presses }) => presses <= FEW_PRESSES).length;
    assert.ok(few >= MIN_SHARE * ended.length, `${few} of ${ended.length}`);
  });

  /** Presses the button until something ends it. */
  async function pressed(one: RunsCase): Promise<Ended | LeftOut> {
    if ((await compileBuild(world.compilers, one.deployed)).errors.length > 0) return "does not compile";
    const result = await runCase(world, one).catch((error: unknown) => {
      if (error instanceof CaseIsNotDeployed) return undefined;
      throw error;
    });
    if (!result) return "too large";
    if (result.answer === "match" || result.answer === "exact_match") return "nothing differs";
    const repaired = await repair(world, one, result, MAX_PRESSES);
    const presses = repaired?.labels.length ?? 0;
    const end = endOf(repaired);
    const labels = repaired?.labels.join(" → ") ?? "";
    const [last] = repaired?.last ? [repaired.last] : result.explanation.causes;
    return {
      presses,
      end,
      line: `${end} after ${presses}: ${one.name} · ${labels}${end === "match" ? "" : ` · ${last?.code ?? ""} ${last?.evidence ?? ""}`}`,
    };
  }
});

function endOf(repaired: Awaited<ReturnType<typeof repair>>): Ended["end"] {
  if (!repaired) return "nothing";
  if (repaired.answer === "match" || repaired.answer === "exact_match") return "match";
  if (repaired.isLoop) return "loop";
  if (repaired.labels.length >= MAX_PRESSES) return "too many";
  return "nothing";
}
