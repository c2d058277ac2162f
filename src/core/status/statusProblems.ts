import { foreign } from "../text/shownText.ts";
import {
  componentLevel,
  impactLevel,
  isTrouble,
  severity,
  statusWords,
  type StatusLevel,
} from "./statusLevel.ts";
import {
  isInProgress,
  isOpen,
  singleComponents,
  startOf,
  timeOf,
  webAddress,
  type StatusIncident,
  type StatusSummary,
} from "./statusSummary.ts";
import { touchesWatched, type Watch } from "./statusWatch.ts";

/** One thing that is not well: a component, or an incident that no component shows. */
export interface StatusProblem {
  /** Stable from summary to summary: `component:…` or `incident:…`. */
  readonly key: string;
  /** What is not well; fit to be shown. */
  readonly subject: string;
  readonly level: StatusLevel;
  /** "partial outage", "investigating"; fit to be shown. */
  readonly words: string;
  /** When a component came into its state, or an incident began, as far as the page says; milliseconds since the epoch. */
  readonly since: number | undefined;
  readonly watched: boolean;
  /** The incident or maintenance behind it. */
  readonly incident:
    | {
        readonly id: string;
        /** Fit to be shown. */
        readonly name: string;
        /** "investigating"; fit to be shown. */
        readonly words: string;
        readonly url: string | undefined;
      }
    | undefined;
}

/** Everything that is not well now: what is watched first, and of that the worst. */
export function statusProblems(summary: StatusSummary, watch: Watch): StatusProblem[] {
  const active = [
    ...summary.incidents.filter(isOpen),
    ...summary.scheduled_maintenances.filter(isInProgress),
  ];
  const isOfInterest = touchesWatched(summary, watch);
  const behind = firstOfEach(active);
  const inTrouble = new Set<string>();
  const ofComponents = singleComponents(summary).flatMap((component): StatusProblem[] => {
    const level = componentLevel(component.status);
    if (!isTrouble(level)) return [];
    const ids = [component.id, component.group_id ?? component.id];
    for (const id of ids) inTrouble.add(id);
    const incident =
      active[ids.map((id) => behind.get(id) ?? Infinity).reduce((one, other) => Math.min(one, other))];
    return [
      {
        key: `component:${component.id}`,
        subject: foreign(component.name),
        level,
        words: statusWords(component.status),
        // An incident may have begun long before it reached this component, or after.
        since: timeOf(component.updated_at) ?? (incident && startOf(incident)),
        watched: watch.ids.has(component.id),
        incident: incident && incidentBehind(incident),
      },
    ];
  });
  const ofIncidents = active.flatMap((incident): StatusProblem[] => {
    const isMaintenance = "scheduled_for" in incident;
    // An incident that is only being watched, while every component is well again, is over for its users.
    const isShown = incident.components.some(({ id }) => inTrouble.has(id));
    if (isShown || (!isMaintenance && incident.status === "monitoring")) return [];
    const level = isMaintenance ? "maintenance" : impactLevel(incident.impact ?? "unknown");
    if (level === "well") return [];
    return [
      {
        key: `incident:${incident.id}`,
        subject: foreign(incident.name),
        level,
        words: statusWords(incident.status),
        since: startOf(incident),
        watched: isOfInterest(incident),
        incident: incidentBehind(incident),
      },
    ];
  });
  return [...ofComponents, ...ofIncidents].toSorted(
    (one, other) =>
      Number(other.watched) - Number(one.watched) || severity(other.level) - severity(one.level),
  );
}

/** The keys of what the page says something of that is no word that is known: whether that is well can't be told. */
export function unclearKeys(summary: StatusSummary): ReadonlySet<string> {
  const components = singleComponents(summary).filter(({ status }) => componentLevel(status) === "unknown");
  const incidents = summary.incidents.filter(
    (incident) => isOpen(incident) && impactLevel(incident.impact ?? "unknown") === "unknown",
  );
  return new Set([
    ...components.map(({ id }) => `component:${id}`),
    ...incidents.map(({ id }) => `incident:${id}`),
  ]);
}

/** Where the first incident is that names a component or a group, by its id: a page may have thousands of both. */
function firstOfEach(incidents: readonly StatusIncident[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const [at, { components }] of incidents.entries())
    for (const { id } of components) if (!first.has(id)) first.set(id, at);
  return first;
}

function incidentBehind(incident: StatusIncident): NonNullable<StatusProblem["incident"]> {
  return {
    id: incident.id,
    name: foreign(incident.name),
    words: statusWords(incident.status),
    url: webAddress(incident.shortlink),
  };
}
