import * as vscode from "vscode";
import { logText } from "../../core/text/documentText.ts";

/** The log channel. What is written to it may come from anywhere and be long. */
export class Log implements vscode.Disposable {
  readonly #channel: vscode.LogOutputChannel;

  constructor(name: string) {
    this.#channel = vscode.window.createOutputChannel(name, { log: true });
  }

  error(said: unknown): void {
    this.#channel.error(entry(said));
  }

  warn(said: string): void {
    this.#channel.warn(entry(said));
  }

  info(said: string): void {
    this.#channel.info(entry(said));
  }

  debug(said: string): void {
    this.#channel.debug(entry(said));
  }

  show(preserveFocus = false): void {
    this.#channel.show(preserveFocus);
  }

  dispose(): void {
    this.#channel.dispose();
  }
}

/** What hides in a text is visible in the log, and no line of it passes for an entry of its own. */
function entry(said: unknown): string {
  return logText(said instanceof Error ? (said.stack ?? said.message) : String(said));
}
