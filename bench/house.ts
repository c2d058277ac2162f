import { globSync, readFileSync } from "node:fs";
import { repositoryRoot } from "../test/rig/paths.ts";

/** How much there is to read: the lines and files of each folder of the house. */
export function benchHouse(): Promise<void> {
  const files = globSync("src/**/*.{ts,tsx}", { cwd: repositoryRoot });
  const lines = new Map<string, { lines: number; files: number }>();
  for (const file of files) {
    const parts = file.split("/");
    const count = readFileSync(`${repositoryRoot}/${file}`, "utf8").split("\n").length - 1;
    for (const folder of new Set(["src", parts.slice(0, Math.min(3, parts.length - 1)).join("/")])) {
      const known = lines.get(folder) ?? { lines: 0, files: 0 };
      lines.set(folder, { lines: known.lines + count, files: known.files + 1 });
    }
  }
  for (const [folder, sum] of [...lines].sort(([one], [other]) => one.localeCompare(other)))
    console.log(`${folder}: ${sum.lines.toLocaleString("en")} lines in ${sum.files} files`);
  return Promise.resolve();
}
