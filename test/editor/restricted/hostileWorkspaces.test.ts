import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import type { DeploymentOutcome } from "../../../src/editor/verification/verifyAllDeployments.ts";
import type { ExportedInput } from "../../../src/editor/verification/exportCompilerInput.ts";
import { eventually } from "../../rig/eventually.ts";
import { proofSize } from "../../rig/proofSize.ts";
import {
  innocentSource,
  putHostileFile,
  requireHarmless,
  requireNothingHappened,
  requireSentence,
  sampleOfCells,
  SECRET,
  writeProject,
  type HostileCell,
  type HostileProject,
} from "../../attacks/hostile/hostileCells.ts";

/** So many projects lie in the folder at once. */
const BATCH = 50;
const CELLS = proofSize({ sample: 40, whole: 600 });
const ADDRESS = `0x${"12".repeat(20)}`;

/** What was asked of the service, which has nothing and takes nothing. */
const sent: string[] = [];
const service = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (text: string) => (body += text));
  request.on("end", () => {
    sent.push(`${request.method ?? ""} ${request.url ?? ""} ${body}`);
    response.writeHead(404, { "content-type": "application/json" });
    response.end(JSON.stringify({ customCode: "not_found", message: "There is nothing.", errorId: "1" }));
  });
});

interface PlacedCell extends HostileProject {
  readonly cell: HostileCell;
}

function call<T>(command: string, args: object): Promise<T> {
  return Promise.resolve(vscode.commands.executeCommand<T>(`ledgerLens.${command}`, args));
}

/** What a command came to: its answer, or its one sentence. */
async function outcomeOf<T>(work: Promise<T>): Promise<{ answer: T } | { error: Refusal }> {
  try {
    return { answer: await work };
  } catch (error) {
    const refusal = error as Refusal;
    requireSentence(refusal);
    return { error: refusal };
  }
}

type Refusal = Error & { readonly code: string };

function requireInnocent(input: ExportedInput, { cell: { format, what } }: PlacedCell): void {
  const { contractIdentifier, stdJsonInput } = input;
  requireHarmless(stdJsonInput, input);
  const name = contractIdentifier.slice(0, contractIdentifier.lastIndexOf(":"));
  // A record may hold an older text of the file, which is the text that it was given here.
  const isOlder =
    format.name.includes("record") || format.name.includes("input") || format.name.includes("bundle");
  const content = stdJsonInput.sources[name]?.content;
  if (content !== innocentSource(name) && !name.endsWith(".fe")) assert.ok(isOlder, what);
}

async function place(cells: readonly HostileCell[], folder: string, outside: string): Promise<PlacedCell[]> {
  return Promise.all(
    cells.map(async (cell, at) => {
      const root = join(folder, `project-${at}`);
      const project = await writeProject(cell.format, root, `${root}.ran`);
      await putHostileFile(cell, root, outside);
      return { ...project, cell };
    }),
  );
}

/** What commands do with a hostile project: the input, or one sentence; and nothing else happens. */
async function check(placed: PlacedCell): Promise<"input" | "refused"> {
  const { cell, root } = placed;
  const contract = `${root}/${cell.format.contract}`;
  const exported = await outcomeOf(call<ExportedInput>("exportCompilerInput", { contract }));
  if ("answer" in exported) requireInnocent(exported.answer, placed);
  else assert.ok(cell.format.isConfiguration, exported.error.message);
  const predicted = await outcomeOf(call("predictMatch", { contract, chainId: "1", address: ADDRESS }));
  assert.ok("error" in predicted, "the code that is deployed can't be had");
  requireNothingHappened(placed);
  return "answer" in exported ? "input" : "refused";
}

/** One call reads what all the projects recorded; the service takes nothing, so that each has its reason. */
async function checkDeployments(): Promise<number> {
  const outcome = await outcomeOf(
    call<readonly DeploymentOutcome[]>("verifyAllDeployments", { confirmPublish: true }),
  );
  if ("error" in outcome) {
    assert.equal(outcome.error.code, "no_deployments");
    return 0;
  }
  for (const { outcome: word, reason = "" } of outcome.answer) {
    assert.notEqual(word, "exact_match");
    assert.ok(reason.length > 10 && reason.length < 2_000, reason);
    assert.ok(!reason.includes(SECRET));
  }
  return outcome.answer.length;
}

async function runMatrix(mode: string): Promise<void> {
  const [{ uri } = { uri: vscode.Uri.file("/") }] = vscode.workspace.workspaceFolders ?? [];
  const folder = join(uri.fsPath, mode);
  const outside = join(uri.fsPath, `../elsewhere-${mode}.json`);
  await writeFile(outside, JSON.stringify({ token: SECRET }));
  const before = await stat(outside);
  const all = sampleOfCells(`hostile workspaces, ${mode}`, CELLS);
  const counts = { input: 0, refused: 0 };
  let deployments = 0;
  for (let from = 0; from < all.length; from += BATCH) {
    await mkdir(folder);
    const batch = await place(all.slice(from, from + BATCH), folder, outside);
    for (const placed of batch) {
      try {
        counts[await check(placed)]++;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(`${placed.cell.format.name}: ${placed.cell.what}: ${why}`, { cause: error });
      }
    }
    deployments += await checkDeployments();
    for (const placed of batch) requireNothingHappened(placed);
    await rm(folder, { recursive: true, force: true });
  }
  assert.equal((await stat(outside)).mtimeMs, before.mtimeMs, "what lies elsewhere was written");
  assert.ok(!existsSync(join(uri.fsPath, "pwned")), "a program of the workspace ran");
  for (const one of sent) assert.ok(!one.includes(SECRET) && !one.includes("root:x:0"), one.slice(0, 200));
  console.log(
    `${mode}: ${all.length} cells in the extension host, ${counts.input} gave the input, ${counts.refused} one sentence; ${deployments} deployments, ${sent.length} requests`,
  );
}

describe("A hostile workspace in the real extension host", function () {
  this.timeout(proofSize({ sample: 300_000, whole: 900_000 }));

  before(async () => {
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const configuration = vscode.workspace.getConfiguration("ledgerLens");
    await configuration.update("verificationUrl", url, vscode.ConfigurationTarget.Global);
    await configuration.update("rpcUrls", { 1: url }, vscode.ConfigurationTarget.Global);
  });
  after(() => {
    service.closeAllConnections();
    service.close();
  });

  it("in Restricted Mode", async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    await runMatrix("restricted");
    assert.equal(vscode.workspace.isTrusted, false);
  });

  it("when it is trusted", async () => {
    const granted = new Promise((resolve) => vscode.workspace.onDidGrantWorkspaceTrust(resolve));
    await vscode.commands.executeCommand("workbench.trust.manage");
    await granted;
    assert.equal(vscode.workspace.isTrusted, true);
    await runMatrix("trusted");
  });

  it("with a record of a deployment that is none: the refusal names it", async () => {
    const [{ uri } = { uri: vscode.Uri.file("/") }] = vscode.workspace.workspaceFolders ?? [];
    const root = join(uri.fsPath, "broken");
    const place = join(root, "broadcast/Deploy.s.sol/1");
    await mkdir(place, { recursive: true });
    await mkdir(join(root, "src"));
    await writeFile(join(root, "foundry.toml"), "");
    await writeFile(join(root, "src/Broken.sol"), "pragma solidity ^0.8.0;\ncontract Broken {}\n");
    await writeFile(join(place, "run-latest.json"), "{");
    await eventually(async () => {
      const outcome = await outcomeOf(call("verifyAllDeployments", { confirmPublish: true }));
      assert.ok("error" in outcome);
      assert.equal(outcome.error.code, "no_deployments");
      assert.match(
        outcome.error.message,
        /1 deployment record can't be read: broken\/broadcast\/Deploy\.s\.sol\/1\/run-latest\.json is not valid JSON\.$/,
      );
    });
    await rm(root, { recursive: true, force: true });
  });

  it("with a build record so large that a thread of its own reads it", async () => {
    const [{ uri } = { uri: vscode.Uri.file("/") }] = vscode.workspace.workspaceFolders ?? [];
    const root = join(uri.fsPath, "large");
    const source = "// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\ncontract Large {}\n";
    const others = Array.from({ length: 20_000 }, (_, at) => [
      `contracts/Other${at}.sol`,
      { content: `pragma solidity 0.8.28;\ncontract Other${at} {}\n` },
    ]);
    const record = {
      _format: "hh-sol-build-info-1",
      solcVersion: "0.8.28",
      solcLongVersion: "0.8.28+commit.7893614a",
      input: {
        language: "Solidity",
        sources: { "contracts/Large.sol": { content: source } },
        settings: { optimizer: { enabled: true, runs: 4_242 } },
      },
      output: { sources: Object.fromEntries(others) as unknown },
    };
    await mkdir(join(root, "artifacts/build-info"), { recursive: true });
    await mkdir(join(root, "contracts"));
    await writeFile(join(root, "hardhat.config.js"), "module.exports = {};");
    await writeFile(join(root, "contracts/Large.sol"), source);
    await writeFile(join(root, "artifacts/build-info/1.json"), JSON.stringify(record));
    const { stdJsonInput } = await call<ExportedInput>("exportCompilerInput", {
      contract: `${root}/contracts/Large.sol:Large`,
    });
    assert.deepEqual(stdJsonInput.settings["optimizer"], { enabled: true, runs: 4_242 });
    await rm(root, { recursive: true, force: true });
  });
});
