import { isCompilerUnavailable } from "./compilerErrors.ts";
import type { JobError } from "./job.ts";

/**
 * What a failure asks for: to try the same again later, to change what is submitted, or neither. The codes are those of
 * argotorg/sourcify (packages/lib-sourcify, `SourcifyLibError.ts`, and services/server).
 */
export type FailureMeaning = "transient" | "input" | "deployment" | "unknown";

const MEANINGS: ReadonlyMap<string, FailureMeaning> = new Map([
  ["cannot_fetch_bytecode", "transient"],
  ["internal_error", "transient"],
  ["compiler_timeout", "transient"],
  ["compiler_out_of_memory", "transient"],
  ["job_abandoned", "transient"],
  ["etherscan_rate_limit", "transient"],
  ["etherscan_network_error", "transient"],
  ["onchain_runtime_bytecode_not_available", "transient"],
  ["onchain_creation_bytecode_not_available", "transient"],
  ["compiler_error", "input"],
  ["contract_not_found_in_compiler_output", "input"],
  ["compiled_bytecode_is_zero", "input"],
  ["no_compiler_output", "input"],
  ["metadata_not_set", "input"],
  ["cannot_generate_cbor_auxdata_positions", "input"],
  ["creation_bytecode_cbor_auxdata_not_set", "input"],
  ["runtime_bytecode_cbor_auxdata_not_set", "input"],
  ["invalid_compiler_version", "input"],
  ["unsupported_compiler_version", "input"],
  ["invalid_language", "input"],
  ["unsupported_language", "input"],
  ["missing_source", "input"],
  ["missing_or_invalid_source", "input"],
  ["invalid_compilation_target", "input"],
  ["no_match", "input"],
  ["bytecode_length_mismatch", "input"],
  ["extra_file_input_bug", "input"],
  ["no_similar_match_found", "input"],
  ["contract_not_deployed", "deployment"],
]);

/** What the error of a job asks for. */
export function failureMeaning(error: JobError): FailureMeaning {
  if (isCompilerUnavailable(error)) return "transient";
  return MEANINGS.get(error.customCode) ?? "unknown";
}
