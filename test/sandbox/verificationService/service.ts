import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { getAddress } from "ethers";
import type { Chain } from "../chain.ts";
import type { SolidityCompilers } from "../solidityCompilers.ts";
import { Verifier, type Accepted, type Match, type Verdict } from "./verifier.ts";

/** The service takes bodies up to 30 MB (argotorg/sourcify, services/server/src/config/default.js). */
const MAX_BODY_BYTES = 30 * 1024 * 1024;
const SIMILARITY_PREFIX = 2 + 2 * 75;

/** A request that came in. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Answers a request instead of the service; false leaves it to the service. */
export type Fault = (request: LoggedRequest, response: ServerResponse) => boolean;

/**
 * A moment in the life of a job at which the service can be held:
 * - `accepted`: the job has begun, and nobody knows its id yet;
 * - `finished`: the job is done, and nobody was told yet;
 * - `told`: somebody asks for a finished job;
 * - `explorers`: a verified contract is about to be told to the explorers.
 */
export type Moment = "accepted" | "finished" | "told" | "explorers";

/** A service that stands still at a moment. */
export interface Hold {
  /** Resolves when a job has come to that moment. */
  readonly reached: Promise<void>;
  readonly release: () => void;
}

/** A running verification service. */
export interface VerificationServer {
  readonly url: string;
  readonly requests: readonly LoggedRequest[];
  /** The least time that a job stays pending. */
  pendingMs: number;
  /** Asked for every request before the service itself. */
  fault: Fault | undefined;
  /** What explorers answer of a verified contract, by their names in `externalVerifications`; none by default. */
  explorers: Readonly<Record<string, object>>;
  /** Lets the service stand still at a moment of every job until it is released. */
  hold(moment: Moment): Hold;
  stop(): Promise<void>;
}

interface Job {
  readonly verificationId: string;
  readonly chainId: string;
  readonly address: string;
  readonly jobStartTime: string;
  jobFinishTime?: string;
  verdict?: Verdict;
  verifiedAt?: string;
  matchId?: string;
  externalVerifications?: object;
}

interface VerifiedContract {
  readonly accepted: Accepted;
  readonly runtimeMatch: Match;
  readonly creationMatch: Match;
  readonly verifiedAt: string;
  readonly matchId: string;
  readonly abi: unknown;
}

/** An error in the interface's own form. */
class Refusal extends Error {
  readonly status: number;
  readonly customCode: string;

  constructor(status: number, customCode: string, message: string) {
    super(message);
    this.status = status;
    this.customCode = customCode;
  }
}

/**
 * A verification service on loopback that answers version 2 of the Sourcify interface with the public
 * service's own engine (verification.md of the interface: argotorg/sourcify, services/server/src/server/apiv2).
 */
export async function startVerificationService(
  chains: readonly Chain[],
  compilers: SolidityCompilers,
  port = 0,
): Promise<VerificationServer> {
  const service = new Service(chains, compilers);
  const server = createServer((request, response) => void service.answer(request, response));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("The verification service does not listen.");
  return Object.assign(service, {
    url: `http://127.0.0.1:${address.port}/server`,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  });
}

class Service {
  readonly requests: LoggedRequest[] = [];
  pendingMs = 300;
  fault: Fault | undefined;
  explorers: Readonly<Record<string, object>> = {};
  readonly #holds = new Map<Moment, { readonly reach: () => void; readonly released: Promise<void> }>();
  readonly #verifier: Verifier;
  readonly #chains: readonly Chain[];
  readonly #jobs = new Map<string, Job>();
  readonly #contracts = new Map<string, VerifiedContract>();

  constructor(chains: readonly Chain[], compilers: SolidityCompilers) {
    this.#chains = chains;
    this.#verifier = new Verifier(compilers, chains);
  }

  hold(moment: Moment): Hold {
    const [reached, reach] = signal();
    const [released, release] = signal();
    this.#holds.set(moment, { reach, released });
    return {
      reached,
      release: () => {
        this.#holds.delete(moment);
        release();
      },
    };
  }

  async #pass(moment: Moment): Promise<void> {
    const hold = this.#holds.get(moment);
    hold?.reach();
    await hold?.released;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) chunks.push(chunk);
    }
    const body = Buffer.concat(chunks).toString("utf8");
    const logged = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
    this.requests.push(logged);
    if (this.fault?.(logged, response)) return;
    try {
      // The public service parses the body before its own checks, so too large a body is no 413 there.
      if (length > MAX_BODY_BYTES) throw new Error("request entity too large");
      await this.#route(logged, response);
    } catch (error) {
      const known =
        error instanceof Refusal
          ? error
          : new Refusal(500, "internal_error", "The server encountered an unexpected error.");
      send(response, known.status, {
        customCode: known.customCode,
        message: known.message,
        errorId: randomUUID(),
      });
    }
  }

  async #route({ method, path, body }: LoggedRequest, response: ServerResponse): Promise<void> {
    const url = new URL(path, "http://localhost");
    const [area, ...rest] = url.pathname.replace(/^\/server\//, "").split("/");
    if (method === "GET" && area === "health") return void response.end("Alive and kicking!");
    if (method === "GET" && area === "version") {
      send(response, 200, { sourcifyServerVersion: "sandbox" });
      return;
    }
    if (method === "GET" && area === "chains") {
      send(response, 200, this.#chains.map(describeChain));
      return;
    }
    if (method === "GET" && (area === "repo-ui" || area === "verify-ui")) {
      page(response, area, rest);
      return;
    }
    if (area === "v2") {
      const [kind, ...parameters] = rest;
      if (method === "GET" && kind === "verify" && parameters.length === 1) {
        return this.#job(response, parameters[0] ?? "");
      }
      if (method === "GET" && kind === "contract" && parameters.length === 2) {
        this.#contract(response, url, parameters);
        return;
      }
      if (method === "POST" && kind === "verify") return this.#submit(response, url, parameters, body);
    }
    throw new Refusal(404, "route_not_found", `Cannot ${method} ${url.pathname}`);
  }

  async #job(response: ServerResponse, id: string): Promise<void> {
    if (!/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id)) {
      throw new Refusal(400, "invalid_parameter", "request/params/verificationId must match pattern");
    }
    const job = this.#jobs.get(id);
    if (!job) throw new Refusal(404, "job_not_found", `No job found for verificationId ${id}`);
    if (job.verdict) await this.#pass("told");
    const { verdict } = job;
    const matches = {
      runtimeMatch: verdict?.runtimeMatch ?? null,
      creationMatch: verdict?.creationMatch ?? null,
    };
    send(response, 200, {
      isJobCompleted: verdict !== undefined,
      verificationId: job.verificationId,
      jobStartTime: job.jobStartTime,
      ...(job.jobFinishTime && { jobFinishTime: job.jobFinishTime }),
      ...(verdict?.compilationTime !== undefined && { compilationTime: String(verdict.compilationTime) }),
      ...(verdict?.error && { error: { ...verdict.error, errorId: randomUUID() } }),
      contract: {
        match: totalMatch(matches.runtimeMatch, matches.creationMatch),
        ...matches,
        chainId: job.chainId,
        address: job.address,
        ...(job.verifiedAt && { verifiedAt: job.verifiedAt, matchId: job.matchId }),
      },
      ...(job.externalVerifications && { externalVerifications: job.externalVerifications }),
    });
  }

  #contract(response: ServerResponse, url: URL, [chainId = "", address = ""]: readonly string[]): void {
    for (const name of url.searchParams.keys()) {
      if (name !== "fields" && name !== "omit")
        throw new Refusal(400, "invalid_parameter", `Unknown query parameter '${name}'`);
    }
    const checked = checkAddress(address);
    this.#checkChain(chainId);
    const known = this.#contracts.get(`${chainId}/${checked}`);
    const { runtimeMatch = null, creationMatch = null, verifiedAt, matchId, accepted } = known ?? {};
    send(response, known ? 200 : 404, {
      match: totalMatch(runtimeMatch, creationMatch),
      creationMatch,
      runtimeMatch,
      chainId,
      address: checked,
      ...(known && { verifiedAt, matchId }),
      ...(known && accepted && fieldsOf(known, accepted, url.searchParams.get("fields") ?? "")),
    });
  }

  async #submit(
    response: ServerResponse,
    url: URL,
    parameters: readonly string[],
    body: string,
  ): Promise<void> {
    for (const name of url.searchParams.keys())
      throw new Refusal(400, "invalid_parameter", `Unknown query parameter '${name}'`);
    const isSimilarity = parameters[0] === "similarity";
    const [chainId = "", given = ""] = isSimilarity ? parameters.slice(1) : parameters;
    if (!/^\d{1,20}$/.test(chainId))
      throw new Refusal(400, "invalid_parameter", "request/params/chainId must match pattern");
    const address = checkAddress(given);
    this.#checkChain(chainId);
    const parsed = parseBody(body);
    const hash = parsed["creationTransactionHash"];
    if (hash !== undefined && (typeof hash !== "string" || !/\b0x[a-f0-9]{64}\b/.test(hash))) {
      throw new Refusal(400, "invalid_parameter", "request/body/creationTransactionHash must match pattern");
    }
    const deployment = { chainId, address, creationTransactionHash: hash };
    const submissions = isSimilarity
      ? await this.#similar(deployment)
      : [{ ...deployment, ...checkSubmission(parsed) }];
    const known = this.#contracts.get(`${chainId}/${address}`);
    if (known?.runtimeMatch === "exact_match" && known.creationMatch === "exact_match") {
      throw new Refusal(
        409,
        "already_verified",
        `Contract ${address} on chain ${chainId} is already verified with exact match`,
      );
    }
    for (const job of this.#jobs.values()) {
      if (job.chainId === chainId && job.address === address && !job.verdict) {
        throw new Refusal(429, "duplicate_verification_request", "The contract is already being verified");
      }
    }
    const job: Job = {
      verificationId: randomUUID(),
      chainId,
      address,
      jobStartTime: new Date().toISOString(),
    };
    this.#jobs.set(job.verificationId, job);
    void this.#work(job, submissions);
    await this.#pass("accepted");
    send(response, 202, { verificationId: job.verificationId });
  }

  async #similar(
    deployment: Pick<Accepted, "chainId" | "address" | "creationTransactionHash">,
  ): Promise<Accepted[]> {
    const code = await this.#verifier.code(deployment.chainId, deployment.address);
    if (code === "0x")
      throw new Refusal(404, "cannot_fetch_bytecode", `No bytecode at ${deployment.address}`);
    const candidates: Accepted[] = [];
    for (const { accepted } of this.#contracts.values()) {
      const other = await this.#verifier.code(accepted.chainId, accepted.address);
      if (other.slice(0, SIMILARITY_PREFIX) === code.slice(0, SIMILARITY_PREFIX))
        candidates.push({ ...accepted, ...deployment });
    }
    return candidates.slice(0, 20);
  }

  async #work(job: Job, submissions: readonly Accepted[]): Promise<void> {
    const least = new Promise((resolve) => setTimeout(resolve, this.pendingMs));
    let verdict: Verdict = {
      runtimeMatch: null,
      creationMatch: null,
      compilationTime: undefined,
      error: { customCode: "no_similar_match_found", message: "No similar contract was found" },
    };
    for (const accepted of submissions) {
      verdict = await this.#verifier.verify(accepted);
      if (!verdict.error) {
        verdict = this.#keep(job, accepted, verdict);
        break;
      }
    }
    await least;
    await this.#pass("finished");
    job.jobFinishTime = new Date().toISOString();
    job.verdict = verdict;
    if (verdict.error || Object.keys(this.explorers).length === 0) return;
    // Explorers are told once the job is finished (argotorg/sourcify issue 2512).
    await this.#pass("explorers");
    job.externalVerifications = this.explorers;
  }

  /** Keeps a success that is better than what is on record; any other fails as already verified. */
  #keep(job: Job, accepted: Accepted, verdict: Verdict): Verdict {
    const key = `${job.chainId}/${job.address}`;
    const known = this.#contracts.get(key);
    const { runtimeMatch, creationMatch } = verdict;
    if (!totalMatch(runtimeMatch, creationMatch)) {
      return {
        ...verdict,
        error: { customCode: "no_match", message: "The onchain and recompiled bytecodes don't match." },
      };
    }
    if (known) {
      const runtime = rank(runtimeMatch) - rank(known.runtimeMatch);
      const creation = rank(creationMatch) - rank(known.creationMatch);
      if (runtime < 0 || creation < 0 || runtime + creation === 0) {
        const message = `Contract ${job.address} on chain ${job.chainId} is already verified`;
        return {
          ...verdict,
          runtimeMatch: null,
          creationMatch: null,
          error: { customCode: "already_verified", message },
        };
      }
    }
    job.verifiedAt = new Date().toISOString();
    job.matchId = String(this.#contracts.size + 1);
    this.#contracts.set(key, {
      accepted,
      runtimeMatch,
      creationMatch,
      verifiedAt: job.verifiedAt,
      matchId: job.matchId,
      abi: verdict.abi,
    });
    return verdict;
  }

  #checkChain(chainId: string): void {
    if (!this.#verifier.hasChain(chainId))
      throw new Refusal(400, "unsupported_chain", `Chain ${chainId} not found`);
  }
}

function signal(): [given: Promise<void>, give: () => void] {
  let give: (() => void) | undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return [given, () => give?.()];
}

/** The further fields that a look-up asked for; a name that is none is refused. */
function fieldsOf(known: VerifiedContract, accepted: Accepted, wanted: string): object {
  const { contractIdentifier, compilerVersion, stdJsonInput } = accepted;
  const colon = contractIdentifier.lastIndexOf(":");
  const fields: Readonly<Record<string, unknown>> = {
    abi: known.abi,
    compilation: {
      language: stdJsonInput.language,
      compiler: "solc",
      compilerVersion,
      compilerSettings: stdJsonInput.settings,
      name: contractIdentifier.slice(colon + 1),
      fullyQualifiedName: contractIdentifier,
    },
    proxyResolution: { isProxy: false, proxyType: null, implementations: [] },
    stdJsonInput,
  };
  if (wanted === "all") return fields;
  const names = wanted.split(",").filter((name) => name !== "");
  const unknown = names.find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined)
    throw new Refusal(400, "invalid_parameter", `Field selector ${unknown} is not a valid field`);
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

function checkAddress(text: string): string {
  if (!/^0x[a-fA-F0-9]{40}$/.test(text))
    throw new Refusal(400, "invalid_parameter", "request/params/address must match pattern");
  try {
    return getAddress(text);
  } catch {
    throw new Refusal(400, "invalid_parameter", `Invalid address: ${text}`);
  }
}

function parseBody(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    throw new Refusal(400, "invalid_json", "The request body is not valid JSON.");
  }
}

function checkSubmission(
  body: Record<string, unknown>,
): Pick<Accepted, "stdJsonInput" | "compilerVersion" | "contractIdentifier"> {
  const invalid = (message: string) => new Refusal(400, "invalid_parameter", message);
  const { stdJsonInput, compilerVersion, contractIdentifier } = body as Partial<Accepted>;
  if (typeof stdJsonInput !== "object")
    throw invalid("request/body must have required property 'stdJsonInput'");
  if (typeof compilerVersion !== "string" || !/^v?\d+\.\d+\.\d+.*$/.test(compilerVersion)) {
    throw invalid("request/body/compilerVersion must match pattern");
  }
  if (typeof contractIdentifier !== "string" || contractIdentifier.split(":").length < 2) {
    throw invalid(
      "The contractIdentifier must consist of the file path and the contract name separated by a ':'",
    );
  }
  const { language, sources } = stdJsonInput as {
    language?: unknown;
    sources?: Record<string, { content?: string }>;
  };
  if (!language || !sources)
    throw invalid("Standard JSON input must contain a language and a sources field.");
  if (Object.values(sources).some(({ content }) => !content)) {
    throw invalid("Standard JSON input must contain a content field for each source.");
  }
  return { stdJsonInput, compilerVersion, contractIdentifier };
}

function describeChain({ chainId, rpcUrl }: Chain): object {
  return {
    name: `Sandbox ${chainId}`,
    title: `Sandbox ${chainId}`,
    chainId: Number(chainId),
    rpc: [rpcUrl],
    traceSupportedRPCs: [{ type: "debug_traceTransaction", index: 0 }],
    supported: true,
    etherscanAPI: false,
  };
}

function totalMatch(runtime: Match, creation: Match): Match {
  return rank(runtime) >= rank(creation) ? runtime : creation;
}

function rank(match: Match): number {
  return match === "exact_match" ? 2 : match === "match" ? 1 : 0;
}

function page(response: ServerResponse, area: string, rest: readonly string[]): void {
  const title = area === "repo-ui" ? "Contract" : "Job";
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(
    `<!doctype html><title>${title}</title><h1>${title}</h1><p>${rest.map(encodeURIComponent).join(" / ")}</p>`,
  );
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "access-control-allow-origin": "*",
  });
  response.end(JSON.stringify(body));
}
