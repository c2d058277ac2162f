import * as vscode from "vscode";
import type { NotificationMemory } from "../../core/status/notificationMemory.ts";
import type { StatusNotification } from "../../core/status/statusNotifications.ts";
import { askMute } from "./showStatus.ts";
import { showMessage } from "../ui/notifications.ts";
import { shown } from "../../core/text/shownText.ts";

/** Tells a change of the services' state, with what can be done about it. */
export async function showNotification(
  { level, kind, message, url }: StatusNotification,
  memory: NotificationMemory,
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
    ...(kind === "recovery" ? [] : [{ label: shown`Mute…`, run: () => askMute(memory) }]),
  );
}
