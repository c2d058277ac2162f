import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { LedgerScenes } from "../sandbox/ledger/ledgerScenes.ts";
import { eventually } from "../rig/eventually.ts";
import { accessibilityFindings } from "./accessibility.ts";
import { openDemo } from "./openDemo.ts";
import { findAsAPerson } from "../ledgerJourney.ts";

describe("A person looks at the page of a transaction", () => {
  const demo = openDemo();
  let scenes: LedgerScenes;
  before(async () => {
    scenes = await demo.world.playLedger();
    await demo.workbench.openViewContainer("Ledger Lens");
    await demo.workbench.showOnly("Ledger");
  });

  const open = (id: string, opens: RegExp) =>
    findAsAPerson(demo.workbench, { paste: id, offered: /\d/, opens });
  const page = () => demo.workbench.editorPage();
  const facts = async () =>
    Object.fromEntries(
      await Promise.all(
        (await page().locator("dl > div").all()).map(async (one) => [
          await one.locator("dt").innerText(),
          await one.locator("dd").innerText(),
        ]),
      ),
    ) as Record<string, string>;
  const rows = () => page().locator(".rows [role=row]").allInnerTexts();
  const showTab = (name: RegExp) => page().getByRole("tab", { name }).click();

  it("reads why it failed, where, and what it cost, without unfolding anything", () =>
    demo.workbench.keepPictureOnFailure("page-slippage", async () => {
      await open(scenes.transactionIds.slippage, /Reverted: SlippageTooHigh/);
      await page()
        .getByRole("heading", { name: /^(?:✕ )?Reverted: SlippageTooHigh\(.+\) in Pool\.swap$/ })
        .waitFor();
      await eventually(async () => {
        const { From, To, Fee, Gas, Block, Result } = await facts();
        assert.match(From ?? "", /^0\.0\.\d+$/);
        assert.match(To ?? "", /^Router \(0\.0\.\d+\)$/);
        assert.match(Fee ?? "", /^0\.\d+ ℏ$/);
        assert.match(Gas ?? "", /^161,\d{3} of 2,000,000$/);
        assert.match(Block ?? "", /^\d+$/);
        assert.equal(Result, "CONTRACT_REVERT_EXECUTED");
        const calls = await rows();
        assert.equal(calls.length, 9);
        assert.match(calls[6] ?? "", /Pool\.swap.*failed here: reverted: SlippageTooHigh/s);
      });
    }));

  it("opens what sent it and what it called, where it is told what they are", () =>
    demo.workbench.keepPictureOnFailure("page-open", async () => {
      await open(scenes.transactionIds.slippage, /Reverted: SlippageTooHigh/);
      await page()
        .getByRole("heading", { name: /SlippageTooHigh/ })
        .waitFor();
      const { From = "" } = await facts();
      await page().locator("dl").getByRole("button", { name: From, exact: true }).click();
      await demo.workbench.waitForRow("Ledger", new RegExp(`Account ${From}`));
      await page()
        .locator("dl")
        .getByRole("button", { name: /^Router/ })
        .click();
      await demo.workbench.waitForRow("Ledger", /Router 0\.0\.\d+.*verified: exact match/);
    }));

  it("can be used by everybody: axe finds nothing wrong on any of its tabs", () =>
    demo.workbench.keepPictureOnFailure("page-axe", async () => {
      for (const tab of [/^Gas/, /^Logs/, /^State/, /^Transfers/, /^Calls/]) {
        await showTab(tab);
        assert.deepEqual(await accessibilityFindings(demo.workbench), [], String(tab));
      }
    }));

  it("moves through the calls by keys alone: folds, finds by typing, and opens the source", () =>
    demo.workbench.keepPictureOnFailure("page-keys", async () => {
      const { keyboard } = demo.workbench.page;
      await page().getByRole("treegrid").focus();
      await keyboard.press("Home");
      await keyboard.press("ArrowLeft");
      await eventually(async () => assert.equal((await rows()).length, 1));
      await keyboard.press("ArrowRight");
      await eventually(async () => assert.equal((await rows()).length, 9));
      await keyboard.type("balanceof");
      await eventually(async () =>
        assert.match(await page().locator(".rows .focused").innerText(), /Token\.balanceOf/),
      );
      await eventually(async () => {
        // What a row cuts is said whole below the table.
        const said = await page().locator(".detail").innerText();
        assert.match(said, /0x[0-9a-fA-F]{40}/);
      });
      await keyboard.press("Home");
      await keyboard.press("Enter");
      await demo.workbench.waitForEditor(/Router\.sol/, /swapThrough/);
      await demo.workbench.page.getByRole("tab", { name: /^Transaction [\d.]+@…\d{6}$/ }).click();
    }));

  it("sees the gas drawn and summed", () =>
    demo.workbench.keepPictureOnFailure("page-gas", async () => {
      await showTab(/^Gas/);
      const bars = page().locator(".flame .bar");
      await bars.first().waitFor();
      assert.equal(await bars.count(), 9);
      const widths = await bars.evaluateAll((all) =>
        all.map(
          (one) =>
            (one as unknown as { getBoundingClientRect(): { width: number } }).getBoundingClientRect().width,
        ),
      );
      // As wide as its gas: Pool.swap used 11,794 of 161,716.
      const pool = await bars
        .filter({ hasText: /^Pool/ })
        .evaluate(
          (one) =>
            (one as unknown as { getBoundingClientRect(): { width: number } }).getBoundingClientRect().width,
        );
      assert.ok(
        Math.abs(pool / Math.max(...widths) - 11_794 / 161_716) < 0.005,
        `${pool} of ${widths.join()}`,
      );
      const sums = await page().locator(".sum").first().locator("tbody tr").allInnerTexts();
      assert.match(sums[0] ?? "", /^Token\t5\t116,670\t72\.1 %$/);
      await page().getByRole("button", { name: "Export for Speedscope" }).click();
      await demo.workbench.waitForEditor(/speedscope\.json/, /speedscope\.app/);
      await demo.workbench.page.getByRole("tab", { name: /^Transaction [\d.]+@…\d{6}$/ }).click();
    }));

  it("sees events, storage and transfers of one that went well, by name", () =>
    demo.workbench.keepPictureOnFailure("page-success", async () => {
      await open(scenes.transactionIds.swap, /Succeeded · transaction|Succeeded.*transaction/);
      await page()
        .getByRole("heading", { name: /Succeeded$/ })
        .waitFor();
      await showTab(/^Logs/);
      await eventually(async () => {
        const logs = await page().locator(".logs li").allInnerTexts();
        assert.ok(logs.length > 0);
        assert.match(logs.join("\n"), /Token \(0\.0\.\d+\) Transfer\(from: 0x[0-9a-fA-F]{4}…/);
      });
      await showTab(/^State/);
      await eventually(async () => assert.ok((await page().locator("tbody tr").count()) > 0));
      await showTab(/^Transfers/);
      await eventually(async () => {
        const moves = await page().locator("tbody tr").allInnerTexts();
        assert.match(moves.join("\n"), /−0\.\d+ ℏ\tHBAR/);
        assert.match(moves.join("\n"), /0\.0\.98\t\+0\.\d+ ℏ\tHBAR/);
      });
    }));

  it("finds the page again after the window was loaded anew, on the tab that was shown", () =>
    demo.workbench.keepPictureOnFailure("page-reload", async () => {
      await demo.workbench.reloadedBy(() => demo.workbench.runCommand("Developer: Reload Window"));
      await page()
        .getByRole("heading", { name: /Succeeded$/ })
        .waitFor();
      assert.equal(
        await page()
          .getByRole("tab", { name: /^Transfers/ })
          .getAttribute("aria-selected"),
        "true",
      );
    }));
});
