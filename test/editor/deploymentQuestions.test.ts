import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { startServer, type LoopbackServer } from "../rig/loopback/httpServer.ts";
import { press, pressUntil } from "./pressing.ts";
import { watchScreen, type Screen } from "./shownQuestions.ts";
import { world } from "./world.ts";

/** Where nothing is deployed. */
const NOWHERE = "0x00000000000000000000000000000000000000AB";

describe("Where a contract is deployed is asked", () => {
  const configure = (value: string) =>
    vscode.workspace
      .getConfiguration("ledgerLens")
      .update("verificationUrl", value, vscode.ConfigurationTarget.Global);
  let screen: Screen;
  let service: LoopbackServer;
  let host = "";
  let asked: Thenable<unknown> | undefined;

  before(async () => {
    service = await startServer((_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify([
          { chainId: 880001, name: "Ember Test", supported: true, rpc: [] },
          { chainId: 137, name: "Polygon Proof of Stake", supported: true, rpc: [] },
          { chainId: 880002, name: "Ashes", supported: false, rpc: [] },
        ]),
      );
    });
    ({ host } = new URL(service.url));
  });
  beforeEach(async () => {
    await configure(service.url);
    screen = watchScreen();
  });
  afterEach(async () => {
    let isDone = asked === undefined;
    const end = () => (isDone = true);
    void asked?.then(end, end);
    await eventually(async () => {
      await press("hide");
      assert.ok(isDone, "the command ended");
    });
    asked = undefined;
    screen.stop();
    await configure(world().service);
  });
  after(() => service.stop());

  /** The list of chains, once the service has told its own. */
  async function chains(): Promise<readonly string[]> {
    asked = vscode.commands.executeCommand("ledgerLens.verifyBySimilarity");
    return eventually(() => {
      const lines = screen.questions.at(-1)?.lines ?? [];
      assert.ok(lines.includes("known to the service"), lines.join("\n"));
      return lines;
    });
  }

  /** What is written into the list leads to this active line. */
  async function search(text: string, active: RegExp | string): Promise<readonly string[]> {
    screen.search(text);
    return eventually(() => {
      const open = screen.questions.at(-1);
      if (typeof active === "string") assert.equal(open?.active, active);
      else assert.match(open?.active ?? "", active);
      return open?.lines ?? [];
    });
  }

  it("under the name that the chain has in the next question, and found by the service's name, too", async () => {
    const lines = await chains();
    assert.ok(lines.includes("Ember Test | 880001"), lines.join("\n"));
    assert.ok(lines.includes(`Polygon | 137 · Polygon Proof of Stake at ${host}`), lines.join("\n"));
    await search("proof of", /^Polygon \| 137/);
    await search("ember", "Ember Test | 880001");
    await press("accept");
    await eventually(() => assert.equal(screen.box?.prompt, "The contract's address on Ember Test (880001)"));
  });

  it("by its name also where the service does not know it, with what can be done there", async () => {
    const lines = await chains();
    assert.ok(
      lines.indexOf(`only for Verify Locally: not known to ${host}`) > lines.indexOf("known to the service"),
      lines.join("\n"),
    );
    assert.ok(lines.includes("Scroll Sepolia | 534351"), "what the heading says is not said of each");
    await search(
      "scroll sepolia",
      `Scroll Sepolia | 534351 | ${host} does not know chain 534351; its contracts can only be verified locally`,
    );
    await press("accept");
    await eventually(() =>
      assert.equal(screen.box?.prompt, "The contract's address on Scroll Sepolia (534351)"),
    );
  });

  it("with what to do where no chain has the name that is typed, until one has", async () => {
    await chains();
    const nothing = 'No chain matches "embre" | Type its chain id instead, such as 295';
    await search("embre", `$(info) ${nothing}`);
    await press("accept");
    const lines = await search("ember", "Ember Test | 880001");
    assert.ok(!lines.some((line) => line.includes("No chain matches")));
    await search("embres", /No chain matches "embres"/);
    await search("", /./);
  });

  it("with what the service does not know of a number that is typed, which can be chosen all the same", async () => {
    await chains();
    await search(
      "880002",
      `Ashes (880002) | the id as typed | ${host} does not support chain 880002 any more; its contracts can only be verified locally`,
    );
    const lines = await search("880001", "Ember Test (880001) | the id as typed");
    assert.equal(lines.filter((line) => line.includes("880001")).length, 1, "it stands there once");
    await search(
      "880003",
      `Chain 880003 | the id as typed | ${host} does not know chain 880003; its contracts can only be verified locally`,
    );
    await press("accept");
    await eventually(() => assert.equal(screen.box?.prompt, "The contract's address on Chain 880003"));
  });

  it("without a word of the service where nothing is submitted", async () => {
    const [file] = await vscode.workspace.findFiles("contracts/exchange/Pool.sol");
    asked = vscode.commands.executeCommand("ledgerLens.verifyLocally", file);
    const lines = await eventually(() => {
      const shown = screen.questions.at(-1)?.lines ?? [];
      assert.ok(shown.includes("others"), shown.join("\n"));
      return shown;
    });
    assert.doesNotMatch(lines.join("\n"), /locally|Verify Locally|not known/i);
    await search("scroll sepolia", "Scroll Sepolia | 534351");
    await search("880003", "Chain 880003 | the id as typed");
    assert.equal(screen.questions.at(-1)?.count, "1/2");
    await press("accept");
    await eventually(() => assert.equal(screen.box?.prompt, "The contract's address on Chain 880003"));
    assert.deepEqual([screen.box?.step, screen.box?.totalSteps], [2, 2]);
    await pressUntil(["accept"], () =>
      assert.equal(screen.box?.validationMessage, "Type an address: 0x and 40 hexadecimal digits."),
    );
  });

  /** *Change Address* in the menu of the row of a job that failed, which has all its causes. */
  const changeAddress = (address: string) => {
    const action = { kind: "check address", label: "Change Address" };
    return vscode.commands.executeCommand("ledgerLens.checkCauseAddress", {
      row: {
        record: {
          chainId: world().chainId,
          address,
          explanation: {
            summary: "",
            causes: [{ code: "not_deployed", confidence: 1, evidence: "", action }],
          },
          submission: {
            path: vscode.Uri.joinPath(folder(), "contracts/Vault.sol").path,
            contractName: "Vault",
          },
        },
      },
    });
  };

  it("and told to be there where the address is that of a contract", async () => {
    await configure(world().service);
    asked = changeAddress(world().token.address);
    await eventually(() => {
      const said = JSON.stringify(screen.box?.validationMessage);
      assert.match(said, /A contract of [\d,]+ bytes is deployed at this address\./);
      assert.match(said, new RegExp(`"severity":${vscode.InputBoxValidationSeverity.Info}\\b`));
    });
  });

  it("again by Change Address, with the address that was typed to be corrected, and a way back to the chain", async () => {
    await configure(world().service);
    asked = changeAddress(NOWHERE);
    await eventually(() => {
      assert.equal(screen.box?.prompt, "The contract's address on Local chain (31337)");
      assert.equal(screen.box.value, NOWHERE);
      const { validationMessage } = screen.box;
      assert.match(JSON.stringify(validationMessage), /Nothing is deployed at this address/);
    });
    assert.deepEqual(screen.questions, [], "nothing is asked before");
    await press("back");
    await eventually(() => assert.match(screen.questions.at(-1)?.placeholder ?? "", /^On which chain/));
    await eventually(() => assert.match(screen.questions.at(-1)?.active ?? "", /31337/));
    await press("accept");
    await eventually(() => assert.equal(screen.box?.value, NOWHERE));
  });
});

function folder(): vscode.Uri {
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/");
}
