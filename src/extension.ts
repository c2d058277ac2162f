import type { ExtensionContext } from "vscode";
import { Container } from "./container.ts";

let container: Container | undefined;

/** Builds the parts and registers them. Nothing is read or fetched here. */
export function activate(context: ExtensionContext): void {
  container = new Container(context);
  // Also where activation fails after this.
  context.subscriptions.push(container);
}

/** Takes everything down: no timer, connection, watcher or command is left when it has ended. */
export async function deactivate(): Promise<void> {
  await container?.end();
  container = undefined;
}
