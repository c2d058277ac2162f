import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";

const FOLDER = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
const PROJECT = join(FOLDER, "hardhat-typed");

const FILES = {
  "hardhat.config.ts": `import type { HardhatUserConfig } from "hardhat/config";
import { compilers } from "./config/solc";
const config: HardhatUserConfig = { solidity: { compilers } };
export default config;
`,
  "config/solc.ts": `const runs = 1_234 as const;
export const compilers = [{ version: "0.8.24", settings: { optimizer: { enabled: true, runs } } }];
`,
  "contracts/Vault.sol": "pragma solidity ^0.8.0; contract Vault { uint256 public x; }",
};

describe("A project of Hardhat with a configuration in TypeScript", () => {
  before(async () => {
    for (const [name, content] of Object.entries(FILES)) {
      await mkdir(dirname(join(PROJECT, name)), { recursive: true });
      await writeFile(join(PROJECT, name), content);
    }
  });

  after(() => rm(PROJECT, { recursive: true, force: true }));

  it("is built as its files say, by the parser that the bundle loads late", async () => {
    const exported = await vscode.commands.executeCommand<{
      compilerVersion: string;
      stdJsonInput: { settings: { optimizer?: unknown } };
    }>("ledgerLens.exportCompilerInput", { contract: "hardhat-typed/contracts/Vault.sol:Vault" });
    assert.equal(exported.compilerVersion, "0.8.24+commit.e11b9ed9");
    assert.deepEqual(exported.stdJsonInput.settings.optimizer, { enabled: true, runs: 1_234 });
  });
});
