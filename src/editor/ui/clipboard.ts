import * as vscode from "vscode";
import type { ShownText } from "../../core/text/shownText.ts";
import { tellInPassing } from "./statusItem.ts";

/**
 * Puts a text on the clipboard and tells so, since nothing else on the screen changes.
 *
 * @param told "Address copied"
 * @returns `told`, for a page that tells it, too.
 */
export async function copyText(text: string, told: ShownText): Promise<ShownText> {
  await vscode.env.clipboard.writeText(text);
  tellInPassing(told);
  return told;
}
