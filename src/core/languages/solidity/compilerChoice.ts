import { LedgerLensError } from "../../errors.ts";
import type { InputFinding } from "../../sources/inputFinding.ts";
import {
  newestReleaseSatisfying,
  parseSolidityVersionExpression,
  satisfiesSolidity,
  whyNone,
  type PlacedPragma,
  type SolidityVersionExpression,
} from "./pragma.ts";
import type { SourceUnit } from "./solidityClosure.ts";
import { completeSolcVersion, solcReleases } from "./solcReleases.ts";
import { lineOf } from "../../text/textPosition.ts";

/** What may say which compiler it is, apart from the pragmas. */
interface CompilerEvidence {
  /** A person or a caller fixed it. */
  readonly given?: string | undefined;
  /** The versions that a project's configuration names, and the name of that file. */
  readonly configured?: readonly string[] | undefined;
  readonly configuration?: string | undefined;
  /** The version in the auxdata of the deployed code. */
  readonly deployed?: string | undefined;
}

/** A compiler and why it is the one. */
export interface ChosenCompiler {
  /** Full form. */
  readonly version: string;
  readonly reason: string;
  /** Nothing but pragmas speaks for it. */
  readonly isByPragmas?: true;
  readonly findings: readonly InputFinding[];
}

/**
 * Chooses the solc for a set of sources: what is given, else the newest configured version that every pragma
 * allows, else the version of the deployed code, else the newest release that every pragma allows.
 *
 * @throws LedgerLensError `no_compiler` naming the files and lines that exclude each other,
 * `invalid_compiler_version`.
 */
export function chooseSolc(
  closure: readonly SourceUnit[],
  evidence: CompilerEvidence = {},
  releases: readonly string[] = solcReleases,
): ChosenCompiler {
  const { given, configured = [], configuration = "The configuration", deployed } = evidence;
  if (given !== undefined) {
    return { version: completeSolcVersion(given, releases), reason: "as given", findings: [] };
  }
  const pragmas = pragmasOf(closure);
  const expressions = [...new Set(pragmas.map(({ expression }) => expression))];
  if (configured.length > 0) {
    const versions = configured.map((version) => completeSolcVersion(version, releases)).sort(byNumbers);
    const version = newestReleaseSatisfying(expressions, versions);
    if (version) return { version, reason: `set in ${configuration}`, findings: [] };
    const names = versions.map((version) => version.split("+")[0] ?? version).join(", ");
    throw new LedgerLensError(
      "no_compiler",
      `${configuration} sets solc ${names}, which ${placesOf(whyNone(pragmas, versions))} ${versions.length > 1 ? "exclude" : "excludes"}. Change the pragma or the configuration.`,
    );
  }
  const findings: InputFinding[] = [];
  if (deployed !== undefined) {
    const excluding = pragmas.filter(
      ({ expression }) => !expression || !satisfiesSolidity(deployed, expression),
    );
    const version = known(deployed, releases);
    if (excluding.length === 0 && version !== undefined)
      return { version, reason: "the one that the deployed code names", findings };
    findings.push(
      excluding.length > 0
        ? {
            code: "deployed_compiler_excluded",
            severity: "warning",
            sentence: `The deployed code was compiled by solc ${deployed}, which ${placesOf(excluding)} ${excluding.length > 1 ? "exclude" : "excludes"}; these are not the files that were deployed.`,
          }
        : {
            code: "deployed_compiler_unknown",
            severity: "warning",
            sentence: `The deployed code was compiled by solc ${deployed}, which Ledger Lens does not know; refresh the list of compilers.`,
          },
    );
  }
  const version = newestReleaseSatisfying(expressions, releases);
  if (version) {
    const reason = pragmas.length > 0 ? "the newest release that every pragma allows" : "the newest release";
    return { version, reason, isByPragmas: true, findings };
  }
  throw new LedgerLensError(
    "no_compiler",
    `No released solc satisfies ${placesOf(whyNone(pragmas, releases))}. Change a pragma or give the compiler version.`,
  );
}

/** The full form of a version, or `undefined` for one that is not on the list. */
function known(version: string, releases: readonly string[]): string | undefined {
  try {
    return completeSolcVersion(version, releases);
  } catch {
    return undefined;
  }
}

/** Every pragma of the sources; equal texts share one expression, since most files say the same. */
function pragmasOf(closure: readonly SourceUnit[]): PlacedPragma[] {
  const parsed = new Map<string, SolidityVersionExpression | undefined>();
  const parse = (text: string) => {
    if (!parsed.has(text)) parsed.set(text, parseSolidityVersionExpression(text));
    return parsed.get(text);
  };
  return closure.flatMap((unit) =>
    unit.directives.versionPragmas.map(({ expression, start }) => ({
      file: unit.name,
      line: lineOf(unit.content, start),
      text: expression,
      expression: parse(expression),
    })),
  );
}

function placesOf(pragmas: readonly PlacedPragma[]): string {
  return pragmas.map(({ file, line, text }) => `${file}, line ${line} (${text})`).join(" and ");
}

function byNumbers(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
