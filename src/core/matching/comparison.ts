import { compareVersions, shortVersion } from "../versions.ts";
import type { CodeComparison, ItemPair } from "../evm/codeComparison.ts";
import type { AnalysedCode } from "./codeTraits.ts";
import type { SelectorComparison } from "./contractSearch.ts";
import type { ExplanationInput } from "./explanation.ts";
import type { TriedSubmissions } from "./triedSubmissions.ts";

/** The two sides and how they compare. */
export interface Comparison {
  readonly input: ExplanationInput;
  readonly deployed: AnalysedCode;
  readonly recompiled: AnalysedCode;
  readonly code: CodeComparison;
  readonly selectors: SelectorComparison;
  /** The recompiled code ends at the placeholder of a library. */
  readonly isTruncated: boolean;
  readonly tried: TriedSubmissions;
  /** The metadata is on record, and no other settings of it that were tried make the deployed hash. */
  readonly isSearched: boolean;
}

/** Share of the instructions from which on two codes are of one contract. */
export const ALIKE = 0.6;

/** The compiler that the deployed code was made with, as far as it is known. */
export function deployedCompiler({ deployed, input }: Pick<Comparison, "deployed" | "input">): string {
  return deployed.auxdata?.compilerVersion ?? shortVersion(input.submitted.compilerVersion);
}

/** Whether the deployed code itself says which compiler made it. */
export function namesCompiler({ deployed }: Pick<Comparison, "deployed">): boolean {
  return deployed.auxdata?.compilerVersion !== undefined;
}

/** Whether the deployed code is of the submitted compiler, as far as it says. */
export function isOtherCompiler({ deployed, input }: Pick<Comparison, "deployed" | "input">): boolean {
  const version = deployed.auxdata?.compilerVersion;
  return version !== undefined && compareVersions(version, input.submitted.compilerVersion) !== 0;
}

/** Whether a pair is no difference of the code. */
export function isHarmless({ relation, left, right }: ItemPair): boolean {
  if (relation === "same" || relation === "immutable" || relation === "address" || relation === "auxdata")
    return true;
  const item = left ?? right;
  // Auxdata that only one side has, and the INVALID before it.
  return item?.section.kind === "auxdata" || item?.instruction?.opcode === 0xfe;
}

/** Whether both codes answer to the same functions. */
export function hasSameFunctions({ selectors }: Pick<Comparison, "selectors">): boolean {
  return selectors.missing.length + selectors.extra.length === 0;
}
