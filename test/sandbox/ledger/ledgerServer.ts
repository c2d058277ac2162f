import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Chain } from "../chain.ts";
import { LedgerEntities } from "./ledgerEntities.ts";
import { LedgerStore, nanosOf, numberOf, type StoredSchedule } from "./ledgerStore.ts";
import { LedgerTransactions, type LedgerTransaction } from "./ledgerTransactions.ts";

/** Answers a request instead of the ledger; false leaves it to the ledger. */
export type LedgerFault = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A running ledger. */
export interface LedgerServer {
  readonly url: string;
  readonly store: LedgerStore;
  readonly entities: LedgerEntities;
  readonly transactions: LedgerTransactions;
  /** Paths with their queries, in the order in which they were asked for. */
  readonly asked: readonly string[];
  /** Asked for every request before the ledger itself. */
  fault: LedgerFault | undefined;
  stop(): Promise<void>;
}

/** An error in the interface's own form (hiero-mirror-node, rest/middleware/httpErrorHandler.js). */
class Refusal extends Error {
  readonly status: number;
  readonly messages: readonly string[];

  constructor(status: number, ...messages: readonly string[]) {
    super(messages.join("; "));
    this.status = status;
    this.messages = messages;
  }
}

const notFound = () => new Refusal(404, "Not found");
const invalid = (...names: readonly string[]) =>
  new Refusal(400, ...names.map((name) => `Invalid parameter: ${name}`));

/** A body and for how many seconds it may be kept (hiero-mirror-node, rest/config/application.yml). */
interface Answer {
  readonly body: unknown;
  readonly maxAge: number;
  readonly next?: string | null;
}

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

/** Starts a mirror node of the chain on loopback. Tokens and schedules come from its store. */
export async function startLedgerServer(chain: Chain): Promise<LedgerServer> {
  const store = new LedgerStore();
  const entities = new LedgerEntities();
  const transactions = new LedgerTransactions(chain, entities);
  const asked: string[] = [];
  const ledger = { chain, store, entities, transactions };
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (running.fault?.(request, response)) return;
    respond(ledger, request, response).catch((error: unknown) => {
      refuse(response, error instanceof Refusal ? error : new Refusal(500, "Internal error"));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const running: LedgerServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    store,
    entities,
    transactions,
    asked,
    fault: undefined,
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return running;
}

type Ledger = Pick<LedgerServer, "store" | "entities" | "transactions"> & { readonly chain: Chain };

async function respond(ledger: Ledger, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://ledger");
  const { body, maxAge, next } = await answer(ledger, url.pathname, new Query(url.searchParams));
  const text = writeExact(body);
  const etag = `W/"${createHash("sha1").update(text).digest("base64url")}"`;
  response.setHeader("cache-control", `public, max-age=${maxAge}`);
  response.setHeader("etag", etag);
  response.setHeader("access-control-allow-origin", "*");
  if (next) response.setHeader("link", `<${next}>; rel="next"`);
  if (request.headers["if-none-match"] === etag) {
    response.writeHead(304).end();
    return;
  }
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.end(text);
}

function refuse(response: ServerResponse, { status, messages }: Refusal): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify({ _status: { messages: messages.map((message) => ({ message })) } }));
}

async function answer(ledger: Ledger, path: string, query: Query): Promise<Answer> {
  const [, token] = /^\/api\/v1\/tokens\/([^/]+)$/.exec(path) ?? [];
  if (token !== undefined) return tokenById(ledger, decodeURIComponent(token), query);
  const [, transaction, part] = /^\/api\/v1\/contracts\/results\/([^/]+)(\/actions)?$/.exec(path) ?? [];
  if (transaction !== undefined) {
    const found = await contractTransaction(ledger, decodeURIComponent(transaction));
    return part === undefined ? contractResult(ledger, found) : actionsPage(ledger, found, path, query);
  }
  const [, contract] = /^\/api\/v1\/contracts\/([^/]+)$/.exec(path) ?? [];
  if (contract !== undefined) return contractById(ledger, contract);
  if (path === "/api/v1/schedules") return schedulesPage(ledger, path, query);
  const [, schedule] = /^\/api\/v1\/schedules\/([^/]+)$/.exec(path) ?? [];
  if (schedule !== undefined) return scheduleById(ledger, schedule, query);
  if (path === "/api/v1/transactions") return transactionsAt(ledger, query);
  const [, name] = /^\/api\/v1\/transactions\/([^/]+)$/.exec(path) ?? [];
  if (name !== undefined) return transactionsNamed(ledger, decodeURIComponent(name), query);
  throw notFound();
}

/** Query parameters: keys in any case, an operator before a value, unknown names refused. */
class Query {
  readonly #values = new Map<string, string[]>();

  constructor(parameters: URLSearchParams) {
    for (const [name, value] of parameters) {
      const key = name.toLowerCase();
      this.#values.set(key, [...(this.#values.get(key) ?? []), value]);
    }
  }

  allow(...names: readonly string[]): void {
    const unknown = [...this.#values.keys()].filter((name) => !names.includes(name));
    if (unknown.length > 0)
      throw new Refusal(400, ...unknown.map((name) => `Unknown query parameter: ${name}`));
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** The last value, which is the one that counts. */
  last(name: string): string | undefined {
    return this.all(name).at(-1);
  }

  limit(): number {
    const text = this.last("limit");
    if (text === undefined) return DEFAULT_LIMIT;
    if (!/^\d+$/.test(text) || Number(text) === 0) throw invalid("limit");
    // More is not refused, but not given either.
    return Math.min(Number(text), MAX_LIMIT);
  }

  order(fallback: "asc" | "desc"): "asc" | "desc" {
    const text = this.last("order")?.toLowerCase() ?? fallback;
    if (text !== "asc" && text !== "desc") throw invalid("order");
    return text;
  }

  /** Tests of numbers such as `gt:5`. */
  numbers(name: string, operators: readonly string[]): ((value: number) => boolean)[] {
    return this.all(name).map((text) => {
      const [, operator = "eq", digits = ""] = /^(?:(\w+):)?(?:0\.0\.)?(\d{1,10})$/.exec(text) ?? [];
      if (digits === "" || !operators.includes(operator)) throw invalid(name);
      const wanted = Number(digits);
      return (value) => compare(operator, value, wanted);
    });
  }
}

function compare(operator: string, value: number, wanted: number): boolean {
  switch (operator) {
    case "gt":
      return value > wanted;
    case "gte":
      return value >= wanted;
    case "lt":
      return value < wanted;
    case "lte":
      return value <= wanted;
    case "ne":
      return value !== wanted;
    default:
      return value === wanted;
  }
}

function tokenById({ store }: Ledger, written: string, query: Query): Answer {
  const address = /^(?:0\.0\.)?(?:0x)?([0-9a-f]{40})$/i.exec(written)?.[1];
  const isLongZero = address !== undefined && /^0{24}/.test(address) && !/^0\.0\.0x/i.test(written);
  const number = isLongZero ? String(parseInt(address, 16)) : /^(?:0\.){0,2}(\d{1,12})$/.exec(written)?.[1];
  if (number === undefined) throw invalid("tokenid");
  query.allow("timestamp");
  const text = query.last("timestamp");
  const [, operator = "eq", timestamp = ""] = /^(?:(\w+):)?(\d{1,10}(?:\.\d{1,9})?)$/.exec(text ?? "") ?? [];
  if (text !== undefined && (timestamp === "" || !["eq", "lt", "lte"].includes(operator)))
    throw invalid("timestamp");
  const record = store.token(
    `0.0.${number}`,
    text === undefined ? undefined : { operator, nanos: nanosOf(timestamp) },
  );
  if (!record) throw notFound();
  return { body: record, maxAge: 5 };
}

async function contractTransaction({ transactions }: Ledger, name: string): Promise<LedgerTransaction> {
  const isId = /^\d+\.\d+\.\d+-\d{1,19}-\d{1,9}$/.test(name);
  if (!isId && !/^(?:0x)?[0-9a-f]{64}$/i.test(name)) {
    throw new Refusal(
      400,
      name.startsWith("0x") || !name.includes(".")
        ? "Invalid parameter: transactionIdOrHash"
        : 'Invalid Transaction id. Please use "shard.realm.num-sss-nnn" format where sss are seconds and nnn are nanoseconds',
    );
  }
  const found = await transactions.find(isId ? paddedId(name) : name);
  if (!found) throw notFound();
  return found;
}

/** Nanoseconds of an id are an integer. */
function paddedId(id: string): string {
  const [entity, seconds, nanos = ""] = id.split("-");
  return `${entity}-${seconds}-${nanos.padStart(9, "0")}`;
}

async function actionsPage(
  { transactions }: Ledger,
  transaction: LedgerTransaction,
  path: string,
  query: Query,
): Promise<Answer> {
  query.allow("index", "limit", "order");
  const tests = query.numbers("index", ["eq", "gt", "gte", "lt", "lte"]);
  const [limit, order] = [query.limit(), query.order("asc")];
  const all = (await transactions.actions(transaction)).filter(({ index }) =>
    tests.every((test) => test(index)),
  );
  if (order === "desc") all.reverse();
  const actions = all.slice(0, limit);
  const last = actions.at(-1)?.index;
  // A full page has a successor, even where nothing follows.
  const next =
    actions.length === limit && last !== undefined
      ? `${path}?limit=${limit}${order === "desc" ? "&order=desc" : ""}&index=${order === "desc" ? "lt" : "gt"}:${last}`
      : null;
  return { body: { actions, links: { next } }, maxAge: 600, next };
}

async function contractResult(
  { chain, entities, transactions }: Ledger,
  found: LedgerTransaction,
): Promise<Answer> {
  const receipt = await chain.rpc<{
    status: string;
    gasUsed: string;
    blockNumber: string;
    contractAddress: string | null;
  }>("eth_getTransactionReceipt", found.hash);
  const [root] = await transactions.actions(found);
  const isSuccess = receipt.status === "0x1";
  const contract = found.onChain.to ?? receipt.contractAddress;
  return {
    maxAge: 600,
    body: {
      address: contract,
      amount: Number(BigInt(found.onChain.value) / 10n ** 10n),
      block_number: Number(receipt.blockNumber),
      call_result: root?.result_data ?? "0x",
      contract_id: contract === null ? null : entities.idOf(contract),
      error_message: isSuccess ? null : (root?.result_data ?? "0x"),
      from: found.onChain.from,
      function_parameters: found.onChain.input,
      gas_limit: Number(found.onChain.gas),
      gas_used: Number(receipt.gasUsed),
      hash: found.hash,
      result: isSuccess ? "SUCCESS" : "CONTRACT_REVERT_EXECUTED",
      status: receipt.status,
      timestamp: found.consensus,
      to: found.onChain.to,
    },
  };
}

async function contractById({ chain, entities }: Ledger, written: string): Promise<Answer> {
  const address = entities.addressOf(written);
  const code = address === undefined ? "0x" : await chain.rpc<string>("eth_getCode", address, "latest");
  if (address === undefined || code === "0x") throw notFound();
  return {
    maxAge: 1,
    body: {
      contract_id: entities.idOf(address),
      evm_address: address,
      deleted: false,
      runtime_bytecode: code,
    },
  };
}

function schedulesPage({ store }: Ledger, path: string, query: Query): Answer {
  query.allow("account.id", "schedule.id", "limit", "order");
  const operators = ["eq", "ne", "gt", "gte", "lt", "lte"];
  const byAccount = query.numbers("account.id", operators);
  const byId = query.numbers("schedule.id", operators);
  const [limit, order] = [query.limit(), query.order("asc")];
  const all = store
    .schedules()
    .filter(({ creator_account_id: creator }) => byAccount.every((test) => test(numberOf(creator))))
    .filter(({ schedule_id: id }) => byId.every((test) => test(numberOf(id))));
  if (order === "desc") all.reverse();
  const schedules = all.slice(0, limit);
  const last = schedules.at(-1)?.schedule_id;
  const others = [
    ...query.all("account.id").map((value) => `account.id=${value}`),
    `limit=${limit}`,
    ...(query.last("order") === undefined ? [] : [`order=${order}`]),
  ].join("&");
  const next =
    schedules.length === limit && last !== undefined
      ? `${path}?${others}&schedule.id=${order === "desc" ? "lt" : "gt"}:${last}`
      : null;
  return { body: { schedules, links: { next } }, maxAge: 10, next };
}

function scheduleById({ store }: Ledger, written: string, query: Query): Answer {
  const number = /^(?:0\.){0,2}(\d{1,12})$/.exec(written)?.[1];
  if (number === undefined) throw invalid("scheduleid");
  query.allow();
  const record = store.schedule(Number(number));
  if (!record) throw notFound();
  return { body: record, maxAge: isFinal(record) ? 3600 : 10 };
}

/** hiero-mirror-node, rest/schedules.js, getScheduleCacheControlHeader. */
function isFinal(record: StoredSchedule): boolean {
  const { executed_timestamp: executed, deleted, expiration_time: expiration } = record;
  if (typeof executed === "string" || deleted === true) return true;
  const now = BigInt(Date.now()) * 1_000_000n;
  return typeof expiration === "string"
    ? now >= nanosOf(expiration) + 60_000_000_000n
    : now >= nanosOf(String(record["consensus_timestamp"])) + 31n * 60_000_000_000n;
}

async function transactionsAt(ledger: Ledger, query: Query): Promise<Answer> {
  query.allow("timestamp", "limit", "order");
  const timestamp = query.last("timestamp");
  if (timestamp === undefined || !/^\d{1,10}(?:\.\d{1,9})?$/.test(timestamp)) throw invalid("timestamp");
  const found = await ledger.transactions.find(timestamp);
  return {
    body: { transactions: found ? [await record(ledger, found)] : [], links: { next: null } },
    maxAge: 10,
  };
}

async function transactionsNamed(ledger: Ledger, name: string, query: Query): Promise<Answer> {
  query.allow("nonce", "scheduled");
  // A 48-byte hash is cut, as the ledger's own tables do.
  const hash = /^(?:0x)?([0-9a-f]{96})$/i.exec(name)?.[1];
  const found = await ledger.transactions.find(hash?.slice(0, 64) ?? paddedId(name));
  if (!found || Number(query.last("nonce") ?? 0) > 0) throw notFound();
  return { body: { transactions: [await record(ledger, found)] }, maxAge: 600 };
}

async function record({ chain }: Ledger, { hash, id, consensus }: LedgerTransaction) {
  const { status } = await chain.rpc<{ status: string }>("eth_getTransactionReceipt", hash);
  const bytes = Buffer.concat([Buffer.from(hash.slice(2), "hex"), Buffer.alloc(16, 7)]);
  return {
    consensus_timestamp: consensus,
    name: "ETHEREUMTRANSACTION",
    nonce: 0,
    result: status === "0x1" ? "SUCCESS" : "CONTRACT_REVERT_EXECUTED",
    scheduled: false,
    transaction_hash: bytes.toString("base64"),
    transaction_id: id,
  };
}

/** JSON in which a bigint is a bare number, as the ledger writes its integers whatever their size. */
function writeExact(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(writeExact).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => `${JSON.stringify(name)}:${writeExact(one)}`)
      .join(",")}}`;
  }
  return JSON.stringify(value ?? null);
}
