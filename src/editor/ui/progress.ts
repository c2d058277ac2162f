import * as vscode from "vscode";
import { withJointSignal } from "../../core/concurrency/jointSignal.ts";
import { Countdown } from "../../core/http/countdown.ts";
import { tellingOfLimits } from "../../core/concurrency/toldLimits.ts";
import { limitWords } from "../../core/http/rateLimits.ts";
import type { ShownText } from "../../core/text/shownText.ts";
import { checkNotStopped, stopSignal } from "./asking.ts";

/** Tells how far something is. */
type Report = (message: ShownText, increment?: number) => void;

/** Shows a message while something lasts, with a way to cancel it, which the program that called the command has, too. */
export async function withProgressMessage<T>(
  title: ShownText,
  work: (report: Report, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  checkNotStopped();
  const stop = stopSignal();
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const abort = new AbortController();
      const listening = token.onCancellationRequested(() => abort.abort());
      let said: ShownText | undefined;
      const countdown = new Countdown((wait) => {
        const waits = limitWords(wait, Date.now());
        progress.report({ message: waits ?? said ?? "" });
        return waits !== undefined;
      });
      try {
        return await tellingOfLimits(
          (limit) => countdown.begin(limit),
          () =>
            withJointSignal([abort.signal, stop], (signal) =>
              work((message, increment) => {
                said = message;
                // What is waited for stands until it is over.
                progress.report({
                  ...(!countdown.isRunning && { message }),
                  ...(increment !== undefined && { increment }),
                });
              }, signal),
            ),
        );
      } finally {
        countdown.end();
        listening.dispose();
      }
    },
  );
}

/** Shows in the status bar that something lasts. */
export async function withQuietProgress<T>(title: ShownText, work: () => Promise<T>): Promise<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, work);
}
