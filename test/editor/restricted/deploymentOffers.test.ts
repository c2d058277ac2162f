import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { RECORDS_GLOB } from "../../../src/core/tools/tool.ts";
import { DeploymentWatcher } from "../../../src/editor/verification/deploymentWatcher.ts";
import { eventually } from "../../rig/eventually.ts";

const FOLDER = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", "broadcast");

describe("A record of a deployment, in a folder that is not trusted", () => {
  after(() => rm(FOLDER, { recursive: true, force: true }));

  it("is not looked at", async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    let isLookedAt = false;
    const watcher = new DeploymentWatcher(() => {
      isLookedAt = true;
      return Promise.reject(new Error("not in this folder"));
    });
    // Hears of it after the other one.
    const own = vscode.workspace.createFileSystemWatcher(RECORDS_GLOB);
    const heard: string[] = [];
    own.onDidCreate(({ path }) => heard.push(path));
    own.onDidChange(({ path }) => heard.push(path));
    try {
      const run = join(FOLDER, "Deploy.s.sol/11155111");
      await mkdir(run, { recursive: true });
      await writeFile(join(run, "run-latest.json"), "{}");
      await eventually(() => assert.notDeepEqual(heard, []));
      assert.equal(isLookedAt, false);
    } finally {
      own.dispose();
      watcher.dispose();
    }
  });
});
