import * as vscode from "vscode";
import type { NoticeMemory } from "../core/status/noticeMemory.ts";
import type { StatusNotice } from "../core/status/statusNotices.ts";

/** Tells a change of the services' state, with what can be done about it. */
export async function showNotice(
  { level, kind, message, url, keys }: StatusNotice,
  memory: NoticeMemory,
): Promise<void> {
  const buttons = [
    ...(url === undefined ? [] : ["Open Status Page"]),
    ...(kind === "recovery" ? [] : ["Mute for an Hour", "Mute until Resolved"]),
  ];
  const show =
    level === "error"
      ? vscode.window.showErrorMessage
      : level === "warning"
        ? vscode.window.showWarningMessage
        : vscode.window.showInformationMessage;
  const choice = await show(message, ...buttons);
  if (choice === "Open Status Page" && url !== undefined)
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
  if (choice === "Mute for an Hour") memory.muteForAnHour(Date.now());
  if (choice === "Mute until Resolved") memory.muteUntilResolved(keys);
}
