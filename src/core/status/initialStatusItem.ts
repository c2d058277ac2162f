import { t } from "@vscode/l10n";
import { shown } from "../text/shownText.ts";

/** What the calm item of the status bar is called. */
export const CALM_TEXT = t`Ledger Lens`;

/** What it tells before anything was asked. */
export const NOT_CHECKED = t`Not checked yet`;

/** The item of the status bar before anything was asked, which is there before the code of the status is. */
export const INITIAL_ITEM = {
  icon: "circle-outline",
  text: shown`${CALM_TEXT}`,
  tooltip: [shown`${NOT_CHECKED}`],
  accessibilityLabel: shown`Service status: ${NOT_CHECKED}`,
  level: "none",
} as const;
