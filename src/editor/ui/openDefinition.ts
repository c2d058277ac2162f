import * as vscode from "vscode";
import type { DefinitionPlace } from "../../core/text/definitionPlace.ts";
import { uriOf } from "../workspaceFiles.ts";

/** Opens a file of the workspace where something is defined. */
export async function openDefinition({ path, line, character }: DefinitionPlace): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uriOf(path));
  const position = new vscode.Position(line, character);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(position, position) });
}
