import { LedgerLensError } from "../errors.ts";
import type { StandardJsonInput } from "../compilerInput/standardJsonInput.ts";
import type { JsonClient, JsonResponse } from "../http/jsonClient.ts";
import { wrongShape } from "../http/httpError.ts";
import { shownHost } from "../http/shownAddress.ts";
import { foreign } from "../text/shownText.ts";
import type { VerificationJob, VerifiedContract } from "./job.ts";
import {
  checkAddress,
  checkChainId,
  checkCompilerVersion,
  checkContractIdentifier,
  checkTransactionHash,
  checkVerificationId,
} from "./parameters.ts";

/** Largest request body the service takes: 30 MB (argotorg/sourcify, services/server/src/config/default.js). */
export const MAX_SUBMISSION_BYTES = 30 * 1024 * 1024;

const SERVICE = "The verification service";

/** Where a contract is deployed. */
export interface Deployment {
  /** Decimal digits. */
  readonly chainId: string;
  readonly address: string;
  readonly creationTransactionHash?: string;
}

/** A submission with full standard JSON input. */
export interface Submission extends Deployment {
  readonly stdJsonInput: StandardJsonInput;
  readonly compilerVersion: string;
  readonly contractIdentifier: string;
}

/** A chain as `GET /chains` lists it. */
export interface ServiceChain {
  readonly chainId: string;
  readonly name: string;
  readonly supported: boolean;
  readonly rpc: readonly string[];
}

/**
 * The service refused a request. `code` is the service's own `customCode` (`already_verified`,
 * `duplicate_verification_request`, `unsupported_chain`, `invalid_parameter`, …) or `service_error`.
 */
export class ServiceRefusal extends LedgerLensError {
  readonly status: number;

  constructor(code: string, status: number, message: string, detail: string) {
    super(code, message, { detail });
    this.status = status;
  }
}

/**
 * The contract verification interface, version 2. Every parameter is checked before anything is sent, and a
 * request that may have been accepted is never sent again.
 */
export class VerificationService {
  readonly #http: Pick<JsonClient, "request">;
  /** The base address, without a slash at its end. */
  readonly url: string;

  constructor(http: Pick<JsonClient, "request">, url: string) {
    this.#http = http;
    this.url = url.replace(/\/+$/, "");
  }

  get host(): string {
    return shownHost(this.url);
  }

  /** The portable link to a contract's page (the service redirects to its own viewer). */
  contractPage({ chainId, address }: Deployment): string {
    return `${this.url}/repo-ui/${chainId}/${address}`;
  }

  /** The portable link to a job's page. */
  jobPage(verificationId: string): string {
    return `${this.url}/verify-ui/jobs/${verificationId}`;
  }

  /**
   * Checks what would be submitted, and sends nothing.
   *
   * @param submission without input for a similarity search
   * @throws LedgerLensError as {@link submit} does before it sends.
   */
  check(submission: Deployment & Partial<Omit<Submission, keyof Deployment>>): void {
    deploymentPath(submission);
    creationTransaction(submission);
    if (submission.compilerVersion !== undefined) checkCompilerVersion(submission.compilerVersion);
    if (submission.contractIdentifier !== undefined) checkContractIdentifier(submission.contractIdentifier);
    if (submission.stdJsonInput) checkSize(submission.stdJsonInput);
  }

  /**
   * Submits standard JSON input.
   *
   * @returns the verification id of the job that the service began.
   * @throws LedgerLensError for a parameter that the interface would refuse (see parameters.ts), `too_large` for a
   * body over {@link MAX_SUBMISSION_BYTES}, {@link ServiceRefusal}, and what the HTTP client throws.
   */
  async submit(submission: Submission, signal?: AbortSignal): Promise<string> {
    const path = deploymentPath(submission);
    return this.#submit(
      path,
      {
        stdJsonInput: submission.stdJsonInput,
        compilerVersion: checkCompilerVersion(submission.compilerVersion),
        contractIdentifier: checkContractIdentifier(submission.contractIdentifier),
        ...creationTransaction(submission),
      },
      signal,
    );
  }

  /** Asks for a verified contract with the same code elsewhere; answers and throws as {@link submit}. */
  async submitSimilarity(deployment: Deployment, signal?: AbortSignal): Promise<string> {
    // The body is an object even when it is empty: the service reads a field of it.
    return this.#submit(`similarity/${deploymentPath(deployment)}`, creationTransaction(deployment), signal);
  }

  /** The job as the service sends it. */
  async job(verificationId: string, signal?: AbortSignal): Promise<VerificationJob> {
    const response = await this.#get(`/v2/verify/${checkVerificationId(verificationId)}`, signal);
    if (response.status !== 200) throw this.#refusal(response);
    const { body } = response;
    if (!isRecord(body) || typeof body["isJobCompleted"] !== "boolean") {
      throw wrongShape(SERVICE, "the job status", "isJobCompleted is missing");
    }
    return body as unknown as VerificationJob;
  }

  /** What is verified at an address, or `undefined` when nothing is. */
  async contract(
    deployment: Deployment,
    signal?: AbortSignal,
    { retries }: { readonly retries?: number } = {},
  ): Promise<VerifiedContract | undefined> {
    const response = await this.#get(`/v2/contract/${deploymentPath(deployment)}`, signal, retries);
    // "Not verified" is a 404 whose body is the same object with nulls, not an error body.
    if (response.status === 404 && isRecord(response.body) && "match" in response.body) return undefined;
    if (response.status !== 200) throw this.#refusal(response);
    if (!isRecord(response.body)) throw wrongShape(SERVICE, "the contract", "it is not an object");
    return response.body;
  }

  /** Every chain that the service lists, in its order. */
  async chains(signal?: AbortSignal): Promise<ServiceChain[]> {
    const response = await this.#get("/chains", signal);
    if (response.status !== 200) throw this.#refusal(response);
    if (!Array.isArray(response.body)) throw wrongShape(SERVICE, "the list of chains", "it is not a list");
    return response.body.filter(isRecord).flatMap((chain) => {
      const { chainId, name, supported, rpc } = chain;
      if (typeof chainId !== "number" && typeof chainId !== "string") return [];
      return {
        chainId: String(chainId),
        name: typeof name === "string" ? foreign(name) : `Chain ${chainId}`,
        supported: supported !== false,
        rpc: Array.isArray(rpc) ? rpc.filter((url) => typeof url === "string") : [],
      };
    });
  }

  #get(path: string, signal: AbortSignal | undefined, retries?: number): Promise<JsonResponse> {
    return this.#http.request({
      url: this.url + path,
      base: this.url,
      service: SERVICE,
      ...(signal && { signal }),
      ...(retries !== undefined && { retries }),
    });
  }

  async #submit(path: string, body: object, signal: AbortSignal | undefined): Promise<string> {
    checkSize(body);
    const response = await this.#http.request({
      method: "POST",
      url: `${this.url}/v2/verify/${path}`,
      base: this.url,
      body,
      service: SERVICE,
      ...(signal && { signal }),
    });
    if (response.status < 200 || response.status > 299) throw this.#refusal(response);
    const id = isRecord(response.body) ? response.body["verificationId"] : undefined;
    if (typeof id !== "string")
      throw wrongShape(SERVICE, "its answer to the submission", "verificationId is missing");
    return checkVerificationId(id);
  }

  #refusal({ status, body, text }: JsonResponse): ServiceRefusal {
    const { customCode, message } = isRecord(body) ? body : {};
    const code = typeof customCode === "string" ? customCode : "service_error";
    const said = typeof message === "string" && message !== "" ? foreign(message) : `status ${status}`;
    return new ServiceRefusal(code, status, this.#sentence(code, status, said), text.slice(0, 2000));
  }

  #sentence(code: string, status: number, said: string): string {
    switch (code) {
      case "already_verified":
        return `The contract is already verified at ${this.host} with an exact match; there is nothing to do.`;
      case "duplicate_verification_request":
        return `${this.host} is still working on another job for this contract. Wait for it, then submit again.`;
      case "unsupported_chain":
        return `${this.host} does not know this chain (${said}). Choose a chain that the service lists.`;
      case "job_not_found":
        return `${this.host} does not know this job. It may have been removed, or belong to another service.`;
      case "cannot_fetch_bytecode":
        return `${this.host} found no code at this address (${said}). Check the chain and the address.`;
    }
    if (status === 429) return `${this.host} has had too many requests. Wait a minute, then try again.`;
    if (status >= 500) return `${this.host} failed (${said}). Try again later.`;
    return `${this.host} refused the request: ${said}`;
  }
}

function checkSize(body: object): void {
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes <= MAX_SUBMISSION_BYTES) return;
  throw new LedgerLensError(
    "too_large",
    `The compiler input is ${(bytes / 1024 / 1024).toFixed(1)} MB, and the verification service takes at most 30 MB. Submit fewer sources.`,
  );
}

function deploymentPath({ chainId, address }: Deployment): string {
  return `${checkChainId(chainId)}/${checkAddress(address)}`;
}

function creationTransaction({ creationTransactionHash }: Deployment): { creationTransactionHash?: string } {
  return creationTransactionHash
    ? { creationTransactionHash: checkTransactionHash(creationTransactionHash) }
    : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
