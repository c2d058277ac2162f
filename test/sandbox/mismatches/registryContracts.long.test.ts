import assert from "node:assert/strict";
import { it } from "node:test";
import { corpusCompilers, corpusFolders } from "./corpora.ts";
import { KeptCompilations } from "./keptCompilations.ts";
import { compileBuild, contractOf, linkedCode } from "./mismatchCase.ts";
import { registryContracts } from "./registryContracts.ts";
import { startWorld } from "./world.ts";

it("every contract that cases are made of is deployed as its oldest and its newest release compile it", async () => {
  const world = await startWorld(new KeptCompilations(await corpusCompilers(true)));
  const all = registryContracts(await corpusFolders());
  const builds = all
    .flatMap((contract) => {
      const { versions } = contract;
      return [...new Set([versions[0], versions.at(-1)])].map((version = "none") => ({ contract, version }));
    })
    // A compiler takes longer to start than most contracts to compile.
    .sort((a, b) => a.version.localeCompare(b.version, "en", { numeric: true }));
  const failed: string[] = [];
  try {
    for (const { contract, version } of builds) {
      const settings = { optimizer: { enabled: true, runs: 200 } };
      const { sources, contract: name, constructorArguments } = contract;
      try {
        const built = await compileBuild(world.compilers, { sources, contract: name, version, settings });
        assert.deepEqual(built.errors, []);
        const code = await linkedCode(world.chain, contractOf(built.output, name).contract, built.output);
        await world.chain.deploy(`0x${code}${constructorArguments}`);
      } catch (error) {
        failed.push(`${contract.library} ${name}, ${version}: ${String(error)}`);
      }
    }
  } finally {
    await world.stop();
  }
  console.log(`${builds.length - failed.length} of ${builds.length} are deployed`);
  assert.ok(builds.length > 200, `${builds.length}`);
  assert.deepEqual(failed, []);
});
