import type { CodeTransformation } from "../service/codeTransformation.ts";

/** What the thread of a compiler is started with. */
export interface CompilerStart {
  /**
   * Where the file of the compiler may be, from the root of the machine: the first that is an official one runs. Empty for
   * a thread that compares only what is compiled elsewhere.
   */
  readonly files: readonly string[];
  /** The SHA-256 of the files that may run as this compiler, lower-case hexadecimal. */
  readonly sha256: readonly string[];
  /** The compiler's own memory, which no limit of the engine knows. */
  readonly maxMemoryBytes: number;
}

/** How well a code is that of a contract, in the words of the verification interface; `null` for not at all. */
export type CodeMatch = "exact_match" | "match" | null;

/** A code on a chain, and how it came there. */
export interface DeployedContract {
  readonly chainId: string;
  /** 0x-prefixed. */
  readonly address: string;
  /** 0x-prefixed, not empty. */
  readonly runtimeCode: string;
  /** The data of the creation, with the constructor's arguments, where it is known. */
  readonly creationCode?: string;
}

/** What is compiled and compared. */
export interface LocalSubmission {
  /** In the full form, such as "0.8.28+commit.7893614a". */
  readonly compilerVersion: string;
  /** Source unit name and name of the contract, with a colon between. */
  readonly contractIdentifier: string;
  /** Standard JSON input. */
  readonly input: string;
}

/** What the engine of the public service says of a code and of what was compiled. */
export interface EngineVerdict {
  readonly runtimeMatch: CodeMatch;
  readonly creationMatch: CodeMatch;
  /** The engine matched by other line ends or other ends of files than those that were given, which the service does, too. */
  readonly isOfOtherText?: boolean;
  readonly transformations: {
    readonly runtime: readonly CodeTransformation[];
    readonly creation: readonly CodeTransformation[];
  };
  /** 0x-prefixed, with the placeholders of libraries that are not linked. */
  readonly recompiledRuntimeCode?: string;
  readonly recompiledCreationCode?: string;
  /** Why nothing matched: a code of the verification interface and its sentence. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Of the contract, as its ABI has them; absent where the constructor takes nothing. */
  readonly constructorInputs?: readonly unknown[];
  /** What the compiler said, where it refused. */
  readonly compilerErrors?: readonly unknown[];
}

/** What a thread is asked. */
export type CompilerQuestion =
  | { readonly kind: "compile"; readonly input: string }
  | {
      readonly kind: "verdict";
      readonly deployed: DeployedContract;
      readonly submission: LocalSubmission;
    };

/** What is said to a thread: a question, or what was compiled elsewhere because it asked for it. */
export type HostMessage =
  | { readonly kind: "ask"; readonly call: number; readonly question: CompilerQuestion }
  | { readonly kind: "compiled"; readonly call: number; readonly output: string }
  | { readonly kind: "not_compiled"; readonly call: number; readonly reason: string };

/** The compiler that a thread loaded. */
export interface LoadedCompiler {
  /** From the root of the machine. */
  readonly file: string;
  readonly sha256: string;
  /** As it names itself. */
  readonly version: string;
}

/** What a thread says: that it is ready, that its file may not run, or an answer. */
export type CompilerMessage =
  | ({ readonly kind: "ready" } & LoadedCompiler)
  | { readonly kind: "refused" }
  | { readonly kind: "compile"; readonly call: number; readonly input: string }
  | { readonly kind: "answer"; readonly call: number; readonly answer: string }
  | { readonly kind: "fault"; readonly call?: number; readonly reason: string };
