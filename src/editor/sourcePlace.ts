import * as vscode from "vscode";
import type { SourcePlace } from "../core/ledger/names/nameSource.ts";
import { uriOf } from "./workspaceFiles.ts";

/** Opens a file where something is defined. */
export async function goToPlace({ path, line, character = 0 }: SourcePlace): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uriOf(path));
  const position = new vscode.Position(line, character);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(position, position) });
}
