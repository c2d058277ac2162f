import type * as vscode from "vscode";
import type { ShownText } from "../../core/text/shownText.ts";

/** What stands beside a view's title, and above its rows. */
export function describeView(
  view: Pick<vscode.TreeView<unknown>, "description" | "message">,
  { description, message }: { readonly description: ShownText; readonly message: ShownText },
): void {
  view.description = description;
  view.message = message;
}
