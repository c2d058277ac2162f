import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator } from "playwright-core";
import { longIt } from "../rig/longTest.ts";
import { Workbench } from "../rig/workbench.ts";
import { eventually } from "../rig/eventually.ts";
import { findAsAPerson } from "../ledgerJourney.ts";
import { lookAtStatus, STATUS_ITEM } from "../statusJourney.ts";
import { passKnownPlaces, pressSubmit } from "../verifyJourney.ts";
import { ADDRESS, ENDLESS, HOSTILE, LINK } from "../attacks/hostile/hostileAnswers.ts";
import { startHostileWorld, type HostileWorld } from "./hostileWorld.ts";

/** How a hostile text looks wherever it is shown. */
const HARMLESS = "[Sign in] (command:workbench.action.files.newUntitledFile) $ (flame)";

/** Run in the page: links to the command, icons by the foreign name, and characters that hide. */
const FIND_ALIVE = `(() => {
  const found = [];
  for (const element of document.querySelectorAll("*")) {
    const href = (element.getAttribute("href") ?? "") + (element.getAttribute("data-href") ?? "");
    if (href.includes("command:workbench.action.files")) found.push("a link in " + element.outerHTML);
    if (element.tagName === "A" && element.textContent.trim() === "Sign in") found.push("a link Sign in");
    if (element.classList.contains("codicon-flame")) found.push("an icon in " + element.outerHTML);
    for (const { name, value } of element.attributes)
      if (/[\\u202e\\u200b]/.test(value)) found.push("a hidden character in " + name + "=" + value.slice(0, 80));
    for (const { nodeType, nodeValue } of element.childNodes)
      if (nodeType === 3 && /\\u202e/.test(nodeValue ?? "")) found.push("a hidden character in " + nodeValue.slice(0, 80));
  }
  return found;
})()`;

describe("A folder and services that say hostile things", () => {
  let world: HostileWorld;
  let workbench: Workbench;

  before(async () => {
    world = await startHostileWorld();
    workbench = await Workbench.open(world.editor.url, world.workspace);
  });

  after(async () => {
    await workbench.close();
    await world.stop();
  });

  /** Waits until a surface shows the text, and makes sure that nothing on the page came alive by it. */
  async function isHarmless(name: string, surface: Locator, said = HARMLESS): Promise<string> {
    const place = surface.filter({ hasText: said, visible: true }).first();
    await place.waitFor();
    const text = (await place.innerText()).replaceAll("\u00a0", " ");
    assert.ok(text.length < 5_000, `${name} is as long as the service wants`);
    await nothingIsAlive(name);
    return text;
  }

  async function nothingIsAlive(name: string): Promise<void> {
    const alive = await workbench.page.evaluate<string[]>(FIND_ALIVE);
    assert.deepEqual(alive, [], name);
  }

  const quickPick = (part: string) => workbench.page.locator(`.quick-input-widget:visible ${part}`);
  const row = () => workbench.page.locator(".pane-body .monaco-list-row");
  /** A row whose name is shortened on the screen, by what screen readers read of it. */
  const rowOf = (said: string) => row().and(workbench.page.locator(`[aria-label*="${said}"]`));
  const message = () => workbench.page.locator(".notification-toast .notification-list-item-message");

  it("in a status page: rows, notifications and the status bar show it as text", () =>
    workbench.keepPictureOnFailure("hostile-status", async () => {
      await lookAtStatus(workbench);
      world.statusPage.beginIncident({
        name: ENDLESS,
        impact: "critical",
        body: ENDLESS,
        components: { "Mirror Node REST API Public Mainnet": "major_outage" },
      });
      await lookAtStatus(workbench, /outage/);
      await isHarmless("an incident's row", row());
      await isHarmless("a notification", message());
      const item = workbench.page.locator(`.statusbar-item[id="${STATUS_ITEM}"]`);
      assert.match(await item.innerHTML(), /\[Sign in\] \(command:/);
      await item.hover();
      await isHarmless("the status bar's tooltip", workbench.page.locator(".monaco-hover, .workbench-hover"));
      await workbench.clearNotifications();
    }));

  it("in a ledger: tokens and reasons of failures show it as text", () =>
    workbench.keepPictureOnFailure("hostile-ledger", async () => {
      await workbench.showView("Ledger Lens", "Ledger");
      const wanted = [
        { paste: "0.0.5", offered: /0\.0\.5/, opens: /\[Sign in\]/ },
        { paste: `0x${"12".repeat(32)}`, offered: /Contract actions/, opens: /0x1212…1212/ },
      ];
      for (const one of wanted) {
        await findAsAPerson(workbench, one);
        await isHarmless(`the rows of ${one.paste}`, row());
      }
      const told = row().locator("visible=true").and(workbench.page.locator("[aria-label*='Sign in']"));
      assert.ok((await told.count()) > 0, "screen readers are told of it");
      await row().filter({ hasText: HARMLESS, visible: true }).first().hover();
      await isHarmless("a row's tooltip", workbench.page.locator(".workbench-hover"));
    }));

  it("in a record, a path and an import: picks and messages show it as text", () =>
    workbench.keepPictureOnFailure("hostile-folder", async () => {
      await workbench.showView("Ledger Lens", "Verification");
      // A name behind a colon is the contract's.
      await isHarmless("a deployment's row", rowOf(HARMLESS.slice(HARMLESS.indexOf(":") + 1)), "…");
      await workbench.runCommand("Ledger Lens: Export Compiler Input…");
      await workbench.waitForQuestion("Which contract?");
      await isHarmless("a contract's path in a pick", quickPick(".monaco-list-row"));
      await workbench.pick("Broken");
      await isHarmless("the message of a missing import", message());
      await workbench.clearNotifications();
    }));

  it("in a service: what is asked, the progress, the outcome, the problem, the details and the log show it as text", () =>
    workbench.keepPictureOnFailure("hostile-service", async () => {
      await workbench.runCommand("Ledger Lens: Verify Contract…");
      await workbench.waitForQuestion("Which contract?");
      await workbench.pick("Vault");
      // Where jobs of it are stored, their places are offered first.
      await passKnownPlaces(workbench);
      await workbench.waitForQuestion("On which chain");
      await isHarmless("a chain's name", quickPick(".monaco-list-row"));
      await workbench.pick("296");
      await workbench.waitForQuestion("0x…");
      await workbench.type(LINK);
      await isHarmless("what an input says is wrong", quickPick(".quick-input-message"));
      await workbench.page.keyboard.press("Control+A");
      await workbench.type(ADDRESS);
      await workbench.accept();
      await workbench.waitForQuestion("Press Enter to submit");
      await workbench.waitForEntry(/expected|Can't predict/);
      await nothingIsAlive("the review");
      await pressSubmit(workbench);
      const said = await isHarmless("the outcome", message());
      assert.ok(said.length <= 1_000, "the outcome is a sentence that can be read");
      await workbench.clickNotificationButton("Show Details");
      await workbench.editorPage().getByRole("heading", { level: 1 }).waitFor();
      await isHarmless("the page", workbench.editorPage().locator("main"));
      await workbench.editorPage().getByRole("button", { name: "Raw JSON" }).click();
      await workbench.page.locator(".tab", { hasText: "verification.jsonc" }).waitFor();
      await workbench.runCommand("Problems: Focus on Problems View");
      await isHarmless("a problem", workbench.page.locator(".markers-panel .monaco-list-row"));
      await workbench.runCommand("Ledger Lens: Show Log");
      await workbench.page.locator(".output-view .view-line").first().waitFor();
      await nothingIsAlive("the log");
    }));

  longIt("in stored jobs: lenses above contracts and the titles of differences show it as text", () =>
    workbench.keepPictureOnFailure("hostile-jobs", async () => {
      await workbench.showView("Ledger Lens", "Verification");
      await world.storeJob("lens", { contractName: "Vault", chainId: LINK });
      await world.storeJob("diff", { contractName: HOSTILE, chainId: "296" });
      await workbench.reload();
      await workbench.showView("Ledger Lens", "Verification");
      await isHarmless("a job's row", rowOf(HARMLESS), "…");
      await workbench.chooseFromRowMenu("Verification", /\[Sign in.*No match/, "Show Bytecode Difference");
      const tab = workbench.page.locator(".tab", { hasText: "deployed ↔ recompiled code" });
      assert.match(await isHarmless("a difference's title", tab), /^\[Sign in\] \(command:/);
      assert.doesNotMatch(await workbench.page.title(), /[\u202e\u200b\n]/, "nor the window's title");
      // Not by the editor's own search for files, which draws icons that stand in the names of folders.
      await workbench.openFromExplorer("src", LINK, "Vault.sol");
      const lens = workbench.page.locator(".codelens-decoration");
      assert.match(await isHarmless("a lens", lens), /No match on Chain \[Sign in\] \(command:/);
      // A lens that is drawn anew takes no click: a person clicks again.
      await eventually(async () => {
        await lens.getByText("Sign in").first().click();
        await workbench.editorPage().getByRole("heading", { level: 1 }).waitFor({ timeout: 5_000 });
      });
      await isHarmless("the page that a lens opens", workbench.editorPage().locator("main"));
      await nothingIsAlive("what a lens opens");
    }),
  );
});
