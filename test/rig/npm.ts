import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";

/** Runs npm in a folder, with what it would print of no use to tests left out. */
export async function npm(cwd: string, ...args: readonly string[]): Promise<void> {
  // The npm beside the system's Node: ours comes without one.
  const path = (process.env["PATH"] ?? "").split(":").filter((entry) => !entry.includes("node_modules/.bin"));
  await promisify(execFile)("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd,
    env: { ...process.env, PATH: [...path, dirname(process.execPath)].join(":") },
    maxBuffer: 16 * 1024 * 1024,
  });
}
