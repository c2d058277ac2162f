import { LedgerLensError } from "../errors.ts";

/** Errors of {@link CompilerThread.ask} that the input brought about. */
const BREAKDOWNS: ReadonlySet<string> = new Set([
  "compiler_out_of_memory",
  "compiler_failed",
  "compiler_too_slow",
]);

/**
 * Whether a compiler broke down over what it was to compile: it may do well with another input. Some releases take all the
 * memory there is over settings that no project builds with (0.7.6 via IR, for one).
 */
export function isBreakdown(error: unknown): error is LedgerLensError {
  return error instanceof LedgerLensError && BREAKDOWNS.has(error.code);
}
