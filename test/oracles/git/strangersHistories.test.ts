import { after, before, describe, it } from "node:test";
import { isWholeProof, proofSize } from "../../rig/proofSize.ts";
import { PROJECT_CASES } from "./strangers/projectCases.ts";
import { REPOSITORY_CASES } from "./strangers/repositoryCases.ts";
import { StrangersWorld } from "./strangers/strangersWorld.ts";

const CASES = [...PROJECT_CASES, ...REPOSITORY_CASES];

describe("The deployed commit of repositories of shapes that strangers have", { timeout: 900_000 }, () => {
  let world: StrangersWorld;
  before(async () => {
    world = await StrangersWorld.start();
  });
  after(() => world.stop());

  const sampled = CASES.filter(({ isSampled }) => isSampled);
  const cases = proofSize({ sample: sampled, whole: CASES });
  for (const one of cases) it(one.name, () => one.run(world));
  if (!isWholeProof())
    console.log(`${sampled.length} of ${CASES.length} repositories; npm run test:long tries all`);
});
