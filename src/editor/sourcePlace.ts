import * as vscode from "vscode";
import type { DefinitionPlace } from "../core/text/definitionPlace.ts";
import { uriOf } from "./workspaceFiles.ts";

/** Opens a file where something is defined. */
export async function goToPlace({ path, line, character }: DefinitionPlace): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uriOf(path));
  const position = new vscode.Position(line, character);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(position, position) });
}
