import type { Random } from "../random.ts";

/** A summary as a page sends it, before anything is read of it. */
export interface RawSummary {
  page: Record<string, unknown>;
  status: Record<string, unknown>;
  components: Record<string, unknown>[];
  incidents: RawIncident[];
  scheduled_maintenances: RawIncident[];
}

/** An incident as a page sends it. */
export type RawIncident = Record<string, unknown> & {
  incident_updates: Record<string, unknown>[];
  components: Record<string, unknown>[];
};

export const COMPONENT_WORDS = [
  "operational",
  "degraded_performance",
  "partial_outage",
  "major_outage",
  "under_maintenance",
] as const;

/** Texts as they should not be written, and will be. */
export const HOSTILE_TEXTS = [
  "Mirror Node REST API Public Mainnet",
  "$(error) All Systems Operational",
  "abc\u202Egnp.exe",
  "two\nlines\r\nand\ta tab",
  "[Verify](command:workbench.action.quit) **now**",
  "null\u0000byte, bell\u0007, zero\u200Bwidth, lone\ud800",
  "<img src=x onerror=alert(1)>",
  "漢字 🙂 Ünïcödé",
  "x".repeat(5000),
  " ",
] as const;

const NETWORKS = ["Mainnet", "Testnet", "Previewnet", ""] as const;
const IMPACTS = ["none", "minor", "major", "critical", "maintenance"] as const;

/** A summary that keeps every rule: what Statuspage sends, with any texts in it. */
export function validSummary({ next, below, pick }: Random): RawSummary {
  let ids = 0;
  const id = () => `id${(ids++).toString(36).padStart(10, "0")}`;
  const text = () => (below(3) === 0 ? `${pick(HOSTILE_TEXTS)}.` : `Part ${ids} ${pick(NETWORKS)}`);
  const date = () => new Date(1_790_000_000_000 + Math.floor(next() * 10_000_000_000)).toISOString();
  const dateOrNull = () => (below(2) === 0 ? date() : null);
  const component = (position: number, group: boolean, groupId: string | null) => ({
    id: id(),
    name: text(),
    status: pick(COMPONENT_WORDS),
    created_at: date(),
    updated_at: date(),
    position,
    description: below(2) === 0 ? text() : null,
    showcase: below(2) === 0,
    start_date: below(2) === 0 ? date().slice(0, 10) : null,
    group_id: groupId,
    page_id: "page",
    group,
    only_show_if_degraded: below(8) === 0,
  });
  const components: Record<string, unknown>[] = [];
  for (let top = 1, tops = below(5); top <= tops; top++) {
    if (below(2) === 0) {
      components.push(component(top, false, null));
      continue;
    }
    const group = component(top, true, null);
    const members = Array.from({ length: 1 + below(4) }, (_, at) => component(at + 1, false, group.id));
    // Children before their group, as captured bodies have them.
    components.push(...members, { ...group, components: members.map((member) => member.id) });
  }
  const incident = (words: readonly [string, ...string[]], index: number): RawIncident => {
    const incidentId = id();
    const started = 1_800_000_000_000 + index * 1_000_000;
    return {
      id: incidentId,
      name: text(),
      status: pick(words),
      created_at: new Date(started).toISOString(),
      updated_at: date(),
      monitoring_at: dateOrNull(),
      resolved_at: null,
      impact: pick(IMPACTS),
      shortlink: below(4) === 0 ? "javascript:alert(1)" : "https://stspg.io/abc",
      started_at: new Date(started).toISOString(),
      page_id: "page",
      incident_updates: Array.from({ length: below(4) }, (_, at) => ({
        id: id(),
        status: pick(words),
        body: `${text()}\n${text()}`,
        incident_id: incidentId,
        created_at: new Date(started - at * 60_000).toISOString(),
        updated_at: date(),
        display_at: new Date(started - at * 60_000).toISOString(),
        affected_components: null,
        deliver_notifications: true,
        custom_tweet: null,
        tweet_id: null,
      })),
      components: components.filter(() => below(3) === 0),
    };
  };
  return {
    page: {
      id: "page",
      name: text(),
      url: "https://status.example",
      time_zone: "Etc/UTC",
      updated_at: date(),
    },
    status: { indicator: pick(IMPACTS), description: text() },
    components,
    incidents: Array.from({ length: below(3) }, (_, at) =>
      incident(["investigating", "identified", "monitoring"], 5 - at),
    ),
    scheduled_maintenances: Array.from({ length: below(3) }, (_, at) => ({
      ...incident(["scheduled", "in_progress", "verifying"], at),
      scheduled_for: new Date(1_800_000_000_000 + at * 3_600_000).toISOString(),
      scheduled_until: new Date(1_800_000_000_000 + (at + 1) * 3_600_000).toISOString(),
    })),
  };
}

/** One rule broken; what it may change of what is read. */
export interface Breakage {
  readonly rule: string;
  /** Breaks the rule in a copy; `undefined` where the summary has nothing to break. */
  readonly break: (summary: RawSummary, random: Random) => unknown;
  /** The same summary as it should be read instead, when that is another one. */
  readonly readsAs?: (summary: RawSummary) => unknown;
  /** Only that nothing else is lost can be said. */
  readonly changes?: "one entry";
}

const LISTS = ["components", "incidents", "scheduled_maintenances"] as const;

/** Every rule of the schema that servers are known to break, or might. */
export const BREAKAGES: readonly Breakage[] = [
  {
    rule: "components stand in no order",
    break: (summary, { next }) => ({
      ...summary,
      components: summary.components
        .map((component) => ({ component, at: next() }))
        .toSorted((one, other) => one.at - other.at)
        .map(({ component }) => component),
    }),
  },
  ...LISTS.flatMap((list): Breakage[] => [
    {
      rule: `${list} is one object`,
      break: (summary) => {
        const [first] = summary[list];
        return first && { ...summary, [list]: withoutGroup(first) };
      },
      readsAs: (summary) => ({ ...summary, [list]: summary[list].slice(0, 1).map(withoutGroup) }),
    },
    {
      rule: `${list} is missing`,
      break: (summary) => Object.fromEntries(Object.entries(summary).filter(([name]) => name !== list)),
      readsAs: (summary) => ({ ...summary, [list]: [] }),
    },
    {
      rule: `${list} is null`,
      break: (summary) => ({ ...summary, [list]: null }),
      readsAs: (summary) => ({ ...summary, [list]: [] }),
    },
    {
      rule: `${list} is an empty object`,
      break: (summary) => ({ ...summary, [list]: {} }),
      readsAs: (summary) => ({ ...summary, [list]: [] }),
    },
    {
      rule: `${list} has entries that are no objects`,
      break: (summary) => ({ ...summary, [list]: [null, 5, "x", ...summary[list], [], true] }),
    },
    {
      rule: `${list} has unknown fields`,
      break: (summary) => ({
        ...summary,
        [list]: summary[list].map(
          (entry) =>
            JSON.parse(
              JSON.stringify({ ...entry, new_field: { deep: [1] } }).replace(
                /\}$/,
                ',"__proto__":{"status":"x"}}',
              ),
            ) as unknown,
        ),
      }),
    },
    {
      rule: `an entry of ${list} has a field of a wrong type`,
      changes: "one entry",
      break: (summary, { below, pick }) => {
        const entry = summary[list][below(summary[list].length)];
        if (!entry) return undefined;
        const fields = Object.keys(entry).filter((name) => !["id", "group", "components"].includes(name));
        const field = fields[below(fields.length)] ?? "name";
        const wrong = pick([null, 17, -1.5, true, {}, [], { a: 1 }, ["x"], "", "no date"] as const);
        return {
          ...summary,
          [list]: summary[list].map((one) => (one === entry ? { ...one, [field]: wrong } : one)),
        };
      },
    },
    {
      rule: `an entry of ${list} has an unknown word for its status`,
      changes: "one entry",
      break: (summary, { below, pick }) => {
        const entry = summary[list][below(summary[list].length)];
        const status = pick(["glowing", "Partial_Meltdown", "$(bug)\u202e", "no data yet"] as const);
        return (
          entry && {
            ...summary,
            [list]: summary[list].map((one) => (one === entry ? { ...one, status } : one)),
          }
        );
      },
    },
  ]),
  {
    rule: "dates have offsets",
    break: (summary, { pick }) => {
      const [offset, minutes] = pick<readonly [string, number]>([
        ["-04:00", -240],
        ["+05:30", 330],
        ["+0000", 0],
      ]);
      const shifted = (text: string) =>
        new Date(Date.parse(text) + minutes * 60_000).toISOString().replace("Z", offset);
      return JSON.parse(
        JSON.stringify(summary).replace(
          /"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g,
          (_whole, text: string) => `"${shifted(text)}"`,
        ),
      ) as unknown;
    },
  },
  {
    rule: "a group is missing",
    changes: "one entry",
    break: (summary) => {
      const group = summary.components.find((component) => component["group"] === true);
      return group && { ...summary, components: summary.components.filter((one) => one !== group) };
    },
  },
  {
    rule: "groups name members that are not there",
    break: (summary) => ({
      ...summary,
      components: summary.components.map((one) =>
        Array.isArray(one["components"])
          ? { ...one, components: [...(one["components"] as string[]), "gone"] }
          : one,
      ),
    }),
  },
  {
    rule: "members do not name their group",
    break: (summary) => ({
      ...summary,
      components: summary.components.map(({ group_id: _, ...one }) => one),
    }),
  },
  {
    rule: "groups do not say that they are groups",
    break: (summary) => ({
      ...summary,
      components: summary.components.map(({ group: _, ...one }) => one),
    }),
  },
  {
    rule: "components come twice",
    break: (summary) => ({ ...summary, components: [...summary.components, ...summary.components] }),
  },
  {
    rule: "positions are texts",
    break: (summary) => ({
      ...summary,
      components: summary.components.map((one) => ({ ...one, position: String(one["position"]) })),
    }),
  },
  {
    rule: "updates stand oldest first",
    break: (summary) => ({
      ...summary,
      incidents: summary.incidents.map((one) => ({
        ...one,
        incident_updates: one.incident_updates.toReversed(),
      })),
    }),
  },
  {
    rule: "an incident's only update is one object",
    break: (summary) => {
      const [first] = summary.incidents;
      const update = first?.incident_updates[0];
      return (
        update && {
          ...summary,
          incidents: [{ ...first, incident_updates: update }, ...summary.incidents.slice(1)],
        }
      );
    },
    readsAs: (summary) => ({
      ...summary,
      incidents: summary.incidents.map((one, at) =>
        at === 0 ? { ...one, incident_updates: one.incident_updates.slice(0, 1) } : one,
      ),
    }),
  },
  {
    rule: "an incident tells another status of a component than the page",
    changes: "one entry",
    break: (summary) => {
      const [first] = summary.incidents;
      const components = first?.components.map((one) => ({ ...one, status: "major_outage" }));
      return first && { ...summary, incidents: [{ ...first, components }, ...summary.incidents.slice(1)] };
    },
  },
];

/** A single component can't be in a group, nor be one. */
function withoutGroup(entry: Record<string, unknown>): Record<string, unknown> {
  return "group_id" in entry ? { ...entry, group_id: null, group: false, components: undefined } : entry;
}

/** What other makers' pages answer during an outage, by the shapes of their public interfaces. */
export const OTHER_FORMS: Readonly<Record<string, unknown>> = {
  Instatus: {
    page: { name: "Example", url: "https://status.example", status: "HASISSUES" },
    activeIncidents: [
      { name: "Down", started: "2026-11-24T09:00:00Z", status: "INVESTIGATING", impact: "MAJOROUTAGE" },
    ],
    activeMaintenances: [],
  },
  "Instatus components": {
    components: [
      { id: "a", name: "API", status: "OPERATIONAL" },
      { id: "b", name: "Ledger", status: "MAJOROUTAGE" },
    ],
  },
  "Better Stack": {
    data: { id: "1", type: "status_page", attributes: { aggregate_state: "downtime" } },
    included: [{ type: "status_page_resource", attributes: { status: "downtime" } }],
  },
  Cachet: { data: [{ id: 1, name: "API", status: 4, status_name: "Major Outage" }] },
  "Status.io": {
    result: {
      status_overall: { status: "Service Disruption", status_code: 500 },
      status: [{ id: "a", name: "API", status: "Service Disruption" }],
      incidents: [{ name: "Down" }],
    },
  },
  "incident.io": {
    page_title: "Example",
    ongoing_incidents: [
      { name: "Down", status: "investigating", affected_components: [{ current_status: "full_outage" }] },
    ],
    in_progress_maintenances: [],
    scheduled_maintenances: [],
  },
  Heroku: {
    status: [{ system: "Apps", status: "red" }],
    incidents: [{ id: 1, state: "open", title: "Down" }],
    scheduled: [],
  },
  Statuspal: {
    status_page: { name: "Example", current_incident_type: "major" },
    services: [{ name: "API", current_incident_type: "major" }],
    incidents: [{ id: 1, title: "Down", type: "major" }],
    maintenances: [],
  },
  cState: { is: "index", systems: [{ name: "API", status: "down" }], summaryStatus: "down" },
  "Uptime Kuma": { config: { title: "Example" }, incident: { style: "danger" }, publicGroupList: [{}] },
  Slack: { status: "active", active_incidents: [{ title: "Down", type: "outage" }] },
  "a page that says that it is well beside a list of outages": {
    page: { name: "Example" },
    status: { indicator: "none", description: "All Systems Operational" },
    outages: [{ severity: "major", state: "open" }],
  },
  "empty lists beside one of outages": {
    status: { indicator: "none", description: "All Systems Operational" },
    components: [],
    incidents: [],
    activeIncidents: [{ impact: "MAJOROUTAGE", status: "INVESTIGATING" }],
  },
  "components that are well beside a list of outages": {
    components: [{ id: "a", name: "API", status: "operational" }],
    activeIncidents: [{ impact: "MAJOROUTAGE", status: "INVESTIGATING" }],
  },
  "only a page": { page: { name: "Example" } },
  "empty lists": { page: { name: "Example" }, components: [], incidents: [], scheduled_maintenances: [] },
};
