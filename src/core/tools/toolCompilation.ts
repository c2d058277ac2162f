import type { ImportResolver, SourceUnit } from "../languages/solidity/solidityClosure.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import type { CompilerSettings } from "../sources/standardJsonInput.ts";
import type { UnknownSetting } from "./unknownSettings.ts";

/** What a build tool says of a compilation, apart from the sources themselves. */
export interface ToolCompilation {
  /** The source unit name of the contract's file. */
  readonly name: string;
  readonly resolver: ImportResolver;
  /** Versions that the configuration allows; none where it leaves the choice to the pragmas. */
  readonly configured: readonly string[];
  /** The configuration allows whatever is among {@link configured}, so that what the deployed code names goes first of these. */
  readonly prefersDeployed?: true;
  /** The configuration's name, for messages. */
  readonly configuration: string;
  /** The build profile of which the settings are; missing for a tool without profiles. */
  readonly profile?: string;
  /** The settings for a compiler and a closure, the contract's file first. */
  settings(compilerVersion: string, closure: readonly Pick<SourceUnit, "path">[]): CompilerSettings;
  /** Other settings by which the tool compiles the file besides, where it does so more than once. */
  otherSettings?(
    compilerVersion: string,
    closure: readonly Pick<SourceUnit, "path">[],
  ): readonly CompilerSettings[];
  /**
   * The releases by which the tool compiles the contract's file among all that it compiles with it, oldest first: for
   * a tool that chooses by the pragmas of them all, and prefers what is installed. None for a file that it does not
   * compile.
   */
  readonly versionsOfJob?: (
    releases: readonly string[],
    isInstalled: (release: string) => boolean,
  ) => Promise<JobVersions>;
  readonly findings: readonly InputFinding[];
  /** What is to be known of the contract's sources besides. */
  findingsOf?(closure: readonly SourceUnit[]): readonly InputFinding[];
  /** Missing where the configuration says everything. */
  readonly open?: OpenCompilation;
}

/** What the files that are compiled together come to. */
export interface JobVersions {
  /** The releases that the tool compiles one of them by, oldest first. */
  readonly releases: readonly string[];
  /** What of them can't be read, and may change that. */
  readonly findings: readonly InputFinding[];
}

/** What a configuration computes of a compilation, so that it is not known. */
interface OpenCompilation {
  /** The name of the file that computes it; the configuration's unless said. */
  readonly file?: string;
  /** Of which compilers there are. */
  readonly version: readonly UnknownSetting[];
  /** Of what is set for a compiler, in full form or short. */
  settings(compilerVersion: string): readonly UnknownSetting[];
}
