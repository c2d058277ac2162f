import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { DeploymentStates } from "../../src/core/jobs/deploymentStates.ts";
import type { JobStore } from "../../src/core/jobs/jobStore.ts";
import type { Deployment } from "../../src/core/service/submissionRequest.ts";
import { CompilerDiagnostics } from "../../src/editor/verification/diagnostics.ts";
import { WatchedWorkspace } from "../../src/editor/watchedWorkspace.ts";
import { eventually } from "../rig/eventually.ts";
import { recordBroadcast, removeBroadcast } from "../sandbox/broadcastRecord.ts";
import { moveTo, press, pressUntil, takeLine } from "./pressing.ts";
import { startRecordingService } from "./recordingService.ts";
import { watchScreen, type Screen, type ShownQuestion } from "./shownQuestions.ts";
import { vault, world } from "./world.ts";
import { withCompiler } from "./workspaceCompiler.ts";

interface Outcome {
  readonly contract: string;
  readonly address: string;
  readonly outcome: string;
  readonly reason?: string;
}

describe("What the project's own records say was deployed", () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;

  before(async () => {
    await vscode.commands.executeCommand("ledgerLens.verifyContract", {
      contract: "contracts/Vault.sol:Vault",
      chainId: world().chainId,
      address: vault(0).address,
      confirmPublish: true,
    });
    await recordBroadcast(folder?.fsPath ?? "", world().chainId, [vault(0), vault(4)]);
  });

  after(() => removeBroadcast(folder?.fsPath ?? ""));

  it("stands above the contract", async () => {
    await vscode.workspace.openTextDocument(
      vscode.Uri.joinPath(folder ?? vscode.Uri.file("/"), "contracts/Vault.sol"),
    );
    // The editor hears of changed files a moment later.
    await eventually(async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        vscode.Uri.joinPath(folder ?? vscode.Uri.file("/"), "contracts/Vault.sol"),
        10,
      );
      const titles = lenses.map(({ command }) => command?.title ?? "");
      const deployed = lenses.filter(({ command }) =>
        ["ledgerLens.verifyDeployment", "ledgerLens.openDeploymentAtService"].includes(
          command?.command ?? "",
        ),
      );
      assert.ok(deployed.length > 0, titles.join("\n"));
      assert.ok(
        deployed.every(({ command }) => command?.title.endsWith(" on Local chain (31337)")),
        titles.join("\n"),
      );
    });
  });

  it("is verified all at once, and what is verified already is left alone", async () => {
    const outcomes = await vscode.commands.executeCommand<Outcome[]>("ledgerLens.verifyAllDeployments", {
      confirmPublish: true,
    });
    assert.deepEqual(
      Object.fromEntries(outcomes.map(({ address, outcome }) => [address, outcome])),
      { [vault(0).address]: "skipped", [vault(4).address]: "exact_match" },
      JSON.stringify(outcomes),
    );
  });

  it("says in the list of all that it is verified, and is not ticked there", async () => {
    const screen = watchScreen();
    try {
      const done = Promise.resolve(vscode.commands.executeCommand("ledgerLens.verifyAllDeployments")).catch(
        () => undefined,
      );
      const { lines, ticked } = await eventually(
        () => screen.questions.findLast(({ isOpen }) => isOpen) ?? assert.fail("no question yet"),
      );
      assert.equal(lines.length, 2);
      for (const line of lines)
        assert.match(line, /^Vault \| Local chain \(31337\) · 0x\S+ · verified: exact match \| deployed /);
      assert.deepEqual(ticked, []);
      await press("hide");
      await done;
    } finally {
      screen.stop();
    }
  });
});

describe("Deployments on a chain of this machine, where the service is a public one", () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  const configure = (name: string, value: unknown) =>
    vscode.workspace.getConfiguration("ledgerLens").update(name, value, vscode.ConfigurationTarget.Global);
  let screen: Screen;

  before(async () => {
    await configure("verificationUrl", "https://verify.example/server");
    // One that no other suite verifies.
    await recordBroadcast(folder, world().chainId, [vault(5)]);
    await recordBroadcast(folder, "11155111", [vault(3)]);
    screen = watchScreen();
  });

  after(async () => {
    screen.stop();
    await configure("verificationUrl", world().service);
    await removeBroadcast(folder);
  });

  /** The list that is on the screen, once it shows what is looked for. */
  const question = (look: (question: ShownQuestion) => void) =>
    eventually(() => {
      const open = screen.questions.findLast(({ isOpen }) => isOpen) ?? assert.fail("no question yet");
      look(open);
      return open;
    });

  /** Leaves what a command asks, until it has ended. */
  async function leave(done: Promise<unknown>): Promise<void> {
    let isDone = false;
    void done.finally(() => (isDone = true));
    await eventually(async () => {
      await press("hide");
      assert.ok(isDone);
    });
  }

  const run = (command: string, argument?: unknown) =>
    Promise.resolve(vscode.commands.executeCommand(command, argument)).catch(() => undefined);

  it("stand apart in the list of all, not chosen, with why and what is done instead", async () => {
    const done = run("ledgerLens.verifyAllDeployments");
    const { lines, ticked = [] } = await question(({ lines: shown }) => assert.equal(shown.length, 3));
    assert.match(lines[0] ?? "", /^Vault \| Sepolia/);
    assert.equal(lines[1], "Verify Locally: verify.example can't see these chains");
    assert.match(lines[2] ?? "", /^Vault \| Local chain \(31337\)/);
    assert.deepEqual(ticked, lines.slice(0, 1));
    await press("accept");
    const review = await question(({ placeholder }) => assert.match(placeholder, /Press Enter to submit/));
    assert.ok(review.isNext, "the list stays until the review is there, so that Enter goes to no page below");
    assert.match(review.lines[0] ?? "", /Submit to [^|]+ \| Publishes [^|]*\.$/);
    assert.doesNotMatch(review.lines[0] ?? "", /permanently/);
    assert.ok(review.lines.includes("$(globe) Sources become public permanently"), review.lines.join("\n"));
    await leave(done);
  });

  it("have a review of all in which what becomes of sources has a line of its own, where the service can see them", async () => {
    const near = await startRecordingService();
    await configure("verificationUrl", near.url);
    try {
      const done = run("ledgerLens.verifyAllDeployments");
      const { lines } = await question(({ ticked = [] }) => assert.equal(ticked.length, 2));
      assert.doesNotMatch(lines.join("\n"), /Verify Locally/);
      await press("accept");
      const review = await question(({ placeholder }) => assert.match(placeholder, /Press Enter to submit/));
      assert.match(review.lines[0] ?? "", /Submit to [^|]+ \| Sends [^|]*\.$/);
      assert.doesNotMatch(review.lines.join("\n"), /permanently|public|Publishes/);
      assert.ok(
        review.lines.includes("$(device-desktop) Sources are sent to a service on this machine"),
        review.lines.join("\n"),
      );
      await leave(done);
      assert.deepEqual(near.received, []);
    } finally {
      await configure("verificationUrl", "https://verify.example/server");
      await near.stop();
    }
  });

  it("have a review that is left while it is compared, so that nothing is submitted and nothing is agreed to for good", async () => {
    const near = await startRecordingService();
    await configure("verificationUrl", near.url);
    const openPlaceholder = () => screen.questions.findLast(({ isOpen }) => isOpen)?.placeholder ?? "";
    const compared = Promise.withResolvers<undefined>();
    try {
      let isDone = false;
      const done = run("ledgerLens.verifyAllDeployments");
      void done.finally(() => (isDone = true));
      await question(({ ticked = [] }) => assert.equal(ticked.length, 2));
      await press("accept");
      await question(({ placeholder }) => assert.match(placeholder, /Press Enter to submit/));
      const before = near.lookUps;
      near.lookUpsWaitFor = compared.promise;
      await takeLine(screen, /Submit, and Do Not Ask Again/, () => assert.ok(near.lookUps > before));
      await press("hide");
      await eventually(() => assert.equal(openPlaceholder(), ""));
      compared.resolve(undefined);
      await eventually(() => assert.ok(isDone));
      assert.deepEqual(near.received, []);
      const again = run("ledgerLens.verifyAllDeployments");
      await question(({ ticked = [] }) => assert.equal(ticked.length, 2));
      await pressUntil(["accept"], () => assert.notEqual(openPlaceholder(), "Which deployments?"));
      await question(({ placeholder }) => assert.match(placeholder, /Press Enter to submit/));
      await leave(again);
      assert.deepEqual(near.received, []);
    } finally {
      compared.resolve(undefined);
      await vscode.commands.executeCommand("ledgerLens.askBeforePublishing", {});
      await configure("verificationUrl", "https://verify.example/server");
      await near.stop();
    }
  });

  it("are offered when the line above their contract is clicked, before a chain and an address are asked for", async () => {
    const contract = join(folder, "contracts/Vault.sol:Vault");
    const of = (argument: object) => run("ledgerLens.verifyThis", argument);
    const chosen = of({ contract });
    const { lines } = await question(({ placeholder }) => assert.equal(placeholder, "Which deployment?"));
    assert.match(lines[1] ?? "", /Vault \| (?:Sepolia|Local chain) \(\d+\) · 0x/);
    assert.match(lines.at(-1) ?? "", /Another Address…/);
    await pressUntil(["accept"], () =>
      assert.match(screen.questions.findLast(({ isOpen }) => isOpen)?.title ?? "", /^Verify Vault/),
    );
    await leave(chosen);
    const elsewhere = of({ contract });
    await question(({ placeholder }) => assert.equal(placeholder, "Which deployment?"));
    await takeLine(screen, /Another Address/, () =>
      assert.match(screen.questions.findLast(({ isOpen }) => isOpen)?.placeholder ?? "", /^On which chain/),
    );
    await leave(elsewhere);
  });

  it("and are verified on this machine where a person ticks them, with nothing to publish", async () => {
    const before = screen.questions.length;
    await withCompiler(folder, async () => {
      const done = run("ledgerLens.verifyAllDeployments");
      await question(({ lines }) => assert.equal(lines.length, 3));
      // Sepolia's is not wanted, the local one is.
      await eventually(async () => {
        await press("first");
        await vscode.commands.executeCommand("workbench.action.quickPickManyToggle");
        await press("next");
        await vscode.commands.executeCommand("workbench.action.quickPickManyToggle");
        await press("accept");
        assert.ok(screen.messages.some((message) => message.startsWith("1 deployment:")));
      });
      await done;
      const said = screen.messages.findLast((message) => message.startsWith("1 deployment:"));
      assert.equal(said, "1 deployment: 1 exact match. Nothing was published.");
      assert.doesNotMatch(
        screen.questions
          .slice(before)
          .flatMap(({ lines }) => lines)
          .join("\n"),
        /Submit to/,
      );
    });
  });

  it("and nothing else is submitted where a person cancels what is verified on this machine", async () => {
    const { withProgress } = vscode.window;
    let cancelled = 0;
    const cancelling: typeof withProgress = (options, work) =>
      withProgress(options, (progress, token) => {
        if (options.title !== "Verifying deployments on this machine") return work(progress, token);
        const source = new vscode.CancellationTokenSource();
        cancelled++;
        setTimeout(() => source.cancel());
        return work(progress, source.token);
      });
    Object.assign(vscode.window, { withProgress: cancelling });
    const before = screen.questions.length;
    try {
      const done = run("ledgerLens.verifyAllDeployments");
      await question(({ lines }) => assert.equal(lines.length, 3));
      await eventually(async () => {
        // Sepolia's is ticked, and the local one is, too.
        await press("first");
        await press("next");
        await vscode.commands.executeCommand("workbench.action.quickPickManyToggle");
        await press("accept");
        assert.ok(cancelled > 0);
      });
      const last = await Promise.race([
        done.then(() => "the end"),
        question(({ lines }) => assert.match(lines.join("\n"), /Submit to/)).then(() => "a review"),
      ]);
      if (last === "a review") await leave(done);
      assert.equal(last, "the end");
      assert.equal(screen.questions.length, before + 1);
    } finally {
      Object.assign(vscode.window, { withProgress });
    }
  });

  it("are noted as such where the chain is asked for, and no search is offered for one", async () => {
    const chain = run("ledgerLens.verifyBySimilarity");
    await question(({ lines }) =>
      assert.match(lines.join("\n"), /\| 31337 · on this machine or its network, for Verify Locally/),
    );
    await leave(chain);
    const searched = run("ledgerLens.verifyBySimilarity");
    await question(({ lines }) => assert.ok(lines.some((line) => line.includes("31337"))));
    await eventually(() => moveTo(screen, /^Local chain/));
    const { placeholder, lines } = await eventually(async () => {
      const next = screen.questions.find((one) => one.placeholder.includes("verify.example"));
      if (next) return next;
      await press("accept");
      screen.type(vault(5).address);
      return assert.fail("not asked yet");
    });
    assert.equal(
      placeholder,
      "verify.example can't see Local chain (31337), which runs on this machine or its network",
    );
    assert.deepEqual(lines, [
      "$(beaker) Verify Locally | Compiles on this machine and compares; nothing is published",
      "$(link) Choose Another Chain…",
    ]);
    await leave(searched);
  });

  it("and the mocks of a file stand behind its other contracts", async () => {
    const file = join(folder, "contracts/Mixed.sol");
    await writeFile(file, "pragma solidity ^0.8.0;\ncontract AMock {}\ncontract Mixed {}\n");
    try {
      await vscode.window.showTextDocument(vscode.Uri.file(file));
      const done = run("ledgerLens.predictMatch");
      const { lines } = await question(({ lines: shown }) =>
        assert.ok(shown.includes("in the active editor"), shown.join("\n")),
      );
      await leave(done);
      const own = lines.slice(lines.indexOf("in the active editor") + 1).map((line) => line.split(" | ")[0]);
      assert.deepEqual(own.slice(0, 2), ["Mixed", "AMock"]);
    } finally {
      await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
      await rm(file);
    }
  });

  it("have Verify Locally above their contract", async () => {
    const uri = vscode.Uri.file(join(folder, "contracts/Vault.sol"));
    await eventually(async () => {
      await vscode.workspace.openTextDocument(uri);
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        uri,
        10,
      );
      const commands = lenses.map(({ command }) => [command?.title.split(" on ")[1], command?.command]);
      assert.deepEqual(
        commands.filter(([, command]) => command?.startsWith("ledgerLens.verifyDeployment")),
        [
          ["Sepolia (11155111)", "ledgerLens.verifyDeployment"],
          ["Local chain (31337)", "ledgerLens.verifyDeploymentLocally"],
        ],
        JSON.stringify(commands),
      );
    });
  });
});

describe("What did not compile", () => {
  it("is among the problems until the service is found to have the contract verified, by whomever", () => {
    const path = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", "contracts/Token.sol");
    const [deployment, other] = [`0x${"ab".repeat(20)}`, `0x${"cd".repeat(20)}`].map((address) => ({
      chainId: "1",
      address,
    })) as [Deployment, Deployment];
    const store = { onChange: () => () => undefined, all: () => [] } as unknown as JobStore;
    const service = { url: "https://verify.example", contract: () => Promise.resolve(undefined) };
    const states = new DeploymentStates(() => service);
    const diagnostics = new CompilerDiagnostics(store, states);
    const problems = () =>
      vscode.languages.getDiagnostics(vscode.Uri.file(path)).map(({ message }) => message);
    try {
      const input = {
        language: "Solidity",
        sources: { "T.sol": { content: "contract Token {}" } },
        settings: {},
      };
      const error = {
        customCode: "compiler_error",
        message: "",
        errorData: { compilerErrors: [{ severity: "error", type: "TypeError", message: "Not so." }] },
      };
      const compiled = { path, contractName: "Token", stdJsonInput: input, files: [] };
      diagnostics.showLocal(compiled as Parameters<typeof diagnostics.showLocal>[0], deployment, error);
      assert.deepEqual(problems(), ["Not so."]);
      states.learn(other, "exact_match", service.url);
      states.learn(deployment, null, service.url);
      assert.deepEqual(problems(), ["Not so."]);
      states.learn(
        { ...deployment, address: deployment.address.toUpperCase().replace("0X", "0x") },
        "match",
        service.url,
      );
      assert.deepEqual(problems(), []);
    } finally {
      diagnostics.dispose();
    }
  });
});

describe("Folders that come or go as a whole", () => {
  const MANY = 200;
  const place = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", "whole");
  const workspace = new WatchedWorkspace({ error: () => undefined, warn: () => undefined });

  after(async () => {
    workspace.dispose();
    await rm(place, { recursive: true, force: true });
  });

  /** How many contracts of the folder are known. */
  const known = async () =>
    (await workspace.index.contracts()).filter(({ path }) => path.startsWith(`${place}/`)).length;

  it("bring and take their contracts, although the editor is not told of each file", async () => {
    assert.equal(await known(), 0);
    for (let at = 0; at < MANY; at++) {
      const folder = join(place, `p${at}/inner`);
      // As a tool does that unpacks a project: the editor has not begun to watch a new folder when files come into it.
      mkdirSync(folder, { recursive: true });
      await writeFile(join(folder, `P${at}.sol`), `pragma solidity ^0.8.0;\ncontract P${at} {}\n`);
    }
    await eventually(async () => assert.equal(await known(), MANY));
    // What comes later into folders that were made in a new one by then, and what goes from there, too.
    const late = (at: number) => join(place, `p${at}/inner/Late${at}.sol`);
    const some = [0, 50, 100, 199];
    for (const at of some) await writeFile(late(at), `pragma solidity ^0.8.0;\ncontract Late${at} {}\n`);
    await eventually(async () => assert.equal(await known(), MANY + some.length));
    for (const at of some) await rm(late(at));
    await eventually(async () => assert.equal(await known(), MANY));
    await rm(place, { recursive: true });
    await eventually(async () => assert.equal(await known(), 0));
  });
});
