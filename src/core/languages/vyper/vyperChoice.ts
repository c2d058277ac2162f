import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../errors.ts";
import type { InputFinding } from "../../sources/inputFinding.ts";
import { smallestConflict } from "../../sources/smallestConflict.ts";
import type { CompilerRequirement } from "../compilationContext.ts";
import { chosenByCode, ifKnown, newestReason, type ChosenCompiler } from "../compilerChoice.ts";
import { satisfiesSpecifier, satisfiesVyper } from "./vyperPragma.ts";
import { completeVyperVersion, isVyperPrerelease, vyperReleases } from "./vyperReleases.ts";

/** What may say which compiler it is, apart from the pragmas. */
interface VyperEvidence {
  /** A person or a caller fixed it. */
  readonly given?: string | undefined;
  readonly configured?: CompilerRequirement | undefined;
  /** The version in the auxdata of the deployed code. */
  readonly deployed?: string | undefined;
  /** The one in the project's virtual environment. */
  readonly installed?: string | undefined;
}

/**
 * Chooses the Vyper for a set of files: what is given, else the newest release that the configuration and every pragma
 * allow, else the version of the deployed code, else the one that is installed in the project, else the newest release
 * that every pragma allows. A prerelease is chosen only where no release is allowed.
 *
 * @param releases Oldest first.
 * @throws LedgerLensError `no_compiler` naming the files and lines that exclude each other,
 * `invalid_compiler_version`.
 */
export function chooseVyper(
  pragmas: readonly CompilerRequirement[],
  { given, configured, deployed, installed }: VyperEvidence = {},
  releases: readonly string[] = vyperReleases,
): ChosenCompiler {
  const complete = (version: string) => completeVyperVersion(version, releases);
  if (given !== undefined) return { version: complete(given), reason: t`as given`, findings: [] };
  if (configured) {
    const version = newestAllowed([configured, ...pragmas], releases);
    if (version !== undefined) return { version, reason: t`set in ${configured.file}`, findings: [] };
    throw noCompiler([configured, ...pragmas], releases);
  }
  const findings: InputFinding[] = [];
  if (deployed !== undefined) {
    const excluding = pragmas.filter((pragma) => !allows(deployed, pragma));
    const found = chosenByCode("Vyper", deployed, excluding.map(placeOf), complete);
    if ("version" in found) return found;
    findings.push(found);
  }
  if (installed !== undefined && pragmas.every((pragma) => allows(installed, pragma))) {
    const version = ifKnown(() => complete(installed));
    if (version !== undefined)
      return { version, reason: t`the one in the project's virtual environment`, findings };
  }
  const version = newestAllowed(pragmas, releases);
  if (version !== undefined)
    return { version, reason: newestReason(pragmas.map(({ value }) => value)), findings };
  throw noCompiler(pragmas, releases);
}

function newestAllowed(
  requirements: readonly CompilerRequirement[],
  releases: readonly string[],
): string | undefined {
  const allowed = releases.filter((release) => requirements.every((one) => allows(release, one)));
  return allowed.findLast((release) => !isVyperPrerelease(release)) ?? allowed.at(-1);
}

function allows(version: string, { value, by }: CompilerRequirement): boolean {
  return by === "pragma" ? satisfiesVyper(version, value) : satisfiesSpecifier(version, value);
}

/** Names the fewest requirements that no release satisfies together. */
function noCompiler(
  requirements: readonly CompilerRequirement[],
  releases: readonly string[],
): LedgerLensError {
  const excluding = smallestConflict(
    requirements,
    ({ by, value }) => `${by} ${value}`,
    (some) => newestAllowed(some, releases) !== undefined,
  );
  const advice = requirements.some(({ by }) => by === "configuration")
    ? t`Change a pragma or the configuration.`
    : t`Change a pragma or give the compiler version.`;
  return new LedgerLensError(
    "no_compiler",
    t`No released Vyper satisfies ${excluding.map(placeOf).join(t` and `)}. ${advice}`,
  );
}

function placeOf({ file, line, value }: CompilerRequirement): string {
  return `${file}${line === undefined ? "" : t`, line ${line}`} (${value})`;
}
