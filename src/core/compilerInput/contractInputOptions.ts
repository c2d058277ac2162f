import { recorderNamed } from "../tools/tool.ts";
import type { CompilerLists } from "../languages/compilerLists.ts";
import type { DeployedEvidence } from "./deploymentMarks.ts";
import type { SourceNames } from "../sources/sourceNames.ts";
import type { CompilerSettings, InputSource } from "../sources/standardJsonInput.ts";
import type { RecordedInputOptions } from "./recordedInput.ts";

/** What a caller may fix or knows; everything is optional. */
export interface ContractInputOptions extends DeployedEvidence {
  /** Short (`0.8.30`) or full (`0.8.30+commit.73712a01`): goes before everything that the project says. */
  readonly compilerVersion?: string | undefined;
  /** Settings that go before everything that the project says. */
  readonly settings?: CompilerSettings | undefined;
  /** Other names of source units than the project gives its files; the settings have these names already. */
  readonly sourceNames?: SourceNames | undefined;
  /**
   * Settings for a folder that can't say any: no build tool, no record of a build. Of a project whose configuration
   * computes settings these are the ones that are not known.
   */
  readonly defaultSettings?: CompilerSettings | undefined;
  /** The sources of truth that may be used; all of them unless said. */
  readonly sources?: readonly InputSource[] | undefined;
  /**
   * What to do when the best build record, or the metadata where there is none, is older than the files: `use` it and
   * name the files (the default, since what was deployed was built before), `skip` it, or `refuse`.
   */
  readonly staleBuild?: "use" | "skip" | "refuse" | undefined;
  /** The deployment that is to be verified, as the project's records have it. */
  readonly deployment?: RecordedInputOptions["deployment"];
  /** Foundry's profile, or Hardhat 3's build profile. */
  readonly profile?: string | undefined;
  /** Known releases of each compiler, oldest first; what ships unless said. */
  readonly releases?: Partial<CompilerLists> | undefined;
  /** Finds the releases of solc, short, that forge has on this machine and prefers to what it would have to fetch. */
  readonly installedSolc?: (() => Promise<readonly string[]>) | undefined;
}

/** What recorded the deployment that is to be verified, and the tool that it belongs to. */
export function deployedBy({
  deployment,
}: Pick<ContractInputOptions, "deployment">): ReturnType<typeof recorderNamed> {
  return deployment && recorderNamed(deployment.recordedBy);
}

/** Whether an input may come from a source of truth. */
export function mayBeFrom(source: InputSource, { sources }: Pick<ContractInputOptions, "sources">): boolean {
  return sources?.includes(source) ?? true;
}
