import * as vscode from "vscode";
import { isTrouble } from "../../core/status/statusLevel.ts";
import { statusProblems } from "../../core/status/statusProblems.ts";
import { componentGroups, singleComponents, type StatusSummary } from "../../core/status/statusSummary.ts";
import { watchedComponents } from "../../core/status/statusWatch.ts";
import { foreign, shown } from "../../core/text/shownText.ts";
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

/** The bell: mutes, and what is watched. */
export async function statusNotices(parts: Pick<StatusParts, "monitor">): Promise<void> {
  const { monitor } = parts;
  const { memory, known } = monitor;
  const now = Date.now();
  const mutedUntil = memory.mutedUntil(now);
  const open = known
    ? statusProblems(known.summary, watchedComponents(known.summary, watchChoice())).filter(
        ({ level, watched }) => watched && isTrouble(level),
      )
    : [];
  const isOn = settings.notifications;
  const choices: Choice<() => unknown>[] = [
    ...(mutedUntil === undefined
      ? [{ icon: "bell-slash", label: shown`Mute for an Hour`, value: () => memory.muteForAnHour(now) }]
      : []),
    ...(open.length > 0
      ? [
          {
            icon: "bell-slash",
            label: shown`Mute until Resolved`,
            description: foreign(open.map(({ subject }) => subject).join(", ")),
            value: () => memory.muteUntilResolved(open.map(({ key }) => key)),
          },
        ]
      : []),
    ...(mutedUntil !== undefined || open.some(({ key }) => memory.isMuted(key))
      ? [
          {
            icon: "bell",
            label: shown`Unmute`,
            description:
              mutedUntil === undefined
                ? shown``
                : shown`muted until ${new Date(mutedUntil).toLocaleTimeString()}`,
            value: () => memory.unmute(),
          },
        ]
      : []),
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

function watchText(summary: StatusSummary): string {
  const { ids, chosenBy, networkWord } = watchedComponents(summary, watchChoice());
  const count = `${ids.size.toLocaleString("en-US")} watched`;
  return chosenBy === "network" ? `${count}, those of ${networkWord ?? ""}` : count;
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
