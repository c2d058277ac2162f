import { t } from "@vscode/l10n";
import { shown } from "../text/shownText.ts";

/** What the calm item of the status bar is called. */
export const CALM_TEXT = "Ledger Lens";

/** What it tells before anything was asked. */
export function notChecked(): string {
  return t`Not checked yet`;
}

/**
 * The item of the status bar before anything was asked, which is there before the code of the status is. Made when it is
 * asked for: this module may be read before the texts of the editor's language are there.
 */
export function initialItem() {
  return {
    icon: "circle-outline",
    text: shown`${CALM_TEXT}`,
    tooltip: [shown`${notChecked()}`],
    accessibilityLabel: shown`Service status: ${notChecked()}`,
    level: "none",
  } as const;
}
