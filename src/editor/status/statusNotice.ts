import * as vscode from "vscode";
import type { NoticeMemory } from "../../core/status/noticeMemory.ts";
import type { StatusNotice } from "../../core/status/statusNotices.ts";
import { showMessage } from "../ui/notifications.ts";
import { shown } from "../../core/text/shownText.ts";

/** Tells a change of the services' state, with what can be done about it. */
export async function showNotice(
  { level, kind, message, url, keys }: StatusNotice,
  memory: NoticeMemory,
): Promise<void> {
  await showMessage(
    level === "info" ? "information" : level,
    message,
    ...(url === undefined
      ? []
      : [
          {
            label: shown`Open Status Page`,
            run: () => vscode.env.openExternal(vscode.Uri.parse(url, true)),
          },
        ]),
    ...(kind === "recovery"
      ? []
      : [
          { label: shown`Mute for an Hour`, run: () => memory.muteForAnHour(Date.now()) },
          { label: shown`Mute until Resolved`, run: () => memory.muteUntilResolved(keys) },
        ]),
  );
}
