import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { press } from "./pressing.ts";
import { startRecordingService, type RecordingService } from "./recordingService.ts";
import { watchScreen } from "./shownQuestions.ts";
import { vault, world } from "./world.ts";

interface Answer {
  readonly found?: {
    readonly commit: string;
    readonly subject: string;
    readonly verdict: string;
    readonly contract: string;
    readonly input: {
      readonly stdJsonInput: { readonly sources: Record<string, { readonly content: string }> };
    };
  };
  readonly tried: readonly { readonly what: string; readonly distance?: number }[];
  readonly commits: number;
  readonly missing: readonly string[];
}

const FOLDER = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/";
const FILE = join(FOLDER, "contracts/Vault.sol");
const LOCK = join(FOLDER, "package-lock.json");
const INSTALLED = join(FOLDER, "node_modules/solc/soljson.js");

/** When the last commit was made, in seconds: all of them before the deployment, an hour between two. */
let time = Math.floor(Date.now() / 1000) - 24 * 3_600;

function git(...args: readonly string[]): string {
  return execFileSync("git", [...args], {
    cwd: FOLDER,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      HOME: FOLDER,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: devNull,
      GIT_AUTHOR_DATE: `${time} +0000`,
      GIT_COMMITTER_DATE: `${time} +0000`,
      GIT_AUTHOR_NAME: "A",
      GIT_AUTHOR_EMAIL: "a@example.org",
      GIT_COMMITTER_NAME: "A",
      GIT_COMMITTER_EMAIL: "a@example.org",
    },
  }).trim();
}

function commit(subject: string): string {
  git("add", "package.json", "package-lock.json", "remappings.txt", "contracts");
  time += 3_600;
  git("commit", "-q", "-m", subject);
  return git("rev-parse", "HEAD");
}

describe("The commit that was deployed", () => {
  let original: string;
  let deployedCommit: string;
  let service: RecordingService;
  const lookFor = (more: object = {}) =>
    vscode.commands.executeCommand<Answer>("ledgerLens.findDeployedCommit", {
      contract: "contracts/Vault.sol:Vault",
      chainId: world().chainId,
      address: vault(1).address,
      ...more,
    });

  before(async () => {
    await mkdir(dirname(INSTALLED), { recursive: true });
    await symlink(world().compiler, INSTALLED);
    service = await startRecordingService();
    await vscode.workspace
      .getConfiguration("ledgerLens")
      .update("verificationUrl", service.url, vscode.ConfigurationTarget.Global);
    original = await readFile(FILE, "utf8");
    const name = "node_modules/@openzeppelin/contracts";
    const { version } = JSON.parse(await readFile(join(FOLDER, name, "package.json"), "utf8")) as {
      version: string;
    };
    await writeFile(LOCK, JSON.stringify({ lockfileVersion: 3, packages: { [name]: { version } } }));
    git("init", "-q", "-b", "main");
    await assert.rejects(Promise.resolve(lookFor()), { code: "git_disabled" });
    await vscode.workspace.getConfiguration("git").update("enabled", true, vscode.ConfigurationTarget.Global);
    await eventually(() => {
      const { exports } = vscode.extensions.getExtension<{ enabled: boolean }>("vscode.git") ?? {};
      assert.equal(exports?.enabled, true);
    });
    commit("Begin");
    await writeFile(join(FOLDER, "contracts/notes.txt"), "notes\n");
    deployedCommit = commit("Write notes");
    await writeFile(FILE, original.replace("FEE_BASIS_POINTS = 25;", "FEE_BASIS_POINTS = 52;"));
    commit("Raise the fee");
  });

  after(async () => {
    await writeFile(FILE, original);
    await vscode.workspace
      .getConfiguration("git")
      .update("enabled", false, vscode.ConfigurationTarget.Global);
    for (const path of [".git", "contracts/notes.txt", "package-lock.json", "node_modules/solc"])
      await rm(join(FOLDER, path), { recursive: true, force: true });
    await vscode.workspace
      .getConfiguration("ledgerLens")
      .update("verificationUrl", world().service, vscode.ConfigurationTarget.Global);
    await service.stop();
  });

  it("is found in the history, and the work tree stays as it is", async () => {
    const { found, tried, commits, missing } = await lookFor();
    assert.equal(found?.verdict, "exact_match", JSON.stringify({ tried, missing }));
    // Both commits before the fee was raised are one state; no node tells here when it was deployed.
    assert.equal(found.subject, "Begin");
    assert.equal(found.contract, "contracts/Vault.sol:Vault");
    assert.equal(found.input.stdJsonInput.sources["contracts/Vault.sol"]?.content, original);
    assert.deepEqual([commits, tried.length], [3, 2]);
    assert.match(await readFile(FILE, "utf8"), /FEE_BASIS_POINTS = 52;/);
    assert.deepEqual(service.received, []);
  });

  it("is not found from a branch that never had it, and an unknown branch is refused", async () => {
    git("checkout", "-q", "--orphan", "other");
    const only = commit("Other");
    git("checkout", "-q", "main");
    const { found, tried } = await lookFor({ from: "other" });
    assert.equal(found, undefined);
    assert.deepEqual(
      tried.map(({ what }) => what),
      [only],
    );
    await assert.rejects(Promise.resolve(lookFor({ from: "nowhere" })), { code: "unknown_revision" });
  });

  it("is submitted with its own files once a person has seen them", async () => {
    const screen = watchScreen();
    try {
      const done = vscode.commands.executeCommand("ledgerLens.verifyThis", {
        contract: "contracts/Vault.sol:Vault",
        chainId: world().chainId,
        address: vault(1).address,
        commit: deployedCommit,
      });
      await eventually(() =>
        assert.match(screen.questions.at(-1)?.lines.join("\n") ?? "", /Exact match expected/),
      );
      await press("hide");
      await done;
      assert.deepEqual(service.received, []);
    } finally {
      screen.stop();
    }
    await vscode.commands
      .executeCommand("ledgerLens.verifyContract", {
        contract: "contracts/Vault.sol:Vault",
        chainId: world().chainId,
        address: vault(1).address,
        commit: deployedCommit,
        confirmPublish: true,
        waitSeconds: 0,
      })
      .then(undefined, () => undefined);
    const sent = JSON.stringify(service.received);
    assert.match(sent, /FEE_BASIS_POINTS = 25;/);
    assert.doesNotMatch(sent, /FEE_BASIS_POINTS = 52;/);
  });

  it("is compared with the workspace in the editor's own diff", async () => {
    const contract = "contracts/Vault.sol:Vault";
    const { chainId } = world();
    await vscode.commands.executeCommand("ledgerLens.showChangesSince", {
      contract,
      now: contract,
      chainId,
      address: vault(1).address,
      commit: deployedCommit,
    });
    await eventually(() => {
      const labels = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
      assert.match(labels.join("\n"), new RegExp(`Vault: ${deployedCommit.slice(0, 10)} ↔ workspace`));
    });
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });
});
