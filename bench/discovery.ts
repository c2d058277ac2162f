import { appendFile, copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { globSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { rememberedDisk } from "../test/rig/rememberedDisk.ts";
import { inPool } from "../src/core/concurrency/inPool.ts";
import { WorkspaceIndex } from "../src/core/workspace/workspaceIndex.ts";
import { oraclePackages } from "../test/oracles/oraclePackages.ts";
import { median, medianInTurns, printRatio } from "./ratio.ts";

const FILES = 5_000;
const READS_AT_ONCE = 64;
const ROUNDS = 7;
const CHANGES = 40;

/**
 * Finding every contract of a workspace of 5,000 Solidity files against reading the same files raw, then after one of
 * them changed, and what the index keeps. Which files there are is the editor's own search and counts on neither side.
 */
export async function benchDiscovery(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "ledger-lens-bench-"));
  const paths = await writeWorkspace(folder, await oraclePackages());
  const newIndex = () =>
    new WorkspaceIndex({
      files: rememberedDisk,
      finder: { find: () => Promise.resolve(paths) },
      folders: () => [folder],
    });

  const [ours = 0, raw = 1] = await medianInTurns(
    [() => newIndex().contracts(), () => inPool(paths, READS_AT_ONCE, (path) => readFile(path, "utf8"))],
    ROUNDS,
  );
  const name = `contracts of ${FILES.toLocaleString("en")} files`;
  printRatio(`${name}, first time`, ours, raw, "reading the same files raw");

  const before = liveBytes();
  const index = newIndex();
  const found = await index.contracts();
  const kept = liveBytes() - before;

  const times: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    const path = paths[Math.floor((change * FILES) / CHANGES)] ?? "";
    await appendFile(path, `\ncontract Added${change} {}\n`);
    const started = performance.now();
    index.invalidate(path);
    const now = await index.contracts();
    times.push(performance.now() - started);
    if (now.length !== found.length + change + 1) throw new Error(`${path} changed and the index did not.`);
  }
  console.log(
    `${name}, after one changed: ${median(times).toFixed(1)} ms, ${Math.max(...times).toFixed(1)} ms at most`,
  );
  console.log(
    `${name}: ${found.length.toLocaleString("en")} in ${(kept / 1_000_000).toFixed(1)} MB of index`,
  );
  await rm(folder, { recursive: true, force: true });
}

/** OpenZeppelin's files under as many packages of a monorepo as it takes; answers the paths. */
async function writeWorkspace(folder: string, packages: string): Promise<string[]> {
  const library = join(packages, "node_modules/@openzeppelin/contracts");
  const sources = globSync("**/*.sol", { cwd: library }).sort();
  const paths: string[] = [];
  for (let copy = 0; paths.length < FILES; copy++) {
    for (const source of sources.slice(0, FILES - paths.length)) {
      const path = join(folder, `packages/package${copy}/contracts`, source);
      await mkdir(dirname(path), { recursive: true });
      await copyFile(join(library, source), path);
      paths.push(path);
    }
  }
  return paths;
}

/** What is alive after everything else is collected. */
function liveBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
