import * as vscode from "vscode";
import type { ShownText } from "../../core/text/shownText.ts";

/** A button of a message, and what it does. */
export interface MessageButton {
  readonly label: ShownText;
  readonly run: () => unknown;
}

type MessageLevel = "information" | "warning" | "error";

/**
 * Shows a message. The editor makes a link of every `[text](command:…)` in it, so only text that is fit to be shown
 * comes here. Resolves when what the chosen button does is done, or when the message is gone.
 */
export async function showMessage(
  level: MessageLevel,
  message: ShownText,
  ...buttons: readonly MessageButton[]
): Promise<void> {
  const labels = buttons.map(({ label }) => label);
  const chosen = await shownAs(level, message, labels);
  await buttons.find(({ label }) => label === chosen)?.run();
}

function shownAs(
  level: MessageLevel,
  message: ShownText,
  labels: readonly ShownText[],
): Thenable<string | undefined> {
  switch (level) {
    case "information":
      return vscode.window.showInformationMessage(message, ...labels);
    case "warning":
      return vscode.window.showWarningMessage(message, ...labels);
    case "error":
      return vscode.window.showErrorMessage(message, ...labels);
  }
}
