import { t } from "@vscode/l10n";
import { rowText } from "../rows/ledgerRow.ts";
import {
  beginning,
  foreign,
  foreignLines,
  foreignSentence,
  joined,
  MAX_LINE_CHARACTERS,
  shown,
  type ShownText,
} from "../text/shownText.ts";
import { listed } from "../text/counted.ts";
import { textOfHtml } from "../text/htmlText.ts";
import { rowsOf } from "../rows/faultRow.ts";
import type { NodeHealth, ServiceHealth } from "./serviceHealth.ts";
import { healthWords, serviceName } from "./statusBarText.ts";
import {
  componentLevel,
  impactLevel,
  isTrouble,
  levelColor,
  levelIcon,
  statusWords,
  worstLevel,
  type StatusLevel,
} from "./statusLevel.ts";
import type { StatusRow } from "./statusRow.ts";
import { isOtherForm, isStale, type StatusState } from "./statusState.ts";
import {
  componentGroups,
  isInProgress,
  isOpen,
  startOf,
  timeOf,
  webAddress,
  type LeftOut,
  type StatusComponent,
  type StatusDate,
  type StatusIncident,
  type StatusMaintenance,
  type StatusSummary,
  type StatusUpdate,
} from "./statusSummary.ts";
import { watchedComponents, type Watch, type WatchChoice } from "./statusWatch.ts";
import {
  agoWords,
  countdownWords,
  durationWords,
  exactTime,
  localSpan,
  localTime,
  nextWordsAt,
  type TimeZone,
} from "../text/timeWords.ts";
import { capitalised } from "../text/capitalised.ts";

/** The time for which rows are made. */
interface Moment {
  readonly now: number;
  readonly timeZone?: TimeZone;
}

/**
 * The rows of the status view: the page, from its own verdict down to its components, and the user's other services.
 *
 * @param isHederaUsed whether Hedera is used here, of which the page and the ledger tell; else both stand behind the verification
 * service
 */
export function statusRows(
  state: StatusState,
  choice: WatchChoice,
  moment: Moment,
  { isHederaUsed = true }: { readonly isHederaUsed?: boolean } = {},
): StatusRow[] {
  const page = pageRows(state, choice, moment, isHederaUsed);
  const services = servicesRow(state, moment, isHederaUsed);
  return isHederaUsed ? [...page, services] : [services, ...page];
}

function pageRows(
  state: StatusState,
  choice: WatchChoice,
  moment: Moment,
  isHederaUsed: boolean,
): StatusRow[] {
  const { summary } = state;
  if (!summary) return [unknownRow(state)];
  const watch = watchedComponents(summary, choice);
  const incidents = summary.incidents.filter(isOpen);
  const maintenances = summary.scheduled_maintenances.filter(isOpen);
  return [
    overallRow(state, summary, moment, isHederaUsed),
    ...listRow(
      "incidents",
      shown`Incidents`,
      rowsOf(incidents, eventId("incident"), (incident) => incidentRow(incident, moment)),
    ),
    ...listRow(
      "maintenance",
      shown`Maintenance`,
      rowsOf(maintenances, eventId("maintenance"), (one) => maintenanceRow(one, moment)),
    ),
    ...componentsRow(summary, watch, moment),
    ...leftOutRow(summary),
  ];
}

const eventId =
  (kind: "incident" | "maintenance") =>
  ({ id }: StatusIncident) =>
    `${kind} ${id}`;
const updateId = ({ id }: StatusUpdate) => `update ${id}`;
const componentId = ({ id }: StatusComponent) => `component ${id}`;

/** The row of a list; none for an empty one. */
function listRow(id: string, label: ShownText, children: readonly StatusRow[]): StatusRow[] {
  const description = shown`${children.length.toLocaleString("en-US")}`;
  const row = { id, label, description, expanded: true, children: distinct(children), context: "list" };
  return children.length === 0 ? [] : [row];
}

const LEFT_OUT: Readonly<Record<LeftOut, string>> = {
  components: "components",
  incidents: "incidents",
  scheduled_maintenances: "maintenances",
};

/** What of a very large page is not among the rows. */
function leftOutRow({ left_out: leftOut = {} }: StatusSummary): StatusRow[] {
  const left = (Object.keys(LEFT_OUT) as LeftOut[]).flatMap((kind) => {
    const count = leftOut[kind] ?? 0;
    return count === 0 ? [] : [`${count.toLocaleString("en-US")} ${LEFT_OUT[kind]}`];
  });
  if (left.length === 0) return [];
  return [
    {
      id: "left out",
      label: shown`Not shown`,
      description: foreign(t`${left.join(", ")} more`),
      icon: "ellipsis",
      context: "leftOut",
    },
  ];
}

/** What stands in place of a state that a page in another form may have. */
const OTHER_FORM = t`not a Statuspage summary`;

function unknownRow(state: StatusState): StatusRow {
  const { host, miss, offline, checking } = state;
  const page = foreign(host);
  if (offline) {
    return {
      id: "overall",
      label: shown`Offline`,
      description: shown`no service can be reached from this machine`,
      icon: "debug-disconnect",
      context: "overall",
    };
  }
  if (checking && !miss) {
    return { id: "overall", label: shown`Asking ${page}…`, icon: levelIcon("unknown"), context: "overall" };
  }
  const isOther = isOtherForm(state);
  return {
    id: "overall",
    label: miss ? shown`State unknown` : shown`Not checked yet`,
    description: checking ? shown`asking ${page}` : isOther ? shown`${page} · ${OTHER_FORM}` : page,
    icon: levelIcon("unknown"),
    context: "overall",
    ...(miss && { tooltip: [foreignSentence(miss.message)] }),
  };
}

/** @param isUsed whether what the page tells of is used here; else its verdict is said of that alone, which is named first */
function overallRow(
  state: StatusState,
  summary: StatusSummary,
  { now, timeZone }: Moment,
  isUsed: boolean,
): StatusRow {
  const { page, status } = summary;
  const isOther = isOtherForm(state);
  const level = isOther ? "unknown" : impactLevel(status.indicator);
  const updatedAt = timeOf(page.updated_at);
  const { confirmedAt = now } = state;
  const url = webAddress(page.url);
  const description = state.offline
    ? shown`offline · ${durationWords(now - confirmedAt)} old`
    : isOther
      ? shown`${OTHER_FORM} · what is below is ${durationWords(now - confirmedAt)} old`
      : isStale(state)
        ? shown`${durationWords(now - confirmedAt)} old · the page does not answer`
        : updatedAt === undefined
          ? isUsed
            ? shown`${page.name}, checked ${agoWords(confirmedAt, now)}`
            : shown`checked ${agoWords(confirmedAt, now)}`
          : isUsed
            ? shown`${page.name}, updated ${agoWords(updatedAt, now)}`
            : shown`updated ${agoWords(updatedAt, now)}`;
  const verdict = isOther ? shown`State unknown` : rowText(status.description);
  const color = levelColor(level);
  const tells = state.offline || isStale(state) || updatedAt === undefined ? confirmedAt : updatedAt;
  return {
    id: "overall",
    changesAt: nextWordsAt([tells], now, timeZone),
    ...(isUsed
      ? { label: verdict, description }
      : { label: rowText(page.name), description: joined([verdict, description], " · ") }),
    icon: levelIcon(level),
    ...(color && !isStale(state) && { color }),
    tooltip: [
      shown`${page.name}: ${verdict}`,
      ...(updatedAt === undefined ? [] : [shown`Updated ${exactTime(updatedAt, timeZone)}`]),
      shown`Checked ${exactTime(confirmedAt, timeZone)}`,
      ...(state.miss ? [foreignSentence(state.miss.message)] : []),
    ],
    context: url === undefined ? "overall" : "overall.web",
    copyText: status.description,
    ...(url !== undefined && { url }),
  };
}

function incidentRow(incident: StatusIncident, moment: Moment): StatusRow {
  const { now, timeZone } = moment;
  const startedAt = startOf(incident);
  const since =
    startedAt === undefined
      ? ""
      : t` · since ${localTime(startedAt, now, timeZone)} (${durationWords(now - startedAt)})`;
  const level = impactLevel(incident.impact ?? "unknown");
  // What is affected first: a narrow view cuts the end.
  const words = shown`${affectedWords(incident)}${statusWords(incident.status)}${since}`;
  const row = eventRow(incident, "incident", level, words, moment, [
    ...(incident.impact === null ? [] : [shown`Impact: ${statusWords(incident.impact)}`]),
    ...dateLines(
      [
        [t`Began`, incident.started_at ?? incident.created_at],
        [t`Updated`, incident.updated_at],
      ],
      timeZone,
    ),
  ]);
  return startedAt === undefined ? row : { ...row, changesAt: nextWordsAt([startedAt], now, timeZone) };
}

/** How many components the row of an incident names; its tooltip names all. */
const MAX_AFFECTED = 2;
const AFFECTED_CHARACTERS = 40;

/** "HashScan Mainnet, Mirror Node REST API Public Mainnet and 2 more · "; nothing where none is named. */
function affectedWords({ components }: StatusIncident): string {
  const singles = components.filter(({ group }) => !group);
  const names = (singles.length > 0 ? singles : components).map(({ name }) =>
    beginning(foreign(name), AFFECTED_CHARACTERS),
  );
  return names.length === 0 ? "" : `${listed(names, MAX_AFFECTED)} · `;
}

function maintenanceRow(maintenance: StatusMaintenance, moment: Moment): StatusRow {
  const { now, timeZone } = moment;
  const words = foreign(maintenanceWords(maintenance, moment));
  const row = eventRow(maintenance, "maintenance", "maintenance", words, moment, [
    shown`State: ${statusWords(maintenance.status)}`,
    ...dateLines(
      [
        [t`From`, maintenance.scheduled_for],
        [t`Until`, maintenance.scheduled_until],
      ],
      timeZone,
    ),
  ]);
  const times = [timeOf(maintenance.scheduled_for), timeOf(maintenance.scheduled_until)];
  const told = times.filter((at) => at !== undefined);
  return told.length === 0 ? row : { ...row, changesAt: nextWordsAt(told, now, timeZone) };
}

/** "tomorrow 19:00–19:40 · in 1 day", "in progress until 19:40 · 12 min left". */
function maintenanceWords(maintenance: StatusMaintenance, { now, timeZone }: Moment): string {
  const from = timeOf(maintenance.scheduled_for);
  const until = timeOf(maintenance.scheduled_until);
  const words = statusWords(maintenance.status);
  if (isInProgress(maintenance)) {
    if (until === undefined) return words;
    return until > now
      ? t`${words} until ${localTime(until, now, timeZone)} · ${durationWords(until - now)} left`
      : t`${words} · was to end at ${localTime(until, now, timeZone)}, ${agoWords(until, now)}`;
  }
  if (from === undefined) return words;
  const span =
    until === undefined || until < from
      ? localTime(from, now, timeZone)
      : localSpan(from, until, now, timeZone);
  const known = /^scheduled$/i.test(maintenance.status.trim()) ? "" : `${words} · `;
  return from > now
    ? `${known}${span} · ${countdownWords(from, now)}`
    : t`${known}${span} · was to begin ${agoWords(from, now)}`;
}

function eventRow(
  incident: StatusIncident,
  kind: "incident" | "maintenance",
  level: StatusLevel,
  description: ShownText,
  moment: Moment,
  facts: readonly ShownText[],
): StatusRow {
  const url = webAddress(incident.shortlink);
  const color = levelColor(level);
  const affected = incident.components.map(({ name }) => foreign(name));
  const children = rowsOf(incident.incident_updates, updateId, (update) => updateRow(update, moment));
  return {
    id: eventId(kind)(incident),
    label: rowText(incident.name),
    description,
    icon: levelIcon(level),
    ...(color && { color }),
    tooltip: [
      foreign(incident.name),
      ...facts,
      ...(affected.length === 0
        ? []
        : [joined([shown`Affects`, joined(affected, ", ", MAX_LINE_CHARACTERS)], ": ", MAX_LINE_CHARACTERS)]),
    ],
    context: url === undefined ? kind : `${kind}.web`,
    copyText: incident.name,
    ...(url !== undefined && { url }),
    ...(children.length > 0 && { children: distinct(children), expanded: kind === "incident" }),
  };
}

function updateRow(update: StatusUpdate, { now, timeZone }: Moment): StatusRow {
  const at = timeOf(update.display_at ?? update.created_at);
  const words = statusWords(update.status);
  const capital = capitalised(words);
  const text = bodyText(update);
  return {
    id: updateId(update),
    ...(at !== undefined && { changesAt: nextWordsAt([], now, timeZone) }),
    label: at === undefined ? foreign(capital) : shown`${localTime(at, now, timeZone)} ${capital}`,
    ...(text !== "" && { description: rowText(text) }),
    icon: "comment",
    tooltip: [...(at === undefined ? [] : [foreign(exactTime(at, timeZone))]), ...foreignLines(text)],
    context: "update",
    copyText: text,
  };
}

/** The texts of bodies: rows are made anew with every minute, a body may have a megabyte and stays what it is. */
const bodyTexts = new WeakMap<StatusUpdate, string>();

/** What was written, as a person reads it; pages answer bodies as HTML. */
function bodyText(update: StatusUpdate): string {
  const text = bodyTexts.get(update) ?? textOfHtml(update.body);
  bodyTexts.set(update, text);
  return text;
}

function componentsRow(summary: StatusSummary, watch: Watch, moment: Moment): StatusRow[] {
  const groups = componentGroups(summary)
    .map(({ group, members }) => ({ group, members: members.filter(isShown) }))
    .filter(({ group, members }) => members.length > 0 || group);
  if (groups.length === 0) return [];
  const singles = groups.flatMap(({ group, members }) => (group && members.length === 0 ? [group] : members));
  const rows = groups.flatMap(({ group, members }) => {
    const drawn = (component: StatusComponent) => componentRow(component, watch, moment);
    const children = rowsOf(members, componentId, drawn);
    if (!group) return children;
    if (members.length === 0) return rowsOf([group], componentId, drawn);
    return rowsOf([group], componentId, () => groupRow(group, members, children));
  });
  return [
    {
      id: "components",
      label: shown`Components`,
      description: wellnessOf(singles),
      expanded: isTrouble(levelOf(singles)),
      context: "list",
      children: rows,
    },
  ];
}

function groupRow(
  group: StatusComponent,
  members: readonly StatusComponent[],
  children: readonly StatusRow[],
): StatusRow {
  const level = levelOf(members);
  const color = levelColor(level);
  return {
    id: componentId(group),
    label: rowText(group.name),
    description: wellnessOf(members),
    icon: levelIcon(level),
    ...(color && { color }),
    ...(group.description !== null && {
      tooltip: [foreign(group.description, MAX_LINE_CHARACTERS)],
    }),
    expanded: isTrouble(level),
    context: "group",
    copyText: group.name,
    children,
  };
}

function componentRow(component: StatusComponent, watch: Watch, { timeZone }: Moment): StatusRow {
  const level = componentLevel(component.status);
  const color = levelColor(level);
  const isWatched = watch.ids.has(component.id);
  return {
    id: componentId(component),
    label: rowText(component.name),
    description: rowText(statusWords(component.status)),
    icon: levelIcon(level),
    ...(color && { color }),
    tooltip: [
      shown`${component.name}: ${statusWords(component.status)}`,
      ...(isTrouble(level) ? dateLines([[t`Since`, component.updated_at]], timeZone) : []),
      ...(component.description === null ? [] : [foreign(component.description, MAX_LINE_CHARACTERS)]),
      isWatched ? shown`Watched` : shown`Not watched`,
    ],
    context: isWatched ? "component.watched" : "component.unwatched",
    copyText: component.name,
  };
}

/** "all 14 operational", "1 of 14 degraded", "1 of 14 under maintenance". */
function wellnessOf(components: readonly StatusComponent[]): ShownText {
  const unwell = components.filter(({ status }) => isTrouble(componentLevel(status))).length;
  const count = components.length.toLocaleString("en-US");
  if (levelOf(components) === "maintenance")
    return shown`${unwell.toLocaleString("en-US")} of ${count} under maintenance`;
  if (unwell > 0) return shown`${unwell.toLocaleString("en-US")} of ${count} degraded`;
  const unclear = components.filter(({ status }) => componentLevel(status) === "unknown").length;
  if (unclear > 0) return shown`${unclear.toLocaleString("en-US")} of ${count} unclear`;
  return components.length === 1 ? shown`operational` : shown`all ${count} operational`;
}

function levelOf(components: readonly StatusComponent[]): StatusLevel {
  return worstLevel(components.map(({ status }) => componentLevel(status)));
}

/** Pages ask for some components to be shown only while something is wrong with them. */
function isShown({ only_show_if_degraded, status }: StatusComponent): boolean {
  return !only_show_if_degraded || componentLevel(status) !== "well";
}

/** @param isLedgerUsed whether the ledger is told of beside the verification service while all is well */
function servicesRow(
  { verification, ledger, nodes }: StatusState,
  moment: Moment,
  isLedgerUsed: boolean,
): StatusRow {
  const services = [verification, ledger];
  return {
    id: "services",
    label: shown`Your services`,
    description: isLedgerUsed
      ? shown`verification ${healthWords(verification)} · ledger ${healthWords(ledger)}`
      : shown`verification ${healthWords(verification)}`,
    tooltip: [
      ...services.map((health) => shown`${serviceName(health)}: ${healthWords(health)}`),
      ...nodes.map((node) => shown`${nodeName(node)}: ${healthWords(node)}`),
    ],
    context: "list",
    expanded: [...services, ...nodes].some(({ state }) => state === "unreachable" || state === "failing"),
    children: [
      ...services.map((health) =>
        healthRow(health, { id: `service ${health.service}`, label: foreign(serviceName(health)) }, moment),
      ),
      ...nodes.map((node) =>
        healthRow(node, { id: `node ${node.chain.chainId}`, label: nodeName(node) }, moment),
      ),
    ],
  };
}

const HEALTH_ICONS = {
  unchecked: "circle-outline",
  reachable: "pass",
  failing: "warning",
  unreachable: "warning",
} as const;

function nodeName({ chain }: NodeHealth): ShownText {
  return shown`Node of ${chain.name}`;
}

function healthRow(
  health: ServiceHealth | NodeHealth,
  named: Pick<StatusRow, "id" | "label">,
  { now, timeZone }: Moment,
): StatusRow {
  const { host, state, checkedAt, lastError } = health;
  const isWell = state === "reachable" || state === "unchecked";
  return {
    ...named,
    ...(checkedAt !== undefined && { changesAt: nextWordsAt([checkedAt], now, timeZone) }),
    description: joined(
      [
        foreign(host),
        foreign(healthWords(health)),
        ...(checkedAt === undefined ? [] : [shown`checked ${agoWords(checkedAt, now)}`]),
      ],
      " · ",
    ),
    icon: HEALTH_ICONS[state],
    ...(!isWell && { color: "warning" }),
    ...(lastError && {
      tooltip: [
        shown`${isWell ? t`Operational now. Last error` : t`Error`} ${exactTime(lastError.at, timeZone)}:`,
        foreignSentence(lastError.message),
      ],
    }),
    context: "service",
    copyText: host,
  };
}

function dateLines(dates: readonly (readonly [string, StatusDate])[], timeZone: TimeZone): ShownText[] {
  return dates.flatMap(([what, date]) => {
    const at = timeOf(date);
    return at === undefined ? [] : [shown`${what} ${exactTime(at, timeZone)}`];
  });
}

/** Rows whose ids come from a server and may repeat. */
function distinct(rows: readonly StatusRow[]): StatusRow[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const count = (seen.get(row.id) ?? 0) + 1;
    seen.set(row.id, count);
    return count === 1 ? row : { ...row, id: `${row.id} ${count}` };
  });
}
