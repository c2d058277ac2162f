import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startRecordingService, type RecordingService } from "../editor/recordingService.ts";
import { startEditor, type EditorServer } from "../rig/editorServer.ts";
import { packageExtension } from "../rig/packagedExtension.ts";
import { Workbench } from "../rig/workbench.ts";
import { pressSubmit, reviewAsAPerson } from "../verifyJourney.ts";

const TARGET = { contract: "Own", chainId: "296", address: `0x${"ab".repeat(20)}` };

describe("A folder that names another service for its contracts", () => {
  let mine: RecordingService;
  let theirs: RecordingService;
  let editor: EditorServer;
  let workbench: Workbench;
  let folder = "";

  before(async () => {
    [mine, theirs] = await Promise.all([startRecordingService(), startRecordingService()]);
    folder = await mkdtemp(join(tmpdir(), "trusted-or-not-"));
    await mkdir(join(folder, ".vscode"));
    await writeFile(
      join(folder, ".vscode/settings.json"),
      JSON.stringify({
        "ledgerLens.verificationUrl": theirs.url,
        "ledgerLens.compilerSettings": { optimizer: { enabled: true, runs: 77 } },
      }),
    );
    await writeFile(join(folder, "Own.sol"), "pragma solidity ^0.8.0;\ncontract Own {}\n");
    editor = await startEditor({
      vsix: [await packageExtension()],
      workspaceTrust: true,
      settings: {
        "security.workspace.trust.startupPrompt": "never",
        // Beside the review, so that a person can change the one while looking at the other.
        "workbench.editor.useModal": "off",
        "ledgerLens.verificationUrl": mine.url,
      },
    });
    workbench = await Workbench.open(editor.url, folder);
  });

  after(async () => {
    await workbench.close();
    await editor.stop();
    await Promise.all([mine.stop(), theirs.stop(), rm(folder, { recursive: true, force: true })]);
  });

  const hostOf = ({ url }: RecordingService) => new URL(url).host;
  const sent = () => [...mine.received, ...theirs.received].length;
  const trustEditor = (part: string) => workbench.page.locator(`.workspace-trust-editor ${part}`);
  const trust = () =>
    trustEditor(".monaco-button")
      .filter({ hasText: /^Trust$/ })
      .first();
  /** The folder among those that are trusted, and what takes it out of them. */
  const trusted = () => trustEditor(".monaco-list-row").filter({ hasText: folder }).first();
  const isRestricted = () =>
    workbench.page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor();

  /** Shows the editor of trust, in which the folder has it or not. */
  async function showTrust({ isGiven }: { readonly isGiven: boolean }): Promise<void> {
    await workbench.runCommand("Workspaces: Manage Workspace Trust");
    await trust().or(trusted()).first().waitFor();
    if ((await trusted().isVisible()) === isGiven) return;
    if (isGiven) {
      await trust().click();
      await trusted().waitFor();
    } else {
      await takeTrust();
      await workbench.runCommand("Workspaces: Manage Workspace Trust");
      await trust().waitFor();
    }
  }

  async function takeTrust(): Promise<void> {
    await trusted().hover();
    // The editor ends every extension host then, so that none goes on with what it was trusted with.
    await workbench.reloadedBy(() => trusted().locator(".action-label").last().click());
    await isRestricted();
  }

  it("is not heard without trust; trusted while a review is shown, what it says is shown before anything goes", () =>
    workbench.keepPictureOnFailure("trust-given", async () => {
      await showTrust({ isGiven: false });
      const before = sent();
      const [submit = "", ...lines] = await reviewAsAPerson(workbench, TARGET);
      assert.ok(submit.startsWith(`Submit to ${hostOf(mine)}`), submit);
      assert.match(lines.join("\n"), /Optimizer · off/);
      await trust().click();
      await trusted().waitFor();
      // The keyboard is in the editor of trust: a person goes back into the review, whose lines may move down meanwhile.
      await workbench.focusQuestion();
      await workbench.moveTo(/Submit to 127/);
      await pressSubmit(workbench);
      await workbench.waitForEntry(/Nothing was sent, because this changed while it was shown: /);
      const again = (await workbench.entries()).join("\n");
      assert.match(again, new RegExp(`Submit to ${hostOf(theirs)}`));
      assert.match(again, /Optimizer · on, 77 runs/);
      assert.equal(sent(), before, "nothing was sent");
      await workbench.page.keyboard.press("Escape");
    }));

  it("gets nothing when its trust is taken back while a review is shown, and is not heard any more", () =>
    workbench.keepPictureOnFailure("trust-taken", async () => {
      await showTrust({ isGiven: true });
      const before = mine.received.length;
      const [submit = ""] = await reviewAsAPerson(workbench, TARGET);
      assert.ok(submit.startsWith(`Submit to ${hostOf(theirs)}`), submit);
      await takeTrust();
      await workbench.page.locator(".quick-input-widget:visible").waitFor({ state: "hidden" });
      const [now = "", ...lines] = await reviewAsAPerson(workbench, TARGET);
      assert.ok(now.startsWith(`Submit to ${hostOf(mine)}`), now);
      assert.match(lines.join("\n"), /Optimizer · off/);
      assert.equal(sent(), before, "nothing was sent");
      await pressSubmit(workbench);
      await workbench.waitForNotification(/^Own at \S+ on .* is verified/);
      assert.equal(mine.received.length, before + 1);
      assert.deepEqual(theirs.received, []);
    }));
});
