import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { contractInput } from "../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../src/core/languages/workspaceContract.ts";
import type { CompilerInput } from "../src/core/sources/standardJsonInput.ts";
import { rememberedDisk } from "../test/rig/rememberedDisk.ts";
import { longestBlock } from "../test/rig/longestBlock.ts";
import { oraclePackages } from "../test/oracles/oraclePackages.ts";
import { pythonPackages, vyperEnvironment } from "../test/sandbox/vyperEnvironment.ts";
import { LAYOUTS, OWN_FILES, writeSolidityProject, writeVyperProject } from "./inputProjects.ts";
import { writeRecord } from "./inputRecords.ts";

const RECORD_MEGABYTES = [13, 32];

/** What one input cost. */
interface Cost {
  readonly contract: string;
  readonly wallMs: number;
  /** Work of all threads of this process, which other programs of a busy machine don't lengthen much. */
  readonly cpuMs: number;
}

/** The input of each contract of projects of 500 files, one after the other, derived and from large build records. */
export async function benchInputCost(): Promise<void> {
  const packages = await oraclePackages();
  // In all, that is: what earlier projects left is counted too, as far as it is still there.
  const keptBefore = keptMegabytes();
  for (const layout of LAYOUTS) {
    await inFolder(async (root) => {
      const contracts = await writeSolidityProject(root, packages, layout);
      await printCosts(`${layout.name}, derived`, root, contracts, "derived", keptBefore);
      for (const megabytes of layout.name === "Foundry that chooses solc" ? [] : RECORD_MEGABYTES) {
        await writeRecord(root, layout, contracts, megabytes * 1e6);
        await printCosts(
          `${layout.name}, record of ${megabytes} MB`,
          root,
          contracts,
          "build-info",
          keptBefore,
        );
      }
    });
  }
  const snekmate = pythonPackages(vyperEnvironment("0.4.3"), ["snekmate==0.1.2"]);
  if ("missing" in snekmate) {
    console.log(`Vyper with Ape was left out: ${snekmate.missing}.`);
    return;
  }
  await inFolder(async (root) => {
    const contracts = await writeVyperProject(root, snekmate.folder);
    await printCosts("Vyper with Ape, derived", root, contracts, "derived", keptBefore);
  });
}

async function inFolder(work: (root: string) => Promise<void>): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "ledger-lens-bench-")));
  try {
    await work(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function printCosts(
  name: string,
  root: string,
  contracts: readonly string[],
  source: CompilerInput["source"],
  keptBefore: number,
): Promise<void> {
  // What was written a moment ago is read again each time, which a person does not wait for.
  await setTimeout(250);
  const costs: Cost[] = [];
  let blockMs = 0;
  for (const contract of contracts) {
    const cpu = process.cpuUsage();
    const begun = performance.now();
    const make = async () => {
      const found = await findWorkspaceContract(rememberedDisk, [root], contract);
      const input = await contractInput(rememberedDisk, [root], found);
      if (input.source !== source) throw new Error(`${contract} came from ${input.source}, not ${source}.`);
    };
    if (costs.length === 0) blockMs = (await longestBlock(make)).blockMs;
    else await make();
    const { user, system } = process.cpuUsage(cpu);
    costs.push({ contract, wallMs: performance.now() - begun, cpuMs: (user + system) / 1000 });
  }
  const [first, ...others] = costs;
  const kept = keptMegabytes() - keptBefore;
  console.log(`input of each of ${costs.length} contracts among ${OWN_FILES} files, ${name}:`);
  console.log(
    `  the first ${ms(first?.wallMs)} (${ms(first?.cpuMs)} of work, longest block ${ms(blockMs)}), ${kept.toFixed(0)} MB kept`,
  );
  console.log(`  then ${spread(others, "wallMs")}`);
  console.log(`  of work ${spread(others, "cpuMs")}`);
}

function spread(costs: readonly Cost[], of: "wallMs" | "cpuMs"): string {
  const sorted = costs.toSorted((a, b) => a[of] - b[of]);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  const worst = at(1);
  return `median ${ms(at(0.5)?.[of])}, p95 ${ms(at(0.95)?.[of])}, worst ${ms(worst?.[of])} (${worst?.contract ?? ""})`;
}

function ms(value = NaN): string {
  return `${value.toFixed(1)} ms`;
}

/** Of the heap and besides, after everything that can go has gone. */
function keptMegabytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}
