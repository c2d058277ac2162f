import { t } from "@vscode/l10n";
import type { ExplorerVerification } from "../service/explorerVerification.ts";

/** What became of a verification at an explorer, in words and as an icon. */
export const EXPLORER_WORDS: Readonly<
  Record<ExplorerVerification["state"], { readonly icon: string; readonly words: string }>
> = {
  waiting: { icon: "circle-outline", words: t`not told yet` },
  submitted: { icon: "link-external", words: t`submitted` },
  verified: { icon: "pass", words: t`already verified there` },
  failed: { icon: "warning", words: t`not taken` },
};
