import * as vscode from "vscode";
import { shown } from "../../core/text/shownText.ts";
import { copyText } from "../ui/clipboard.ts";

/** Puts the text of a table that is shown, by default in the active editor, on the clipboard. */
export async function copyTable(table: vscode.Uri | undefined): Promise<void> {
  const uri = table ?? vscode.window.activeTextEditor?.document.uri;
  if (!uri) return;
  const document = await vscode.workspace.openTextDocument(uri);
  await copyTableText(document.getText());
}

/** Puts a table on the clipboard. */
export async function copyTableText(markdown: string): Promise<void> {
  await copyText(markdown, shown`Table copied as Markdown`);
}
