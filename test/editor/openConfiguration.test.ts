import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { press, pressUntil } from "./pressing.ts";
import { startRecordingService, type RecordingService } from "./recordingService.ts";
import { world } from "./world.ts";

const FOLDER = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
const PROJECT = join(FOLDER, "from-command-line");
const CONTRACT = "from-command-line/contracts/Open.sol:Open";
const CHAIN = "9956";

const FILES = {
  "hardhat.config.js": `const { argv } = require("yargs/yargs")();
module.exports = { solidity: { version: argv.compiler, settings: { optimizer: { enabled: argv.gas, runs: 1 } } } };
`,
  "foundry.toml": `[profile.default]
src = "src"
solc = "0.8.24"
optimizer = true
optimizer_runs = 777
`,
  "src/Other.sol": "contract Other {}",
  "contracts/Open.sol": "pragma solidity ^0.8.0; contract Open { uint256 public x; }",
};

describe("A configuration that leaves the compiler to the command line", () => {
  let service: RecordingService;

  before(async () => {
    service = await startRecordingService();
    await vscode.workspace
      .getConfiguration("ledgerLens")
      .update("verificationUrl", service.url, vscode.ConfigurationTarget.Global);
    for (const [name, content] of Object.entries(FILES)) {
      await mkdir(dirname(join(PROJECT, name)), { recursive: true });
      await writeFile(join(PROJECT, name), content);
    }
  });

  after(async () => {
    await press("hide");
    await vscode.workspace
      .getConfiguration("ledgerLens")
      .update("verificationUrl", world().service, vscode.ConfigurationTarget.Global);
    await service.stop();
    await rm(PROJECT, { recursive: true, force: true });
  });

  it("is an error to a program, which says what to give", async () => {
    await assert.rejects(
      Promise.resolve(
        vscode.commands.executeCommand("ledgerLens.exportCompilerInput", { contract: CONTRACT }),
      ),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, "configuration_unknown");
        assert.match(
          error.message,
          /argv\.compiler.*foundry\.toml says solc 0\.8\.24, optimizer on with 777 runs/,
        );
        return true;
      },
    );
  });

  it("asks a person once, and proposes what foundry.toml says", async () => {
    const address = `0x${"9a".repeat(20)}`;
    const done = Promise.resolve(
      vscode.commands.executeCommand("ledgerLens.verifyThis", {
        contract: CONTRACT,
        chainId: CHAIN,
        address,
      }),
    ).catch(() => undefined);
    await pressUntil(["accept"], () => assert.equal(service.received.length, 1));
    await done;
    const exported = await vscode.commands.executeCommand<{
      compilerVersion: string;
      stdJsonInput: { settings: { optimizer: object } };
    }>("ledgerLens.exportCompilerInput", { contract: CONTRACT });
    assert.equal(exported.compilerVersion, "0.8.24+commit.e11b9ed9");
    assert.deepEqual(exported.stdJsonInput.settings.optimizer, { enabled: true, runs: 777 });
  });
});
