import * as vscode from "vscode";

/** Puts the text of a table that is shown, by default in the active editor, on the clipboard. */
export async function copyTable(table: vscode.Uri | undefined): Promise<void> {
  const uri = table ?? vscode.window.activeTextEditor?.document.uri;
  if (!uri) return;
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.env.clipboard.writeText(document.getText());
}
