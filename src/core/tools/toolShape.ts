import type { FileReader } from "../files/fileReader.ts";
import type { FolderReader } from "../files/folderReader.ts";
import type { LanguageConfig } from "../languages/compilationContext.ts";
import type { Remapping } from "../languages/solidity/remapping.ts";
import type { SourceNaming } from "../languages/solidity/sourceNaming.ts";
import type { AdmittedSources } from "../sources/admittedSources.ts";
import type { OpenedContract, WorkspaceContract } from "../sources/contractReference.ts";
import type { RecordedDeployment } from "./deployment.ts";
import type { ToolCompilation } from "./toolCompilation.ts";

/** A build tool, as far as nothing has to be read or loaded to know it. Names of folders are relative to the root. */
export interface BuildTool {
  /** One word; it stands in no file and on no screen. */
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  /**
   * The names that its configuration may have; of several in one folder the first of these is read, unless
   * {@link ToolRules.configurationOrder} says otherwise.
   */
  readonly configurations: readonly string[];
  /**
   * A file of TOML that it shares with others, and the keys that lead to its own table there, which a project without a
   * configuration has where it is set up for it.
   */
  readonly sharedConfiguration?: { readonly name: string; readonly table: readonly string[] };
  /** The names, with `*` at the beginning for any, of further files from which its settings may come. */
  readonly alsoConfiguredBy?: readonly string[];
  /** Folders that tell that a project is set up for it, also without a configuration. */
  readonly markers?: readonly string[];
  /** Folders in which it keeps what a project depends on. */
  readonly dependencyFolders: readonly string[];
  /** Folders in which it leaves artifacts, unless told otherwise. */
  readonly outputFolders: readonly string[];
  /** The folder of its build records, unless told otherwise. */
  readonly recordFolder?: string;
  /** How it names the project's own files, the form of its newest release first; missing for a tool without sources of its own form. */
  readonly namingForms?: readonly NamingForm[];
  /** The names of the files besides these that it reads or writes, with `*` for any. */
  readonly watched: readonly string[];
  /** What records that something was deployed with it. */
  readonly recorders: readonly Recorder[];
  /** What it takes to read its files; loaded at the first use. */
  readonly rules: () => Promise<ToolRules>;
}

/** How a tool names a project's own files, as far as that is the same in all projects. */
interface NamingForm {
  /** As people call the tool in the releases that do so. */
  readonly title: string;
  /** What stands before the path, which is relative to the root. */
  readonly before: string;
  /** The folder of sources unless told otherwise; empty for the root. */
  readonly folder: string;
}

/** A program that records what it deployed. */
export interface Recorder {
  /** As {@link RecordedDeployment.recordedBy} has it. */
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  /** The formats of the build records of what it deploys. */
  readonly builds: readonly string[];
  /** The build profile of its tool by which it compiles, unless told otherwise; the default one where it is missing. */
  readonly profile?: string;
  /** It keeps the builds of what it deployed in a folder beside the record. */
  readonly keepsBuilds?: boolean;
  /** What its records and their folders are called, as globs below any folder: a change of one may be a deployment. */
  readonly watched: readonly string[];
  /**
   * The file or folder of its records, relative to the root, where one record holds what was deployed at different times
   * and does not say when.
   */
  readonly accumulatesIn?: string;
}

/** A project, as its tool is asked about it. */
export interface ToolPlace {
  readonly files: FolderReader;
  /** Absolute path of the root. */
  readonly root: string;
  /** The open folder that holds it, absolute: what a configuration takes from elsewhere in it is read; else the root. */
  readonly opened?: string | undefined;
  /** Absolute path of the tool's configuration; `undefined` where it has none there. */
  readonly configuration: string | undefined;
  /** The profile that a caller chose. */
  readonly profile?: string | undefined;
}

/** How a tool reads a project. What it has no rule for is missing. */
export interface ToolRules {
  /** The names that the project's release looks for, in its order; missing where that is the table's for all releases. */
  configurationOrder?(files: FileReader, root: string): Promise<readonly string[]>;
  /** By all its profiles. */
  folders(place: ToolPlace): Promise<ToolFolders>;
  /** The folders, absolute, that hold what a project depends on, by the chosen profile. */
  dependencies?(place: ToolPlace): Promise<readonly string[]>;
  /** How it compiles Solidity; missing for a tool that has no settings for it. */
  readonly solidity?: SolidityRules;
  /** What it says of the compilers of other languages, by their names in standard JSON input. */
  readonly configured?: Readonly<Record<string, (place: ToolPlace) => Promise<LanguageConfig | undefined>>>;
  /**
   * The folders, relative to the root and the lowest first, in which absolute imports of modules are looked up; they go
   * before what is installed for the whole machine.
   */
  moduleFolders?(place: ToolPlace): Promise<readonly string[]>;
  /** The records of its builds that may hold a contract. */
  buildRecords?(place: ToolPlace, contract: WorkspaceContract): Promise<RecordFolders>;
  /** The build that made an artifact, where the artifact or what lies beside it says. */
  artifactBuild?(files: FileReader, artifact: string): Promise<ArtifactBuild | undefined>;
  /** The remappings by which its records name what they import. */
  recordRemappings?(place: ToolPlace): Promise<readonly Remapping[]>;
  /** Where, relative to the root, it keeps what it fetched for an import. */
  cachedPaths?(name: string): readonly string[];
  /** The artifacts that may be a contract's, absolute, unless they lie in the {@link BuildTool.outputFolders} by the name of the contract. */
  artifacts?(place: ToolPlace, contract: Pick<WorkspaceContract, "path" | "contractName">): Promise<string[]>;
  /** The readers of the records of its {@link BuildTool.recorders}. */
  readonly deployments?: readonly DeploymentReader[];
}

/** The folders of a project, absolute. */
export interface ToolFolders {
  /** Of sources. */
  readonly own: readonly string[];
  /** Of what the tool makes and what the project depends on. */
  readonly foreign: readonly string[];
}

/** Where a tool keeps the records of its builds, absolute. */
export interface RecordFolders {
  /** All that there are. */
  readonly records: readonly string[];
  /** Those that the contract's artifact, or the tool's own index, names. */
  readonly named: readonly string[];
}

/** The build of an artifact. */
export interface ArtifactBuild {
  /** Absolute paths that its record may have; the first that is there is the one. */
  readonly records: readonly string[];
  /** Name of the contract's source there; missing where that is the artifact's own. */
  readonly source?: string;
}

/** How a tool compiles Solidity. */
export interface SolidityRules {
  /** What it says of the compilation of a contract. */
  compilation(place: ToolPlace, sources: AdmittedSources, contract: OpenedContract): Promise<ToolCompilation>;
  /** How it stands to a file; missing for a tool that gives way to every other one. */
  standing?(place: ToolPlace, path: string): Promise<Standing>;
  /**
   * The source unit name of a file that is one of its own sources, by any of its profiles, or that these import; `undefined`
   * for any other.
   */
  nameInJob?(place: ToolPlace, sources: AdmittedSources, path: string): Promise<string | undefined>;
  /**
   * Whether a file is one of the sources of the profile whose settings are taken or one that these import; missing for a
   * tool without profiles.
   */
  isInJob?(place: ToolPlace, sources: AdmittedSources, path: string): Promise<boolean>;
  /**
   * The names and remappings by which its releases and profiles would compile a contract, also where the project is not set
   * up for it; none where it would not find what the contract imports.
   */
  namings?(
    place: ToolPlace,
    sources: AdmittedSources,
    contract: OpenedContract,
  ): Promise<readonly SourceNaming[]>;
  /** The folders in which imports are looked up besides the root, absolute. */
  includes?(place: ToolPlace): Promise<readonly string[]>;
  /** Its configuration is data that has every value: it may be proposed for what another tool's computes. */
  readonly saysAll?: boolean;
}

/** How a tool of a project stands to a file. */
export interface Standing {
  /** The file lies in the folders that the tool compiles with the settings that are taken. */
  readonly compiles: boolean;
  /** It lies in the folders of some profile, be it one whose settings are not taken. */
  readonly compilesElse?: boolean;
  /** How much its configuration says of the compiler: all, only a part, or nothing, so that a default is taken. */
  readonly says: "all" | "part" | "nothing";
}

/** Reads what one {@link Recorder} wrote. */
export interface DeploymentReader {
  readonly recorder: string;
  /** The files, or the folders of the files, that it reads, absolute. */
  places(place: ToolPlace): Promise<readonly string[]>;
  read(place: ToolPlace): Promise<RecordedDeployment[]>;
  /** The inputs that it keeps of what it deployed of a contract, below one of its {@link places}. */
  keptInputs?(
    files: FolderReader,
    place: string,
    contract: Pick<WorkspaceContract, "path" | "contractName">,
  ): Promise<readonly KeptInput[]>;
}

/** A standard JSON input that lies beside the record of a deployment. */
export interface KeptInput {
  /** The record, absolute. */
  readonly deployment: string;
  /** The file with the input, absolute. */
  readonly input: string;
  /** The compiler as the record names it. */
  readonly compilerVersion: string | undefined;
}
