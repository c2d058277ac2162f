import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { failedJob } from "./failedJob.ts";
import { pressUntil } from "./pressing.ts";
import { watchScreen } from "./shownQuestions.ts";

async function explain(args?: object): Promise<{ explanation?: { causes: { code: string }[] } }> {
  return vscode.commands.executeCommand("ledgerLens.explainFailure", args);
}

describe("Why a verification failed", () => {
  it("is answered to a program by the id of the job, and only of what is in the list", async () => {
    const verificationId = await failedJob();
    const { explanation } = await explain({ verificationId });
    assert.equal(explanation?.causes[0]?.code, "edited_source");
    const unknown = crypto.randomUUID();
    await assert.rejects(explain({ verificationId: unknown }), (error: { code: string; message: string }) => {
      assert.equal(error.code, "unknown_job");
      assert.match(error.message, new RegExp(unknown));
      return true;
    });
  });

  it("is asked for in the palette: a person chooses among the failed ones, the newest first, and reads the page", async () => {
    await failedJob();
    await failedJob();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    const screen = watchScreen();
    try {
      void explain();
      await pressUntil(["accept"], () => {
        assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, "✕ Vault");
      });
      const [{ title, lines } = { title: "", lines: [] }] = screen.questions;
      assert.equal(title, "Why a Verification Failed");
      assert.ok(lines.length >= 2, "both that failed can be chosen");
      await eventually(() => {
        assert.ok(screen.questions.every(({ isOpen }) => !isOpen));
      });
    } finally {
      screen.stop();
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    }
  });
});
