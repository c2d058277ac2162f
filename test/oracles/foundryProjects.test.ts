import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { contractInput } from "../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../src/core/languages/workspaceContract.ts";
import { isOptimizerOn } from "../../src/core/tools/foundry/foundryCompilerProfiles.ts";
import { readFoundryConfig, type FoundryConfig } from "../../src/core/tools/foundry/foundryConfig.ts";
import { foundryRemappings } from "../../src/core/tools/foundry/foundryRemappings.ts";
import { contentHash, keepResult, keptResult } from "../rig/keptResults.ts";
import { proofSize } from "../rig/proofSize.ts";
import { random } from "../unit/random.ts";
import { metadataOf, startCompilerPrograms, type CompilerPrograms } from "./compilerPrograms.ts";
import { diskFiles } from "../../src/core/files/diskFiles.ts";
import { writeTree } from "./writeTree.ts";
import {
  FOUNDRY_LAYOUTS,
  randomDotenvLayout,
  randomFoundryLayout,
  type FoundryLayout,
} from "./foundryLayouts.ts";
import { forgeProgram } from "./forgeProgram.ts";
import { oraclePackages } from "./oraclePackages.ts";

const RANDOM_DOTENVS = proofSize({ sample: 60, whole: 3_000 });
const RANDOM_LAYOUTS = proofSize({ sample: 10, whole: 100 });

let forge: string;
let folder: string;

before(async () => {
  forge = forgeProgram(await oraclePackages());
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ledger-lens-forge-")));
});

after(() => rmSync(folder, { recursive: true, force: true }));

/** What forge reads in the configuration of a layout; what it read there before is taken from the test cache. */
async function readByForge(layout: FoundryLayout, workspace: string, root: string): Promise<unknown> {
  const key = ["forge config", contentHash(forge), JSON.stringify(layout)] as const;
  let said = keptResult(key)?.replaceAll("$FOLDER", workspace);
  if (said === undefined) {
    said = await run(root, layout.profile, "config", "--json");
    keepResult(key, said.replaceAll(workspace, "$FOLDER"));
  }
  return JSON.parse(said);
}

async function run(root: string, profile: string | undefined, ...args: string[]): Promise<string> {
  const env = { ...process.env, ...(profile !== undefined && { FOUNDRY_PROFILE: profile }), HOME: folder };
  const { stdout } = await promisify(execFile)(forge, args, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** A configuration in the names of `forge config --json`. */
async function asForgeSays(config: FoundryConfig) {
  return {
    src: config.src,
    test: config.test,
    script: config.script,
    include_paths: config.includePaths,
    libraries: config.libraries,
    skip: config.skip,
    use_literal_content: config.useLiteralContent ?? false,
    revert_strings: config.revertStrings ?? null,
    build_info_path: config.buildInfoFolder.endsWith("/build-info") ? null : config.buildInfoFolder,
    out: config.out,
    libs: config.libs,
    remappings: await foundryRemappings(diskFiles, config),
    auto_detect_remappings: config.autoDetectRemappings,
    evm_version: config.evmVersion ?? "osaka",
    optimizer: isOptimizerOn(config),
    optimizer_runs: config.optimizerRuns ?? 200,
    via_ir: config.viaIr ?? false,
    bytecode_hash: config.bytecodeHash ?? "ipfs",
    cbor_metadata: config.cborMetadata ?? true,
    broadcast: config.broadcast,
    cache_path: config.cachePath,
  };
}

describe("A Foundry configuration", () => {
  it(`is read as forge reads it, in ${RANDOM_LAYOUTS} random layouts`, async () => {
    const dice = random("Foundry layouts");
    let remappings = 0;
    for (let at = 0; at < RANDOM_LAYOUTS; at++) {
      const layout = randomFoundryLayout(dice);
      const workspace = join(folder, `random-${at}`);
      writeTree(workspace, layout.files);
      const root = join(workspace, layout.root ?? "");
      const theirs = (await readByForge(layout, workspace, root)) as Record<string, unknown>;
      const config = await readFoundryConfig(diskFiles, root, { profile: layout.profile });
      const ours = await asForgeSays(config);
      const read = Object.fromEntries(Object.keys(ours).map((name) => [name, theirs[name]]));
      assert.deepEqual(ours, read, JSON.stringify(layout, null, 1));
      remappings += ours.remappings.length;
      rmSync(workspace, { recursive: true });
    }
    console.log(`layouts: ${RANDOM_LAYOUTS}, remappings compared: ${remappings}`);
    assert.ok(remappings > RANDOM_LAYOUTS);
  });

  it(`is what forge makes of a .env, in ${RANDOM_DOTENVS} random files, and is told where forge takes none of it`, async () => {
    const dice = random("Foundry environments");
    let [compared, refused, unknown] = [0, 0, 0];
    for (let at = 0; at < RANDOM_DOTENVS; at++) {
      const layout = randomDotenvLayout(dice);
      const root = join(folder, `dotenv-${at}`);
      writeTree(root, layout.files);
      const theirs = (await readByForge(layout, root, root).catch(() => undefined)) as
        Record<string, unknown> | undefined;
      const config = await readFoundryConfig(diskFiles, root);
      const about = JSON.stringify(layout.files[".env"]);
      if (config.problems.some((problem) => problem.includes("of other variables"))) unknown++;
      else if (theirs === undefined) {
        assert.notEqual(config.problems.length, 0, about);
        refused++;
      } else {
        const ours = {
          ...(await asForgeSays(config)),
          optimizer_details: config.optimizerDetails ? { ...config.optimizerDetails } : null,
        };
        const read = Object.fromEntries(Object.keys(ours).map((name) => [name, theirs[name]]));
        assert.deepEqual(ours, read, about);
        compared++;
      }
      rmSync(root, { recursive: true });
    }
    console.log(`.env files: ${compared} compared, ${refused} refused, ${unknown} unknown`);
    assert.ok(compared > RANDOM_DOTENVS / 4);
  });
});

describe("What forge built", () => {
  let programs: CompilerPrograms;
  let contracts = 0;
  before(async () => (programs = await startCompilerPrograms()));
  after(async () => {
    await programs.stop();
    console.log(`contracts compared: ${contracts}`);
  });

  for (const [at, layout] of FOUNDRY_LAYOUTS.entries()) {
    it(`is derived again, and taken from its records: ${layout.name}`, async () => {
      const { root: below = "", solc = "0.8.28", profile } = layout;
      const workspace = join(folder, `layout-${at}`);
      const root = join(workspace, below);
      writeTree(workspace, withCompiler(layout, programs.program(solc)));
      await run(root, profile, "build", "--offline", "--build-info");
      const artifacts = globSync("out*/**/*.json", { cwd: root }).filter(
        (path) => !path.includes("build-info"),
      );
      assert.ok(artifacts.length > 0);
      for (const artifact of artifacts) {
        const { rawMetadata = "" } = JSON.parse(readFileSync(join(root, artifact), "utf8")) as {
          rawMetadata?: string;
        };
        const { settings } = JSON.parse(rawMetadata) as {
          settings: { compilationTarget: Record<string, string> };
        };
        const [[file, name] = ["", ""]] = Object.entries(settings.compilationTarget);
        // A file above the project belongs to no Foundry project that could be found from it.
        if (file.startsWith("../") || file.startsWith("/")) continue;
        const contract = await findWorkspaceContract(diskFiles, [workspace], `${join(root, file)}:${name}`);
        for (const source of ["build-info", "metadata", "derived"] as const) {
          const input = await contractInput(diskFiles, [workspace], contract, {
            sources: [source],
            ...(source === "derived" && { compilerVersion: solc, profile }),
          });
          const about = `${artifact}, ${source}`;
          assert.equal(input.source, source, about);
          assert.deepEqual(input.changedSinceBuild, [], about);
          assert.equal(await metadataOf(programs, input), rawMetadata, about);
          if (input.wholeBuild)
            assert.equal(await metadataOf(programs, { ...input, ...input.wholeBuild }), rawMetadata, about);
        }
        contracts++;
      }
    });
  }
});

function withCompiler({ files }: FoundryLayout, program: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, text.replace("$SOLC", program)]),
  );
}
