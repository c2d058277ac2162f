import { shortVersion } from "../../versions.ts";
import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../errors.ts";
import type { InputFinding } from "../../sources/inputFinding.ts";
import { chosenByCode, newestReason, type ChosenCompiler } from "../compilerChoice.ts";
import {
  newestReleaseSatisfying,
  parseSolidityVersionExpression,
  satisfiesSolidity,
  whyNone,
  type PlacedPragma,
  type SolidityVersionExpression,
} from "./solidityPragma.ts";
import type { SourceUnit } from "./solidityClosure.ts";
import { completeSolcVersion, solcReleases } from "./solcReleases.ts";
import { lineNumberOf } from "../../text/textPlace.ts";

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

/**
 * Chooses the solc for a set of sources: what is given, else the newest configured version that every pragma
 * allows, else the version of the deployed code, else the newest release that every pragma allows.
 *
 * @throws LedgerLensError `no_compiler` naming the files and lines that exclude each other,
 * `invalid_compiler_version`.
 */
export function chooseSolc(
  closure: readonly SourceUnit[],
  evidence: CompilerEvidence,
  releases: readonly string[] = solcReleases,
): ChosenCompiler {
  const { given, configured = [], configuration = t`The configuration`, deployed } = evidence;
  if (given !== undefined) {
    return { version: completeSolcVersion(given, releases), reason: t`as given`, findings: [] };
  }
  const pragmas = pragmasOf(closure);
  const expressions = [...new Set(pragmas.map(({ expression }) => expression))];
  if (configured.length > 0) {
    const versions = configured.map((version) => completeSolcVersion(version, releases)).sort(byNumbers);
    const version = newestReleaseSatisfying(expressions, versions);
    if (version) return { version, reason: t`set in ${configuration}`, findings: [] };
    const names = versions.map((version) => shortVersion(version)).join(", ");
    throw new LedgerLensError(
      "no_compiler",
      t`${configuration} sets solc ${names}, which ${placesOf(whyNone(pragmas, versions))} ${versions.length > 1 ? t`exclude` : t`excludes`}. Change the pragma or the configuration.`,
    );
  }
  const findings: InputFinding[] = [];
  if (deployed !== undefined) {
    const excluding = pragmas.filter(
      ({ expression }) => !expression || !satisfiesSolidity(deployed, expression),
    );
    const found = chosenByCode("solc", deployed, excluding.map(placeOf), (version) =>
      completeSolcVersion(version, releases),
    );
    if ("version" in found) return found;
    findings.push(found);
  }
  const version = newestReleaseSatisfying(expressions, releases);
  if (version)
    return { version, reason: newestReason(pragmas.map(({ text }) => text)), isByPragmas: true, findings };
  throw new LedgerLensError(
    "no_compiler",
    t`No released solc satisfies ${placesOf(whyNone(pragmas, releases))}. Change a pragma or give the compiler version.`,
  );
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
      line: lineNumberOf(unit.content, start),
      text: expression,
      expression: parse(expression),
    })),
  );
}

function placesOf(pragmas: readonly PlacedPragma[]): string {
  return pragmas.map(placeOf).join(t` and `);
}

function placeOf({ file, line, text }: PlacedPragma): string {
  return t`${file}, line ${line} (${text})`;
}

function byNumbers(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
