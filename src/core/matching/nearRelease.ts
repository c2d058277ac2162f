import { t } from "@vscode/l10n";
import { atLeast, compareVersions, plainVersion, shortVersion } from "../versions.ts";
import { RULES } from "../languages/rules.ts";
import { SOLC_SINCE } from "../languages/solidity/solcCode.ts";
import { solcReleases } from "../languages/solidity/solcReleases.ts";
import type { AnalysedCode } from "./codeTraits.ts";
import type { Action, SubmittedBuild } from "./explanation.ts";

/**
 * The release that is nearest to the one that was submitted and that every pragma allows, in full form: the very one
 * where its commit was wrong, an older one of the same minor version before a newer one, since it has the same defaults
 * more often. `undefined` where there is none.
 */
export function nearRelease(
  { compilerVersion, stdJsonInput }: SubmittedBuild,
  isFree: (release: string) => boolean = () => true,
): string | undefined {
  const submitted = shortVersion(compilerVersion);
  const releases = (RULES[stdJsonInput.language].releases ?? []).filter(
    (release) => minorOf(release) === minorOf(submitted),
  );
  const older = releases.filter((release) => !atLeast(release, submitted)).toReversed();
  const newer = releases.filter((release) => compareVersions(release, submitted) > 0);
  const allows = releasesAllowed({ stdJsonInput });
  const named = releases.filter((release) => shortVersion(release) === submitted);
  const misnamed = named.filter((release) => release !== plainVersion(compilerVersion));
  return [...misnamed, ...older, ...newer].find(
    (release) => isFree(release) && allows(shortVersion(release)),
  );
}

/** The releases whose code does not say which of them made it: the hash of its metadata stands alone. */
export const UNNAMED_RELEASES: ReleaseRange = { least: SOLC_SINCE.metadata, most: "0.5.8" };

/** Releases from one to another, both among them; short versions. */
export interface ReleaseRange {
  readonly least: string;
  readonly most: string;
}

/** The first release of which free memory begins at 0x80 (its changelog); before, a code begins with `PUSH1 60 PUSH1 40`. */
export const STARTS_AT_80_SINCE = "0.4.22";
const OLD_BEGINNING = [0x60, 0x60, 0x60, 0x40];

/** How a code begins that solc made. */
type Beginning = Pick<AnalysedCode, "evm" | "code">;

function startsAt60({ code }: Pick<Beginning, "code">): boolean {
  return OLD_BEGINNING.every((byte, at) => code.bytes[at] === byte);
}

/** Whether a release can have made a code that begins as this one. */
export function fitsBeginning(release: string, deployed: Beginning): boolean {
  return atLeast(release, STARTS_AT_80_SINCE) ? !startsAt60(deployed) : !deployed.evm.startsAt80;
}

/** Whether one of two codes begins as those of old releases, and the other as those of newer ones. */
export function hasOtherBeginning({
  deployed,
  recompiled,
}: {
  readonly deployed: Beginning;
  readonly recompiled: Beginning;
}): boolean {
  return (
    (startsAt60(deployed) && recompiled.evm.startsAt80) || (deployed.evm.startsAt80 && startsAt60(recompiled))
  );
}

/**
 * The releases of solc in a range that every pragma allows and that are not out of question, in full form: the newest first,
 * since builds take the newest that there is.
 */
export function possibleReleases(
  { stdJsonInput }: SubmittedBuild,
  { least, most }: ReleaseRange,
  isOut: (release: string) => boolean,
): string[] {
  const allows = releasesAllowed({ stdJsonInput });
  return solcReleases
    .filter((release) => atLeast(release, least) && compareVersions(release, most) <= 0)
    .filter((release) => allows(shortVersion(release)) && !isOut(release))
    .sort((a, b) => compareVersions(b, a));
}

/** Whether every pragma of the sources allows a short version. */
export function releasesAllowed({
  stdJsonInput,
}: Pick<SubmittedBuild, "stdJsonInput">): (version: string) => boolean {
  const contents = Object.values(stdJsonInput.sources).map(({ content }) => content);
  return RULES[stdJsonInput.language].allowedBy?.(contents) ?? (() => true);
}

function minorOf(version: string): string {
  return version.split(".", 2).join(".");
}

/** What submits the same with another release of the compiler, in full form where it is known. */
export function otherCompiler(compilerVersion: string): Action {
  const name = shortVersion(compilerVersion);
  return {
    kind: "resubmit",
    label: t`Resubmit With ${name}`,
    localLabel: t`Verify With ${name}`,
    changes: { compilerVersion },
  };
}
