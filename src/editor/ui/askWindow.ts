import * as vscode from "vscode";

/** Resolves once the window has told what it had to tell: any command that it runs is answered behind what it told before. */
export const askWindow = () => vscode.commands.executeCommand("setContext", "ledgerLens.listIsDrawn", true);
