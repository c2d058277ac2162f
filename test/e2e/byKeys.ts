import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { eventually } from "../rig/eventually.ts";
import type { Workbench } from "../rig/workbench.ts";

/** What did not come of a step by then is done again. */
const AGAIN_MS = 2_000;
/** So many times Tab is pressed on the way to an element of a page at most. */
const MAX_TABS = 60;

/** Goes to a row of a view by keys alone: the command that focuses the view, and the arrows. */
export async function goToRow(workbench: Workbench, view: string, row: RegExp): Promise<void> {
  const { page } = workbench;
  const pane = page.locator(".split-view-view .pane", {
    has: page.locator(`.pane-header[aria-label*="${view}"]`),
  });
  const list = pane.locator(".monaco-list:focus-within");
  // A section that was folded has no list yet: a person does it again.
  await eventually(async () => {
    await workbench.runCommand(`Focus on ${view} View`);
    await list.waitFor({ timeout: AGAIN_MS });
  });
  await page.keyboard.press("Home");
  const focused = list.locator(".monaco-list-row.focused");
  await eventually(async () => {
    const text = (await focused.allTextContents()).join("");
    if (row.test(text)) return;
    await page.keyboard.press("ArrowDown");
    throw new Error(`the focus is on ${text}`);
  });
}

/** Chooses an entry of the menu of the row that has the focus, by keys alone. */
export async function chooseByKeys({ page }: Workbench, entry: string): Promise<void> {
  const focused = page.locator(".monaco-menu .action-item.focused");
  await eventually(async () => {
    if (!(await page.locator(".monaco-menu").isVisible())) {
      await page.keyboard.press("Shift+F10");
      await page.locator(".monaco-menu").waitFor({ timeout: AGAIN_MS });
    }
    const text = (await focused.allTextContents()).join("");
    if (text.includes(entry)) return;
    await page.keyboard.press("ArrowDown");
    throw new Error(`the menu is at ${text}`);
  });
  await page.keyboard.press("Enter");
  await page.locator(".monaco-menu").waitFor({ state: "hidden" });
}

/** Goes to an element of the page in the editor area by Tab alone. */
export async function tabTo(workbench: Workbench, element: Locator): Promise<void> {
  await workbench.runCommand("View: Focus Active Editor Group");
  await element.waitFor();
  let presses = 0;
  await eventually(async () => {
    if (
      await element.evaluate((one: object) =>
        (one as { matches(selector: string): boolean }).matches(":focus"),
      )
    )
      return;
    assert.ok(presses++ < MAX_TABS, "Tab never comes to it");
    await workbench.page.keyboard.press("Tab");
    throw new Error("the focus is elsewhere");
  });
}
