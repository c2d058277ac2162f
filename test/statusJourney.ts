import type { TreeRow, Workbench } from "./rig/workbench.ts";

/** The status bar item, as the page names it. */
export const STATUS_ITEM = "ledger-lens.ledger-lens.ledgerLens.status";

/** What a person reads of the services. */
export interface StatusGlance {
  readonly bar: { readonly text: string; readonly label: string };
  readonly rows: readonly TreeRow[];
}

/** Asks for the services' state, and shows the view once the item says what is waited for. */
export async function lookAtStatus(workbench: Workbench, says = /./): Promise<void> {
  await workbench.runCommand("Ledger Lens: Show Service Status");
  // The item and the view are there before the first answer is.
  await workbench.waitForRow("Service Status", /Components/);
  await workbench.waitForStatusBar(STATUS_ITEM, says);
  await workbench.showOnly("Service Status");
}

/** Reads the status bar and the view as they are now. */
export async function statusGlance(workbench: Workbench): Promise<StatusGlance> {
  const rows = await workbench.viewRows("Service Status");
  return { bar: await workbench.statusBarItem(STATUS_ITEM), rows };
}
