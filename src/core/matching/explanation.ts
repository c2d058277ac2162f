import { t } from "@vscode/l10n";
import type { SourceNames } from "../sources/sourceNames.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import type { ProxyCode } from "../evm/proxy.ts";
import type { JobError } from "../service/job.ts";

/** What can be at fault when a job fails; other people's automation switches on these words. */
export const CAUSE_CODES = [
  "compiler_version",
  "language",
  "evm_version",
  "optimizer",
  "optimizer_runs",
  "via_ir",
  "metadata_settings",
  "unlinked_library",
  "constructor_arguments",
  "proxy",
  "wrong_contract",
  "edited_source",
  "extra_files",
  "not_deployed",
  "abstract_contract",
  "compiler_error",
  "server",
] as const;

/** One of {@link CAUSE_CODES}. */
export type CauseCode = (typeof CAUSE_CODES)[number];

/** Settings to lay over those that were sent, object by object; a list is taken whole, and `null` takes a setting out. */
export interface SettingChanges {
  readonly [setting: string]: SettingChanges | readonly string[] | string | number | boolean | null;
}

/** What to send differently. What is not named stays as it was. */
export interface ResubmitChanges {
  /** Full form where it is known, else the three numbers. */
  readonly compilerVersion?: string;
  readonly settings?: SettingChanges;
  /** The files under other names. Settings and identifier, where they are named here too, have these names already. */
  readonly sourceNames?: SourceNames;
  /** Contract name or identifier. */
  readonly contractIdentifier?: string;
}

/**
 * What a button would do about a cause. `label` is the button's text, `localLabel` that for a result of this machine, where
 * nothing was submitted yet.
 */
export type Action =
  | {
      readonly kind: "resubmit";
      readonly label: string;
      readonly localLabel: string;
      readonly changes: ResubmitChanges;
    }
  /** Send every file of the build, not only those that the contract imports. */
  | { readonly kind: "submit full input"; readonly label: string; readonly localLabel: string }
  | { readonly kind: "choose contract"; readonly label: string; readonly contract?: string }
  /** `implementation` where the code says it; else it is read of the chain, as `implementationOf` does for `proxy`. */
  | {
      readonly kind: "verify implementation";
      readonly label: string;
      readonly implementation?: string;
      readonly proxy: ProxyCode;
    }
  | { readonly kind: "check address"; readonly label: string }
  | { readonly kind: "show errors"; readonly label: string }
  | { readonly kind: "show difference"; readonly label: string }
  /** Look through the history for the sources that were deployed. */
  | { readonly kind: "find commit"; readonly label: string }
  | { readonly kind: "retry"; readonly label: string };

/** The button of causes that a person has to look into. */
export const SHOW_DIFFERENCE: Action = { kind: "show difference", label: t`Show Bytecode Difference` };

/** The button where the sources are not those that were deployed. */
export const FIND_COMMIT: Action = { kind: "find commit", label: t`Find the Commit` };

/** One thing that may be at fault. */
export interface Cause {
  readonly code: CauseCode;
  /** From 0 to 1. */
  readonly confidence: number;
  /** What in the codes or in the answer speaks for it, one sentence. */
  readonly evidence: string;
  /** What would help, one sentence. */
  readonly fix?: string;
  readonly action?: Action;
}

/** From so much confidence on a cause is proven: by the metadata hash of the deployed code, or by compiling. */
export const PROVEN = 0.99;

/** Why a job failed, the most likely cause first. */
export interface Explanation {
  /** One sentence. */
  readonly summary: string;
  readonly causes: readonly Cause[];
}

/**
 * Causes as they are offered where there is a history to look through, or none: only there sources are looked for in it, and
 * there also by a cause that was found before there was one.
 *
 * @param hasHistory `undefined` until that is known: they are as they were found
 */
export function causesByHistory(causes: readonly Cause[], hasHistory: boolean | undefined): readonly Cause[] {
  if (hasHistory === undefined) return causes;
  return causes.map(({ action, ...cause }) => {
    if (action && (hasHistory || action.kind !== FIND_COMMIT.kind)) return { ...cause, action };
    const isMended = hasHistory && cause.code === "edited_source" && cause.fix !== undefined;
    return isMended ? { ...cause, action: FIND_COMMIT } : cause;
  });
}

/** A contract of the workspace that might be the deployed one. */
export interface LocalContract {
  /** `path/to/File.sol:Name`, as it is shown and as it is chosen. */
  readonly name: string;
  /** Selector (eight hex digits, no `0x`) → signature; an empty signature where only the selector is known. */
  readonly selectors: Readonly<Record<string, string>>;
  /** The build's own runtime code, where there is one; it settles what selectors leave open. */
  readonly runtimeCode?: string;
}

/** What an explanation is made from. */
export interface ExplanationInput {
  /** The failed job's error with its bytecodes. */
  readonly error: JobError;
  readonly submitted: SubmittedBuild;
  readonly localContracts?: readonly LocalContract[];
  /**
   * How a person knows a contract, `contracts/File.sol:Name` with the path in the workspace: by a local contract's name, or
   * by an identifier of the submission, whose files may go under other names. Without it they are shown as they are.
   */
  readonly workspaceName?: (contract: string) => string;
  /** What was submitted for the same deployment before and did not match, in any order. */
  readonly earlier?: readonly EarlierTry[];
}

/** An earlier submission for the deployment, which failed. */
export interface EarlierTry {
  readonly compilerVersion: string;
  readonly stdJsonInput: StandardJsonInput;
  readonly contractIdentifier: string;
  /** What it came to, where the service gave it: 0x-prefixed hex. */
  readonly recompiledRuntimeCode?: string | null | undefined;
}

/** What was submitted. */
export interface SubmittedBuild {
  readonly compilerVersion: string;
  readonly stdJsonInput: StandardJsonInput;
  readonly contractIdentifier: string;
  /** The metadata of the build, byte for byte, where a build record has it: then the metadata hash proves settings. */
  readonly metadata?: string;
}
