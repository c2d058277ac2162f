import * as vscode from "vscode";
import type { Parts } from "../../container.ts";
import { isTrouble } from "../../core/status/statusLevel.ts";
import { statusProblems } from "../../core/status/statusProblems.ts";
import { componentGroups, singleComponents, type StatusSummary } from "../../core/status/statusSummary.ts";
import { watchedComponents } from "../../core/status/statusWatch.ts";
import { visibleText } from "../../core/visibleText.ts";
import { settings } from "../settings.ts";
import type { StatusNode } from "../views/statusView.ts";

/** `ledgerLens.showStatus` `{}`: the status summary, normalised, as it is now. */
export async function showStatus({ status }: Parts): Promise<StatusSummary> {
  await status.view.reveal();
  return status.monitor.summary();
}

/** Shows the view and asks for what is due; what can't be asked stands in the view. */
export async function openStatus({ status }: Parts): Promise<void> {
  await status.view.reveal();
}

/** Commands of the rows of the status view. */
export const STATUS_ROW_COMMANDS: Readonly<
  Record<string, readonly [title: string, command: (parts: Parts, node: StatusNode) => unknown]>
> = {
  "ledgerLens.openStatusRow": ["Open in Browser", (_parts, { row }) => openOnTheWeb(row.url)],
  "ledgerLens.copyStatusRow": [
    "Copy",
    (_parts, { row }) => vscode.env.clipboard.writeText(row.copyText ?? row.label),
  ],
  "ledgerLens.watchComponent": ["Watch", (parts, { row }) => setWatched(parts, row.copyText ?? "", true)],
  "ledgerLens.unwatchComponent": [
    "Stop Watching",
    (parts, { row }) => setWatched(parts, row.copyText ?? "", false),
  ],
};

async function openOnTheWeb(url: string | undefined): Promise<void> {
  if (url !== undefined) await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

/** The bell: mutes, quiet hours and what is watched. */
export async function statusNotices(parts: Parts): Promise<void> {
  const { monitor } = parts.status;
  const { memory, known } = monitor;
  const now = Date.now();
  const mutedUntil = memory.mutedUntil(now);
  const open = known
    ? statusProblems(known.summary, watchedComponents(known.summary, settings.watch)).filter(
        ({ level, watched }) => watched && isTrouble(level),
      )
    : [];
  const { isOn, quietHours } = settings.notices;
  const items: (vscode.QuickPickItem & { readonly run: () => unknown })[] = [
    ...(mutedUntil === undefined
      ? [{ label: "$(bell-slash) Mute for an Hour", run: () => memory.muteForAnHour(now) }]
      : []),
    ...(open.length > 0
      ? [
          {
            label: "$(bell-slash) Mute until Resolved",
            description: open.map(({ subject }) => subject).join(", "),
            run: () => memory.muteUntilResolved(open.map(({ key }) => key)),
          },
        ]
      : []),
    ...(mutedUntil !== undefined || open.some(({ key }) => memory.isMuted(key))
      ? [
          {
            label: "$(bell) Unmute",
            description:
              mutedUntil === undefined ? "" : `muted until ${new Date(mutedUntil).toLocaleTimeString()}`,
            run: () => memory.unmute(),
          },
        ]
      : []),
    {
      label: "$(eye) Choose What to Watch…",
      description: known ? watchText(known.summary) : "",
      run: () => chooseWatched(parts),
    },
    {
      label: "$(clock) Quiet Hours…",
      description: quietHours === "" ? "none" : quietHours,
      run: () => vscode.commands.executeCommand("workbench.action.openSettings", "ledgerLens.quietHours"),
    },
    {
      label: isOn ? "$(circle-slash) Turn Notices Off" : "$(bell) Turn Notices On",
      run: () => update("statusNotices", !isOn),
    },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: "Notices of Service Status",
    placeHolder: "Changes are told once, after two looks agree",
  });
  await chosen?.run();
}

function watchText(summary: StatusSummary): string {
  const { ids, chosenBy, networkWord } = watchedComponents(summary, settings.watch);
  const count = `${ids.size.toLocaleString("en-US")} watched`;
  return chosenBy === "network" ? `${count}, those of ${networkWord ?? ""}` : count;
}

/** Lets the user choose components; choosing none leaves it to the network again. */
async function chooseWatched({ status }: Parts): Promise<void> {
  const summary = await status.monitor.summary();
  const { ids } = watchedComponents(summary, settings.watch);
  const groups = componentGroups(summary);
  const items = singleComponents(summary).map((component) => ({
    label: visibleText(component.name),
    description: visibleText(groups.find(({ members }) => members.includes(component))?.group?.name ?? ""),
    picked: ids.has(component.id),
    name: component.name,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: "Watched Components",
    placeHolder: "The status bar and notices speak of these; none leaves the choice to the network in use",
    canPickMany: true,
  });
  if (chosen)
    await update(
      "watchedComponents",
      chosen.map(({ name }) => name),
    );
}

async function setWatched({ status }: Parts, name: string, isWatched: boolean): Promise<void> {
  const { known } = status.monitor;
  if (!known) return;
  const { ids } = watchedComponents(known.summary, settings.watch);
  const names = singleComponents(known.summary)
    .filter(({ id }) => ids.has(id))
    .map((component) => component.name)
    .filter((other) => other !== name);
  await update("watchedComponents", isWatched ? [...names, name] : names);
}

async function update(setting: string, value: unknown): Promise<void> {
  await vscode.workspace
    .getConfiguration("ledgerLens")
    .update(setting, value, vscode.ConfigurationTarget.Global);
}
