import { after, before, describe, it } from "node:test";
import { isWholeProof, proofSize } from "../../rig/proofSize.ts";
import { STRANGERS_CASES } from "./strangers/strangersCases.ts";
import { StrangersWorld } from "./strangers/strangersWorld.ts";

describe("The deployed commit of repositories of shapes that strangers have", { timeout: 900_000 }, () => {
  let world: StrangersWorld;
  before(async () => {
    world = await StrangersWorld.start();
  });
  after(() => world.stop());

  const sampled = STRANGERS_CASES.filter(({ isSampled }) => isSampled);
  const cases = proofSize({ sample: sampled, whole: STRANGERS_CASES });
  for (const one of cases) it(one.name, () => one.run(world));
  if (!isWholeProof())
    console.log(`${sampled.length} of ${STRANGERS_CASES.length} repositories; npm run test:long tries all`);
});
