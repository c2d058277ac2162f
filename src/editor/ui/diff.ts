import * as vscode from "vscode";
import type { ShownText } from "../../core/text/shownText.ts";

/** Shows two documents side by side. */
export async function showDiff(left: vscode.Uri, right: vscode.Uri, title: ShownText): Promise<void> {
  await vscode.commands.executeCommand("vscode.diff", left, right, title);
}
