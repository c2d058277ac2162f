import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";

/** The status of a component, in the page's words. */
export type ComponentStatus =
  "operational" | "degraded_performance" | "partial_outage" | "major_outage" | "under_maintenance";

/** How bad an incident is, in the page's words. */
export type Impact = "none" | "minor" | "major" | "critical";

/** What went over the wire, counted at the sockets. */
export interface StatusTraffic {
  readonly requests: number;
  /** Answers with a summary. */
  readonly full: number;
  /** Answers without a body, because nothing had changed. */
  readonly notModified: number;
  readonly notFound: number;
  /** Answers of the {@link StatusPageServer.fault}. */
  readonly failed: number;
  /** Request lines and headers. */
  readonly bytesIn: number;
  /** Status lines, headers and bodies, compressed as sent. */
  readonly bytesOut: number;
}

/** A running status page, whose state a test or the demo changes. */
export interface StatusPageServer {
  /** The page's address; its summary is at `/api/v2/summary.json`. */
  readonly url: string;
  readonly traffic: StatusTraffic;
  /** Every request gets this status instead, until it is `undefined` again. */
  fault: { readonly status: number; readonly retryAfter?: string } | undefined;
  /** The summary as it would be sent now. */
  summary(): object;
  setComponent(name: string, status: ComponentStatus): void;
  /** An outage begins; answers the incident's id. */
  beginIncident(incident: {
    readonly name: string;
    readonly impact: Impact;
    readonly body: string;
    /** Status of each component by its name. */
    readonly components: Readonly<Record<string, ComponentStatus>>;
  }): string;
  /** An outage is worked on. */
  updateIncident(
    id: string,
    update: {
      readonly status: "investigating" | "identified" | "monitoring";
      readonly body: string;
      readonly components?: Readonly<Record<string, ComponentStatus>>;
    },
  ): void;
  /** An outage ends: its components are operational, and the incident is no longer in the summary. */
  resolveIncident(id: string): void;
  /** A maintenance is announced; answers its id. Times in milliseconds since the epoch. */
  announceMaintenance(maintenance: {
    readonly name: string;
    readonly body: string;
    readonly from: number;
    readonly until: number;
    readonly components: readonly string[];
  }): string;
  beginMaintenance(id: string, body: string): void;
  /** A maintenance is over, and no longer in the summary. */
  completeMaintenance(id: string): void;
  stop(): Promise<void>;
}

interface Component {
  readonly id: string;
  readonly name: string;
  readonly group: boolean;
  readonly group_id: string | null;
  readonly position: number;
  readonly description: string | null;
  status: ComponentStatus;
  updated_at: string;
}

interface Update {
  readonly id: string;
  readonly status: string;
  readonly body: string;
  readonly at: string;
  readonly affected: readonly {
    readonly code: string;
    readonly name: string;
    readonly old_status: string;
    readonly new_status: string;
  }[];
}

interface Incident {
  readonly id: string;
  readonly name: string;
  readonly impact: string;
  readonly created_at: string;
  readonly components: readonly Component[];
  readonly scheduled?: { readonly from: string; readonly until: string };
  readonly updates: Update[];
  status: string;
  monitoring_at: string | null;
}

const PAGE_ID = "ledgerlens0000";
const SUMMARY_PATH = "/api/v2/summary.json";
const COMPONENT_ORDER: readonly ComponentStatus[] = [
  "operational",
  "under_maintenance",
  "degraded_performance",
  "partial_outage",
  "major_outage",
];
const NETWORKS = ["Mainnet", "Testnet", "Previewnet"] as const;

/**
 * A page in the form and with the manners of Atlassian Statuspage: weak entity tags and 304, gzip, freshness of ten
 * seconds, and 404 with nothing at all for any other path. Its components are named like those of the public page
 * of Hedera, with children listed before their groups and positions that repeat.
 *
 * @param options.now the page's clock, in milliseconds since the epoch
 * @param options.maxAgeSeconds how long its answers are fresh
 */
export async function startStatusPage(
  options: { readonly now?: () => number; readonly maxAgeSeconds?: number } = {},
): Promise<StatusPageServer> {
  const now = options.now ?? Date.now;
  const isoNow = () => new Date(now()).toISOString();
  const page = new PageState(isoNow);
  const traffic = { requests: 0, full: 0, notModified: 0, notFound: 0, failed: 0, bytesIn: 0, bytesOut: 0 };
  const counted = new WeakMap<Socket, { in: number; out: number }>();

  const server = createServer((request, response) => {
    traffic.requests++;
    const { socket } = request;
    response.on("close", () => {
      const before = counted.get(socket) ?? { in: 0, out: 0 };
      traffic.bytesIn += socket.bytesRead - before.in;
      traffic.bytesOut += socket.bytesWritten - before.out;
      counted.set(socket, { in: socket.bytesRead, out: socket.bytesWritten });
    });
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("atl-traceid", createHash("md5").update(String(traffic.requests)).digest("hex"));
    const { fault } = running;
    if (fault) {
      traffic.failed++;
      response.writeHead(fault.status, {
        "content-type": "text/html",
        ...(fault.retryAfter !== undefined && { "retry-after": fault.retryAfter }),
      });
      response.end("<!doctype html><title>Service Unavailable</title>");
      return;
    }
    if (request.method !== "GET" || URL.parse(request.url ?? "", "http://page")?.pathname !== SUMMARY_PATH) {
      traffic.notFound++;
      response.writeHead(404).end();
      return;
    }
    const notModified = answerSummary(
      request,
      response,
      page.summary(running.url),
      options.maxAgeSeconds ?? 10,
    );
    if (notModified) traffic.notModified++;
    else traffic.full++;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const running: StatusPageServer = {
    url: `http://127.0.0.1:${port}`,
    traffic,
    fault: undefined,
    summary: () => page.summary(running.url),
    setComponent: (name, status) => void page.setStatuses({ [name]: status }),
    beginIncident: (incident) => page.beginIncident(incident),
    updateIncident: (id, update) => page.updateIncident(id, update),
    resolveIncident: (id) => page.endIncident(id),
    announceMaintenance: (maintenance) => page.announceMaintenance(maintenance),
    beginMaintenance: (id, body) => page.beginMaintenance(id, body),
    completeMaintenance: (id) => page.endIncident(id),
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return running;
}

/** Sends the summary, or only that it has not changed; answers whether the latter. */
function answerSummary(
  request: IncomingMessage,
  response: ServerResponse,
  summary: object,
  maxAgeSeconds: number,
): boolean {
  const body = JSON.stringify(summary);
  const tag = `W/"${createHash("md5").update(body).digest("hex")}"`;
  response.setHeader("etag", tag);
  response.setHeader(
    "cache-control",
    `max-age=${maxAgeSeconds}, public, s-maxage=${maxAgeSeconds}, stale-while-revalidate=20, stale-if-error=3600`,
  );
  response.setHeader("vary", "Accept, Accept-Encoding");
  response.setHeader("access-control-expose-headers", "ETag");
  const asked = (request.headers["if-none-match"] ?? "").split(",").map((one) => one.trim());
  if (asked.includes(tag)) {
    response.writeHead(304).end();
    return true;
  }
  const isGzip = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  response.setHeader("content-type", "application/json; charset=utf-8");
  if (isGzip) response.setHeader("content-encoding", "gzip");
  response.writeHead(200).end(isGzip ? gzipSync(body) : body);
  return false;
}

/** What the page tells, and how it changes. */
class PageState {
  readonly #now: () => string;
  readonly #components: Component[] = [];
  #incidents: Incident[] = [];
  #updatedAt: string;
  #ids = 0;

  constructor(now: () => string) {
    this.#now = now;
    this.#updatedAt = now();
    for (const [at, network] of NETWORKS.entries()) {
      const group = this.#id();
      const version = `v0.6${6 + at}.1`;
      const names = [
        `Hedera ${network} (${version}) | Network Uptime`,
        `Mirror Node REST API Public ${network}`,
        `Mirror Node gRPC API Public ${network}`,
        `HashScan ${network}`,
      ];
      for (const [position, name] of names.entries()) this.#add(name, position + 1, group);
      this.#components.push({ ...this.#blank(group, network, at + 1), group: true });
    }
    this.#add("Smart Contract Verification", 4, null);
    this.#add("Hedera Portal", 5, null);
  }

  summary(url: string): object {
    const worst = this.#components.reduce<ComponentStatus>(
      (one, { status }) => (COMPONENT_ORDER.indexOf(status) > COMPONENT_ORDER.indexOf(one) ? status : one),
      "operational",
    );
    return {
      page: {
        id: PAGE_ID,
        name: "Hedera",
        url,
        time_zone: "Etc/UTC",
        updated_at: this.#updatedAt,
      },
      components: this.#components.map((component) => this.#componentJson(component)),
      incidents: this.#incidents
        .filter(({ scheduled }) => !scheduled)
        .map((incident) => this.#incidentJson(incident, url)),
      scheduled_maintenances: this.#incidents
        .filter(({ scheduled }) => scheduled)
        .map((incident) => this.#incidentJson(incident, url)),
      status: OVERALL[worst],
    };
  }

  setStatuses(statuses: Readonly<Record<string, ComponentStatus>>): Update["affected"] {
    const at = this.#touch();
    return Object.entries(statuses).map(([name, status]) => {
      const component = this.#find(name);
      const affected = { code: component.id, name, old_status: component.status, new_status: status };
      component.status = status;
      component.updated_at = at;
      const group = this.#components.find(({ id }) => id === component.group_id);
      if (group) {
        group.status = this.#components
          .filter(({ group_id }) => group_id === group.id)
          .map((member) => member.status)
          .reduce((one, other) =>
            COMPONENT_ORDER.indexOf(other) > COMPONENT_ORDER.indexOf(one) ? other : one,
          );
        group.updated_at = at;
      }
      return affected;
    });
  }

  beginIncident(incident: Parameters<StatusPageServer["beginIncident"]>[0]): string {
    const created: Incident = {
      id: this.#id(),
      name: incident.name,
      impact: incident.impact,
      created_at: this.#touch(),
      components: Object.keys(incident.components).map((name) => this.#find(name)),
      updates: [],
      status: "investigating",
      monitoring_at: null,
    };
    this.#incidents.unshift(created);
    this.#update(created, "investigating", incident.body, incident.components);
    return created.id;
  }

  updateIncident(id: string, update: Parameters<StatusPageServer["updateIncident"]>[1]): void {
    const incident = this.#incident(id);
    if (update.status === "monitoring") incident.monitoring_at = this.#now();
    this.#update(incident, update.status, update.body, update.components ?? {});
  }

  announceMaintenance(maintenance: Parameters<StatusPageServer["announceMaintenance"]>[0]): string {
    const created: Incident = {
      id: this.#id(),
      name: maintenance.name,
      impact: "maintenance",
      created_at: this.#touch(),
      components: maintenance.components.map((name) => this.#find(name)),
      scheduled: {
        from: new Date(maintenance.from).toISOString(),
        until: new Date(maintenance.until).toISOString(),
      },
      updates: [],
      status: "scheduled",
      monitoring_at: null,
    };
    this.#incidents.push(created);
    this.#update(created, "scheduled", maintenance.body, {});
    return created.id;
  }

  beginMaintenance(id: string, body: string): void {
    const maintenance = this.#incident(id);
    const statuses = maintenance.components.map(({ name }) => [name, "under_maintenance"] as const);
    this.#update(maintenance, "in_progress", body, Object.fromEntries(statuses));
  }

  endIncident(id: string): void {
    const { components } = this.#incident(id);
    this.setStatuses(Object.fromEntries(components.map(({ name }) => [name, "operational"] as const)));
    this.#incidents = this.#incidents.filter((incident) => incident.id !== id);
  }

  #update(
    incident: Incident,
    status: string,
    body: string,
    statuses: Readonly<Record<string, ComponentStatus>>,
  ): void {
    const affected = this.setStatuses(statuses);
    incident.status = status;
    incident.updates.unshift({ id: this.#id(), status, body, at: this.#touch(), affected });
  }

  #incidentJson(incident: Incident, url: string): object {
    const { id, name, impact, created_at, scheduled, updates, status, monitoring_at } = incident;
    return {
      id,
      name,
      status,
      created_at,
      updated_at: updates[0]?.at ?? created_at,
      monitoring_at,
      resolved_at: null,
      impact,
      shortlink: `${url}/incidents/${id}`,
      started_at: created_at,
      page_id: PAGE_ID,
      incident_updates: updates.map((update) => ({
        id: update.id,
        status: update.status,
        body: update.body,
        incident_id: id,
        created_at: update.at,
        updated_at: update.at,
        display_at: update.at,
        affected_components: update.affected.length > 0 ? update.affected : null,
        deliver_notifications: true,
        custom_tweet: null,
        tweet_id: null,
      })),
      components: incident.components.map((component) => this.#componentJson(component)),
      reminder_intervals: null,
      ...(scheduled && { scheduled_for: scheduled.from, scheduled_until: scheduled.until }),
    };
  }

  #componentJson(component: Component): object {
    const members = this.#components.filter(({ group_id }) => group_id === component.id);
    return {
      id: component.id,
      name: component.name,
      status: component.status,
      created_at: "2024-02-01T10:00:00.000Z",
      updated_at: component.updated_at,
      position: component.position,
      description: component.description,
      showcase: false,
      start_date: component.group ? null : "2024-02-01",
      group_id: component.group_id,
      page_id: PAGE_ID,
      group: component.group,
      only_show_if_degraded: false,
      ...(component.group && { components: members.map(({ id }) => id) }),
    };
  }

  #find(name: string): Component {
    const component = this.#components.find((one) => one.name === name && !one.group);
    if (component) return component;
    throw new Error(`The status page has no component "${name}".`);
  }

  #incident(id: string): Incident {
    const incident = this.#incidents.find((one) => one.id === id);
    if (incident) return incident;
    throw new Error(`The status page has no open incident ${id}.`);
  }

  #add(name: string, position: number, group: string | null): void {
    this.#components.push({ ...this.#blank(this.#id(), name, position), group_id: group });
  }

  #blank(id: string, name: string, position: number): Component {
    return {
      id,
      name,
      group: false,
      group_id: null,
      position,
      description: null,
      status: "operational",
      updated_at: this.#updatedAt,
    };
  }

  #touch(): string {
    return (this.#updatedAt = this.#now());
  }

  #id(): string {
    return createHash("md5").update(String(this.#ids++)).digest("hex").slice(0, 12);
  }
}

const OVERALL: Readonly<
  Record<ComponentStatus, { readonly indicator: string; readonly description: string }>
> = {
  operational: { indicator: "none", description: "All Systems Operational" },
  under_maintenance: { indicator: "maintenance", description: "Service Under Maintenance" },
  degraded_performance: { indicator: "minor", description: "Partially Degraded Service" },
  partial_outage: { indicator: "major", description: "Partial System Outage" },
  major_outage: { indicator: "critical", description: "Major Service Outage" },
};
