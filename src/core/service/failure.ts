import { foreign } from "../text/shownText.ts";
import { compilerErrors, compilerErrorText, isCompilerUnavailable } from "./compilerErrors.ts";
import type { JobError } from "./job.ts";

/** So much of a compiler's error is part of a sentence, in characters. */
const MOST_ERROR_TEXT = 300;

/**
 * Why a job failed, as the end of a sentence that begins with the contract's name, and what to do next. The
 * codes are those of argotorg/sourcify (packages/lib-sourcify, `SourcifyLibError.ts`); for a code that is not
 * known the service's own words stand.
 */
export function failureSentence(name: string, error: JobError): string {
  const { customCode } = error;
  const said = saidOf(error);
  const aside = said && ` (${said})`;
  switch (customCode) {
    case "no_match":
      return `${name} does not match: the deployed code differs from the recompiled code. Check that the sources, the compiler and its settings are those of the deployment.`;
    case "bytecode_length_mismatch":
      return `${name} does not match: the deployed code and the recompiled code differ in length. Check the compiler settings and that this is the deployed contract.`;
    case "contract_not_deployed":
      return `${name} can't be verified: nothing is deployed at this address on this chain. Check the chain and the address.`;
    case "cannot_fetch_bytecode":
      return `${name} could not be verified: the service can't read the chain now. Try again in a minute.`;
    case "compiled_bytecode_is_zero":
      return `${name} has no code of its own (it is abstract or an interface). Choose the contract that was deployed.`;
    case "compiler_error":
      return isCompilerUnavailable(error)
        ? `${name} was not compiled: the service can't get the compiler now${aside}. Try again later, or choose a version near it.`
        : `${name} does not compile at the service: ${firstCompilerError(error)}. The details list every error.`;
    case "contract_not_found_in_compiler_output":
      return `${name} is not in the compiler's output. Check the contract's name and file.`;
    case "invalid_compiler_version":
    case "unsupported_compiler_version":
      return `${name} could not be compiled: the service does not have this compiler${aside}. Choose another version.`;
    case "extra_file_input_bug":
      return `${name} does not match because the compiler made other code of these files alone. Submit all files of the build.`;
    case "no_compiler_output":
      return `${name} could not be compiled: the compiler at the service answered nothing. Check the compiler's version and the settings.`;
    case "invalid_language":
    case "unsupported_language":
      return `${name} can't be verified: the service does not compile this language${aside}. Choose another service.`;
    case "missing_source":
    case "missing_or_invalid_source":
      return `${name} can't be verified: a source is missing or is not the one that the metadata names${aside}. Build again, then submit.`;
    case "invalid_compilation_target":
      return `${name} can't be verified: the metadata names another contract${aside}. Choose the contract that was built.`;
    case "metadata_not_set":
    case "cannot_generate_cbor_auxdata_positions":
    case "creation_bytecode_cbor_auxdata_not_set":
    case "runtime_bytecode_cbor_auxdata_not_set":
      return `${name} could not be compared: the service found no metadata in the recompiled code${aside}. Check the metadata settings.`;
    case "onchain_runtime_bytecode_not_available":
    case "onchain_creation_bytecode_not_available":
      return `${name} could not be compared: the service has no deployed code to compare with${aside}. Give the hash of the creation transaction, or try again.`;
    case "already_verified":
      return `${name} is already verified, and this submission is no better.`;
    case "no_similar_match_found":
      return `No verified contract with the same code was found for ${name}. Verify it with its sources.`;
    case "compiler_timeout":
    case "compiler_out_of_memory":
    case "job_abandoned":
    case "internal_error":
      return `${name} could not be verified: the service failed${aside}. Try again later.`;
    default:
      return `${name} is not verified: ${said || foreign(customCode) || "the service gave no reason"}.`;
  }
}

/** The service's own words, without the end of their sentence; empty where they say nothing. */
export function saidOf({ message }: Pick<JobError, "message">): string {
  const said = foreign(message).replace(/[.\s]*$/, "");
  return /^unknown error$/i.test(said) ? "" : said;
}

/** The first error as text, with its file and line where the compiler names them: `contracts/A.sol:12: Undeclared identifier`. */
export function firstCompilerError(error: JobError): string {
  const errors = compilerErrors(error).filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (!first) return foreign(compilerErrorText(error)) || "the compiler gave no reason";
  const text =
    foreign(first.message.trim().replace(/\.$/, ""), MOST_ERROR_TEXT) || "the compiler gave no reason";
  const where = first.file && `${foreign(first.file)}${first.place ? `:${first.place.line}` : ""}: `;
  return `${where ?? ""}${text}`;
}
