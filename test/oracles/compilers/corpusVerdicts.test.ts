import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isWholeProof, proofSize } from "../../rig/proofSize.ts";
import { compilersIn } from "../../sandbox/listedCompilers.ts";
import { corpusCompilers, corpusFolders } from "../../sandbox/mismatches/corpora.ts";
import { KeptCompilations } from "../../sandbox/mismatches/keptCompilations.ts";
import {
  CaseIsNotDeployed,
  runCase,
  type MismatchCase,
  type World,
} from "../../sandbox/mismatches/mismatchCase.ts";
import { compilationCases } from "../../sandbox/mismatches/registryCases.ts";
import { registryContracts } from "../../sandbox/mismatches/registryContracts.ts";
import { startWorld } from "../../sandbox/mismatches/world.ts";
import { random } from "../../unit/random.ts";
import { compared, RecordingVerifier, startLocalWorld, type LocalWorld } from "./localWorld.ts";

/** The seed of what differs, that of the cases that are explained. */
const SEED = 20_261_121;
const SIZE = { sample: 2, whole: 320 };

describe("A verdict on a contract of the corpora that is found here", () => {
  let world: World & { stop(): Promise<void> };
  let local: LocalWorld;
  let service: RecordingVerifier;
  let cases: readonly MismatchCase[];
  before(async () => {
    const packages = await corpusCompilers(isWholeProof());
    const started = await startWorld(new KeptCompilations(packages));
    service = new RecordingVerifier(started.compilers, [started.chain]);
    world = { ...started, verifier: service };
    local = await startLocalWorld(await compilersIn(packages));
    const all = registryContracts(await corpusFolders());
    cases = chosen(compilationCases(all, SEED), packages);
  });
  after(async () => {
    await local.stop();
    await world.stop();
  });

  /** Of each, what is submitted differs from what was deployed; half of them are submitted as deployed, too. */
  function chosen(all: readonly MismatchCase[], packages: ReadonlyMap<string, string>): MismatchCase[] {
    const source = random("verdicts on the corpora");
    const isHere = ({ deployed, submitted }: MismatchCase) =>
      [deployed, submitted].every(
        ({ version, settings }) => packages.has(version) && (isWholeProof() || settings?.["viaIR"] !== true),
      );
    const drawn = new Set<MismatchCase>();
    const possible = all.filter(isHere);
    while (drawn.size < Math.min(proofSize(SIZE), possible.length)) drawn.add(source.oneOf(possible));
    return [...drawn]
      .map((one, at) =>
        at % 2 === 0 ? one : { ...one, name: `${one.name}, as deployed`, submitted: one.deployed },
      )
      .sort((a, b) => a.submitted.version.localeCompare(b.submitted.version, "en", { numeric: true }));
  }

  /** The release that the file is which the service compiled with: of 0.5.9, npm has another commit than it names. */
  function releaseHere(longVersion: string): string {
    const [short = ""] = longVersion.split("+");
    return (
      local.list.compilers.find((one) => one.longVersion.startsWith(`${short}+`))?.longVersion ?? longVersion
    );
  }

  it("is the service's", async () => {
    const words = new Map<string, number>();
    const different: string[] = [];
    let notDeployed = 0;
    for (const [at, one] of cases.entries()) {
      try {
        await runCase(world, one);
      } catch (error) {
        if (!(error instanceof CaseIsNotDeployed)) console.log(`not deployed: ${one.name}: ${String(error)}`);
        notDeployed++;
        continue;
      }
      for (const { accepted, verdict } of service.judged.splice(0)) {
        const compilerVersion = releaseHere(accepted.compilerVersion);
        const found = await compared(
          local,
          { accepted: { ...accepted, compilerVersion }, verdict },
          world.chain,
        );
        const word =
          found.kind === "equal" ? found.word : found.kind === "unknown" ? found.reason : "different";
        words.set(word, (words.get(word) ?? 0) + 1);
        if (found.kind === "different") {
          different.push(`${one.name}: ${found.line}`);
          console.log(different.at(-1));
        }
      }
      if (at % 20 === 19) console.log(`${at + 1} of ${cases.length}: ${different.length} different`);
    }
    for (const [word, count] of [...words].sort()) console.log(`${count}: ${word}`);
    console.log(
      `not deployed: ${notDeployed}; releases: ${new Set(cases.map(({ submitted }) => submitted.version)).size}`,
    );
    assert.deepEqual(different, []);
    assert.ok(
      cases.length - notDeployed >= proofSize({ sample: 2, whole: 250 }),
      `${notDeployed} not deployed`,
    );
  });
});
