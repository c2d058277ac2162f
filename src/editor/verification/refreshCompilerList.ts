import { t } from "@vscode/l10n";
import { listed } from "../../core/text/counted.ts";
import { showMessage } from "../ui/notifications.ts";
import { withQuietProgress } from "../ui/progress.ts";
import { foreignSentence, joined, shown } from "../../core/text/shownText.ts";
import type { CompilerListParts } from "./verificationParts.ts";

/** What `refreshCompilerList` resolves to: how many releases are known, and those that were not known before. */
interface RefreshedCompilers {
  readonly solc: number;
  readonly vyper: number;
  readonly added: readonly string[];
}

/** `ledgerLens.refreshCompilerList` `{}`: fetches the lists of released compilers, which is never done unasked. */
export async function refreshCompilerList(parts: CompilerListParts): Promise<RefreshedCompilers> {
  const { lists, added } = await withQuietProgress(shown`Fetching the lists of compilers`, () =>
    parts.refreshCompilers(),
  );
  const names = [...added.solc.map((one) => `solc ${one}`), ...added.vyper.map((one) => `vyper ${one}`)];
  const news = names.length === 0 ? t`There is no new compiler.` : t`New: ${listed(names.toReversed(), 5)}.`;
  const known = shown`Known are ${lists.solc.length.toLocaleString("en-US")} releases of solc and ${lists.vyper.length.toLocaleString("en-US")} of Vyper.`;
  void showMessage("information", joined([foreignSentence(news), known], " "));
  return { solc: lists.solc.length, vyper: lists.vyper.length, added: names };
}
