import * as vscode from "vscode";
import type { ShownText } from "../../core/text/shownText.ts";

/** What an item of the status bar shows. */
export interface StatusItemModel {
  /** A codicon's name, without `$(…)`. */
  readonly icon: string;
  readonly text: ShownText;
  readonly tooltip: readonly ShownText[];
  /** For screen readers. */
  readonly accessibilityLabel: ShownText;
  readonly level: "none" | "warning" | "error";
}

/** An item of the status bar, which the editor reads icons in. */
export class StatusItem implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;

  constructor(id: string, name: ShownText, command: string) {
    this.#item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, 1);
    this.#item.name = name;
    this.#item.command = command;
  }

  draw({ icon, text, tooltip, accessibilityLabel, level }: StatusItemModel): void {
    this.#item.text = `$(${icon}) ${text}`;
    this.#item.tooltip = tooltip.join("\n");
    this.#item.accessibilityInformation = { label: accessibilityLabel, role: "button" };
    this.#item.backgroundColor =
      level === "none" ? undefined : new vscode.ThemeColor(`statusBarItem.${level}Background`);
  }

  show(isShown: boolean): void {
    if (isShown) this.#item.show();
    else this.#item.hide();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

const PASSING_MS = 4_000;

/** Tells something small in the status bar, for a while. */
export function tellInPassing(message: ShownText): void {
  vscode.window.setStatusBarMessage(message, PASSING_MS);
}
