import { httpUrl } from "../http/httpUrl.ts";
import { t } from "@vscode/l10n";
import { HttpError } from "../http/httpError.ts";
import { ownValue } from "../json/ownValue.ts";
import {
  anything,
  isObject,
  listOf,
  object,
  pieceByPiece,
  readAs,
  readInPieces,
  type Shape,
  type Shaped,
} from "../json/shape.ts";
import { type Pieces } from "../concurrency/turns.ts";
import {
  componentLevel,
  impactLevel,
  isIndicator,
  isStatusWord,
  worstLevel,
  type StatusLevel,
} from "./statusLevel.ts";

/** Dates are ISO 8601 in UTC with milliseconds. `null` stands for what the page does not say. */
export type StatusDate = string | null;

/** A component or a group of components. */
export interface StatusComponent {
  readonly id: string;
  readonly name: string;
  /** `operational`, `degraded_performance`, `partial_outage`, `major_outage`, `under_maintenance`, or as it came. */
  readonly status: string;
  readonly description: string | null;
  readonly position: number;
  readonly group: boolean;
  /** A group that is in the list; `null` for groups, and where the page names one that is not there. */
  readonly group_id: string | null;
  readonly page_id: string | null;
  readonly showcase: boolean;
  readonly only_show_if_degraded: boolean;
  readonly created_at: StatusDate;
  readonly updated_at: StatusDate;
  readonly start_date: StatusDate;
}

/** What was written about an incident or a maintenance. */
export interface StatusUpdate {
  readonly id: string;
  readonly incident_id: string | null;
  readonly status: string;
  /** As it was written, line breaks included. */
  readonly body: string;
  readonly created_at: StatusDate;
  readonly updated_at: StatusDate;
  readonly display_at: StatusDate;
}

/** An incident. */
export interface StatusIncident {
  readonly id: string;
  readonly name: string;
  /** `investigating`, `identified`, `monitoring`, `resolved`, `postmortem`, or as it came. */
  readonly status: string;
  /** `none`, `minor`, `major`, `critical`, `maintenance`, or as it came; `null` where nothing is said. */
  readonly impact: string | null;
  readonly shortlink: string | null;
  readonly page_id: string | null;
  readonly created_at: StatusDate;
  readonly updated_at: StatusDate;
  readonly started_at: StatusDate;
  readonly monitoring_at: StatusDate;
  readonly resolved_at: StatusDate;
  /** Newest first. */
  readonly incident_updates: readonly StatusUpdate[];
  /** The components as the incident tells of them, which may lag behind the page's own list. */
  readonly components: readonly StatusComponent[];
}

/** A maintenance: `scheduled`, `in_progress`, `verifying`, `completed`, or as it came. */
export interface StatusMaintenance extends StatusIncident {
  readonly scheduled_for: StatusDate;
  readonly scheduled_until: StatusDate;
}

/**
 * A status summary in one form: the interface's own field names, lists always lists,
 * every field present, dates in UTC. Plain JSON. Texts are as the page wrote them: what is shown of them goes
 * through `foreign`.
 */
export interface StatusSummary {
  readonly page: {
    readonly id: string | null;
    readonly name: string;
    readonly url: string | null;
    readonly time_zone: string | null;
    readonly updated_at: StatusDate;
  };
  readonly status: {
    /** `none`, `minor`, `major`, `critical`, `maintenance`, or as it came. */
    readonly indicator: string;
    readonly description: string;
  };
  /** In the page's order, each group followed by its members. */
  readonly components: readonly StatusComponent[];
  /** Newest first. */
  readonly incidents: readonly StatusIncident[];
  /** The next one first. */
  readonly scheduled_maintenances: readonly StatusMaintenance[];
  /** How many of a very large page's are not among these; absent where none is. */
  readonly left_out?: Readonly<Partial<Record<LeftOut, number>>>;
}

/** What a page may have too many of. */
export type LeftOut = "components" | "incidents" | "scheduled_maintenances";

/** Ten times what the largest pages have; with more, nothing would be found. */
const MAX_COMPONENTS = 2_000;
const MAX_EVENTS = 200;
/** Updates and components of one incident or maintenance, and of all of them. */
const MAX_EVENT_PARTS = 200;
const MAX_PARTS = 4_000;

/**
 * Reads a summary. Pages are read leniently: Statuspage sends lists where its published description shows single
 * objects; children stand before their group, groups are missing, positions repeat across levels, and any field
 * may be missing, null or of another type. What makes it a summary is Statuspage's own words for how something is: other
 * makers' pages have a `page`, `components` or `incidents`, too, and their outages under names that are not shown.
 *
 * @throws HttpError `wrong_shape` for what is not a Statuspage summary
 */
export function* readStatusSummaryInPieces(body: unknown, service: string): Pieces<StatusSummary> {
  const read = yield* readInPieces(whole, body);
  if (!read || !isObject(body) || !isOfStatuspage(body, read)) throw notASummary(service);
  yield;
  const components = inPageOrder(read.components.slice(0, MAX_COMPONENTS));
  yield;
  const incidents = firstEvents(read.incidents).map((one, at) => named(one, at, "incident"));
  yield;
  const maintenances = firstEvents(read.scheduled_maintenances).map((one, at) =>
    named(one, at, "maintenance"),
  );
  yield;
  const left = Object.entries({
    components: Math.max(0, read.components.length - MAX_COMPONENTS),
    incidents: read.incidents.length - incidents.length,
    scheduled_maintenances: read.scheduled_maintenances.length - maintenances.length,
  }).filter(([, count]) => count > 0);
  return {
    ...(left.length > 0 && { left_out: Object.fromEntries(left) }),
    page: { ...read.page, name: read.page.name ?? t`Status page` },
    status: overallOf(read.status, components, incidents),
    components,
    incidents: byTime(
      incidents.map(({ scheduled_for: _from, scheduled_until: _until, ...incident }) => incident),
      ({ started_at, created_at }) => started_at ?? created_at,
      "newest first",
    ),
    scheduled_maintenances: byTime(maintenances, ({ scheduled_for }) => scheduled_for, "oldest first"),
  };
}

/** The first incidents or maintenances of a page, as far as a page goes. */
function firstEvents(events: readonly Shaped<typeof incident>[]): Shaped<typeof incident>[] {
  const first: Shaped<typeof incident>[] = [];
  let size = 0;
  for (const event of events.slice(0, MAX_EVENTS)) {
    const incident_updates = event.incident_updates.slice(0, MAX_EVENT_PARTS);
    const components = event.components.slice(0, MAX_EVENT_PARTS);
    size += incident_updates.length + components.length;
    if (size > MAX_PARTS) break;
    first.push({ ...event, incident_updates, components });
  }
  return first;
}

/** A group with its members, or a component on its own. */
interface ComponentGroup {
  readonly group: StatusComponent | undefined;
  readonly members: readonly StatusComponent[];
}

/** The components as a page shows them, in order. */
export function componentGroups({ components }: Pick<StatusSummary, "components">): ComponentGroup[] {
  const groups: { readonly group: StatusComponent | undefined; readonly members: StatusComponent[] }[] = [];
  for (const component of components) {
    if (component.group_id !== null) groups.at(-1)?.members.push(component);
    else if (component.group) groups.push({ group: component, members: [] });
    else groups.push({ group: undefined, members: [component] });
  }
  return groups;
}

/** The components that can be well or not: all but groups, and groups of which no member is known. */
export function singleComponents(summary: Pick<StatusSummary, "components">): StatusComponent[] {
  return componentGroups(summary).flatMap(({ group, members }) =>
    group && members.length === 0 ? [group] : [...members],
  );
}

/** Whether an incident goes on, or a maintenance is still to come or under way. */
export function isOpen({ status, resolved_at }: StatusIncident): boolean {
  return resolved_at === null && !/^(?:resolved|postmortem|completed)$/i.test(status.trim());
}

/** Whether a maintenance is under way, by what the page says of it. */
export function isInProgress(maintenance: StatusMaintenance): boolean {
  return isOpen(maintenance) && /^(?:in[_ ]progress|verifying)$/i.test(maintenance.status.trim());
}

/** When an incident began; milliseconds since the epoch. */
export function startOf({ started_at, created_at }: StatusIncident): number | undefined {
  return timeOf(started_at ?? created_at);
}

/** Milliseconds since the epoch of a date of a summary. */
export function timeOf(date: StatusDate): number | undefined {
  return date === null ? undefined : Date.parse(date);
}

/** An address that may be opened in a browser; `undefined` for anything but http and https. */
export function webAddress(url: string | null): string | undefined {
  const parsed = url === null ? undefined : httpUrl(url);
  return parsed?.username === "" && parsed.password === "" ? parsed.href : undefined;
}

/** A text that says something; `null` for anything else. */
function told(value: unknown): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value;
  return typeof value === "number" ? String(value) : null;
}

/** RFC 3339 with any offset; without one it is UTC. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(\s*[Zz]|\s*[+-]\d{2}:?\d{2})?$/;

function date(value: unknown): StatusDate {
  const text = told(value)?.trim();
  const match = text === undefined ? null : DATE.exec(text);
  if (!text || !match) return null;
  const [, offset = ""] = match;
  const day = text.slice(0, 10);
  const time = text.slice(11, text.length - offset.length) || "00:00";
  const zone = offset.trim().toUpperCase() || "Z";
  const at = Date.parse(`${day}T${time}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

function position(value: unknown): number {
  const stated = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof stated === "number" && Number.isFinite(stated) ? stated : 0;
}

function yes(value: unknown): boolean {
  return value === true;
}

/** A list, however it came: a list, one object, or nothing. What is no object is left out. */
function many<T>(shape: Shape<T>): Shape<T[]> {
  const list = listOf(shape);
  return pieceByPiece(function* (value) {
    const isOne = isObject(value) && Object.keys(value).length > 0;
    return (yield* readInPieces(list, isOne ? [value] : value)) ?? [];
  });
}

/** What has no fields of its own counts as an object without any. */
function orEmpty<T>(shape: Shape<T>): Shape<T> {
  return (value) => shape(isObject(value) ? value : {});
}

/** The members that a group names: ids, or objects with an id. */
function memberIds(value: unknown): string[] {
  const members = readAs(listOf(anything), value) ?? [];
  return members.flatMap((member) => told(isObject(member) ? ownValue(member, "id") : member) ?? []);
}

const component = object({
  id: told,
  name: told,
  status: told,
  description: told,
  position,
  group: yes,
  group_id: told,
  page_id: told,
  showcase: yes,
  only_show_if_degraded: yes,
  created_at: date,
  updated_at: date,
  start_date: date,
});

/** A component of the page's own list, with the members that it names. */
const listed = object({ component, names: memberIds });
const listedComponent: Shape<Shaped<typeof listed>> = (value) =>
  listed({ component: value, names: isObject(value) ? ownValue(value, "components") : undefined });

const update = object({
  id: told,
  incident_id: told,
  status: told,
  body: told,
  created_at: date,
  updated_at: date,
  display_at: date,
});

const incident = object({
  id: told,
  name: told,
  status: told,
  impact: told,
  shortlink: told,
  page_id: told,
  created_at: date,
  updated_at: date,
  started_at: date,
  monitoring_at: date,
  resolved_at: date,
  scheduled_for: date,
  scheduled_until: date,
  incident_updates: many(update),
  components: many(component),
});

const parts = {
  page: orEmpty(object({ id: told, name: told, url: told, time_zone: told, updated_at: date })),
  status: orEmpty(object({ indicator: told, description: told })),
  components: many(listedComponent),
  incidents: many(incident),
  scheduled_maintenances: many(incident),
};

const whole = object(parts);

/**
 * Whether a body tells how something is in Statuspage's words, spelled as it does. What has more beside Statuspage's own
 * fields has to tell it both as a whole and of a part, since it may tell the rest there.
 */
function isOfStatuspage(body: Readonly<Record<string, unknown>>, read: Shaped<typeof whole>): boolean {
  const hasOthers = Object.entries(body).some(
    ([name, value]) =>
      !Object.hasOwn(parts, name) &&
      typeof value === "object" &&
      value !== null &&
      Object.keys(value).length > 0,
  );
  const hasVerdict = isIndicator(read.status.indicator ?? "");
  const says = ({ status }: { readonly status: string | null }) => status !== null && isStatusWord(status);
  const hasParts =
    read.components.some(({ component }) => says(component)) ||
    read.incidents.some(says) ||
    read.scheduled_maintenances.some(says);
  return hasOthers ? hasVerdict && hasParts : hasVerdict || hasParts;
}

/** @param service who answered, as the sentence begins */
export function notASummary(service: string): HttpError {
  return new HttpError(
    "wrong_shape",
    t`${service} answers something that is not a Statuspage summary. Check the setting ledgerLens.statusUrl.`,
    { sent: true },
  );
}

function describedComponent(read: Shaped<typeof component>, at: number): StatusComponent {
  return {
    ...read,
    id: read.id ?? `unidentified ${read.name ?? at}`,
    name: read.name ?? t`Unnamed component`,
    status: read.status ?? "unknown",
  };
}

/** An incident or a maintenance with what every one has to have. */
function named(read: Shaped<typeof incident>, at: number, what: string): StatusMaintenance {
  return {
    ...read,
    id: read.id ?? `unidentified ${read.name ?? at}`,
    name: read.name ?? `Unnamed ${what}`,
    status: read.status ?? "unknown",
    incident_updates: byTime(
      read.incident_updates.map((one, place) => ({
        ...one,
        id: one.id ?? `unidentified ${place}`,
        status: one.status ?? "unknown",
        body: one.body ?? "",
      })),
      ({ display_at, created_at }) => display_at ?? created_at,
      "newest first",
    ),
    components: read.components.map(describedComponent),
  };
}

/** Each component once, groups first known by their flag, by naming members, or by being named by one. */
function inPageOrder(records: readonly Shaped<typeof listed>[]): StatusComponent[] {
  const read = new Map<string, { readonly component: StatusComponent; readonly names: readonly string[] }>();
  for (const [at, { component: said, names }] of records.entries()) {
    const component = describedComponent(said, at);
    if (!read.has(component.id)) read.set(component.id, { component, names });
  }
  const all = [...read.values()];
  const groups = new Set(
    all.flatMap(({ component: { id, group, group_id }, names }) => [
      ...(group || names.length > 0 ? [id] : []),
      ...(group_id !== null && group_id !== id && read.has(group_id) ? [group_id] : []),
    ]),
  );
  const listedIn = new Map(
    all.flatMap(({ component, names }) => names.map((member) => [member, component.id] as const)),
  );
  const components = all.map(({ component }) => {
    const { id, group_id } = component;
    if (groups.has(id)) return { ...component, group: true, group_id: null };
    const parent = group_id !== null && groups.has(group_id) ? group_id : (listedIn.get(id) ?? null);
    return { ...component, group_id: parent };
  });
  // Sorting is stable: where positions repeat, the order of arrival decides.
  const sorted = components.toSorted((one, other) => one.position - other.position);
  const membersOf = new Map<string, StatusComponent[]>();
  for (const component of sorted) {
    if (component.group_id === null) continue;
    const members = membersOf.get(component.group_id);
    if (members) members.push(component);
    else membersOf.set(component.group_id, [component]);
  }
  return sorted
    .filter(({ group_id }) => group_id === null)
    .flatMap((top) => [top, ...(membersOf.get(top.id) ?? [])]);
}

/** Sorted by a date; what has none keeps its order at the end. */
function byTime<T>(
  items: readonly T[],
  dateOfItem: (item: T) => StatusDate,
  order: "newest first" | "oldest first",
): T[] {
  const sign = order === "newest first" ? -1 : 1;
  const rank = (item: T) => {
    const at = timeOf(dateOfItem(item));
    return at === undefined ? Infinity : sign * at;
  };
  return items.toSorted((one, other) => {
    const [first, second] = [rank(one), rank(other)];
    return first === second ? 0 : first - second;
  });
}

const INDICATORS: Readonly<Record<StatusLevel, string>> = {
  well: "none",
  unknown: "unknown",
  maintenance: "maintenance",
  degraded: "minor",
  partial_outage: "major",
  major_outage: "critical",
};

/** What the page says of itself, or else what its parts add up to. */
function overallOf(
  status: Shaped<typeof parts.status>,
  components: readonly StatusComponent[],
  incidents: readonly StatusIncident[],
): StatusSummary["status"] {
  const levels = [
    ...components.map((component) => componentLevel(component.status)),
    ...incidents.filter(isOpen).map(({ impact }) => impactLevel(impact ?? "")),
  ];
  const indicator = status.indicator ?? INDICATORS[worstLevel(levels)];
  return { indicator, description: status.description ?? OVERALL_WORDS[impactLevel(indicator)] };
}

const OVERALL_WORDS: Readonly<Record<StatusLevel, string>> = {
  well: t`No trouble reported`,
  unknown: t`State unknown`,
  maintenance: t`Under maintenance`,
  degraded: t`Minor trouble reported`,
  partial_outage: t`Major trouble reported`,
  major_outage: t`Critical trouble reported`,
};
