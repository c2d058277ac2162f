import { LedgerLensError } from "../../errors.ts";
import type { InputFinding } from "../../sources/inputFinding.ts";
import { smallestConflict } from "../../sources/smallestConflict.ts";
import type { CompilerRequirement } from "../compilationContext.ts";
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

/** A compiler and why it is the one. */
interface ChosenVyper {
  /** Full form. */
  readonly version: string;
  readonly reason: string;
  readonly findings: readonly InputFinding[];
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
): ChosenVyper {
  if (given !== undefined)
    return { version: completeVyperVersion(given, releases), reason: "as given", findings: [] };
  if (configured) {
    const version = newestAllowed([configured, ...pragmas], releases);
    if (version !== undefined) return { version, reason: `set in ${configured.file}`, findings: [] };
    throw noCompiler([configured, ...pragmas], releases);
  }
  const findings: InputFinding[] = [];
  if (deployed !== undefined) {
    const excluding = pragmas.filter((pragma) => !allows(deployed, pragma));
    const version = completed(deployed, releases);
    if (excluding.length === 0 && version !== undefined)
      return { version, reason: "the one that the deployed code names", findings };
    findings.push(
      excluding.length > 0
        ? {
            code: "deployed_compiler_excluded",
            severity: "warning",
            sentence: `The deployed code was compiled by Vyper ${deployed}, which ${excluding.map(placeOf).join(" and ")} ${excluding.length > 1 ? "exclude" : "excludes"}; these are not the files that were deployed.`,
          }
        : {
            code: "deployed_compiler_unknown",
            severity: "warning",
            sentence: `The deployed code was compiled by Vyper ${deployed}, which Ledger Lens does not know; refresh the list of compilers.`,
          },
    );
  }
  if (installed !== undefined && pragmas.every((pragma) => allows(installed, pragma))) {
    const version = completed(installed, releases);
    if (version !== undefined)
      return { version, reason: "the one in the project's virtual environment", findings };
  }
  const version = newestAllowed(pragmas, releases);
  if (version !== undefined) {
    const reason = pragmas.length > 0 ? "the newest release that every pragma allows" : "the newest release";
    return { version, reason, findings };
  }
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

function completed(version: string, releases: readonly string[]): string | undefined {
  try {
    return completeVyperVersion(version, releases);
  } catch {
    return undefined;
  }
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
    ? "Change a pragma or the configuration."
    : "Change a pragma or give the compiler version.";
  return new LedgerLensError(
    "no_compiler",
    `No released Vyper satisfies ${excluding.map(placeOf).join(" and ")}. ${advice}`,
  );
}

function placeOf({ file, line, value }: CompilerRequirement): string {
  return `${file}${line === undefined ? "" : `, line ${line}`} (${value})`;
}
