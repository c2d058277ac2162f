import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { proofSize } from "../../rig/proofSize.ts";
import { repositoryCompilers } from "../../sandbox/listedCompilers.ts";
import { runCase, type World } from "../../sandbox/mismatches/mismatchCase.ts";
import { solidityCases } from "../../sandbox/mismatches/solidityCases.ts";
import { startWorld } from "../../sandbox/mismatches/world.ts";
import { compared, RecordingVerifier, startLocalWorld, type LocalWorld } from "./localWorld.ts";

describe("A verdict that is found here", () => {
  let world: World & { stop(): Promise<void> };
  let local: LocalWorld;
  let service: RecordingVerifier;
  before(async () => {
    const started = await startWorld();
    service = new RecordingVerifier(started.compilers, [started.chain]);
    world = { ...started, verifier: service };
    local = await startLocalWorld(await repositoryCompilers());
  });
  after(async () => {
    await local.stop();
    await world.stop();
  });

  it("is the service's in every case in which deployed and submitted code differ", async () => {
    const cases = solidityCases.filter((_, at) => at % proofSize({ sample: 48, whole: 1 }) === 0);
    for (const one of cases) await runCase(world, one);
    const words = new Map<string, number>();
    const different: string[] = [];
    for (const judged of service.judged) {
      const found = await compared(local, judged, world.chain);
      const word =
        found.kind === "equal" ? found.word : found.kind === "unknown" ? found.reason : "different";
      words.set(word, (words.get(word) ?? 0) + 1);
      if (found.kind === "different") different.push(found.line);
    }
    for (const [word, count] of [...words].sort()) console.log(`${count}: ${word}`);
    assert.deepEqual(different, []);
    const equal = [...words]
      .filter(([word]) => word.includes(" / "))
      .reduce((sum, [, count]) => sum + count, 0);
    console.log(`equal: ${equal} of ${service.judged.length}, the others can't be had here`);
    assert.ok(equal >= 0.8 * service.judged.length);
  });
});
