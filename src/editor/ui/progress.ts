import * as vscode from "vscode";
import type { ShownText } from "../../core/text/shownText.ts";

/** Tells how far something is. */
type Report = (message: ShownText, increment?: number) => void;

/** Shows a message while something lasts, with a way to cancel it. */
export async function withProgressMessage<T>(
  title: ShownText,
  work: (report: Report, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const abort = new AbortController();
      const listening = token.onCancellationRequested(() => abort.abort());
      try {
        return await work(
          (message, increment) => progress.report({ message, ...(increment !== undefined && { increment }) }),
          abort.signal,
        );
      } finally {
        listening.dispose();
      }
    },
  );
}

/** Shows in the status bar that something lasts. */
export async function withQuietProgress<T>(title: ShownText, work: () => Promise<T>): Promise<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, work);
}
