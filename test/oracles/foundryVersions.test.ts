import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { contractInput } from "../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../src/core/languages/workspaceContract.ts";
import { readFoundryConfig } from "../../src/core/tools/foundry/foundryConfig.ts";
import { completeSolcVersion } from "../../src/core/languages/solidity/solcReleases.ts";
import { proofSize } from "../rig/proofSize.ts";
import { random } from "../unit/random.ts";
import { metadataOf, startCompilerPrograms, type CompilerPrograms } from "./compilerPrograms.ts";
import { diskFiles } from "../../src/core/files/diskFiles.ts";
import { writeTree } from "./writeTree.ts";
import { forgeProgram } from "./forgeProgram.ts";
import { randomUnpinnedProject } from "./foundryVersionProjects.ts";
import { oraclePackages } from "./oraclePackages.ts";
import { solcPackages } from "./solcPackages.ts";

const PROJECTS = proofSize({ sample: 2, whole: 250 });

describe("A Foundry project that names no compiler", () => {
  let forge: string;
  let home: string;
  let programs: CompilerPrograms;

  before(async () => {
    const packages = await oraclePackages();
    forge = forgeProgram(packages);
    home = realpathSync(mkdtempSync(join(tmpdir(), "ledger-lens-versions-")));
    programs = await startCompilerPrograms(solcPackages(packages));
    // Where forge looks for the compilers that it has.
    for (const version of programs.compilers.versions) {
      mkdirSync(join(home, ".svm", version), { recursive: true });
      copyFileSync(programs.program(version), join(home, ".svm", version, `solc-${version}`));
    }
  });

  after(async () => {
    await programs.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it(`is compiled by the versions that forge takes for all its files, in ${PROJECTS} random projects`, async () => {
    const { versions } = programs.compilers;
    const releases = versions.map((version) => completeSolcVersion(version));
    const dice = random("Foundry projects without a compiler");
    const figures = { projects: 0, severalVersions: 0, contracts: 0, refusedByForge: 0 };
    while (figures.projects < PROJECTS) {
      const project = randomUnpinnedProject(dice, versions);
      const root = join(home, `project-${figures.projects}`);
      writeTree(root, project.files);
      const built = await builtContracts(root, project.profile);
      if (!built) figures.refusedByForge++;
      else {
        figures.projects++;
        figures.contracts += built.size;
        if (new Set([...built.values()].flat().map(compilerIn)).size > 1) figures.severalVersions++;
      }
      for (const [name, metadata] of built ?? []) {
        const contract = await findWorkspaceContract(diskFiles, [root], join(root, name));
        const input = await contractInput(diskFiles, [root], contract, {
          sources: ["derived"],
          profile: project.profile,
          releases: { solc: releases },
        });
        const made = await metadataOf(programs, input);
        // What settings a file has that is only imported, among several, depends on who imports it, which is not followed.
        const { src, test, script } = await readFoundryConfig(diskFiles, root, {
          profile: project.profile,
        });
        const isOwn = [src, test, script].some((own) => name.startsWith(`${own}/`));
        const isImported = !isOwn && project.files["foundry.toml"]?.includes("profiles = [");
        const isSame = isImported
          ? metadata.map(compilerIn).includes(input.compilerVersion)
          : made !== undefined && metadata.includes(made);
        assert.ok(
          isSame,
          `${name}: forge took ${metadata.map(compilerIn).join(", ")}, ours is ${input.compilerVersion} (${input.compilerReason})\n${JSON.stringify(project, null, 1)}`,
        );
      }
      rmSync(root, { recursive: true });
    }
    console.log(JSON.stringify(figures));
    assert.ok(figures.contracts > 2 * PROJECTS);
  });

  /** The metadata of each contract that forge built, several where it compiled it in several groups. */
  async function builtContracts(root: string, profile: string): Promise<Map<string, string[]> | undefined> {
    try {
      const env = { ...process.env, FOUNDRY_PROFILE: profile, HOME: home };
      await promisify(execFile)(forge, ["build", "--offline"], { cwd: root, env });
    } catch (error) {
      // What no compiler takes together is no project.
      const { stderr = "" } = error as { stderr?: string };
      if (!/incompatible versions|invalid solc version|settings restrictions/.test(stderr)) throw error;
      return undefined;
    }
    const built = new Map<string, string[]>();
    for (const artifact of globSync("out*/*/*.json", { cwd: root })) {
      const { rawMetadata } = JSON.parse(readFileSync(join(root, artifact), "utf8")) as {
        rawMetadata?: string;
      };
      if (rawMetadata === undefined) continue;
      const { settings } = JSON.parse(rawMetadata) as {
        settings: { compilationTarget: Record<string, string> };
      };
      const name = Object.entries(settings.compilationTarget)[0]?.join(":") ?? "";
      built.set(name, [...(built.get(name) ?? []), rawMetadata]);
    }
    return built;
  }
});

function compilerIn(metadata: string): string {
  return (JSON.parse(metadata) as { compiler: { version: string } }).compiler.version;
}
