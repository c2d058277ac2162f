import assert from "node:assert/strict";
import { eventually } from "./rig/eventually.ts";
import type { TreeRow, Workbench } from "./rig/workbench.ts";

/** Pastes something into the one box that finds everything, and waits for the row that it opens. */
export async function findAsAPerson(
  workbench: Workbench,
  { paste, offered, opens }: { paste: string; offered: RegExp; opens: RegExp },
): Promise<string> {
  await openFind(workbench);
  const box = workbench.page.locator(".quick-input-widget:visible input").first();
  // A page that is being drawn may take the keys from the box: a person sees that it is empty.
  await eventually(async () => {
    if ((await box.inputValue()) === "") await workbench.page.keyboard.insertText(paste);
    assert.equal(await box.inputValue(), paste);
  });
  // What an Enter chooses, which another entry may be until the text was read.
  await workbench.waitForFocusOn(offered);
  const [entry = ""] = await workbench.entries();
  await workbench.accept();
  await workbench.waitForRow("Ledger", opens);
  return entry;
}

/** So long the box takes to open at most, on a busy machine. */
const OPENS_WITHIN_MS = 15_000;

/** Opens the box that finds everything, again where a page that opened meanwhile took the keys. */
export async function openFind(workbench: Workbench): Promise<void> {
  await eventually(async () => {
    await workbench.runCommand("Ledger Lens: Find in Ledger…");
    await workbench.page
      .locator('.quick-input-widget:visible input[placeholder*="Paste a token"]')
      .waitFor({ timeout: OPENS_WITHIN_MS });
  });
}

/** Of the rows of the view those of the item at the top. */
export function rowsOfTopItem(rows: readonly TreeRow[]): readonly TreeRow[] {
  const next = rows.findIndex(({ level }, at) => at > 0 && level === 1);
  return next < 0 ? rows : rows.slice(0, next);
}

/** A row as it is read aloud. */
export function rowText({ label, description, level }: TreeRow): string {
  return `${"  ".repeat(level - 1)}${label}${description === "" ? "" : ` · ${description}`}`;
}
