import { ofRow, onRow, withArguments, type Commands } from "../ui/commands.ts";
import type { StatusSubject } from "./statusSubject.ts";
import type { StatusNode } from "./statusTree.ts";

/** The commands of the service status; their titles stand in the manifest. */
export const STATUS_COMMANDS: Commands<StatusSubject> = {
  "ledgerLens.showStatus": withArguments(({ parts, commands }) => commands.showStatus(parts)),
  "ledgerLens.openStatus": onRow(({ parts, commands }) => commands.openStatus(parts)),
  "ledgerLens.refreshStatus": onRow(({ parts }) => parts.monitor.refresh()),
  "ledgerLens.statusNotices": onRow(({ parts, commands }) => commands.statusNotices(parts)),
  "ledgerLens.openStatusRow": ofRow(({ commands }, { row }: StatusNode) => commands.openOnTheWeb(row.url)),
  "ledgerLens.copyStatusRow": ofRow(({ commands }, { row }: StatusNode) =>
    commands.copyText(row.copyText ?? row.label),
  ),
  "ledgerLens.watchComponent": ofRow(({ parts, commands }, { row }: StatusNode) =>
    commands.setWatched(parts, row.copyText ?? "", true),
  ),
  "ledgerLens.unwatchComponent": ofRow(({ parts, commands }, { row }: StatusNode) =>
    commands.setWatched(parts, row.copyText ?? "", false),
  ),
};
