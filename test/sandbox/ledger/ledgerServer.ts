import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Chain } from "../chain.ts";
import { tinybars } from "./contractActions.ts";
import { LedgerEntities, longZeroNumber } from "./ledgerEntities.ts";
import type { BodyChange, LedgerFault } from "./ledgerFaults.ts";
import { LedgerQuery, passes, type Operator } from "./ledgerQuery.ts";
import { invalidParameter, invalidTransactionId, LedgerRefusal, notFound } from "./ledgerRefusal.ts";
import { LedgerStore, nanosOf, numberOf, type StoredSchedule } from "./ledgerStore.ts";
import { LedgerTransactions, type LedgerTransaction } from "./ledgerTransactions.ts";

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
  /** How often a path was asked for, with whatever query. */
  timesAsked(path: string): number;
  stop(): Promise<void>;
}

/** A body and for how many seconds it may be kept (hiero-mirror-node, rest/config/application.yml). */
interface Answer {
  readonly body: unknown;
  readonly maxAge: number;
  readonly next?: string | null;
}

const MAX_AGE = { token: 5, schedules: 10, actions: 600, result: 600, transaction: 600 };
/** What never changes again. */
const MAX_AGE_WHEN_FINAL = 3600;
const MAX_AGE_OF_OTHERS = 1;
/** 50 billion HBAR; a string, as the interface has it. */
const ALL_TINYBARS = "5000000000000000000";
/** Smaller bodies are not worth compressing. */
const SMALLEST_COMPRESSED = 1024;
const RANGE: readonly Operator[] = ["eq", "gt", "gte", "lt", "lte"];
const RANGE_OR_NOT: readonly Operator[] = [...RANGE, "ne"];

/**
 * Starts a mirror node of the chain on loopback. Tokens and schedules come from its store.
 *
 * @param options.includeHostInLink whether `links.next` names the host, as some nodes are set up
 */
export async function startLedgerServer(
  chain: Chain,
  { includeHostInLink = false } = {},
): Promise<LedgerServer> {
  const store = new LedgerStore();
  const entities = new LedgerEntities();
  const transactions = new LedgerTransactions(chain, entities);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    respond(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else
        refuse(response, error instanceof LedgerRefusal ? error : new LedgerRefusal(500, "Internal error"));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ledger = { chain, store, entities, transactions, linkBase: includeHostInLink ? url : "" };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const outcome = (await running.fault?.(request, response)) ?? false;
    if (outcome === true) return;
    const change: BodyChange = outcome === false ? (body) => body : outcome;
    await sendAnswer(await answer(ledger, request), request, response, change);
  };
  const running: LedgerServer = {
    url,
    store,
    entities,
    transactions,
    asked,
    fault: undefined,
    timesAsked: (path) => asked.filter((target) => target.split("?")[0] === path).length,
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return running;
}

type Ledger = Pick<LedgerServer, "store" | "entities" | "transactions"> & {
  readonly chain: Chain;
  /** What stands before the path of a link. */
  readonly linkBase: string;
};

async function sendAnswer(
  { body, maxAge, next }: Answer,
  request: IncomingMessage,
  response: ServerResponse,
  change: BodyChange,
): Promise<void> {
  const text = Buffer.from(change(writeExact(body)));
  const digest = createHash("sha1").update(text).digest("base64").slice(0, 27);
  const etag = `W/"${text.length.toString(16)}-${digest}"`;
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("cache-control", `public, max-age=${maxAge}`);
  response.setHeader("etag", etag);
  response.setHeader("vary", "Accept-Encoding");
  if (next) response.setHeader("link", `<${next}>; rel="next"`);
  if (knows(request.headers["if-none-match"], etag)) {
    response.writeHead(304).end();
    return;
  }
  response.setHeader("content-type", "application/json; charset=utf-8");
  const accepts = /\bgzip\b/i.test(String(request.headers["accept-encoding"]));
  if (!accepts || text.length < SMALLEST_COMPRESSED) {
    response.end(text);
    return;
  }
  response.setHeader("content-encoding", "gzip");
  response.end(await promisify(gzip)(text));
}

/** Whether a client has this version: tags are compared weakly (RFC 9110 §8.8.3.2). */
function knows(ifNoneMatch: string | undefined, etag: string): boolean {
  const strong = (tag: string) => tag.trim().replace(/^W\//, "");
  return (ifNoneMatch ?? "").split(",").some((tag) => tag.trim() === "*" || strong(tag) === strong(etag));
}

function refuse(response: ServerResponse, { status, messages }: LedgerRefusal): void {
  response.setHeader("access-control-allow-origin", "*");
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify({ _status: { messages: messages.map((message) => ({ message })) } }));
}

async function answer(ledger: Ledger, request: IncomingMessage): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://ledger");
  const path = pathname.replace(/\/$/, "");
  if (request.method === "POST" && path === "/api/v1/contracts/call") return contractCall(ledger, request);
  if (request.method !== "GET" && request.method !== "HEAD") throw notFound();
  const query = (...accepted: readonly string[]) => new LedgerQuery(searchParams, accepted);
  const part = (pattern: RegExp) => {
    const found = pattern.exec(path)?.[1];
    return found === undefined ? undefined : decoded(found);
  };
  const token = part(/^\/api\/v1\/tokens\/([^/]+)$/);
  if (token !== undefined) return tokenById(ledger, token, query("timestamp"));
  const traced = part(/^\/api\/v1\/contracts\/results\/([^/]+)\/actions$/);
  if (traced !== undefined) return actionsPage(ledger, traced, path, query("index", "limit", "order"));
  const result = part(/^\/api\/v1\/contracts\/results\/([^/]+)$/);
  if (result !== undefined) return contractResult(ledger, result, query("nonce"));
  if (path === "/api/v1/contracts/results")
    return resultsPage(ledger, path, undefined, query("from", "timestamp", "limit", "order"));
  const called = part(/^\/api\/v1\/contracts\/([^/]+)\/results$/);
  if (called !== undefined)
    return resultsPage(ledger, path, called, query("from", "timestamp", "limit", "order"));
  const contract = part(/^\/api\/v1\/contracts\/([^/]+)$/);
  if (contract !== undefined) return contractById(ledger, contract, query());
  const account = part(/^\/api\/v1\/accounts\/([^/]+)$/);
  if (account !== undefined) return accountById(ledger, account, query("transactions"));
  if (part(/^(\/api\/v1\/schedules)$/) !== undefined)
    return schedulesPage(ledger, path, query("account.id", "schedule.id", "limit", "order"));
  const schedule = part(/^\/api\/v1\/schedules\/([^/]+)$/);
  if (schedule !== undefined) return scheduleById(ledger, schedule, query());
  if (part(/^(\/api\/v1\/transactions)$/) !== undefined)
    return transactionsPage(ledger, path, query("account.id", "timestamp", "limit", "order", "result"));
  const transaction = part(/^\/api\/v1\/transactions\/([^/]+)$/);
  if (transaction !== undefined) return transactionsNamed(ledger, transaction, query("nonce", "scheduled"));
  if (path === "/api/v1/network/supply") return networkSupply(ledger, query());
  throw notFound();
}

/**
 * What a function answers on the chain as it is now (hiero-mirror-node, web3, ContractController): what reverts is a bad
 * request.
 */
async function contractCall({ chain, entities }: Ledger, request: IncomingMessage): Promise<Answer> {
  const {
    to = "",
    data = "0x",
    block,
    estimate,
  } = JSON.parse(await text(request)) as Record<string, unknown>;
  if (block !== "latest" || estimate !== false) throw new LedgerRefusal(501, "Not Implemented");
  const address = entities.addressOf(String(to));
  if (address === undefined) throw invalidParameter("to");
  const result = await chain.rpc<string>("eth_call", { to: address, data }, "latest").catch(() => {
    throw new LedgerRefusal(400, "CONTRACT_REVERT_EXECUTED");
  });
  return { body: { result }, maxAge: 0 };
}

/** All tinybars there are, which are all in circulation here. */
async function networkSupply({ transactions }: Ledger, query: LedgerQuery): Promise<Answer> {
  query.check();
  const last = (await transactions.all()).at(-1);
  // A ledger without a single transaction has no supply either.
  if (!last) throw notFound();
  const body = { released_supply: ALL_TINYBARS, timestamp: last.consensus, total_supply: ALL_TINYBARS };
  return { body, maxAge: MAX_AGE_OF_OTHERS };
}

function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    throw new LedgerRefusal(400, `Failed to decode param '${written}'`);
  }
}

/** The number in `shard.realm.num`, `realm.num` or `num`; -1 in another shard or realm, where no account is. */
function entityNumber(written: string): bigint | undefined {
  const [, before = "", number] = /^((?:\d{1,4}\.)?\d{1,5}\.)?(\d{1,12})$/.exec(written) ?? [];
  if (number === undefined) return undefined;
  return /[1-9]/.test(before) ? -1n : BigInt(number);
}

/** Seconds with up to 9 digits of a fraction, in nanoseconds. */
function timestampNanos(written: string): bigint | undefined {
  return /^\d{1,10}(?:\.\d{1,9})?$/.test(written) ? nanosOf(written) : undefined;
}

function tokenById({ store }: Ledger, written: string, query: LedgerQuery): Answer {
  const at = query.comparisons("timestamp", ["eq", "lt", "lte"], timestampNanos).at(-1);
  query.check();
  const address = /^(?:0x|0\.0\.)?([0-9a-f]{40})$/i.exec(written)?.[1];
  const number = address === undefined ? entityNumber(written) : longZeroNumber(`0x${address}`);
  if (number === undefined) throw invalidParameter("tokenid");
  const record = store.token(`0.0.${number}`, at && { operator: at.operator, nanos: at.value });
  if (!record) throw notFound();
  return { body: record, maxAge: MAX_AGE.token };
}

/** @param name an id, or a hash of 32 bytes: one of 48 bytes is not accepted here */
async function transactionOf({ transactions }: Ledger, name: string): Promise<LedgerTransaction> {
  const isHash = /^(?:0x)?[0-9a-f]{64}$/i.test(name);
  const found = await transactions.find(isHash ? name : paddedId(name));
  if (!found) throw notFound();
  return found;
}

/** Nanoseconds of an id are an integer. */
function paddedId(written: string): string {
  const [, entity, seconds, nanos = ""] = /^(\d+\.\d+\.\d+)-(\d{1,19})-(\d{1,9})$/.exec(written) ?? [];
  if (entity === undefined || seconds === undefined) throw invalidTransactionId();
  return `${entity}-${seconds}-${nanos.padStart(9, "0")}`;
}

async function actionsPage(ledger: Ledger, name: string, path: string, query: LedgerQuery): Promise<Answer> {
  const bounds = query.comparisons("index", RANGE, (text) =>
    /^\d{1,18}$/.test(text) ? BigInt(text) : undefined,
  );
  const [limit, order] = [query.limit(), query.order("asc")];
  query.check();
  const found = (await transactionOf(ledger, name)).actions.filter(({ index }) =>
    passes(BigInt(index), bounds),
  );
  if (order === "desc") found.reverse();
  const actions = found.slice(0, limit);
  const last = actions.length === limit ? actions.at(-1) : undefined;
  // A full page has a successor, even where nothing follows.
  const link = last && query.nextPage(path, "index", String(last.index), order);
  const next = linked(ledger, link);
  return { body: { actions, links: { next } }, maxAge: MAX_AGE.actions, next };
}

function linked({ linkBase }: Ledger, link: string | null | undefined): string | null {
  return link === null || link === undefined ? null : linkBase + link;
}

async function contractResult(ledger: Ledger, name: string, query: LedgerQuery): Promise<Answer> {
  query.integer("nonce");
  query.check();
  const found = await transactionOf(ledger, name);
  if (!found.onChain) throw notFound();
  const body = executionRecord(ledger, found, found.onChain);
  return {
    maxAge: MAX_AGE.result,
    body: { ...body, state_changes: await stateChanges(ledger, body.hash) },
  };
}

/** The executions of a contract, or those that an account sent, the newest first unless asked otherwise. */
async function resultsPage(
  ledger: Ledger,
  path: string,
  written: string | undefined,
  query: LedgerQuery,
): Promise<Answer> {
  const [from] = query.comparisons("from", ["eq"], (text) => addressNumber(ledger.entities.addressOf(text)));
  const times = query.comparisons("timestamp", RANGE, timestampNanos);
  const [limit, order] = [query.limit(), query.order("desc")];
  query.check();
  const contract = written === undefined ? undefined : ledger.entities.addressOf(written);
  if (written !== undefined && contract === undefined) throw invalidParameter("contractid");
  const found = (await ledger.transactions.all()).flatMap((one) => {
    const { consensus, onChain } = one;
    if (!onChain || !passes(nanosOf(consensus), times)) return [];
    const { transaction, receipt } = onChain;
    const callee = (transaction.to ?? receipt.contractAddress)?.toLowerCase();
    if (contract !== undefined && callee !== contract) return [];
    // What moved value to an account called no contract.
    if (contract === undefined && one.name !== "ETHEREUMTRANSACTION" && one.actions.length === 0) return [];
    if (from && addressNumber(transaction.from) !== from.value) return [];
    return [{ one, onChain }];
  });
  if (order === "desc") found.reverse();
  const page = found.slice(0, limit);
  const last = page.length === limit ? page.at(-1) : undefined;
  const next = linked(ledger, last && query.nextPage(path, "timestamp", last.one.consensus, order));
  const results = page.map(({ one, onChain }) => executionRecord(ledger, one, onChain));
  return { body: { results, links: { next } }, maxAge: MAX_AGE_OF_OTHERS, next };
}

function addressNumber(address: string | undefined): bigint | undefined {
  return address === undefined ? undefined : BigInt(address);
}

/** An execution as a list has it: without its storage. */
function executionRecord(
  ledger: Ledger,
  { actions, consensus, result }: LedgerTransaction,
  onChain: NonNullable<LedgerTransaction["onChain"]>,
) {
  const { transaction, receipt } = onChain;
  const [root] = actions;
  const contract = transaction.to ?? receipt.contractAddress;
  const gasUsed = Number(receipt.gasUsed);
  const isRevert = result === "CONTRACT_REVERT_EXECUTED";
  const creations = actions.filter((action) => action.call_type === "CREATE" && action.recipient !== null);
  return {
    address: contract,
    amount: tinybars(transaction.value),
    block_hash: receipt.blockHash,
    block_number: Number(receipt.blockNumber),
    bloom: receipt.logsBloom,
    call_result: root?.result_data ?? "0x",
    contract_id: contract === null ? null : ledger.entities.idOf(contract),
    created_contract_ids: result === "SUCCESS" ? creations.map(({ recipient }) => recipient) : [],
    error_message: result === "SUCCESS" ? null : isRevert ? (root?.result_data ?? "0x") : result,
    from: transaction.from,
    function_parameters: transaction.input,
    gas_consumed: gasUsed,
    gas_limit: Number(transaction.gas),
    gas_used: gasUsed,
    hash: transaction.hash,
    logs: receipt.logs.map(({ address, data, topics }, index) => ({
      address,
      contract_id: ledger.entities.idOf(address),
      data,
      index,
      topics,
    })),
    result,
    status: receipt.status,
    timestamp: consensus,
    to: transaction.to,
    transaction_index: Number(receipt.transactionIndex),
  };
}

/** An account of the chain: the address has a balance or code there, or sent something. */
async function accountById(
  { chain, entities }: Ledger,
  written: string,
  query: LedgerQuery,
): Promise<Answer> {
  query.flag("transactions");
  query.check();
  const isAddress = /^(?:0x|0\.0\.)?[0-9a-f]{40}$/i.test(written);
  if (!isAddress && entityNumber(written) === undefined) throw invalidParameter("idOrAliasOrEvmAddress");
  const address = entities.addressOf(written);
  if (address === undefined) throw notFound();
  const [balance, nonce, code] = await Promise.all([
    chain.rpc<string>("eth_getBalance", address, "latest"),
    chain.rpc<string>("eth_getTransactionCount", address, "latest"),
    chain.rpc<string>("eth_getCode", address, "latest"),
  ]);
  if (BigInt(balance) === 0n && BigInt(nonce) === 0n && code === "0x") throw notFound();
  return {
    maxAge: MAX_AGE_OF_OTHERS,
    body: {
      account: entities.idOf(address),
      balance: { balance: tinybars(balance), tokens: [] },
      deleted: false,
      ethereum_nonce: Number(nonce),
      evm_address: address,
      memo: "",
    },
  };
}

/**
 * The slots that a transaction wrote, which a reverted one has none of. Digits without zeros in front, as the mirror node
 * writes them (hiero-mirror-node, rest/viewmodel/contractResultStateChangeViewModel.js).
 */
async function stateChanges({ chain, entities }: Ledger, hash: string) {
  const tracer = { tracer: "prestateTracer", tracerConfig: { diffMode: true } };
  const { pre, post } = await chain.rpc<StateDifference>("debug_traceTransaction", hash, tracer);
  const word = (value: string | undefined) => `0x${BigInt(value ?? "0x0").toString(16)}`;
  return Object.entries(post).flatMap(([address, { storage = {} }]) =>
    Object.entries(storage).map(([slot, written]) => ({
      address,
      contract_id: entities.idOf(address),
      slot: word(slot),
      value_read: word(pre[address]?.storage?.[slot]),
      value_written: word(written),
    })),
  );
}

interface StateDifference {
  readonly pre: Readonly<Record<string, { readonly storage?: Readonly<Record<string, string>> }>>;
  readonly post: Readonly<Record<string, { readonly storage?: Readonly<Record<string, string>> }>>;
}

async function contractById(
  { chain, entities }: Ledger,
  written: string,
  query: LedgerQuery,
): Promise<Answer> {
  query.check();
  const isAddress = /^(?:0x|0\.0\.)?[0-9a-f]{40}$/i.test(written);
  if (!isAddress && entityNumber(written) === undefined) throw invalidParameter("contractid");
  const address = entities.addressOf(written);
  const code = address === undefined ? "0x" : await chain.rpc<string>("eth_getCode", address, "latest");
  if (address === undefined || code === "0x") throw notFound();
  return {
    maxAge: MAX_AGE_OF_OTHERS,
    body: {
      contract_id: entities.idOf(address),
      evm_address: address,
      deleted: false,
      runtime_bytecode: code,
    },
  };
}

function schedulesPage(ledger: Ledger, path: string, query: LedgerQuery): Answer {
  const byAccount = query.comparisons("account.id", RANGE_OR_NOT, entityNumber);
  const byId = query.comparisons("schedule.id", RANGE_OR_NOT, entityNumber);
  const [limit, order] = [query.limit(), query.order("asc")];
  query.check();
  const number = (id: string) => BigInt(numberOf(id));
  const found = ledger.store
    .schedules()
    .filter(({ creator_account_id: creator }) => passes(number(creator), byAccount))
    .filter(({ schedule_id: id }) => passes(number(id), byId));
  if (order === "desc") found.reverse();
  const schedules = found.slice(0, limit);
  const last = schedules.length === limit ? schedules.at(-1) : undefined;
  const next = linked(ledger, last && query.nextPage(path, "schedule.id", last.schedule_id, order));
  return { body: { schedules, links: { next } }, maxAge: MAX_AGE.schedules, next };
}

function scheduleById({ store }: Ledger, written: string, query: LedgerQuery): Answer {
  query.check();
  const number = entityNumber(written);
  if (number === undefined) throw invalidParameter("scheduleid");
  const record = store.schedule(Number(number));
  if (!record) throw notFound();
  return { body: record, maxAge: isFinal(record) ? MAX_AGE_WHEN_FINAL : MAX_AGE_OF_OTHERS };
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

/** The newest first, unless asked otherwise. */
async function transactionsPage(ledger: Ledger, path: string, query: LedgerQuery): Promise<Answer> {
  const times = query.comparisons("timestamp", RANGE_OR_NOT, timestampNanos);
  const byAccount = query.comparisons("account.id", RANGE_OR_NOT, entityNumber);
  const wanted = query.word("result", ["success", "fail"]);
  const [limit, order] = [query.limit(), query.order("desc")];
  query.check();
  const moves = (one: LedgerTransaction) =>
    transactionRecord(ledger, one).transfers.some(({ account }) =>
      passes(entityNumber(account) ?? 0n, byAccount),
    );
  const found = (await ledger.transactions.all())
    .filter(({ consensus }) => passes(nanosOf(consensus), times))
    .filter((one) => byAccount.length === 0 || moves(one))
    .filter(({ result }) => wanted === undefined || (wanted === "success") === (result === "SUCCESS"));
  if (order === "desc") found.reverse();
  const page = found.slice(0, limit);
  const last = page.length === limit ? page.at(-1) : undefined;
  const next = linked(ledger, last && query.nextPage(path, "timestamp", last.consensus, order));
  return {
    body: { transactions: page.map((one) => transactionRecord(ledger, one)), links: { next } },
    maxAge: MAX_AGE_OF_OTHERS,
    next,
  };
}

/** Everything under an id: a transaction, its children, and what it scheduled; or one by its hash of 48 bytes. */
async function transactionsNamed(ledger: Ledger, name: string, query: LedgerQuery): Promise<Answer> {
  const [nonce, scheduled] = [query.integer("nonce"), query.flag("scheduled")];
  query.check();
  const hash = longHash(name);
  const id = hash === undefined ? paddedId(name) : undefined;
  const found = (await ledger.transactions.all()).filter((one) =>
    hash === undefined
      ? one.id === id &&
        (nonce === undefined || one.nonce === nonce) &&
        (scheduled === undefined || one.scheduled === scheduled)
      : one.hash === hash,
  );
  if (found.length === 0) throw notFound();
  return {
    body: { transactions: found.map((one) => transactionRecord(ledger, one)) },
    maxAge: MAX_AGE.transaction,
  };
}

/** 96 hex digits, or 64 of base64 (hiero-mirror-node, rest/transactionHash.js). */
function longHash(written: string): string | undefined {
  const hex = /^(?:0x)?([0-9a-f]{96})$/i.exec(written)?.[1]?.toLowerCase();
  if (hex !== undefined) return `0x${hex}`;
  return /^[a-z0-9+/_-]{64}$/i.test(written)
    ? `0x${Buffer.from(written, "base64").toString("hex")}`
    : undefined;
}

/** What one unit of gas costs here, in tinybars. */
const GAS_PRICE = 71n;
/** Who gets the fees. */
const FEE_ACCOUNT = "0.0.98";

function transactionRecord(
  { entities }: Ledger,
  { consensus, hash, id, name, nonce, onChain, parent, result, scheduled }: LedgerTransaction,
) {
  const payer = id.split("-")[0] ?? "";
  const { transaction, receipt } = onChain ?? {};
  const fee = receipt ? BigInt(receipt.gasUsed) * GAS_PRICE : 0n;
  const value = transaction && result === "SUCCESS" ? tinybars(transaction.value) : 0n;
  const receiver = transaction?.to ?? receipt?.contractAddress ?? null;
  return {
    charged_tx_fee: fee,
    memo_base64: "",
    nft_transfers: [],
    token_transfers: [],
    transfers: [
      { account: payer, amount: -fee - value, is_approval: false },
      { account: FEE_ACCOUNT, amount: fee, is_approval: false },
      ...(receiver !== null && value > 0n
        ? [{ account: entities.idOf(receiver), amount: value, is_approval: false }]
        : []),
    ].filter(({ amount }) => amount !== 0n),
    consensus_timestamp: consensus,
    name,
    nonce,
    parent_consensus_timestamp: parent ?? null,
    result,
    scheduled,
    transaction_hash: Buffer.from(hash.slice(2), "hex").toString("base64"),
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
