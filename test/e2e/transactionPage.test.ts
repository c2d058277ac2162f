import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { LedgerScenes } from "../sandbox/ledger/ledgerScenes.ts";
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

  it("reads why it failed, where, and what it cost, without unfolding anything", () =>
    demo.workbench.keepPictureOnFailure("page-slippage", async () => {
      await findAsAPerson(demo.workbench, {
        paste: scenes.transactionIds.slippage,
        offered: /\d/,
        opens: /Transaction.*Reverted in/,
      });
      const page = demo.workbench.editorPage();
      await page.getByRole("heading", { name: /^✕? ?Reverted: .+ in Pool\.swap$/ }).waitFor();
      await demo.workbench.page.screenshot({ path: "/tmp/page1.png" });
      await page.getByRole("tab", { name: /Gas/ }).click();
      await demo.workbench.page.screenshot({ path: "/tmp/page2.png" });
      await page.getByRole("tab", { name: /Transfers/ }).click();
      await demo.workbench.page.screenshot({ path: "/tmp/page3.png" });
      await page.getByRole("tab", { name: /Logs/ }).click();
      await demo.workbench.page.screenshot({ path: "/tmp/page4.png" });
      assert.ok(true);
    }));
});
