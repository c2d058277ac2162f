import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import * as vscode from "vscode";
import { eventually } from "../../rig/eventually.ts";
import { startServer, type LoopbackServer } from "../../rig/loopback/httpServer.ts";
import { startCompilerList, type CompilerList } from "../../sandbox/compilerList.ts";
import { press } from "../pressing.ts";
import { world } from "../world.ts";

const FOLDER = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/";
const OWN = { path: join(FOLDER, "contracts/Own.sol"), name: "Own" };
const COUNTER = { path: join(FOLDER, "contracts/Counter.vy"), name: "Counter" };
const ADDRESS = `0x${"34".repeat(20)}`;
/** What a Solidity contract of 0.8.28 ends with, behind an instruction that stops. */
const CODE = `0x00a2646970667358221220${"ab".repeat(32)}64736f6c634300081c0033`;

const configuration = () => vscode.workspace.getConfiguration("ledgerLens");
const configure = (name: string, value: unknown) =>
  configuration().update(name, value, vscode.ConfigurationTarget.Global);

describe("A folder that is not trusted and says which compilers run", () => {
  let node: LoopbackServer;
  let theirs: CompilerList;
  let own: CompilerList;
  const mark = join(FOLDER, "vyper ran");
  const path = process.env["PATH"];

  before(async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    node = await startServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      request.on("end", () => {
        const { id } = JSON.parse(text) as { id: number };
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: CODE }));
      });
    });
    const { compilers } = world();
    [theirs, own] = await Promise.all([startCompilerList({ compilers }), startCompilerList({ compilers })]);
    await configure("rpcUrls", { 1: node.url });
    await configure("solcListUrl", own.listUrl);
    const bin = join(FOLDER, "bin");
    await mkdir(bin);
    await writeFile(join(bin, "vyper"), `#!/bin/sh\ntouch "${mark}"\necho 0.3.10\n`);
    await chmod(join(bin, "vyper"), 0o755);
    await writeFile(COUNTER.path, "# pragma version 0.3.10\ncount: public(uint256)\n");
    await mkdir(join(FOLDER, ".vscode"));
    const said = {
      "ledgerLens.solcListUrl": theirs.listUrl,
      "ledgerLens.localCompiler": "download",
      "ledgerLens.vyperPath": join(bin, "vyper"),
      // Which a folder may say: it tells that the others were read, too.
      "ledgerLens.codeLens": false,
    };
    await writeFile(join(FOLDER, ".vscode/settings.json"), JSON.stringify(said));
    await eventually(() => assert.equal(configuration().get("codeLens"), false));
  });

  after(async () => {
    process.env["PATH"] = path;
    await configure("localCompiler", undefined);
    await configure("solcListUrl", undefined);
    await configure("rpcUrls", { 1: world().rpcUrl });
    for (const left of [".vscode", "bin", "contracts/Counter.vy"])
      await rm(join(FOLDER, left), { recursive: true, force: true });
    await Promise.all([node.stop(), theirs.stop(), own.stop()]);
  });

  /** What a person starts by a row's button, who leaves whatever is asked and closes every message. */
  async function verifyAndLeave(defined: typeof OWN, until: () => void = () => undefined): Promise<void> {
    let isDone = false;
    const end = () => (isDone = true);
    const row = { deployment: { chainId: "1", address: ADDRESS, defined } };
    void vscode.commands.executeCommand("ledgerLens.verifyDeploymentLocally", { row }).then(end, end);
    await eventually(until);
    await eventually(async () => {
      await press("hide");
      await vscode.commands.executeCommand("notifications.clearAll");
      assert.ok(isDone, "the command ended");
    });
  }

  it("does not say where a compiler comes from: its user does", async () => {
    await verifyAndLeave(OWN, () => assert.deepEqual(own.asked, ["/bin/soljson-v0.8.28+commit.7893614a.js"]));
    assert.deepEqual(theirs.asked, []);
  });

  it("does not allow what its user forbids", async () => {
    own.asked.length = 0;
    for (const setting of ["cached", "off"]) {
      await configure("localCompiler", setting);
      await assert.rejects(
        async () =>
          vscode.commands.executeCommand("ledgerLens.verifyLocally", {
            contract: "contracts/Own.sol:Own",
            chainId: "1",
            address: ADDRESS,
          }),
        { code: setting === "off" ? "local_compiler_off" : "compiler_not_here" },
      );
      await verifyAndLeave(OWN);
    }
    await configure("localCompiler", undefined);
    assert.deepEqual([...own.asked, ...theirs.asked], []);
  });

  it("gets no Vyper run, be it of the folder or of the machine", async () => {
    const args = { contract: "contracts/Counter.vy:Counter", chainId: "1", address: ADDRESS };
    for (const places of [[], [join(FOLDER, "bin")], [".", ""]]) {
      process.env["PATH"] = [...places, path].join(delimiter);
      await assert.rejects(async () => vscode.commands.executeCommand("ledgerLens.verifyLocally", args), {
        code: "vyper_not_allowed",
        message: /only in a workspace that is trusted/,
      });
      await verifyAndLeave(COUNTER);
    }
    assert.ok(!existsSync(mark), "the folder's program ran");
  });

  it("gets no git run to look through its history", async () => {
    const args = { contract: "contracts/Own.sol:Own", chainId: "1", address: ADDRESS };
    for (const [command, more] of [
      ["ledgerLens.findDeployedCommit", {}],
      ["ledgerLens.verifyContract", { commit: "main", confirmPublish: true }],
    ] as const) {
      await assert.rejects(async () => vscode.commands.executeCommand(command, { ...args, ...more }), {
        code: "not_trusted",
      });
    }
  });
});
