import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isWholeProof, proofSize } from "../../rig/proofSize.ts";
import { random } from "../../unit/random.ts";
import { corpusCompilers, corpusFolders } from "./corpora.ts";
import { judge, type JudgedCase } from "./judgedCase.ts";
import { KeptCompilations } from "./keptCompilations.ts";
import { CaseIsNotDeployed, compileBuild } from "./mismatchCase.ts";
import { CaseDoesNotCompile } from "./observedCauses.ts";
import { buildsOf, compilationCases, type RegistryCase } from "./registryCases.ts";
import { registryContracts, registryLibraries } from "./registryContracts.ts";
import { startWorld } from "./world.ts";
import { judgeVyper } from "./judgedVyperCase.ts";
import { vyperRegistryCases, type VyperRegistryCase } from "./vyperRegistryCases.ts";
import { VyperCompilers } from "../vyperCompilers.ts";
import { pythonPackages, vyperEnvironment } from "../vyperEnvironment.ts";
import { wrongTargetCases } from "./wrongTargetCases.ts";

/** The seed of the cases, which stay the same: what is held out is held out by it, too. `DRAW=1` draws others. */
const SEED = Number(process.env["DRAW"] ?? 20_261_121);

/** How many cases `npm test` tries: each compiles twice or more. */
const SAMPLE = 6;

/** Of the whole: how many cases there are at least, and the share whose true cause must be first. */
const MIN_CASES = 600;
const MIN_SCORE = 0.95;

/** `CASE=7a.3` runs one case alone, `CASES=open` and `CASES=held` a part, `SHARD=0/2` the first half of it. */
const { CASE: ONLY, CASES: PART, SHARD } = process.env;

describe("Real contracts, deployed and submitted differently", () => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  let compilers: KeptCompilations;
  let cases: readonly (RegistryCase | VyperRegistryCase)[] = [];
  const vyper = new VyperCompilers();
  const judged: JudgedCase[] = [];
  const failed: string[] = [];
  const dropped = { nothingDiffers: 0, doesNotCompile: 0, notDeployed: 0 };
  const isWhole = isWholeProof() || ONLY !== undefined || PART !== undefined;

  before(async () => {
    compilers = new KeptCompilations(await corpusCompilers(isWhole));
    world = await startWorld(compilers);
    const folders = await corpusFolders();
    const all = registryContracts(folders);
    cases = chosen([
      ...compilationCases(all, SEED),
      ...wrongTargetCases(all, registryLibraries(folders), SEED),
      ...(isWhole ? casesOfVyper() : []),
    ]);
  });
  after(() => world.stop());

  /** None where there is no Python. */
  function casesOfVyper(): VyperRegistryCase[] {
    const environment = vyperEnvironment("0.4.3");
    const [modern, old] = ["0.1.2", "0.0.5"].map((version) =>
      pythonPackages(environment, [`snekmate==${version}`]),
    );
    if (!modern || !old || "missing" in modern || "missing" in old) return [];
    return vyperRegistryCases({ modern: modern.folder, old: old.folder }, SEED);
  }

  /** What this run tries: the compilers that are there, those of the same version one after another. */
  function chosen<T extends RegistryCase | VyperRegistryCase>(all: readonly T[]): readonly T[] {
    if (ONLY !== undefined) return all.filter(({ id }) => id === ONLY);
    if (!isWhole) return sampleOf(all);
    const [shard = 0, shards = 1] = (SHARD ?? "").split("/").map(Number);
    return all
      .filter(({ isHeldOut }) => PART === undefined || isHeldOut === (PART === "held"))
      .sort((a, b) => inOrder(a.version, b.version))
      .filter((_, at, { length }) => Math.floor((shards * at) / length) === shard || SHARD === undefined);
  }

  function sampleOf<T extends RegistryCase | VyperRegistryCase>(all: readonly T[]): T[] {
    const here = new Set(compilers.versions);
    const possible = all.filter((one) => {
      if (isOfVyper(one)) return false;
      const { deployed, submitted, proxyVersion } = one;
      const versions = [deployed.version, submitted.version, proxyVersion ?? deployed.version];
      return versions.every((version) => here.has(version)) && deployed.settings?.["viaIR"] !== true;
    });
    const source = random("cases of real contracts");
    return Array.from({ length: SAMPLE }, () => source.oneOf(possible));
  }

  // All of one compiler at once: a compiler takes longer to start than most contracts to compile.
  it("are compiled", async () => {
    const builds = cases.flatMap((one) => (isOfVyper(one) ? [] : buildsOf(one)));
    for (const version of [...new Set(builds.map((build) => build.version))].sort(inOrder)) {
      if (!compilers.versions.includes(version)) continue;
      for (const build of builds) if (build.version === version) await compileBuild(world.compilers, build);
      if (isWhole)
        console.log(`${version}: ${compilers.counts.compiled} made, ${compilers.counts.kept} kept`);
    }
  });

  it("are deployed, submitted, predicted, explained and repaired", async () => {
    for (const [at, one] of cases.entries()) {
      try {
        const found = isOfVyper(one) ? await judgeVyper(world, vyper, one) : await judge(world, one);
        if (!found) dropped.nothingDiffers++;
        else {
          judged.push(found);
          if (found.faults.length > 0 || !isWhole || ONLY !== undefined) console.log(lineOf(found));
        }
      } catch (error) {
        if (error instanceof CaseDoesNotCompile) dropped.doesNotCompile++;
        else if (error instanceof CaseIsNotDeployed) {
          dropped.notDeployed++;
          console.log(`not deployed: ${one.name}: ${error.message}`);
        } else failed.push(`${one.name}: ${String(error)}`);
      }
      if (at % 25 === 24) console.log(`${at + 1} of ${cases.length}: ${scoreOf(judged)}`);
    }
    for (const line of tables(judged)) console.log(line);
    const { nothingDiffers, doesNotCompile, notDeployed } = dropped;
    console.log(
      `nothing differs: ${nothingDiffers}; does not compile: ${doesNotCompile}; not deployed: ${notDeployed}`,
    );
    console.log(`compilations: ${compilers.counts.compiled} made, ${compilers.counts.kept} kept`);
    console.log(`held out: ${scoreOf(judged.filter(({ one }) => one.isHeldOut))}`);
    console.log(`all: ${scoreOf(judged)}`);
    assert.deepEqual(failed, []);
  });

  // A sample says what it finds: the limits are those of the whole, which a few cases can't show.
  const isHeld = proofSize({ sample: isWhole, whole: true });
  const ofWhole = (name: string, test: () => void) => {
    if (isHeld) void it(name, test);
  };

  ofWhole("are enough", () => {
    if (PART === undefined && ONLY === undefined) assert.ok(judged.length >= MIN_CASES, `${judged.length}`);
  });

  ofWhole("are explained by what really differs in at least 95 %", () => {
    const right = judged.filter(({ isRight }) => isRight).length;
    assert.ok(right >= MIN_SCORE * judged.length, `${right} of ${judged.length}`);
  });

  ofWhole("have another cause first with a confidence of 0.8 or more in none", () => {
    assert.deepEqual(judged.filter(({ isSurelyWrong }) => isSurelyWrong).map(lineOf), []);
  });

  ofWhole("are never predicted otherwise than the service then finds", () => {
    assert.deepEqual(withFault("false prediction"), []);
  });

  ofWhole("verify once buttons were pressed, or say that the source differs", () => {
    assert.deepEqual(withFault("fix that ends in nothing"), []);
  });

  ofWhole("never offer again what was sent", () => {
    assert.deepEqual(withFault("loop"), []);
  });

  function withFault(fault: JudgedCase["faults"][number]): string[] {
    return judged.filter(({ faults }) => faults.includes(fault)).map(lineOf);
  }
});

function isOfVyper(one: RegistryCase | VyperRegistryCase): one is VyperRegistryCase {
  return one.version.startsWith("Vyper");
}

function inOrder(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

function lineOf({ faults, isSurelyWrong, line }: JudgedCase): string {
  return `${isSurelyWrong ? "SURE: " : ""}${faults.join(", ") || "right"} · ${line}`;
}

/** The figures of some cases in one line. */
function scoreOf(judged: readonly JudgedCase[]): string {
  const count = (is: (one: JudgedCase) => boolean) => judged.filter(is).length;
  const right = count(({ isRight }) => isRight);
  const sum = (key: "made" | "unknown") => judged.reduce((all, { predictions }) => all + predictions[key], 0);
  return [
    `true cause first in ${right} of ${judged.length} (${judged.length === 0 ? 0 : ((100 * right) / judged.length).toFixed(1)} %)`,
    `surely wrong: ${count(({ isSurelyWrong }) => isSurelyWrong)}`,
    `false predictions: ${count(({ faults }) => faults.includes("false prediction"))} of ${sum("made")}, unknown ${sum("unknown")}`,
    `ends: ${(["verified", "source", "asks", "nothing"] as const).map((end) => `${end} ${count((one) => one.end === end)}`).join(", ")}`,
    `loops: ${count(({ faults }) => faults.includes("loop"))}`,
  ].join("; ");
}

/** Figures by what differs, by compiler and by what was known, one line each. */
function tables(judged: readonly JudgedCase[]): string[] {
  const groups: readonly (readonly [title: string, key: (one: JudgedCase) => string])[] = [
    [
      "by difference",
      ({ one }) =>
        one.differences
          .map(({ kind }) => kind)
          .sort()
          .join(" + "),
    ],
    ["by compiler", ({ one }) => one.version],
    ["by library", ({ one }) => one.library],
    ["by what is known", ({ one }) => one.knowledge],
    ["by extent", ({ extent }) => extent],
  ];
  return groups.flatMap(([title, key]) => {
    const names = [...new Set(judged.map(key))].sort(inOrder);
    return [
      `── ${title}`,
      ...names.map((name) => {
        const ones = judged.filter((one) => key(one) === name);
        const faulty = ones.filter(({ faults }) => faults.length > 0).length;
        return `${name}: ${ones.filter(({ isRight }) => isRight).length} of ${ones.length} right, ${faulty} with a fault`;
      }),
    ];
  });
}
