import { LedgerLensError } from "../errors.ts";
import { RULES } from "../languages/rules.ts";
import type { LanguageName } from "../sources/standardJsonInput.ts";

/** A release with its commit, as services want it; `undefined` for one that is on no list. */
export function fullVersion(language: LanguageName, version: string): string | undefined {
  try {
    return RULES[language].completeVersion(version);
  } catch (error) {
    if (error instanceof LedgerLensError) return undefined;
    throw error;
  }
}
