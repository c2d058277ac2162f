import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { recordBroadcast, removeBroadcast } from "../sandbox/broadcastRecord.ts";
import { press } from "./pressing.ts";
import { watchScreen, type Screen } from "./shownQuestions.ts";
import { vault, world } from "./world.ts";

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/");
const at = (path: string) => vscode.Uri.joinPath(folder, path);

describe("In the menu of a file", () => {
  let screen: Screen;

  before(async () => {
    await recordBroadcast(folder.fsPath, world().chainId, [vault(0)]);
  });
  beforeEach(() => {
    screen = watchScreen();
  });
  afterEach(() => screen.stop());
  after(() => removeBroadcast(folder.fsPath));

  it("a record of a deployment is predicted without a question", async () => {
    const record = at(`broadcast/Deploy.s.sol/${world().chainId}/run-latest.json`);
    await vscode.commands.executeCommand("ledgerLens.predictMatch", record);
    assert.deepEqual(screen.questions, []);
    // What it comes to depends on the compilers that are here; what others began may be told meanwhile.
    const said = /^(Vault: (exact )?match expected|Can't predict the result for Vault)\./;
    assert.ok(
      screen.messages.some((message) => said.test(message)),
      screen.messages.join("\n"),
    );
  });

  it("a contract file offers its own contracts only, what was deployed first", async () => {
    const asked = vscode.commands.executeCommand("ledgerLens.verifyContract", at("contracts/Vault.sol"));
    await eventually(() => assert.equal(screen.questions.at(-1)?.isOpen, true));
    const { title, lines } = screen.questions.at(-1) ?? { title: "", lines: [] };
    await press("hide");
    await asked;
    assert.equal(title, "Verify Contract");
    const [heading, deployed, inFile, contract, ...others] = lines;
    assert.equal(heading, "deployed");
    assert.match(deployed ?? "", /^\$\(rocket\) Vault \| Local chain \(31337\) · 0x/);
    assert.equal(inFile, "in this file");
    assert.equal(contract, "Vault | contracts/Vault.sol");
    assert.deepEqual(others, []);
  });

  it("a contract file with one contract asks for its chain at once", async () => {
    const asked = vscode.commands.executeCommand(
      "ledgerLens.verifyLocally",
      at("contracts/exchange/Pool.sol"),
    );
    await eventually(() => assert.match(screen.questions.at(-1)?.placeholder ?? "", /^On which chain/));
    await press("hide");
    await asked;
    assert.equal(screen.questions.length, 1);
  });

  it("a file without a contract says so, and what to choose instead", async () => {
    // It ends when the message is closed.
    void vscode.commands.executeCommand("ledgerLens.verifyContract", at("package.json"));
    await eventually(() =>
      assert.deepEqual(screen.messages, [
        "No contract that can be deployed belongs to package.json. Choose the file of a contract of the open folder.",
      ]),
    );
  });
});
