import { LedgerLensError } from "../errors.ts";
import type { JsonClient, JsonResponse } from "../http/jsonClient.ts";
import { wrongShape } from "../http/httpError.ts";
import { shownHost } from "../http/shownAddress.ts";
import { foreign } from "../text/shownText.ts";
import type { VerificationJob, VerifiedContract } from "./job.ts";
import { checkVerificationId } from "./parameters.ts";
import { serviceAddress } from "./serviceAddress.ts";
import { checkSize, deploymentPath, type Deployment, type SubmissionRequest } from "./submissionRequest.ts";

const SERVICE = "The verification service";

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
    this.url = serviceAddress(url);
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
   * Sends a request to verify, to the byte as it is given.
   *
   * @returns the verification id of the job that the service began.
   * @throws LedgerLensError `too_large`, {@link ServiceRefusal}, and what the HTTP client throws.
   */
  async submit(request: SubmissionRequest, signal?: AbortSignal): Promise<string> {
    checkSize(request);
    const response = await this.#http.request({
      method: "POST",
      url: this.url + request.path,
      base: this.url,
      text: request.body,
      service: SERVICE,
      ...(signal && { signal }),
    });
    if (response.status < 200 || response.status > 299) throw this.#refusal(response);
    const id = isRecord(response.body) ? response.body["verificationId"] : undefined;
    if (typeof id !== "string")
      throw wrongShape(SERVICE, "its answer to the submission", "verificationId is missing");
    return checkVerificationId(id);
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
