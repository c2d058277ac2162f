import type { ServerResponse } from "node:http";
import type { Chain } from "../chain.ts";
import { contractAnswer, jobAnswer, type Database } from "./database.ts";
import type { Jobs, Moment } from "./jobs.ts";
import { lookupFields } from "./lookupFields.ts";
import { Refusal } from "./refusal.ts";
import {
  checkChain,
  checkDescription,
  checkedAddress,
  checkedSubmission,
  checkMediaType,
  checkPath,
  checkQuery,
  checkVerificationId,
  creationTransactionOf,
  readBody,
  type DeploymentPath,
  type ReceivedBody,
} from "./requestChecks.ts";
import type { DeployedContract, UnsupportedChain, Verifier } from "./verifier.ts";

/** A request whose body came in. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: ReceivedBody;
}

/** What requests are answered from. */
export interface RouteTools {
  readonly chains: readonly Chain[];
  readonly unsupported: readonly UnsupportedChain[];
  readonly database: Database;
  readonly verifier: Verifier;
  readonly jobs: Jobs;
  readonly pass: (moment: Moment) => Promise<void>;
}

/** The part of the address behind which the public service answers. */
const BASE = "/server/";

/**
 * Answers the requests of version 2 of the interface (argotorg/sourcify, services/server/src/server/{routes.ts,apiv2}).
 * Imports from explorers, metadata alone and lists of contracts are not offered here.
 */
export class Routes {
  readonly #tools: RouteTools;

  constructor(tools: RouteTools) {
    this.#tools = tools;
  }

  /** @throws Refusal and, for faults of the service, any other error */
  async answer({ method, path, body }: ReceivedRequest, response: ServerResponse): Promise<void> {
    const url = new URL(path, "http://localhost");
    const parts = url.pathname.startsWith(BASE) ? url.pathname.slice(BASE.length).split("/") : [];
    const [area = "", ...rest] = parts;
    if (method === "GET") return this.#get(area, rest, url, response);
    const [kind, ...parameters] = rest;
    const isSubmission = method === "POST" && area === "v2" && kind === "verify";
    if (isSubmission && parameters.length === 2) return this.#verify(pathOf(parameters), url, body, response);
    if (isSubmission && parameters.length === 3 && parameters[0] === "similarity")
      return this.#verifySimilar(pathOf(parameters.slice(1)), url, body, response);
    sendNotFound(response, method, url);
  }

  async #get(area: string, rest: readonly string[], url: URL, response: ServerResponse): Promise<void> {
    const [kind, ...parameters] = rest;
    if (area === "repo-ui" || area === "verify-ui") sendPage(response, area, rest);
    else if (area === "health" && rest.length === 0) response.end("Alive and kicking!");
    else if (area === "version" && rest.length === 0) send(response, 200, VERSION);
    else if (area === "chains" && rest.length === 0) send(response, 200, this.#chains());
    else if (area === "v2" && kind === "verify" && parameters.length === 1)
      await this.#job(parameters[0] ?? "", response);
    else if (area === "v2" && kind === "contract" && parameters.length === 2)
      this.#contract(pathOf(parameters), url, response);
    else sendNotFound(response, "GET", url);
  }

  async #job(id: string, response: ServerResponse): Promise<void> {
    checkVerificationId(id);
    const { database, pass } = this.#tools;
    const job = database.job(id);
    if (!job) throw new Refusal(404, "job_not_found", `No verification job found for id ${id}`);
    if (job.completedAt) await pass("told");
    send(response, 200, jobAnswer(job, database));
  }

  #contract(path: DeploymentPath, url: URL, response: ServerResponse): void {
    checkQuery(url, ["fields", "omit"]);
    checkPath(path);
    checkChain(path.chainId, (chainId) => this.#tools.verifier.hasChain(chainId));
    const contract = { chainId: path.chainId, address: checkedAddress(path.address) };
    const recorded = this.#tools.database.contract(contract);
    const fields = recorded && lookupFields(recorded, url.searchParams.get("fields"));
    // What is not verified is told in the same form, with nulls.
    send(response, recorded ? 200 : 404, { ...contractAnswer(contract, recorded), ...fields });
  }

  async #verify(path: DeploymentPath, url: URL, body: ReceivedBody, response: ServerResponse): Promise<void> {
    const [contract, read] = this.#described(path, url, body, true);
    const accepted = checkedSubmission(contract, read);
    this.#checkNotVerified(contract);
    send(response, 202, { verificationId: await this.#tools.jobs.begin(accepted) });
  }

  async #verifySimilar(
    path: DeploymentPath,
    url: URL,
    body: ReceivedBody,
    response: ServerResponse,
  ): Promise<void> {
    const [contract, read] = this.#described(path, url, body, false);
    this.#checkNotVerified(contract);
    // Its handler reads a field of the body (`verifySimilarityEndpoint`); not measured.
    if (read === undefined) throw new TypeError("the body is empty");
    const code = await this.#codeOf(contract);
    send(response, 202, { verificationId: await this.#tools.jobs.beginSimilar(contract, code) });
  }

  /** What is to be verified, by a request that fits the interface's description, and its body. */
  #described(
    path: DeploymentPath,
    url: URL,
    body: ReceivedBody,
    needsInput: boolean,
  ): [DeployedContract, unknown] {
    const read = readBody(body);
    checkMediaType(body.contentType);
    checkQuery(url, []);
    checkDescription(path, read, needsInput);
    checkChain(path.chainId, (chainId) => this.#tools.verifier.hasChain(chainId));
    const address = checkedAddress(path.address);
    return [{ chainId: path.chainId, address, creationTransactionHash: creationTransactionOf(read) }, read];
  }

  /** Refuses what is verified exactly, and what a job without an end is about (`checkIfAlreadyVerified`, `checkIfJobIsAlreadyRunning`). */
  #checkNotVerified(contract: DeployedContract): void {
    const { database } = this.#tools;
    const { chainId, address } = contract;
    const { runtimeMatch, creationMatch } = database.contract(contract)?.verified ?? {};
    if (runtimeMatch === "exact_match" && creationMatch === "exact_match")
      throw new Refusal(
        409,
        "already_verified",
        `Contract ${address} on chain ${chainId} is already verified with runtimeMatch and creationMatch both being exact matches.`,
      );
    if (database.isBeingVerified(contract))
      throw new Refusal(
        429,
        "duplicate_verification_request",
        `Contract ${address} on chain ${chainId} is already being verified`,
      );
  }

  async #codeOf(contract: DeployedContract): Promise<string> {
    const { chainId, address } = contract;
    const code = await this.#tools.verifier.code(contract).catch(() => undefined);
    if (code === undefined)
      throw new Refusal(
        502,
        "failed_to_get_bytecode",
        `Failed to get bytecode for chain ${chainId} and address ${address}.`,
      );
    if (code === "" || code === "0x")
      throw new Refusal(
        404,
        "cannot_fetch_bytecode",
        `There is no bytecode at address ${address} on chain ${chainId}.`,
      );
    return code;
  }

  #chains(): object[] {
    const { chains, unsupported } = this.#tools;
    return [
      ...chains.map(({ chainId, rpcUrl }) => ({
        ...described(chainId, `Sandbox ${chainId}`),
        rpc: [rpcUrl],
        traceSupportedRPCs: [{ type: "debug_traceTransaction", index: 0 }],
      })),
      ...unsupported.map(({ chainId, name }) => ({ ...described(chainId, name), supported: false })),
    ];
  }
}

/** Of the public service's names of its parts the one of the server. */
const VERSION = { sourcifyServerVersion: "sandbox" };

function described(chainId: string, name: string): object {
  return {
    name,
    title: name,
    chainId: Number(chainId),
    rpc: [],
    traceSupportedRPCs: [],
    supported: true,
    etherscanAPI: false,
  };
}

function pathOf([chainId = "", address = ""]: readonly string[]): DeploymentPath {
  return { chainId, address };
}

/** Sends JSON. */
export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "access-control-allow-origin": "*",
  });
  response.end(JSON.stringify(body));
}

/** What is no route at all is answered by the server's framework, with a page. */
function sendNotFound(response: ServerResponse, method: string, url: URL): void {
  response.writeHead(404, {
    "content-type": "text/html; charset=utf-8",
    "access-control-allow-origin": "*",
  });
  const path = encodeURI(decodeURI(url.pathname)).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  response.end(
    `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot ${method} ${path}</pre>\n</body>\n</html>\n`,
  );
}

function sendPage(response: ServerResponse, area: string, rest: readonly string[]): void {
  const title = area === "repo-ui" ? "Contract" : "Job";
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(
    `<!doctype html><title>${title}</title><h1>${title}</h1><p>${rest.map(encodeURIComponent).join(" / ")}</p>`,
  );
}
