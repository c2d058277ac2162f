// The checks of a request, in the order in which the service makes them: the body is read, the interface's description
// is applied to it and to the path, and only then are the chain, the address and the input looked at (argotorg/sourcify,
// services/server/src/server/{server.ts,apiv2/middlewares.ts} and services/server/src/apiv2.yaml; the description is
// applied by express-openapi-validator).
import { getAddress } from "ethers";
import { invalidParameter, Refusal } from "./refusal.ts";
import type { Accepted, AnyInput, DeployedContract } from "./verifier.ts";

/** The service takes bodies up to 30 MB (argotorg/sourcify, services/server/src/config/default.js). */
export const MAX_BODY_BYTES = 30 * 1024 * 1024;

/** A body that came in; what is longer than {@link MAX_BODY_BYTES} is not kept. */
export interface ReceivedBody {
  readonly contentType: string | undefined;
  readonly text: string;
  readonly length: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** The path of a submission, before the chain and the address are looked at. */
export interface DeploymentPath {
  readonly chainId: string;
  readonly address: string;
}

/**
 * The body of a request, read as JSON where its header says so; `undefined` where it is empty.
 *
 * @throws Refusal `invalid_json`; `internal_error` for too large a body, which the parser refuses before the
 * interface's own checks, so that it is no 413.
 */
export function readBody({ contentType, text, length }: ReceivedBody): unknown {
  if (mediaType(contentType) !== "application/json") return undefined;
  if (length > MAX_BODY_BYTES) throw new Error("request entity too large");
  if (text === "") return undefined;
  try {
    const body = JSON.parse(text) as unknown;
    if (typeof body === "object" && body !== null) return body;
  } catch (error) {
    throw new Refusal(400, "invalid_json", (error as Error).message);
  }
  // The parser takes objects and lists alone.
  throw new Refusal(400, "invalid_json", `Unexpected token in JSON: ${text.slice(0, 20)}`);
}

/** Refuses a body of another kind than JSON, as none at all is. */
export function checkMediaType(contentType: string | undefined): void {
  const type = mediaType(contentType);
  if (type === undefined) throw invalidParameter("media type not specified");
  if (type !== "application/json") throw invalidParameter(`unsupported media type ${type}`);
}

function mediaType(contentType: string | undefined): string | undefined {
  return contentType?.split(";")[0]?.trim().toLowerCase();
}

/** Refuses parameters behind the path that the interface does not name, and empty ones. */
export function checkQuery(url: URL, known: readonly string[]): void {
  for (const [name, value] of url.searchParams) {
    if (!known.includes(name)) throw invalidParameter(`Unknown query parameter '${name}'`);
    if (value === "") throw invalidParameter(`Empty value found for query parameter '${name}'`);
  }
}

/** Applies the interface's description of a submission to its path and body. */
export function checkDescription(path: DeploymentPath, body: unknown, needsInput: boolean): void {
  refuse([...pathFaults(path), ...(needsInput ? inputFaults(body) : []), ...hashFaults(body)]);
}

/** Applies the interface's description to the path of a look-up. */
export function checkPath(path: DeploymentPath): void {
  refuse(pathFaults(path));
}

/** Refuses an id that is none. */
export function checkVerificationId(id: string): void {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id))
    throw invalidParameter("request/params/verificationId must match pattern");
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw invalidParameter(faults.map((fault) => `request/${fault}`).join(", "));
}

function pathFaults({ chainId, address }: DeploymentPath): string[] {
  return [
    ...(/^\d{1,20}$/.test(chainId) ? [] : ["params/chainId must match pattern"]),
    ...(/^0x[a-fA-F0-9]{40}$/.test(address) ? [] : ["params/address must match pattern"]),
  ];
}

function inputFaults(body: unknown): string[] {
  if (typeof body !== "object" || body === null) return ["must have required property 'body'"];
  const { stdJsonInput, compilerVersion, contractIdentifier } = body as Fields;
  const faults = ["stdJsonInput", "compilerVersion", "contractIdentifier"]
    .filter((name) => !Object.hasOwn(body, name))
    .map((name) => `body must have required property '${name}'`);
  if (stdJsonInput !== undefined && !isObject(stdJsonInput)) faults.push("body/stdJsonInput must be object");
  if (compilerVersion !== undefined && !matches(compilerVersion, /^v?\d+\.\d+\.\d+.*$/))
    faults.push("body/compilerVersion must match pattern");
  if (contractIdentifier !== undefined && typeof contractIdentifier !== "string")
    faults.push("body/contractIdentifier must be string");
  return faults;
}

function hashFaults(body: unknown): string[] {
  const hash = (body as Fields | undefined)?.["creationTransactionHash"];
  return hash === undefined || matches(hash, /\b0x[a-f0-9]{64}\b/)
    ? []
    : ["body/creationTransactionHash must match pattern"];
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}

/** Refuses a chain that the service does not list; one that it does not support is taken (`validateChainId`). */
export function checkChain(chainId: string, hasChain: (chainId: string) => boolean): void {
  if (!hasChain(chainId)) throw new Refusal(400, "unsupported_chain", `Chain ${chainId} not found`);
}

/** The address with its checksum; a wrong checksum is refused (`validateAddress`). */
export function checkedAddress(address: string): string {
  try {
    return getAddress(address);
  } catch {
    throw invalidParameter(`Invalid address: ${address}`);
  }
}

/**
 * The parts of an input that the service keeps; it refuses all others since June 2026 (argotorg/sourcify pull request
 * 2823, later than what was measured, which took them).
 */
const STORED_FIELDS: readonly string[] = ["language", "sources", "settings", "storage_layout_overrides"];

/** What a described body says of the submission (`validateStandardJsonInput`, `validateContractIdentifier`). */
export function checkedSubmission(deployed: DeployedContract, body: unknown): Accepted {
  const { stdJsonInput, compilerVersion, contractIdentifier } = body as Accepted;
  const { language, sources } = stdJsonInput as Partial<AnyInput>;
  if (!language) throw invalidParameter("Standard JSON input must contain a language field.");
  if (!sources) throw invalidParameter("Standard JSON input must contain a sources field.");
  if (Object.values(sources).some(({ content }) => !content))
    throw invalidParameter("Standard JSON input must contain a content field for each source.");
  const unknown = Object.keys(stdJsonInput).filter((field) => !STORED_FIELDS.includes(field));
  if (unknown.length > 0)
    throw invalidParameter(
      `Standard JSON input contains unsupported top-level field(s): ${unknown.join(", ")}. Only the following top-level fields are supported: ${STORED_FIELDS.join(", ")}.`,
    );
  if (contractIdentifier === "") throw invalidParameter("Contract identifier is required");
  if (contractIdentifier.split(":").length < 2)
    throw invalidParameter(
      "The contractIdentifier must consist of the file path and the contract name separated by a ':'.",
    );
  return { ...deployed, stdJsonInput, compilerVersion, contractIdentifier };
}

/** The transaction that a described body names. */
export function creationTransactionOf(body: unknown): string | undefined {
  return (body as { readonly creationTransactionHash?: string } | undefined)?.creationTransactionHash;
}
