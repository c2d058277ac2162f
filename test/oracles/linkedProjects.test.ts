import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { contractInput } from "../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../src/core/languages/workspaceContract.ts";
import { SolidityCompilers } from "../sandbox/solidityCompilers.ts";
import { diskFiles } from "../../src/core/files/diskFiles.ts";
import { writeTree } from "./writeTree.ts";
import { contractNamed } from "./foundryLayouts.ts";
import { oraclePackages } from "./oraclePackages.ts";

const SOLJSON = createRequire(import.meta.url).resolve("solc/soljson.js");

/** Where pnpm keeps a package, and the link to it from a `node_modules` so many folders below the workspace. */
const kept = (name: string, version: string) =>
  `node_modules/.pnpm/${name.replace("/", "+")}@${version}/node_modules/${name}`;
const manifest = (name: string, version: string, more = {}) => JSON.stringify({ name, version, ...more });

/** A workspace of pnpm: a package of the registry, one that only that package depends on, a sibling, a hoisted one. */
const WORKSPACE = {
  "package.json": '{ "private": true }',
  "pnpm-workspace.yaml": 'packages: ["packages/*"]\n',
  "packages/core/contracts/Vault.sol": contractNamed(
    "Vault",
    "@acme/base/Owned.sol",
    "@me/shared/src/Shared.sol",
    "./Own.sol",
    "hoisted/Hoisted.sol",
  ),
  "packages/core/contracts/Own.sol": contractNamed("Own", "@acme/base/Base.sol"),
  "packages/core/node_modules/@acme/base": `->../../../../${kept("@acme/base", "1.0.0")}`,
  "packages/core/node_modules/@me/shared": "->../../../shared",
  "packages/shared/package.json": manifest("@me/shared", "2.0.0"),
  "packages/shared/src/Shared.sol": contractNamed("Shared", "./Part.sol", "@acme/base/Base.sol"),
  "packages/shared/src/Part.sol": contractNamed("Part"),
  "packages/shared/node_modules/@acme/base": `->../../../../${kept("@acme/base", "1.0.0")}`,
  [`${kept("@acme/base", "1.0.0")}/package.json`]: manifest("@acme/base", "1.0.0"),
  [`${kept("@acme/base", "1.0.0")}/Owned.sol`]: contractNamed("Owned", "./Base.sol", "@deep/d/Deep.sol"),
  [`${kept("@acme/base", "1.0.0")}/Base.sol`]: contractNamed("Base"),
  [`${kept("@deep/d", "3.0.0")}/package.json`]: manifest("@deep/d", "3.0.0"),
  [`${kept("@deep/d", "3.0.0")}/Deep.sol`]: contractNamed("Deep"),
  "node_modules/.pnpm/@acme+base@1.0.0/node_modules/@deep/d": "->../../../@deep+d@3.0.0/node_modules/@deep/d",
  "node_modules/hoisted/package.json": manifest("hoisted", "4.0.0"),
  "node_modules/hoisted/Hoisted.sol": contractNamed("Hoisted"),
};

const HARDHATS = [
  {
    major: 2,
    program: "node_modules/hardhat-2/internal/cli/bootstrap.js",
    command: "compile",
    files: {
      "packages/core/package.json": manifest("@me/core", "1.0.0"),
      // Hardhat 2 looks everything up from the project, and finds what pnpm hoists.
      "node_modules/@deep/d": "->../.pnpm/@deep+d@3.0.0/node_modules/@deep/d",
      "packages/core/hardhat.config.js": `const { subtask } = require("hardhat/config");
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require("hardhat/builtin-tasks/task-names");
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({
  compilerPath: ${JSON.stringify(SOLJSON)}, isSolcJs: true, version: "0.8.37", longVersion: "0.8.37+commit.f401782d",
}));
module.exports = { solidity: "0.8.37" };`,
    },
  },
  {
    major: 3,
    program: "node_modules/hardhat-3/dist/src/cli.js",
    command: "build",
    files: {
      "packages/core/package.json": manifest("@me/core", "1.0.0", { type: "module" }),
      "packages/core/hardhat.config.ts": `import { defineConfig } from "hardhat/config";
export default defineConfig({ solidity: { version: "0.8.37", path: ${JSON.stringify(SOLJSON)} } });`,
    },
  },
] as const;

describe("A workspace of pnpm", () => {
  let folder: string;
  const compilers = new SolidityCompilers();
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "ledger-lens-pnpm-")));
  });
  after(async () => {
    await compilers.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const { major, program, command, files } of HARDHATS) {
    it(`gives the code that Hardhat ${major} built, through all its links`, async () => {
      const packages = await oraclePackages();
      const workspace = join(folder, String(major));
      const root = join(workspace, "packages/core");
      writeTree(workspace, {
        ...WORKSPACE,
        ...files,
        "packages/core/node_modules/hardhat": `->${packages}/node_modules/hardhat-${major}`,
      });
      execFileSync(process.execPath, [join(packages, program), command], { cwd: root, stdio: "pipe" });
      const artifact = readFileSync(join(root, "artifacts/contracts/Vault.sol/Vault.json"), "utf8");
      const { bytecode } = JSON.parse(artifact) as { bytecode: string };
      const contract = await findWorkspaceContract(
        diskFiles,
        [workspace],
        `${root}/contracts/Vault.sol:Vault`,
      );
      for (const source of ["build-info", "derived"] as const) {
        const input = await contractInput(diskFiles, [workspace], contract, { sources: [source] });
        assert.equal(input.source, source);
        assert.deepEqual(input.changedSinceBuild, []);
        assert.equal(Object.keys(input.stdJsonInput.sources).length, 8);
        const output = await compilers.compile(input.compilerVersion, input.stdJsonInput);
        const colon = input.contractIdentifier.lastIndexOf(":");
        const built = output?.contracts?.[input.contractIdentifier.slice(0, colon)]?.["Vault"];
        assert.equal(`0x${built?.evm.bytecode.object ?? ""}`, bytecode, source);
      }
      // A link must not lead to files of the machine that were not opened.
      const alone = await findWorkspaceContract(diskFiles, [root], "contracts/Vault.sol:Vault");
      await assert.rejects(contractInput(diskFiles, [root], alone, { sources: ["derived"] }), {
        code: "import_outside_project",
      });
    });
  }
});
