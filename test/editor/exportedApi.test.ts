import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import type { LedgerLensApi, LedgerLensFailure } from "../../src/ledgerLensApi.ts";
import { eventually } from "../rig/eventually.ts";
import { failedJob } from "./failedJob.ts";
import { press, pressUntil } from "./pressing.ts";
import { sha256, startRecordingService, type RecordingService } from "./recordingService.ts";
import { watchScreen, type Screen } from "./shownQuestions.ts";
import { vault, world } from "./world.ts";
import { withCompiler } from "./workspaceCompiler.ts";

const CONTRACT = "contracts/Vault.sol:Vault";
const FOLDER = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/";

describe("Another extension that calls what Ledger Lens exports", () => {
  let api: LedgerLensApi;
  before(async () => {
    const extension = vscode.extensions.getExtension<LedgerLensApi>("ledger-lens.ledger-lens");
    api = (await extension?.activate()) ?? assert.fail("nothing is exported");
  });

  const deployed = () => ({ contract: CONTRACT, chainId: world().chainId, address: vault(1).address });
  const failure = (code: string) => (error: LedgerLensFailure) => error.code === code;

  it("knows its version, and can't change it for others", () => {
    assert.equal(api.version, 1);
    assert.ok(Object.isFrozen(api));
  });

  it("reads predictions, transactions, tokens and the status", async () => {
    const { prediction, reasons } = await api.predict(deployed());
    assert.notEqual(prediction, "mismatch", reasons.join(" "));
    const { transactionIds, tokens } = world().scenes;
    const { actions, tree, complete } = await api.showTransaction({ transaction: transactionIds.swap });
    assert.ok(actions.length > 1 && tree.length > 0);
    assert.equal(complete, true);
    assert.equal((await api.showToken({ tokenId: tokens.coin }))["token_id"], tokens.coin);
    assert.ok((await api.status()).components.length > 0);
  });

  it("compiles on this machine, and gets the verdict and what it was compiled with", async () => {
    await withCompiler(FOLDER, async () => {
      const answer = await api.verifyLocally({
        ...deployed(),
        creationTransactionHash: vault(1).transactionHash,
      });
      assert.deepEqual(
        [answer.verdict, answer.runtimeMatch, answer.creationMatch],
        ["exact_match", "exact_match", "exact_match"],
      );
      assert.match(answer.compiler.version, /^0\.8\.37\+commit\./);
      assert.equal(answer.explanation, undefined);
    });
    // A result that is new has its age told anew every few seconds, in the view that other tests look at.
    const localResult = { path: join(FOLDER, "contracts/Vault.sol"), contractName: "Vault", ...deployed() };
    await vscode.commands.executeCommand("ledgerLens.removeLocalResult", { row: { localResult } });
  });

  it("reads why a verification failed, as plain data", async () => {
    const verificationId = await failedJob();
    const answer = await api.explain({ verificationId });
    assert.equal(answer.verificationId, verificationId);
    assert.equal(answer.status, "failed");
    const [first] = answer.explanation?.causes ?? [];
    assert.equal(first?.code, "edited_source", JSON.stringify(answer.explanation));
    assert.ok(first.confidence > 0 && first.confidence <= 1);
    assert.match(first.evidence, /\b25\b.*\b52\b/);
    assert.match(answer.explanation?.summary ?? "", /\.$/);
    assert.deepEqual(JSON.parse(JSON.stringify(answer)), answer);
  });

  it("gets errors with stable codes, and no question for what it left out", async () => {
    await assert.rejects(api.predict({ ...deployed(), address: "0x12" }), failure("invalid_address"));
    await assert.rejects(api.predict({ ...deployed(), chainId: "424242" }), failure("no_code_source"));
    await assert.rejects(
      api.verifyLocally({ contract: CONTRACT } as Parameters<LedgerLensApi["verifyLocally"]>[0]),
      failure("missing_argument"),
    );
    await assert.rejects(api.explain({ verificationId: "../1" }), failure("invalid_verification_id"));
  });

  describe("that wants something published", () => {
    const configuration = () => vscode.workspace.getConfiguration("ledgerLens");
    const request = { contract: CONTRACT, chainId: "9933" };
    let service: RecordingService;
    let screen: Screen;

    before(async () => {
      service = await startRecordingService();
      await configuration().update("verificationUrl", service.url, vscode.ConfigurationTarget.Global);
    });
    beforeEach(() => {
      screen = watchScreen();
    });
    afterEach(async () => {
      screen.stop();
      await press("hide");
    });
    after(async () => {
      await configuration().update("verificationUrl", world().service, vscode.ConfigurationTarget.Global);
      await service.stop();
    });

    const review = () =>
      screen.questions.findLast(({ title, isOpen }) => isOpen && title.startsWith("Verify Vault: requested"));

    it("has a person asked before, and is told when they leave", async () => {
      const answer = api.submit({ ...request, address: `0x${"e7".repeat(20)}`, ...{ confirmPublish: true } });
      answer.catch(() => undefined);
      await eventually(() => assert.ok(review()));
      await pressUntil(["hide"], () => assert.ok(!review()));
      await assert.rejects(answer, failure("cancelled"));
      assert.equal(service.received.length, 0);
    });

    it("is answered with what came of it, once a person agreed to the files that they were shown", async () => {
      const address = `0x${"e8".repeat(20)}`;
      const answer = api.submit({ ...request, address });
      answer.catch(() => undefined);
      await eventually(() => assert.match(review()?.lines.join("\n") ?? "", /Submit to 127\.0\.0\.1:\d+ \|/));
      assert.match(review()?.lines.join("\n") ?? "", / Files \| \d+ files/);
      assert.equal(service.received.length, 0, "nothing went before");
      await pressUntil(["first", "accept"], () => assert.equal(service.received.length, 1));
      const { status, verificationId, job } = await answer;
      assert.equal(status, "exact_match");
      assert.match(verificationId, /^[0-9a-f-]{36}$/);
      assert.equal(job?.["verificationId"], verificationId);
      const sent = service.received[0] ?? assert.fail();
      assert.ok(sent.path.toLowerCase().endsWith(address), sent.path);
      const file = await readFile(join(FOLDER, "contracts/Vault.sol"));
      assert.equal(sent.sources["contracts/Vault.sol"], sha256(file));
    });
  });
});
