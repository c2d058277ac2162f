import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * forge among the installed packages: the program itself where its package is there, since the script that npm
 * links starts Node first, each time.
 */
export function forgeProgram(packages: string): string {
  const own = join(packages, "node_modules/@foundry-rs/forge-linux-amd64/bin/forge");
  return existsSync(own) ? own : join(packages, "node_modules/.bin/forge");
}
