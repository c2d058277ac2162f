import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { contractInput } from "../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../src/core/languages/workspaceContract.ts";
import type { StandardJsonInput } from "../src/core/sources/standardJsonInput.ts";
import { rememberedDisk } from "../test/rig/rememberedDisk.ts";
import { oraclePackages } from "../test/oracles/oraclePackages.ts";
import { GOVERNOR, PACKAGE, writeGovernorProject, type BenchedTool } from "./governorProject.ts";
import { medianInTurns, printRatio } from "./ratio.ts";

const TOOLS: readonly BenchedTool[] = ["no tool", "Hardhat", "Foundry"];

/**
 * Closure and input of OpenZeppelin's largest governor, all that a person waits for, against reading the same files
 * raw and against a walk built on Hardhat's analyzer, which knows where everything is and checks nothing.
 */
export async function benchCompilerInput(): Promise<void> {
  const packages = await oraclePackages();
  const { analyze } = createRequire(join(packages, "package.json"))("@nomicfoundation/solidity-analyzer") as {
    readonly analyze: (text: string) => { readonly imports: readonly string[] };
  };
  for (const tool of TOOLS) {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "ledger-lens-bench-")));
    const library = await writeGovernorProject(folder, packages, tool);
    const build = async () =>
      contractInput(
        rememberedDisk,
        [folder],
        await findWorkspaceContract(rememberedDisk, [folder], GOVERNOR),
      );
    const walk = () =>
      analyzerWalk(
        (name) => (name.startsWith(PACKAGE) ? library + name.slice(PACKAGE.length) : join(folder, name)),
        "contracts/MyGovernor.sol",
        analyze,
      );

    const { files, stdJsonInput } = await build();
    const walked = await walk();
    // Foundry has other names for the same files.
    if (Object.keys(walked.sources).length !== Object.keys(stdJsonInput.sources).length) {
      throw new Error("The walk and the input have other files; the figures would say nothing.");
    }
    const paths = files.map(({ path }) => path);
    const [ours = 0, raw = 1, analyzer = 1] = await medianInTurns([
      build,
      () => Promise.all(paths.map((path) => readFile(path, "utf8"))),
      walk,
    ]);
    const name = `compiler input of a governor, ${tool} (${paths.length} files)`;
    printRatio(name, ours, raw, "reading the same files raw");
    printRatio(name, ours, analyzer, "a walk with solidity-analyzer");
    await rm(folder, { recursive: true, force: true });
  }
}

/** The least that makes an input: packages from one place, no look at links, versions, settings or content. */
async function analyzerWalk(
  pathOf: (name: string) => string,
  entry: string,
  analyze: (text: string) => { readonly imports: readonly string[] },
): Promise<StandardJsonInput> {
  const sources: Record<string, { content: string }> = {};
  const seen = new Set<string>();
  const visit = async (name: string): Promise<void> => {
    if (seen.has(name)) return;
    seen.add(name);
    const content = await readFile(pathOf(name), "utf8");
    sources[name] = { content };
    await Promise.all(
      analyze(content).imports.map((path) =>
        visit(path.startsWith(".") ? posix.join(dirname(name), path) : path),
      ),
    );
  };
  await visit(entry);
  return { language: "Solidity", sources, settings: {} };
}
