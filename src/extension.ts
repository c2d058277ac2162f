import type { ExtensionContext } from "vscode";
import { Container } from "./container.ts";

/** Builds the parts and registers them. Nothing is read or fetched here. */
export function activate(context: ExtensionContext): void {
  context.subscriptions.push(new Container(context));
}
