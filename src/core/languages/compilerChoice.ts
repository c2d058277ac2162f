import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";
import type { InputFinding } from "../sources/inputFinding.ts";

/** A compiler and why it is the one. */
export interface ChosenCompiler {
  /** Full form. */
  readonly version: string;
  readonly reason: string;
  /** Nothing but pragmas speaks for it. */
  readonly isByPragmas?: true;
  readonly findings: readonly InputFinding[];
}

/** The full form of a version, or `undefined` for one that is on no list. */
export function ifKnown(complete: () => string): string | undefined {
  try {
    return complete();
  } catch (error) {
    if (error instanceof LedgerLensError) return undefined;
    throw error;
  }
}

/**
 * The compiler that the deployed code names; why it can't be the one where a source excludes it or it is on no list.
 *
 * @param compiler as people call it
 * @param deployed short
 * @param excluding the places of the pragmas that exclude it
 */
export function chosenByCode(
  compiler: string,
  deployed: string,
  excluding: readonly string[],
  complete: (version: string) => string,
): ChosenCompiler | InputFinding {
  const version = ifKnown(() => complete(deployed));
  if (excluding.length === 0 && version !== undefined)
    return { version, reason: t`the one that the deployed code names`, findings: [] };
  const made = t`The deployed code was compiled by ${compiler} ${deployed}, which`;
  return excluding.length > 0
    ? {
        code: "deployed_compiler_excluded",
        severity: "warning",
        sentence: t`${made} ${excluding.join(t` and `)} ${excluding.length > 1 ? t`exclude` : t`excludes`}; these are not the files that were deployed.`,
      }
    : {
        code: "deployed_compiler_unknown",
        severity: "warning",
        sentence: t`${made} Ledger Lens does not know; refresh the list of compilers.`,
      };
}

/** A pragma of one release, as every compiler writes it that reads pragmas. */
const ONE_RELEASE = /^\s*={0,3}\s*v?\d+\.\d+\.\d+[\w.+-]*\s*$/;

/**
 * Why the newest release was taken that the pragmas allow, which may be none.
 *
 * @param pragmas what stands in them, such as "^0.8.0"
 */
export function newestReason(pragmas: readonly string[]): string {
  if (pragmas.some((pragma) => ONE_RELEASE.test(pragma))) return t`the release that the pragma names`;
  return pragmas.length > 0 ? t`the newest release that every pragma allows` : t`the newest release`;
}
