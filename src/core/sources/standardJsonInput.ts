import type { InputFinding } from "./inputFinding.ts";

/** The languages, as the compilers name them in standard JSON input; `languages/language.ts` says what they are. */
export type LanguageName = "Solidity" | "Yul" | "Vyper" | "Fe";

/** The `settings` of standard JSON input; what is not named here passes through untouched. */
export interface CompilerSettings {
  readonly remappings?: readonly string[];
  readonly optimizer?: {
    readonly enabled?: boolean;
    readonly runs?: number;
    readonly [option: string]: unknown;
  };
  readonly evmVersion?: string;
  readonly [setting: string]: unknown;
}

/**
 * Standard JSON input (docs/using-the-compiler.rst, "Compiler Input and Output JSON Description"): the form
 * in which sources and settings go to the compiler and to the verification service.
 */
export interface StandardJsonInput {
  readonly language: LanguageName;
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly settings: CompilerSettings;
  /** Vyper only: JSON interfaces by path. */
  readonly interfaces?: Readonly<Record<string, unknown>>;
  /** Vyper only. */
  readonly storage_layout_overrides?: Readonly<Record<string, unknown>>;
  /** Vyper only: a checksum over everything, which the compiler checks. */
  readonly integrity?: string;
}

/** Where an input comes from, best first. */
export type InputSource = "build-info" | "metadata" | "derived";

/** A file of an input, for the list a person sees before anything is sent. */
export interface InputFile {
  readonly name: string;
  /** The file on disk. */
  readonly path: string;
  /** Bytes of content that go. */
  readonly bytes: number;
  /** The file behind every link, where that is another path. */
  readonly realPath?: string;
  /**
   * Where it really lies: in the project, elsewhere in the opened folders, or in a dependency such as `node_modules`.
   * What lies outside never goes.
   */
  readonly origin: "project" | "workspace" | "dependency";
  /** The text that goes is not that of the file, but what a record of a build says was compiled. */
  readonly isRecorded?: boolean;
}

/** A complete compiler input with what a person needs to judge it. */
export interface CompilerInput {
  /** Full form, `0.8.30+commit.73712a01`. */
  readonly compilerVersion: string;
  /** Why this compiler, in words: "newest release that satisfies every pragma". */
  readonly compilerReason: string;
  /** `<source unit name>:<contract name>`. */
  readonly contractIdentifier: string;
  /** What to submit: what the contract needs. */
  readonly stdJsonInput: StandardJsonInput;
  readonly source: InputSource;
  /** The files of `stdJsonInput`. */
  readonly files: readonly InputFile[];
  /** All that the build compiled, where the contract does not need all of it. */
  readonly wholeBuild?: WholeBuild;
  /** What a person should know before sending, the worst first. */
  readonly findings: readonly InputFinding[];
  /** The sentences of {@link findings}. */
  readonly warnings: readonly string[];
  /** The project's root folder. */
  readonly project: string;
  /** The file that the input comes from: a build record or an artifact. */
  readonly record?: string;
  /** The files that are no longer what the build compiled; empty for an input that is up to date. */
  readonly changedSinceBuild: readonly ChangedFile[];
}

/** A file that differs from what a build compiled. */
export interface ChangedFile {
  /** Source unit name. */
  readonly name: string;
  readonly path: string;
  readonly change: "edited" | "line endings" | "deleted";
}

/**
 * Everything that a build compiled together, where that is more than the contract needs. It has the same settings
 * and the same metadata hash as the part that is submitted first, and publishes more files.
 */
interface WholeBuild {
  readonly stdJsonInput: StandardJsonInput;
  readonly files: readonly InputFile[];
}
