import { completeSolcVersion } from "../languages/solidity/solcReleases.ts";
import { completeVyperVersion } from "../languages/vyper/vyperReleases.ts";
import { LedgerLensError } from "../errors.ts";

/** A release with its commit, as services want it; `undefined` for one that is on no list. */
export function fullVersion(language: string, version: string): string | undefined {
  try {
    return language === "Vyper" ? completeVyperVersion(version) : completeSolcVersion(version);
  } catch (error) {
    if (error instanceof LedgerLensError) return undefined;
    throw error;
  }
}
