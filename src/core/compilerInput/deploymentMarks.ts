import type { DeployedSigns, JudgedInput } from "../matching/deployedSigns.ts";
import { isCompilerVersion } from "../versions.ts";

/** What the deployed code tells of how it was compiled. */
export interface DeployedEvidence {
  /** The version in its auxdata, `0.8.30` or longer: of several records of builds its own goes first. */
  readonly deployedCompilerVersion?: string | undefined;
  /** What else it tells. */
  readonly deployedSigns?: DeployedSigns | undefined;
}

/** The smaller, the better, the first number before the others. */
type Marks = readonly [metadataHash: number, contradictions: number, doubts: number];

/**
 * What in the deployed code speaks against an input: another metadata hash, what can't be, and what is unlikely.
 *
 * @param metadata what the build wrote, where there is one
 */
export function marksAgainst(
  input: JudgedInput,
  { deployedCompilerVersion: deployed, deployedSigns }: DeployedEvidence,
  metadata?: string,
): Marks {
  const isOther = deployed !== undefined && !isCompilerVersion(input.compilerVersion, deployed);
  const signs = deployedSigns?.signsAgainst(input);
  const isProven = metadata === undefined ? undefined : deployedSigns?.hasMetadataHashOf?.(metadata);
  return [
    isProven === true ? 0 : 1,
    (isOther ? 1 : 0) + (signs?.contradictions.length ?? 0),
    signs?.doubts.length ?? 0,
  ];
}

/** Below nought where the first fits better; marks of as many kinds, the first that differs decides. */
export function compareMarks(a: readonly number[], b: readonly number[]): number {
  return a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
