import { mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { world } from "./world.ts";

/** Does something while the packages of a workspace have the compiler, which another tool put there. */
export async function withCompiler(workspace: string, work: () => Promise<void>): Promise<void> {
  const installed = join(workspace, "node_modules/solc/soljson.js");
  await mkdir(dirname(installed), { recursive: true });
  await symlink(world().compiler, installed);
  try {
    await work();
  } finally {
    await rm(dirname(installed), { recursive: true, force: true });
  }
}
