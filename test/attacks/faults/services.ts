import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { startServer } from "../../rig/loopback/httpServer.ts";

export const CHAIN = "31337";
/** The contract that is verified alone, and the two that are verified with it. */
export const ADDRESSES = [
  "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
  "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
] as const;
export const DEPLOYED_CODE = "0x6080604052600080fdfea164736f6c634300081c000a";
export const OLD_JOB = "99999999-2222-4333-8444-555555555555";
export const TOKEN = "0.0.5001";
export const SCHEDULE = "0.0.7001";
export const TRANSACTION = "0.0.2-1700000000-000000001";

/** The services that commands ask, on one address, small and true to their interfaces. */
export interface Services {
  readonly url: string;
  /** How many jobs were begun for each address, in lower case. */
  readonly begun: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

interface Job {
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
  looks: number;
}

/** A job is finished at the second look, or after so long without one. */
const JOB_MS = 100;

interface Reply {
  readonly status?: number;
  readonly body: unknown;
}

/** Starts them with nothing verified. */
export async function startServices(): Promise<Services> {
  const world = new World();
  const server = await startServer((request, response) => {
    void world.answer(request).then(({ status = 200, body }) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  return { url: server.url, begun: world.begun, stop: () => server.stop() };
}

class World {
  readonly begun = new Map<string, number>();
  readonly #jobs = new Map<string, Job>([[OLD_JOB, { address: ADDRESSES[0], until: Infinity, looks: 0 }]]);

  async answer(request: IncomingMessage): Promise<Reply> {
    const body = await buffer(request);
    const { method = "", url = "" } = request;
    const { pathname } = new URL(url, "http://services");
    const [area = "", ...rest] = pathname.slice(1).split("/");
    if (area === "rpc") return { body: { jsonrpc: "2.0", id: 1, result: DEPLOYED_CODE } };
    if (area === "server") return this.#verification(method, rest, request.headers.host ?? "");
    if (area === "api") return ledger(pathname) ?? statusPage(pathname) ?? { status: 404, body: {} };
    if (area === "solc") return { body: { builds: [{ longVersion: "0.9.99+commit.01234567" }] } };
    if (area === "vyper") {
      const release = { tag_name: "v0.9.99", assets: [{ name: "vyper.0.9.99+commit.01234567.linux" }] };
      return { body: [release] };
    }
    return { status: 404, body: { unknown: body.length } };
  }

  #verification(method: string, [first = "", kind = "", ...rest]: readonly string[], host: string): Reply {
    if (first === "health") return { body: '"Alive and kicking!"' };
    if (first === "chains") {
      const rpc = [`http://${host}/rpc`];
      return { body: [{ name: "Local", chainId: Number(CHAIN), supported: true, rpc }] };
    }
    if (kind === "contract") return this.#contract(rest[1] ?? "");
    if (method === "POST") return this.#submitted(rest.at(-1) ?? "");
    return this.#job(rest[0] ?? "");
  }

  #contract(address: string): Reply {
    const common = { chainId: CHAIN, address };
    if (!this.#isVerified(address))
      return { status: 404, body: { ...common, match: null, creationMatch: null, runtimeMatch: null } };
    return {
      body: {
        ...common,
        match: "exact_match",
        creationMatch: "exact_match",
        runtimeMatch: "exact_match",
        verifiedAt: "2026-01-01T00:00:00Z",
        matchId: "1",
        abi: [{ type: "function", name: "spin", inputs: [], outputs: [], stateMutability: "nonpayable" }],
        compilation: { name: "Router", language: "Solidity" },
      },
    };
  }

  #submitted(address: string): Reply {
    const refusal = (status: number, customCode: string): Reply => ({
      status,
      body: { customCode, message: "No second job", errorId: "e" },
    });
    if (this.#isVerified(address)) return refusal(409, "already_verified");
    if (this.#jobsOf(address).length > 0) return refusal(429, "duplicate_verification_request");
    const verificationId = crypto.randomUUID();
    this.#jobs.set(verificationId, { address, until: Date.now() + JOB_MS, looks: 0 });
    const key = address.toLowerCase();
    this.begun.set(key, (this.begun.get(key) ?? 0) + 1);
    return { status: 202, body: { verificationId } };
  }

  #job(verificationId: string): Reply {
    const job = this.#jobs.get(verificationId);
    if (!job)
      return { status: 404, body: { customCode: "job_not_found", message: "No such job", errorId: "e" } };
    job.looks++;
    const isJobCompleted = isFinished(job);
    const match = isJobCompleted ? "exact_match" : null;
    return {
      body: {
        isJobCompleted,
        verificationId,
        jobStartTime: "2026-01-01T00:00:00Z",
        ...(isJobCompleted && { jobFinishTime: "2026-01-01T00:00:09Z", compilationTime: "9000" }),
        contract: {
          match,
          creationMatch: match,
          runtimeMatch: match,
          chainId: CHAIN,
          address: job.address,
        },
      },
    };
  }

  #isVerified(address: string): boolean {
    return this.#jobsOf(address).some(isFinished);
  }

  #jobsOf(address: string): Job[] {
    return [...this.#jobs]
      .filter(([id, job]) => id !== OLD_JOB && job.address.toLowerCase() === address.toLowerCase())
      .map(([, job]) => job);
  }
}

function isFinished({ looks, until }: Job): boolean {
  return looks > 1 || Date.now() >= until;
}

function ledger(pathname: string): Reply | undefined {
  if (!pathname.startsWith("/api/v1/")) return undefined;
  const [, , , kind = "", id = "", ...rest] = pathname.split("/");
  if (kind === "network")
    return {
      body: {
        released_supply: "5000000000000000000",
        total_supply: "5000000000000000000",
        timestamp: "1700000000.000000000",
      },
    };
  if (kind === "tokens") {
    const fee = {
      fixed_fees: [{ amount: 100, collector_account_id: "0.0.9", denominating_token_id: "0.0.5002" }],
      royalty_fees: [],
      fractional_fees: [],
      created_timestamp: "1700000000.000000000",
    };
    return {
      body: {
        token_id: id,
        name: "Token",
        symbol: "TOK",
        decimals: "2",
        total_supply: "12345",
        max_supply: "0",
        type: "FUNGIBLE_COMMON",
        supply_type: "INFINITE",
        treasury_account_id: "0.0.9",
        admin_key: { _type: "ED25519", key: "ab".repeat(32) },
        custom_fees: id === TOKEN ? fee : { fixed_fees: [] },
        created_timestamp: "1700000000.000000000",
        modified_timestamp: "1700000000.000000000",
        deleted: false,
        freeze_default: false,
        memo: "",
        metadata: "",
        pause_status: "UNPAUSED",
      },
    };
  }
  if (kind === "schedules") {
    const schedule = {
      schedule_id: SCHEDULE,
      creator_account_id: "0.0.9",
      payer_account_id: "0.0.9",
      consensus_timestamp: "1700000000.000000000",
      executed_timestamp: "1700000001.000000000",
      expiration_time: null,
      deleted: false,
      memo: "",
      signatures: [],
      transaction_body: "",
      wait_for_expiry: false,
      admin_key: null,
    };
    return { body: id === "" ? { schedules: [schedule], links: { next: null } } : schedule };
  }
  if (kind === "transactions") {
    return {
      body: {
        transactions: [
          {
            consensus_timestamp: "1700000001.000000000",
            transaction_id: TRANSACTION,
            transaction_hash: Buffer.alloc(48, 7).toString("base64"),
            result: "SUCCESS",
            nonce: 0,
            scheduled: true,
          },
        ],
        links: { next: null },
      },
    };
  }
  if (kind === "contracts" && rest.at(-1) === "actions") {
    const actions = [0, 1].map((index) => ({
      index,
      call_depth: index,
      call_type: "CALL",
      call_operation_type: "CALL",
      caller: "0.0.9",
      caller_type: "ACCOUNT",
      from: ADDRESSES[1].toLowerCase(),
      to: ADDRESSES[0].toLowerCase(),
      recipient: "0.0.1001",
      recipient_type: "CONTRACT",
      gas: 100_000,
      gas_used: 21_000,
      input: "0xf0acd7d5",
      result_data: "0x",
      result_data_type: "OUTPUT",
      timestamp: "1700000001.000000000",
      value: 0,
    }));
    return { body: { actions, links: { next: null } } };
  }
  if (kind === "contracts")
    return {
      body: {
        contract_id: "0.0.1001",
        evm_address: ADDRESSES[0].toLowerCase(),
        runtime_bytecode: DEPLOYED_CODE,
        bytecode: "0x",
      },
    };
  return undefined;
}

function statusPage(pathname: string): Reply | undefined {
  if (pathname !== "/api/v2/summary.json") return undefined;
  const at = "2026-01-01T00:00:00.000Z";
  const component = {
    id: "c1",
    name: "Mainnet mirror node",
    status: "operational",
    created_at: at,
    updated_at: at,
    position: 1,
    description: null,
    showcase: false,
    group_id: null,
    page_id: "p",
    group: false,
    only_show_if_degraded: false,
  };
  const update = {
    id: "u1",
    status: "investigating",
    body: "We look.",
    incident_id: "i1",
    created_at: at,
    updated_at: at,
    display_at: at,
    affected_components: [],
  };
  const incident = {
    id: "i1",
    name: "Slow",
    status: "investigating",
    created_at: at,
    updated_at: at,
    monitoring_at: null,
    resolved_at: null,
    impact: "minor",
    shortlink: "https://example.org/i1",
    started_at: at,
    page_id: "p",
    incident_updates: [update],
    components: [component],
  };
  return {
    body: {
      page: { id: "p", name: "Page", url: "https://example.org", time_zone: "Etc/UTC", updated_at: at },
      components: [component],
      incidents: [incident],
      scheduled_maintenances: [
        { ...incident, id: "m1", status: "scheduled", scheduled_for: at, scheduled_until: at },
      ],
      status: { indicator: "minor", description: "Slow" },
    },
  };
}
