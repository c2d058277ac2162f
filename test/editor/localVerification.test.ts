import assert from "node:assert/strict";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { checkAddress } from "../../src/core/service/parameters.ts";
import { shortAddress } from "../../src/core/text/shownText.ts";
import type { Explanation } from "../../src/core/matching/explanation.ts";
import { startRecordingService, type RecordingService } from "./recordingService.ts";
import { eventually } from "../rig/eventually.ts";
import { press, takeLine } from "./pressing.ts";
import { watchScreen } from "./shownQuestions.ts";
import { longIt } from "../rig/longWindowTest.ts";
import { vault, world } from "./world.ts";

interface Answer {
  readonly verdict: string;
  readonly runtimeMatch: string | null;
  readonly creationMatch: string | null;
  readonly transformations: { readonly runtime: readonly unknown[] };
  readonly compiler: { readonly version: string; readonly source: string; readonly sha256?: string };
  readonly explanation?: Explanation;
}

interface SettingsAnswer {
  readonly found?: {
    readonly compilerVersion: string;
    readonly settings: object;
    readonly verdict: string;
  };
  readonly tried: readonly { readonly what: string; readonly distance: number }[];
  readonly seconds: number;
}

const FOLDER = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/";
const FILE = join(FOLDER, "contracts/Vault.sol");
/** Where Hardhat 2 and others have the compiler that npm brings. */
const INSTALLED = join(FOLDER, "node_modules/solc/soljson.js");

function call<T>(command: string, more: object = {}): Thenable<T> {
  return vscode.commands.executeCommand<T>(`ledgerLens.${command}`, {
    contract: "contracts/Vault.sol:Vault",
    chainId: world().chainId,
    address: vault(1).address,
    ...more,
  });
}

/** Works with the vault's file as it is after a replacement, and puts it back. */
async function withVault(change: readonly [string, string], work: () => Promise<void>): Promise<void> {
  const original = await readFile(FILE, "utf8");
  assert.ok(original.includes(change[0]));
  await writeFile(FILE, original.replace(...change));
  try {
    await work();
  } finally {
    await writeFile(FILE, original);
  }
}

describe("Verifying on this machine", () => {
  let service: RecordingService;
  const configuration = () => vscode.workspace.getConfiguration("ledgerLens");

  before(async () => {
    await mkdir(dirname(INSTALLED), { recursive: true });
    await symlink(world().compiler, INSTALLED);
    service = await startRecordingService();
    await configuration().update("verificationUrl", service.url, vscode.ConfigurationTarget.Global);
  });

  afterEach(() => configuration().update("localCompiler", undefined, vscode.ConfigurationTarget.Global));

  after(async () => {
    await configuration().update("verificationUrl", world().service, vscode.ConfigurationTarget.Global);
    await service.stop();
    await rm(dirname(INSTALLED), { recursive: true, force: true });
  });

  it("gives the service's verdict, and nothing is published", async () => {
    const { address, transactionHash: creationTransactionHash } = vault(1);
    const answer = await call<Answer>("verifyLocally", { address, creationTransactionHash });
    assert.equal(answer.verdict, "exact_match", JSON.stringify(answer));
    assert.equal(answer.runtimeMatch, "exact_match");
    assert.equal(answer.creationMatch, "exact_match");
    assert.match(answer.compiler.version, /^0\.8\.37\+commit\./);
    assert.match(answer.compiler.sha256 ?? "", /^[0-9a-f]{64}$/);
    assert.deepEqual(service.received, []);
  });

  it("verifies what a service did not take, as the row of that job and the message offer", async () => {
    const { chainId } = world();
    const { address } = vault(1);
    const submission = { path: vscode.Uri.file(FILE).path, contractName: "Vault" };
    const row = { record: { chainId, address, submission } };
    const answer = await vscode.commands.executeCommand<Answer>("ledgerLens.verifyDeploymentLocally", {
      row,
    });
    assert.equal(answer.verdict, "exact_match");
    assert.deepEqual(service.received, []);
  });

  it("makes its chain the first one of the list once there is a verdict, and not before", async () => {
    const chainId = "9961";
    const { rpcUrl } = world();
    const rpcUrls = (urls: object) =>
      configuration().update("rpcUrls", urls, vscode.ConfigurationTarget.Global);
    const own = { [world().chainId]: rpcUrl };
    const screen = watchScreen();
    /** What is offered when a chain is asked for. */
    const chains = async (): Promise<readonly string[]> => {
      const asking = vscode.commands.executeCommand("ledgerLens.verifyBySimilarity");
      const lines = await eventually(() => {
        const open = screen.questions.findLast(({ isOpen }) => isOpen);
        assert.match(open?.placeholder ?? "", /^On which chain/);
        return open?.lines ?? [];
      });
      let isDone = false;
      const end = () => (isDone = true);
      void asking.then(end, end);
      await eventually(async () => {
        await press("hide");
        assert.ok(isDone, "the command ended");
      });
      return lines;
    };
    try {
      await rpcUrls({ ...own, [chainId]: rpcUrl });
      const nowhere = `0x${"9a".repeat(20)}`;
      await assert.rejects(Promise.resolve(call("verifyLocally", { chainId, address: nowhere })));
      await rpcUrls(own);
      assert.ok(!(await chains()).some((line) => line.includes(chainId)), "nothing was found there");
      await rpcUrls({ ...own, [chainId]: rpcUrl });
      assert.equal((await call<Answer>("verifyLocally", { chainId })).verdict, "exact_match");
      await rpcUrls(own);
      const [group, first] = await chains();
      assert.equal(group, "recent");
      assert.match(first ?? "", /9961/);
    } finally {
      screen.stop();
      await rpcUrls(own);
    }
  });

  it("verifies what a review shows, with what was changed in it", async () => {
    const { address = "" } = world().otherwise.find(({ kind }) => kind === "for an earlier EVM") ?? {};
    const { chainId } = world();
    const screen = watchScreen();
    const isOpen = (placeholder: RegExp) =>
      screen.questions.some((one) => one.isOpen && placeholder.test(one.placeholder));
    const choose = (line: RegExp, then: () => void) => takeLine(screen, line, then);
    try {
      const args = { contract: "contracts/Vault.sol:Vault", chainId, address };
      const done = vscode.commands.executeCommand("ledgerLens.verifyThis", args);
      await eventually(() => assert.ok(isOpen(/^Press Enter to submit/)));
      await choose(/EVM version$/, () => assert.ok(isOpen(/^Which EVM version/)));
      await choose(/^paris$/, () => assert.ok(isOpen(/^Press Enter to submit/)));
      await choose(/Verify Locally$/, () => assert.notDeepEqual(screen.messages, []));
      assert.equal(screen.messages.length, 1);
      // Another suite may have had it verified: then there is nothing to publish.
      assert.match(
        screen.messages[0] ?? "",
        /^Vault at 0x\S+ on Local chain: exact match on this machine(?:; nothing was published)?\.$/,
      );
      assert.deepEqual(screen.buttonsOf(/on this machine/), ["Show Details"]);
      await eventually(() => assert.ok(isOpen(/^Press Enter to submit/), "the review comes again"));
      await press("hide");
      await done;
      assert.deepEqual(service.received, []);
    } finally {
      screen.stop();
    }
  });

  it("leads to its page, whose tab is told from another's, and to a submission only of what is not on record as verified", async () => {
    const titleAt = (of: string) => `✓ Vault · ${shortAddress(checkAddress(of))}`;
    await configuration().update("verificationUrl", world().service, vscode.ConfigurationTarget.Global);
    const screen = watchScreen();
    try {
      const { address } = vault(1);
      await call("verifyLocally", { address: vault(4).address });
      await eventually(() =>
        assert.deepEqual(screen.buttonsOf(/; nothing was published\.$/), ["Verify…", "Show Details"]),
      );
      await call("verifyContract", { address, confirmPublish: true });
      await call("verifyLocally", { address });
      await eventually(() =>
        assert.deepEqual(screen.buttonsOf(/^Vault at 0x\S+ on Local chain: exact match on this machine\.$/), [
          "Show Details",
        ]),
      );
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      const activeTab = () => vscode.window.tabGroups.activeTabGroup.activeTab ?? assert.fail("no tab");
      screen.pressButton(/on this machine\.$/, "Show Details");
      await eventually(() => assert.equal(activeTab().label, "✓ Vault"));
      const first = activeTab();
      screen.pressButton(/; nothing was published\.$/, "Show Details");
      await eventually(() => assert.equal(activeTab().label, titleAt(vault(4).address)));
      await eventually(() => assert.equal(first.label, titleAt(address)));
      await vscode.window.tabGroups.close(first);
      await eventually(() => assert.equal(activeTab().label, "✓ Vault"));
    } finally {
      screen.stop();
      await configuration().update("verificationUrl", service.url, vscode.ConfigurationTarget.Global);
    }
  });

  it("opens the review with what a cause of a mismatch asks for", async () => {
    const { address = "" } = world().otherwise.find(({ kind }) => kind === "optimized") ?? {};
    const { chainId } = world();
    const localResult = { path: FILE, contractName: "Vault", chainId, address };
    const changes = { settings: { optimizer: { enabled: true, runs: 200 }, remappings: null } };
    const screen = watchScreen();
    try {
      const row = { localResult, action: { kind: "resubmit", label: "Verify Optimized", changes } };
      const done = vscode.commands.executeCommand("ledgerLens.takeCauseAction", { row });
      await eventually(() => {
        const [review] = screen.questions;
        const lines = review?.lines.join("\n") ?? "";
        assert.match(lines, /Optimizer \| on, 200 runs/);
        // The remappings were taken out: without them it does not compile.
        assert.match(lines, /No match expected \| .*do not compile/);
      });
      await press("hide");
      await done;
      const optimizer = { settings: { optimizer: changes.settings.optimizer } };
      const again = { localResult, action: { ...row.action, changes: optimizer } };
      const next = vscode.commands.executeCommand("ledgerLens.takeCauseAction", { row: again });
      await eventually(() =>
        assert.match(screen.questions[1]?.lines.join("\n") ?? "", /Exact match expected/),
      );
      await press("hide");
      await next;
      assert.deepEqual(service.received, []);
    } finally {
      screen.stop();
    }
  });

  it("shows both codes of a mismatch side by side", async () => {
    const { address = "" } = world().otherwise.find(({ kind }) => kind === "optimized") ?? {};
    const localResult = { path: FILE, contractName: "Vault", chainId: world().chainId, address };
    const action = { kind: "show difference", label: "Show Bytecode Difference" };
    await vscode.commands.executeCommand("ledgerLens.takeCauseAction", { row: { localResult, action } });
    await eventually(() => {
      const labels = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
      assert.match(labels.join("\n"), /^Vault: deployed ↔ recompiled code/m);
    });
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("makes a prediction certain", async () => {
    const { prediction, reasons } = await call<{ prediction: string; reasons: readonly string[] }>(
      "predictMatch",
    );
    assert.equal(prediction, "exact_match", reasons.join(" "));
    await withVault(["FEE_BASIS_POINTS = 25;", "FEE_BASIS_POINTS = 52;"], async () => {
      const changed = await call<{ prediction: string; reasons: readonly string[] }>("predictMatch");
      assert.equal(changed.prediction, "mismatch");
      assert.match(changed.reasons[0] ?? "", /^Compiled here with 0\.8\.37, /);
    });
  });

  it("explains what does not match, and sends nobody to a history that is not there", async () => {
    const screen = watchScreen();
    await withVault(["FEE_BASIS_POINTS = 25;", "FEE_BASIS_POINTS = 52;"], async () => {
      const { verdict, explanation } = await call<Answer>("verifyLocally");
      assert.equal(verdict, "mismatch");
      assert.equal(explanation?.causes[0]?.code, "edited_source");
      assert.match(explanation.summary, /25 deployed, 52 compiled/);
      await eventually(() => assert.deepEqual(screen.buttonsOf(/25 deployed/), ["Show Details"]));
    }).finally(() => screen.stop());
    assert.deepEqual(service.received, []);
  });

  const problems = () => vscode.languages.getDiagnostics(vscode.Uri.file(FILE)).map(({ message }) => message);

  it("shows what the compiler refuses among the problems, until the file changes on disk", async () => {
    await withVault(["FEE_BASIS_POINTS = 25;", "FEE_BASIS_POINTS = unknownName;"], async () => {
      await call<Answer>("verifyLocally");
      await eventually(() => assert.match(problems().join(), /Undeclared identifier/));
    });
    await eventually(() => assert.deepEqual(problems(), []));
  });

  it("shows what the compiler refuses among the problems, until it compiles", async () => {
    await withVault(["FEE_BASIS_POINTS = 25;", "FEE_BASIS_POINTS = unknownName;"], async () => {
      const { verdict, explanation } = await call<Answer>("verifyLocally");
      assert.equal(verdict, "mismatch");
      assert.equal(explanation?.causes[0]?.code, "compiler_error");
      await eventually(() => assert.match(problems().join(), /Undeclared identifier/));
    });
    await call("verifyLocally");
    assert.deepEqual(problems(), []);
  });

  it("finds the settings of what was deployed otherwise, proven, and publishes nothing", async () => {
    for (const { kind, address, match } of world().otherwise) {
      const { found, tried } = await call<SettingsAnswer>("findSettings", { address });
      assert.ok(found, `${kind}: ${JSON.stringify(tried)}`);
      if (match === undefined) assert.equal(found.verdict, "exact_match", kind);
      assert.match(found.compilerVersion, /^0\.8\.37\+commit\./);
      assert.ok(tried.length > 0 && tried.every(({ distance }) => distance >= 0 && distance <= 1));
      console.log(`${kind}: ${found.verdict}, ${JSON.stringify(found.settings)}, ${tried.length} tried`);
    }
    assert.deepEqual(service.received, []);
  });

  longIt("finds no settings where the sources are other ones, and ends when its time is up", async () => {
    await withVault(["FEE_BASIS_POINTS = 25;", "FEE_BASIS_POINTS = 52;"], async () => {
      const { found, tried, seconds } = await call<SettingsAnswer>("findSettings", { limitSeconds: 5 });
      assert.equal(found, undefined);
      assert.ok(tried.length > 0 && tried.every(({ distance }) => distance > 0));
      assert.ok(seconds < 60, `${seconds} s`);
    });
  });

  it("fetches nothing for a program before a person agreed, and says what to do", async () => {
    await assert.rejects(
      async () => call("verifyLocally", { compilerVersion: "0.8.24" }),
      (error: { code?: string; message?: string }) =>
        error.code === "compiler_not_here" && (error.message ?? "").includes("Run Verify Locally once"),
    );
    await configuration().update("localCompiler", "off", vscode.ConfigurationTarget.Global);
    await assert.rejects(
      async () => call("verifyLocally"),
      (error: { code?: string }) => error.code === "local_compiler_off",
    );
    await assert.rejects(
      async () => call("findSettings"),
      (error: { code?: string }) => error.code === "local_compiler_off",
    );
  });

  it("runs no file that is not an official one", async () => {
    const official = await readFile(INSTALLED);
    await rm(INSTALLED);
    try {
      await writeFile(INSTALLED, Buffer.concat([official, Buffer.from("\n;globalThis.slipped = 1;")]));
      // The thread that has the official one is asked for no other release, and goes when it has nothing to do.
      await assert.rejects(
        async () => call("verifyLocally", { compilerVersion: "0.8.36" }),
        (error: { code?: string }) => error.code === "compiler_not_here",
      );
    } finally {
      await rm(INSTALLED);
      await symlink(world().compiler, INSTALLED);
    }
  });

  it("lists the compilers that are kept: none, since none was fetched", async () => {
    assert.deepEqual(await vscode.commands.executeCommand("ledgerLens.manageCompilers", {}), []);
  });
});
