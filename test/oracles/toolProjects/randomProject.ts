import type { Random } from "../../unit/random.ts";
import { randomFoundryProject } from "./foundryProjects.ts";
import { randomHardhatProject } from "./hardhatProjects.ts";
import { randomPairedProject } from "./pairedProjects.ts";
import type { ToolProject } from "./toolProject.ts";

export const PROJECT_KINDS = ["hardhat2", "hardhat3", "foundry", "paired2", "paired3"] as const;
/** The tools that a project is built by. */
export type ProjectKind = (typeof PROJECT_KINDS)[number];

const MAKERS = {
  hardhat2: (dice: Random, versions: readonly string[]) => randomHardhatProject(dice, 2, versions),
  hardhat3: (dice: Random, versions: readonly string[]) => randomHardhatProject(dice, 3, versions),
  foundry: randomFoundryProject,
  paired2: (dice: Random, versions: readonly string[]) => randomPairedProject(dice, 2, versions),
  paired3: (dice: Random, versions: readonly string[]) => randomPairedProject(dice, 3, versions),
};

/** A project of a kind. */
export function randomProject(
  dice: Random,
  versions: readonly string[],
  kind: keyof typeof MAKERS,
): ToolProject {
  return MAKERS[kind](dice, versions);
}
