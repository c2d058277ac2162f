import { t } from "@vscode/l10n";
import type { ExplorerVerification } from "../service/explorerVerification.ts";

/** What became of a verification at an explorer, as an icon. */
export const EXPLORER_ICONS: Readonly<Record<ExplorerVerification["state"], string>> = {
  waiting: "circle-outline",
  submitted: "link-external",
  verified: "pass",
  failed: "warning",
};

/** The same in words: "not verified there: Max rate limit reached" */
export function explorerInWords({ state, reason }: Pick<ExplorerVerification, "state" | "reason">): string {
  switch (state) {
    case "waiting":
      return t`not told yet`;
    case "submitted":
      return t`submitted`;
    case "verified":
      return t`verified there already`;
    case "failed":
      return reason === undefined
        ? t`not verified there, without a reason`
        : t`not verified there: ${reason}`;
  }
}
