import { shortVersion } from "../versions.ts";
import type { CodeComparison } from "../evm/codeComparison.ts";
import type { CodeFindings } from "./codeFindings.ts";
import type { AnalysedCode } from "./codeTraits.ts";
import type { SelectorComparison } from "./contractSearch.ts";
import type { ExplanationInput } from "./explanation.ts";
import type { ValueDifference } from "./valueDifferences.ts";
import type { TriedSubmissions } from "./triedSubmissions.ts";

/** The two sides and how they compare. */
export interface Comparison {
  readonly input: ExplanationInput;
  readonly findings: CodeFindings;
  /** As far as it can be compared, see {@link CodeFindings.compared}. */
  readonly deployed: AnalysedCode;
  readonly recompiled: AnalysedCode;
  readonly code: CodeComparison;
  readonly selectors: SelectorComparison;
  readonly tried: TriedSubmissions;
  /** The constants that differ, where nothing else does. */
  readonly values: readonly ValueDifference[] | undefined;
  /** The metadata is on record, and no other settings of it that were tried make the deployed hash. */
  readonly isSearched: boolean;
}

/** Share from which on an edit is the only explanation: a setting changes the form of the whole code. */
export const NEARLY_SAME = 0.9;

/** The compiler that the deployed code was made with, as far as it is known. */
export function deployedCompiler({ deployed, input }: Pick<Comparison, "deployed" | "input">): string {
  return deployed.auxdata?.compilerVersion ?? shortVersion(input.submitted.compilerVersion);
}

/** Whether the deployed code itself says which compiler made it. */
export function namesCompiler({ deployed }: Pick<Comparison, "deployed">): boolean {
  return deployed.auxdata?.compilerVersion !== undefined;
}

/** Whether both codes answer to the same functions. */
export function hasSameFunctions({ selectors }: Pick<Comparison, "selectors">): boolean {
  return selectors.missing.length + selectors.extra.length === 0;
}
