import type { TreeRow, Workbench } from "./rig/workbench.ts";

/** Pastes something into the one box that finds everything, and waits for the row that it opens. */
export async function findAsAPerson(
  workbench: Workbench,
  { paste, offered, opens }: { paste: string; offered: RegExp; opens: RegExp },
): Promise<string> {
  await workbench.runCommand("Ledger Lens: Find in Ledger…");
  await workbench.waitForQuestion("Paste a token");
  await workbench.page.keyboard.insertText(paste);
  await workbench.waitForEntry(offered);
  const [entry = ""] = await workbench.entries();
  await workbench.accept();
  await workbench.waitForRow("Ledger", opens);
  return entry;
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
