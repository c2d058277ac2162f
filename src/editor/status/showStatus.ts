import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { NotificationMemory } from "../../core/status/notificationMemory.ts";
import { componentGroups, singleComponents, type StatusSummary } from "../../core/status/statusSummary.ts";
import { watchedComponents } from "../../core/status/statusWatch.ts";
import { foreign, shown } from "../../core/text/shownText.ts";
import { localTime } from "../../core/text/timeWords.ts";
import { type Choice, pickOne, pickSeveral } from "../ui/quickPick.ts";
import { settings } from "../settings.ts";
import type { StatusParts } from "./statusParts.ts";
import { watchChoice } from "./watchChoice.ts";

/** `ledgerLens.showStatus` `{}`: the status summary, normalised, as it is now. */
export async function showStatus({ monitor, view }: StatusParts): Promise<StatusSummary> {
  await view.reveal();
  return monitor.summary();
}

/** Shows the view and asks for what is due; what can't be asked stands in the view. */
export async function openStatus({ view }: Pick<StatusParts, "view">): Promise<void> {
  await view.reveal();
}

/** Opens the page of a row. */
export async function openOnTheWeb(url: string | undefined): Promise<void> {
  if (url !== undefined) await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

/** How long *Mute Notifications* lasts, in hours. */
const MUTE_HOURS = [1, 8, 24];

/** The bell: a mute, and what is watched. */
export async function statusNotices(parts: Pick<StatusParts, "monitor">): Promise<void> {
  const { memory, known } = parts.monitor;
  const mutedUntil = memory.mutedUntil(Date.now());
  const isOn = settings.notifications;
  const choices: Choice<() => unknown>[] = [
    mutedUntil === undefined
      ? { icon: "bell-slash", label: shown`Mute Notifications…`, value: () => askMute(memory) }
      : {
          icon: "bell",
          label: shown`Unmute Notifications`,
          description: shown`muted until ${localTime(mutedUntil, Date.now(), undefined)}`,
          value: () => memory.mute(0, Date.now()),
        },
    {
      icon: "eye",
      label: shown`Choose What to Watch…`,
      description: foreign(known ? watchText(known.summary) : ""),
      value: () => chooseWatched(parts),
    },
    {
      icon: isOn ? "circle-slash" : "bell",
      label: isOn ? shown`Turn Off Notifications` : shown`Turn On Notifications`,
      value: () => update("statusNotices", !isOn),
    },
  ];
  const chosen = await pickOne({
    title: shown`Configure Status Notifications`,
    placeholder: shown`Notifies once, after two consistent checks`,
    choices,
  });
  await chosen?.();
}

/** Mutes notifications for as long as the user chooses. */
export async function askMute(memory: NotificationMemory): Promise<void> {
  const hours = await pickOne({
    title: shown`Mute Notifications`,
    placeholder: shown`What happens meanwhile is not told afterwards`,
    choices: MUTE_HOURS.map((value) => ({
      label: value === 1 ? shown`For an Hour` : shown`For ${value} Hours`,
      value,
    })),
  });
  if (hours !== undefined) memory.mute(hours, Date.now());
}

function watchText(summary: StatusSummary): string {
  const { ids, chosenBy, networkWord } = watchedComponents(summary, watchChoice());
  const count = t`${ids.size.toLocaleString("en-US")} watched`;
  return chosenBy === "network" ? t`${count}, those of ${networkWord ?? ""}` : count;
}

/** Lets the user choose components; choosing none leaves it to the network again. */
async function chooseWatched({ monitor }: Pick<StatusParts, "monitor">): Promise<void> {
  const summary = await monitor.summary();
  const { ids } = watchedComponents(summary, watchChoice());
  const groups = componentGroups(summary);
  const choices = singleComponents(summary).map((component) => ({
    label: foreign(component.name),
    description: foreign(groups.find(({ members }) => members.includes(component))?.group?.name ?? ""),
    picked: ids.has(component.id),
    value: component.name,
  }));
  const chosen = await pickSeveral({
    title: shown`Watched Components`,
    placeholder: shown`The status bar and notifications speak of these; none leaves the choice to the network in use`,
    choices,
  });
  if (chosen) await update("watchedComponents", chosen);
}

/** Adds a component to those that are watched, or takes it away. */
export async function setWatched(
  { monitor }: Pick<StatusParts, "monitor">,
  name: string,
  isWatched: boolean,
): Promise<void> {
  const { known } = monitor;
  if (!known) return;
  const { ids } = watchedComponents(known.summary, watchChoice());
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
