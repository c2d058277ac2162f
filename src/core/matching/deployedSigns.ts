import type { CompilerInput, CompilerSettings } from "../sources/standardJsonInput.ts";

/** What the deployed code tells of how it was compiled, for choices that nothing on disk decides. */
export interface DeployedSigns {
  /** The settings that it shows: whether the optimizer and the IR pipeline were on. */
  readonly settings: CompilerSettings;
  /** How an input fits it. Sentences: why it can't be the one, and what makes it unlikely. */
  signsAgainst(input: Pick<CompilerInput, "compilerVersion" | "stdJsonInput">): {
    readonly contradictions: readonly string[];
    readonly doubts: readonly string[];
  };
  /** Whether the code has the hash of this metadata, byte for byte; `undefined` where it has no metadata hash. */
  hasMetadataHashOf?(metadata: string): boolean | undefined;
}
