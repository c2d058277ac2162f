import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { LedgerLensApi, LedgerLensFailure } from "../../src/ledgerLensApi.ts";
import { eventually } from "../rig/eventually.ts";
import { press, pressUntil } from "./pressing.ts";
import { startRecordingService } from "./recordingService.ts";
import { watchScreen } from "./shownQuestions.ts";
import { vault, world } from "./world.ts";

const CONTRACT = "contracts/Vault.sol:Vault";

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

  it("gets errors with stable codes, and no question for what it left out", async () => {
    await assert.rejects(api.predict({ ...deployed(), address: "0x12" }), failure("invalid_address"));
    await assert.rejects(api.predict({ ...deployed(), chainId: "424242" }), failure("no_code_source"));
    await assert.rejects(
      api.verifyLocally({ contract: CONTRACT } as Parameters<LedgerLensApi["verifyLocally"]>[0]),
      failure("missing_argument"),
    );
    await assert.rejects(api.explain({ verificationId: "../1" }), failure("invalid_verification_id"));
  });

  it("has a person asked before anything is published, and is told when they leave", async () => {
    const service = await startRecordingService();
    const configuration = vscode.workspace.getConfiguration("ledgerLens");
    await configuration.update("verificationUrl", service.url, vscode.ConfigurationTarget.Global);
    const screen = watchScreen();
    try {
      const request = { contract: CONTRACT, chainId: "9933", address: `0x${"e7".repeat(20)}` };
      const isOpen = () =>
        screen.questions.some(
          ({ title, isOpen: open }) => open && title.startsWith("Verify Vault: requested"),
        );
      const answer = api.submit({ ...request, ...{ confirmPublish: true } });
      answer.catch(() => undefined);
      await eventually(() => assert.ok(isOpen()));
      await pressUntil(["hide"], () => assert.ok(!isOpen()));
      await assert.rejects(answer, failure("cancelled"));
      assert.equal(service.received.length, 0);
    } finally {
      screen.stop();
      await press("hide");
      await configuration.update("verificationUrl", world().service, vscode.ConfigurationTarget.Global);
      await service.stop();
    }
  });
});
