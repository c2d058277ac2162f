import { asRecord } from "../json/looseData.ts";
import { wordsBesideJson } from "../json/wordsBesideJson.ts";
import { isObject, type LooseObject } from "../json/shape.ts";
import { foreign } from "../text/shownText.ts";
import type { VerificationJob } from "./job.ts";

/** The service's word for "the explorer had it already" (argotorg/sourcify, `EtherscanVerifyApiService.ts`). */
const ALREADY_VERIFIED = "VERIFIER_ALREADY_VERIFIED";
/** A service tries again half a minute after an explorer failed, so a first failure may pass. */
const FAILURES_PASS_MS = 45_000;
const MAX_EXPLORERS = 10;
const LONGEST_NAME = 30;
const LONGEST_REASON = 200;

/** What became of a verification at a block explorer that the service told of it. */
export interface ExplorerVerification {
  /** "Etherscan". */
  readonly explorer: string;
  /**
   * - `waiting`: the service has not told it yet, or has no answer;
   * - `submitted`: the explorer took it; whether it verified it, its own page says;
   * - `verified`: the explorer had the contract verified already;
   * - `failed`: it refused; `reason` says why, as far as it said.
   */
  readonly state: "waiting" | "submitted" | "verified" | "failed";
  /** `https` only: the contract at the explorer, or else the state of the verification there. */
  readonly link?: string;
  /** One line, fit to be shown. */
  readonly reason?: string;
}

/**
 * The explorers that a service told of a verified contract, from a job's `externalVerifications`:
 * `{name: {verificationId?, error?, statusUrl?, explorerUrl?, contractApiUrl?}}` (argotorg/sourcify,
 * services/server/src/server/types.ts, `ApiExternalVerification`). Everything in it is hostile text: names and reasons
 * are cut and made visible, links of another kind than https, or with a user name, are left out.
 */
export function explorerVerifications({ externalVerifications }: VerificationJob): ExplorerVerification[] {
  return entriesOf(externalVerifications)
    .slice(0, MAX_EXPLORERS)
    .map(([name, entry]): ExplorerVerification => {
      const link = safeLink(entry["explorerUrl"]) ?? safeLink(entry["statusUrl"]);
      const state = stateOf(entry);
      const { error } = entry;
      const reason = typeof error === "string" ? foreign(wordsBesideJson(error), LONGEST_REASON) : "";
      return {
        explorer: NAMES.get(name) ?? foreign(name, LONGEST_NAME),
        state,
        ...(link !== undefined && { link }),
        ...(state === "failed" && reason !== "" && { reason }),
      };
    });
}

/**
 * Whether nothing more is to be expected of the explorers.
 *
 * @param passedMs since the job was finished
 */
export function explorersAreDone({ externalVerifications }: VerificationJob, passedMs: number): boolean {
  const states = entriesOf(externalVerifications).map(([, entry]) => stateOf(entry));
  if (states.length === 0) return false;
  return states.every((state) => state !== "waiting" && (state !== "failed" || passedMs >= FAILURES_PASS_MS));
}

function stateOf({
  verificationId,
  error,
  explorerUrl,
}: Readonly<Record<string, unknown>>): ExplorerVerification["state"] {
  if (verificationId === ALREADY_VERIFIED) return "verified";
  if (error !== undefined && error !== null) return "failed";
  return typeof explorerUrl === "string" ? "submitted" : "waiting";
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ["etherscan", "Etherscan"],
  ["blockscout", "Blockscout"],
  ["routescan", "Routescan"],
]);

function safeLink(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const url = URL.parse(value);
  return url?.protocol === "https:" && url.username === "" && url.password === "" ? url.href : undefined;
}

function entriesOf(value: unknown): (readonly [string, LooseObject])[] {
  return Object.entries(asRecord(value) ?? {}).flatMap(([name, entry]) =>
    isObject(entry) ? [[name, entry] as const] : [],
  );
}
