import { isPassingStatus } from "../http/httpError.ts";
import { t } from "@vscode/l10n";
import { withoutEnd } from "../json/wordsBesideJson.ts";
import type { HeaderKey, Remedy } from "../errors.ts";
import { askAgainAdvice } from "../http/rateLimits.ts";
import { keyAdvice, keyReason, refusesKey } from "../http/refusedKey.ts";
import { isCompilerUnavailable } from "./compilerErrors.ts";
import { ended } from "../text/sentenceEnd.ts";
import type { JobError } from "./job.ts";

/** What a failed job is about, which is where its cause is looked for. */
type FailureSubject =
  /** The two codes differ, and they tell why. */
  | "codes"
  /** The same, where the service compared their auxdata as well and found no difference. */
  | "codes beside equal auxdata"
  | "address"
  | "contract without code"
  | "contract's name"
  | "compiler's errors"
  /** The service has not got the compiler, so that nothing was compiled: that says nothing of the sources. */
  | "compiler's absence"
  /** The compiler ran or should have, and gave nothing, not even errors: whose fault that is, is not told. */
  | "compiler's silence"
  | "compiler's version"
  | "language"
  | "sources"
  | "similarity"
  | "earlier verification"
  | "service";

/** What is known of an error code of the service. */
interface ErrorCode {
  readonly subject: FailureSubject;
  /**
   * What happened, as the end of a sentence that begins with the contract's name, then what to do next. A `…` stands for
   * the service's own words in brackets.
   */
  readonly sentence: string;
  /** The state of such a job in a few words, where "failed" is not all there is to say. */
  readonly brief?: string;
  /** The same submission may succeed later. */
  readonly retryMayHelp?: true;
  /**
   * All that the build compiled may succeed where the part that the contract needs did not: solc's code can depend on
   * files that the contract does not import (argotorg/sourcify issues 618 and 1054).
   */
  readonly wholeBuildMayHelp?: true;
}

const NO_METADATA: ErrorCode = {
  subject: "service",
  sentence: t`could not be compared: the service found no metadata in the recompiled code…. Check the metadata settings, or choose another service.`,
};

const NO_DEPLOYED_CODE: ErrorCode = {
  subject: "service",
  sentence: t`could not be compared: the service has no deployed code to compare with…. Give the hash of the creation transaction, or try again.`,
  retryMayHelp: true,
};

const SERVICE_FAILED: ErrorCode = {
  subject: "service",
  sentence: t`could not be verified: the service failed…. Try again later.`,
  retryMayHelp: true,
};

const NO_SUCH_COMPILER: ErrorCode = {
  subject: "compiler's version",
  sentence: t`could not be compiled: the service does not have this compiler…. Choose another version.`,
};

const NO_SUCH_LANGUAGE: ErrorCode = {
  subject: "language",
  sentence: t`can't be verified: the service doesn't compile this language…. Choose another service.`,
};

const INCOMPLETE_SOURCES: ErrorCode = {
  subject: "sources",
  sentence: t`can't be verified: a source is missing or is not the one that the metadata names…. Build again, then submit.`,
};

/** A `compiler_error` that is none of the sources. */
const COMPILER_UNAVAILABLE: ErrorCode = {
  subject: "compiler's absence",
  sentence: t`was not compiled: the service can't get the compiler now…. Try again later, or choose a version near it.`,
  brief: t`No compiler`,
  retryMayHelp: true,
};

/**
 * The one list of the codes with which a job fails (argotorg/sourcify, packages/lib-sourcify, `SourcifyLibError.ts`, and
 * services/server). What a code means to a person and what may help follow from here.
 */
const ERROR_CODES: ReadonlyMap<string, ErrorCode> = new Map<string, ErrorCode>([
  [
    "no_match",
    {
      subject: "codes",
      sentence: t`does not match: the deployed code differs from the recompiled code. Check that the sources, the compiler and its settings are those of the deployment.`,
      brief: t`No match`,
      wholeBuildMayHelp: true,
    },
  ],
  [
    "bytecode_length_mismatch",
    {
      subject: "codes",
      sentence: t`does not match: the deployed code and the recompiled code differ in length. Check the compiler settings and that this is the deployed contract.`,
      brief: t`No match`,
      wholeBuildMayHelp: true,
    },
  ],
  [
    "extra_file_input_bug",
    {
      subject: "codes beside equal auxdata",
      sentence: t`does not match because the compiler made other code of these files alone. Submit all files of the build.`,
      wholeBuildMayHelp: true,
    },
  ],
  [
    "contract_not_deployed",
    {
      subject: "address",
      sentence: t`can't be verified: nothing is deployed at this address on this chain. Check the chain and the address.`,
      brief: t`Nothing deployed`,
      // Right after a deployment a service may not see it yet.
      retryMayHelp: true,
    },
  ],
  [
    "cannot_fetch_bytecode",
    {
      subject: "service",
      sentence: t`could not be verified: the service can't read the chain now. Try again in a minute.`,
      retryMayHelp: true,
    },
  ],
  [
    "compiled_bytecode_is_zero",
    {
      subject: "contract without code",
      sentence: t`has no code of its own (it is abstract or an interface). Choose the contract that was deployed.`,
    },
  ],
  [
    "compiler_error",
    {
      subject: "compiler's errors",
      sentence: t`doesn't compile: … The details list every error.`,
      brief: t`Doesn't compile`,
      wholeBuildMayHelp: true,
    },
  ],
  [
    "no_compiler_output",
    {
      subject: "compiler's silence",
      sentence: t`was not compiled: the compiler at the service gave no output…, which may be the service's fault. Try again later; if it happens again, check the compiler's version and the settings.`,
      brief: t`No compiler output`,
      retryMayHelp: true,
    },
  ],
  [
    "contract_not_found_in_compiler_output",
    {
      subject: "contract's name",
      sentence: t`is not in the compiler's output. Check the contract's name and file.`,
      wholeBuildMayHelp: true,
    },
  ],
  ["invalid_compiler_version", NO_SUCH_COMPILER],
  ["unsupported_compiler_version", NO_SUCH_COMPILER],
  ["invalid_language", NO_SUCH_LANGUAGE],
  ["unsupported_language", NO_SUCH_LANGUAGE],
  ["missing_source", INCOMPLETE_SOURCES],
  ["missing_or_invalid_source", INCOMPLETE_SOURCES],
  [
    "invalid_compilation_target",
    {
      subject: "sources",
      sentence: t`can't be verified: the metadata names another contract…. Choose the contract that was built.`,
    },
  ],
  // The compiler's output is the same the next time.
  ["metadata_not_set", NO_METADATA],
  ["cannot_generate_cbor_auxdata_positions", NO_METADATA],
  ["creation_bytecode_cbor_auxdata_not_set", NO_METADATA],
  ["runtime_bytecode_cbor_auxdata_not_set", NO_METADATA],
  ["onchain_runtime_bytecode_not_available", NO_DEPLOYED_CODE],
  ["onchain_creation_bytecode_not_available", NO_DEPLOYED_CODE],
  [
    "already_verified",
    {
      subject: "earlier verification",
      sentence: t`is verified already, and this submission is no better.`,
    },
  ],
  [
    "no_similar_match_found",
    {
      subject: "similarity",
      sentence: t`matches no verified contract of the service. Verify it with its sources.`,
    },
  ],
  ["compiler_timeout", SERVICE_FAILED],
  ["compiler_out_of_memory", SERVICE_FAILED],
  ["job_abandoned", SERVICE_FAILED],
  ["internal_error", SERVICE_FAILED],
  ["etherscan_rate_limit", SERVICE_FAILED],
  ["etherscan_network_error", SERVICE_FAILED],
]);

/** What is known of the error of a job; `undefined` for a code that is not in the list. */
export function errorCodeOf(error: JobError): ErrorCode | undefined {
  return isCompilerUnavailable(error) ? COMPILER_UNAVAILABLE : ERROR_CODES.get(error.customCode);
}

/** Whether a code says that the two codes were compared and differ. */
export function comparesCodes(customCode: string | undefined): boolean {
  return /^codes\b/.test(ERROR_CODES.get(customCode ?? "")?.subject ?? "");
}

/**
 * The codes with which a request is refused, before there is a job. `@` stands for the service's host, `…` for its own
 * words.
 */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ["already_verified", t`The contract is verified already at @ with an exact match; there is nothing to do.`],
  [
    "duplicate_verification_request",
    t`@ is still working on another job for this contract. Wait for it, then submit again.`,
  ],
  ["unsupported_chain", t`@ does not know this chain (…). Choose a chain that the service lists.`],
  ["job_not_found", t`@ does not know this job. It may have been removed, or belong to another service.`],
  ["cannot_fetch_bytecode", t`@ found no code at this address (…). Check the chain and the address.`],
]);

/** What may help against a refusal, as its sentence says. */
export function refusalRemedy({ code, status }: { readonly code: string; readonly status: number }): Remedy {
  if (REFUSALS.has(code)) return {};
  if (refusesKey(status)) return { setting: "ledgerLens.verificationUrl", mayPass: code === "service_error" };
  return { mayPass: code === "service_error" || isPassingStatus(status) };
}

/** So much of the service's own words stands in a sentence of ours, in characters. */
export const MAX_SAID_CHARACTERS = 250;

/** What a refusal of a request says. `said`: the service's own words, fit to be shown. */
export function refusalSentence(
  host: string,
  {
    code,
    status,
    said,
    hadKey = false,
    key,
    retryAfterMs,
  }: {
    readonly code: string;
    readonly status: number;
    readonly said: string;
    /** Whether a key went along with the request. */
    readonly hadKey?: boolean | undefined;
    /** The key that it wants in a header. */
    readonly key?: HeaderKey | undefined;
    /** How long the service asks to wait, in milliseconds. */
    readonly retryAfterMs?: number | undefined;
  },
): string {
  const sentence = REFUSALS.get(code);
  // As functions: what the words hold is no pattern of a replacement.
  if (sentence !== undefined) return sentence.replace("@", () => host).replace("…", () => withoutEnd(said));
  if (status === 429) return t`${host} has had too many requests. ${askAgainAdvice(retryAfterMs)}`;
  const words = withoutEnd(said);
  const advice = keyAdvice(key, "ledgerLens.verificationUrl");
  if (refusesKey(status))
    return t`${host} refused the request: ${keyReason(status, hadKey)} (${words}). ${advice}.`;
  // Whose fault it is has to be plain to one who does not know the host.
  const service = `${t`The verification service`} (${host})`;
  if (status >= 500) return t`${service} failed (${words}). Try again later.`;
  return t`${host} refused the request: ${ended(words)}`;
}
