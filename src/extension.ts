import "./editor/ui/displayLanguage.ts";
import type { ExtensionContext } from "vscode";
import { Container } from "./container.ts";
import { exportedApi } from "./exportedApi.ts";
import type { LedgerLensApi } from "./ledgerLensApi.ts";

let container: Container | undefined;

/** Builds the parts and registers them. Nothing is read or fetched here. Answers what other extensions may call. */
export function activate(context: ExtensionContext): LedgerLensApi {
  container = new Container(context);
  // Also where activation fails after this.
  context.subscriptions.push(container);
  return exportedApi();
}

/** Takes everything down: no timer, connection, watcher or command is left when it has ended. */
export async function deactivate(): Promise<void> {
  await container?.end();
  container = undefined;
}
