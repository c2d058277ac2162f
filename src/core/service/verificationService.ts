import { chainIdShape } from "../chains/chainIdShape.ts";
import { t } from "@vscode/l10n";
import { wordsBesideJson } from "../json/wordsBesideJson.ts";
import { MAX_SAID_CHARACTERS, refusalRemedy, refusalSentence } from "./errorCodes.ts";
import { codeMeaning, LedgerLensError, type HeaderKey, type Remedy } from "../errors.ts";
import type { JsonClient, JsonRequest, JsonResponse } from "../http/jsonClient.ts";
import { HttpError, wrongAnswer, wrongShape } from "../http/httpError.ts";
import { refusesKey } from "../http/refusedKey.ts";
import { shownHost } from "../http/shownAddress.ts";
import {
  flag,
  ifReadable,
  isObject,
  listOf,
  mapped,
  matching,
  Misfit,
  object,
  piecesOf,
  readAs,
  text,
} from "../json/shape.ts";
import { inTurns } from "../concurrency/turns.ts";
import { ownValue } from "../json/ownValue.ts";
import { foreign } from "../text/shownText.ts";
import {
  isMatch,
  verificationJob,
  type VerificationJob,
  verifiedContract,
  type VerifiedContract,
} from "./job.ts";
import { checkAbout, SERVICE } from "./answerAbout.ts";
import { DETAIL_FIELDS, readVerifiedDetails, type VerifiedDetails } from "./verifiedDetails.ts";
import { NAME_FIELD, readVerifiedSources, SOURCE_FIELDS, type VerifiedSources } from "./verifiedSources.ts";
import { learnChainNames, MAX_LISTED } from "../chains/chainNames.ts";
import { isOutOfReach, learnListedChains } from "../chains/privateChains.ts";
import { checkVerificationId } from "./parameters.ts";
import { baseAddress, joinedAddress } from "../http/joinedAddress.ts";
import { serviceAddress } from "./serviceAddress.ts";
import { checkSize, deploymentPath, type Deployment, type SubmissionRequest } from "./submissionRequest.ts";

/** A chain as `GET /chains` lists it. */
export interface ServiceChain {
  readonly chainId: string;
  /** What the service calls it, which is only one of the sources of what it is called on the screen. */
  readonly name: string | undefined;
  readonly supported: boolean;
  readonly rpc: readonly string[];
}

/**
 * The service refused a request. `code` is the service's own `customCode` (`already_verified`,
 * `duplicate_verification_request`, `unsupported_chain`, `invalid_parameter`, …) or `service_error`.
 */
export class ServiceRefusal extends LedgerLensError {
  readonly status: number;

  constructor(
    code: string,
    status: number,
    message: string,
    options: {
      readonly detail: string;
      readonly key: HeaderKey | undefined;
      readonly remedy: Remedy;
    },
  ) {
    super(code, message, options);
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
    return `${this.#pages}/repo-ui/${chainId}/${address}`;
  }

  /** The portable link to a job's page. */
  jobPage(verificationId: string): string {
    return `${this.#pages}/verify-ui/jobs/${verificationId}`;
  }

  /** What links begin with: they are copied and sent to others, and so hold no password and no key of a query. */
  get #pages(): string {
    const url = URL.parse(this.url);
    if (!url) return this.url;
    url.username = url.password = url.search = "";
    return baseAddress(url.href);
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
      url: joinedAddress(this.url, request.path),
      base: this.url,
      text: request.body,
      service: SERVICE,
      ...(signal && { signal }),
    });
    if (response.status < 200 || response.status > 299) throw this.#refusal(response);
    const answer = readAs(acceptance, response.body);
    try {
      return checkVerificationId(answer?.verificationId ?? "");
    } catch {
      // It said that it took the submission: a job may run under any id.
      throw new HttpError(
        "wrong_shape",
        t`${this.host} accepted the submission without a verification id that can be used, so it may be at work on it. Wait for its result, or submit again: a running job is not begun twice.`,
        { sent: true },
      );
    }
  }

  /**
   * The job as the service sends it.
   *
   * @param deployment what the job is about, where that is known
   * @throws HttpError `wrong_answer` for the status of another job, or of a job for another contract
   */
  async job(
    verificationId: string,
    signal?: AbortSignal,
    deployment?: Pick<Deployment, "chainId" | "address">,
  ): Promise<VerificationJob> {
    const asked = checkVerificationId(verificationId);
    const response = await this.#get(`/v2/verify/${asked}`, signal, { hasOwnPace: true });
    if (response.status !== 200) throw this.#refusal(response);
    const job = verificationJob(response.body);
    if (job instanceof Misfit) throw wrongShape(SERVICE, t`the job status`, String(job));
    if (!isClear(job, response.body))
      throw wrongShape(SERVICE, t`the job status`, t`contract.match is neither exact_match nor match`);
    if (job.verificationId !== "" && job.verificationId.toLowerCase() !== asked)
      throw wrongAnswer(SERVICE, t`about job ${foreign(job.verificationId)} where job ${asked} was asked`);
    if (deployment && job.contract) checkAbout(deployment, job.contract);
    return { ...job, verificationId: asked };
  }

  /**
   * What is verified at an address, or `undefined` when nothing is. A chain that the service can't see has nothing there, and
   * its addresses are told to no one.
   *
   * @throws HttpError `wrong_answer` for a contract at another address or on another chain
   */
  async contract(
    deployment: Deployment,
    signal?: AbortSignal,
    { retries }: { readonly retries?: number } = {},
  ): Promise<VerifiedContract | undefined> {
    return (await this.#verified(deployment, "", signal, { retries }))?.contract;
  }

  /**
   * What was done to the code of a verified contract before it was compared; `undefined` where nothing is verified there.
   *
   * @throws HttpError `wrong_answer` as {@link contract}
   */
  async verifiedDetails(deployment: Deployment, signal?: AbortSignal): Promise<VerifiedDetails | undefined> {
    const found = await this.#verified(deployment, `?fields=${DETAIL_FIELDS}`, signal);
    return found && readVerifiedDetails(found.body);
  }

  /**
   * The files of a verified contract; `undefined` where nothing is verified there.
   *
   * @throws HttpError `wrong_answer` as {@link contract}
   */
  async verifiedSources(deployment: Deployment, signal?: AbortSignal): Promise<VerifiedSources | undefined> {
    const found = await this.#verified(deployment, `?fields=${SOURCE_FIELDS}`, signal);
    return found && readVerifiedSources(found.body);
  }

  /**
   * How a contract is verified, and its name; `undefined` where nothing is verified there.
   *
   * @throws HttpError `wrong_answer` as {@link contract}
   */
  async verifiedIdentity(
    deployment: Deployment,
    signal?: AbortSignal,
  ): Promise<(Pick<VerifiedSources, "contractName"> & Pick<VerifiedContract, "match">) | undefined> {
    const found = await this.#verified(deployment, `?fields=${NAME_FIELD}`, signal);
    if (!found) return undefined;
    const { contractName } = readVerifiedSources(found.body);
    return { contractName, match: found.contract.match ?? null };
  }

  async #verified(
    deployment: Deployment,
    query: string,
    signal: AbortSignal | undefined,
    options: { readonly retries?: number | undefined } = { retries: 0 },
  ): Promise<{ readonly contract: VerifiedContract; readonly body: unknown } | undefined> {
    if (isOutOfReach(deployment.chainId, this.host)) return undefined;
    const path = `/v2/contract/${deploymentPath(deployment)}${query}`;
    const response = await this.#get(path, signal, options);
    // "Not verified" is a 404 whose body is the same object with nulls, not an error body, such as that of a chain that a
    // server before 3.10.0 does not know.
    if (response.status === 404 && isObject(response.body) && "match" in response.body) return undefined;
    if (response.status !== 200) throw this.#refusal(response);
    const contract = verifiedContract(response.body);
    if (contract instanceof Misfit) throw wrongShape(SERVICE, t`the contract`, String(contract));
    checkAbout(deployment, contract);
    return { contract, body: response.body };
  }

  /** Every chain that the service lists, in its order. What it calls them is known from then on. */
  async chains(
    signal?: AbortSignal,
    options: { readonly retries?: number } & Pick<JsonRequest, "timeoutMs"> = {},
  ): Promise<ServiceChain[]> {
    const response = await this.#get("/chains", signal, { ...options, maxBytes: MAX_CHAINS_BYTES });
    if (response.status !== 200) throw this.#refusal(response);
    const chains = await inTurns(piecesOf(serviceChains, response.body), signal);
    if (chains instanceof Misfit) throw wrongShape(SERVICE, t`the list of chains`, String(chains));
    learnListedChains(
      this.host,
      chains.map(({ chainId }) => chainId),
    );
    const named = chains.flatMap(({ chainId, name }) => (name === undefined ? [] : [{ chainId, name }]));
    await inTurns(learnChainNames(named), signal);
    return chains;
  }

  #get(
    path: string,
    signal: AbortSignal | undefined,
    {
      retries,
      ...others
    }: { readonly retries?: number | undefined } & Pick<JsonRequest, "hasOwnPace" | "maxBytes" | "timeoutMs">,
  ): Promise<JsonResponse> {
    return this.#http.request({
      url: joinedAddress(this.url, path),
      base: this.url,
      service: SERVICE,
      ...(signal && { signal }),
      ...(retries !== undefined && { retries }),
      ...others,
    });
  }

  #refusal({ status, body, text, hadKey, wantsKey, retryAfterMs }: JsonResponse): LedgerLensError {
    // A success of another kind, such as one without a body, is no refusal.
    if (status >= 200 && status <= 299) return wrongShape(SERVICE, t`status ${status}`, t`200 is expected`);
    const { customCode = "service_error", message = "" } = readAs(refusalBody, body) ?? {};
    // A code of ours says what happened on this machine or on the way, which no service can.
    const code = codeMeaning(customCode) ? "service_error" : customCode;
    const said = foreign(wordsBesideJson(message), MAX_SAID_CHARACTERS) || t`status ${status}`;
    const key = refusesKey(status) ? wantsKey : undefined;
    return new ServiceRefusal(
      code,
      status,
      refusalSentence(this.host, { code, status, said, hadKey, key, retryAfterMs }),
      { detail: text.slice(0, 2000), key, remedy: refusalRemedy({ code, status }) },
    );
  }
}

const acceptance = object({ verificationId: text(100) });

const refusalBody = object({
  // It becomes the code of an error, which programs compare.
  customCode: ifReadable(matching(/^[a-z][a-z0-9_]{0,63}$/, () => t`a word`)),
  message: ifReadable(text(1_000)),
});

/** The public service's list has 300 kB. */
const MAX_CHAINS_BYTES = 4 * 1024 * 1024;
/** A chain has a few nodes. */
const MAX_NODES = 100;

const serviceChains = listOf(
  mapped(
    object({
      chainId: chainIdShape,
      name: ifReadable(text(200)),
      supported: ifReadable(flag),
      rpc: ifReadable(listOf(text(2_000), MAX_NODES, MAX_NODES)),
    }),
    ({ chainId, name, supported, rpc }): ServiceChain => ({
      chainId,
      name: name === undefined ? undefined : foreign(name),
      supported: supported !== false,
      rpc: rpc ?? [],
    }),
  ),
  MAX_LISTED,
  MAX_LISTED,
);

/** Whether a finished job says what it came to; what is no match known to us must not pass for none. */
function isClear({ isJobCompleted, error }: VerificationJob, body: unknown): boolean {
  if (!isJobCompleted || error) return true;
  const contract = isObject(body) ? (ownValue(body, "contract") ?? {}) : {};
  if (!isObject(contract)) return false;
  const match = ownValue(contract, "match") ?? undefined;
  return match === undefined || isMatch(match);
}
