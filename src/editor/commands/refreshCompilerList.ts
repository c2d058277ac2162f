import * as vscode from "vscode";
import type { Parts } from "../../container.ts";
import { visibleText } from "../../core/visibleText.ts";

/** What `refreshCompilerList` resolves to: how many releases are known, and those that were not known before. */
export interface RefreshedCompilers {
  readonly solc: number;
  readonly vyper: number;
  readonly added: readonly string[];
}

/** `ledgerLens.refreshCompilerList` `{}`: fetches the lists of released compilers, which is never done unasked. */
export async function refreshCompilerList(parts: Parts): Promise<RefreshedCompilers> {
  const { lists, added } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: "Fetching the lists of compilers" },
    () => parts.refreshCompilers(),
  );
  const names = [...added.solc.map((one) => `solc ${one}`), ...added.vyper.map((one) => `vyper ${one}`)];
  const news =
    names.length === 0
      ? "There is no new compiler."
      : `New: ${names.slice(-5).join(", ")}${names.length > 5 ? ` and ${(names.length - 5).toLocaleString("en-US")} more` : ""}.`;
  void vscode.window.showInformationMessage(
    visibleText(
      `${news} Known are ${lists.solc.length.toLocaleString("en-US")} releases of solc and ${lists.vyper.length.toLocaleString("en-US")} of Vyper.`,
    ),
  );
  return { solc: lists.solc.length, vyper: lists.vyper.length, added: names };
}
