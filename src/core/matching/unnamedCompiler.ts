import { t } from "@vscode/l10n";
import { shortVersion } from "../versions.ts";
import type { Comparison } from "./comparison.ts";
import { writeSameForm } from "./compilerMetadata.ts";
import type { Cause } from "./explanation.ts";
import {
  fitsBeginning,
  otherCompiler,
  possibleReleases,
  UNNAMED_RELEASES,
  type ReleaseRange,
} from "./nearRelease.ts";
import { listed } from "../text/counted.ts";

/** With more releases than this to try, a person finds out sooner which one it was. */
const MAX_BUTTONS = 5;

/** What can be done about code whose compiler is one of several: a button while they are few. */
type CompilerRemedy = Required<Pick<Cause, "fix">> & Pick<Cause, "action">;

/**
 * What to do where the deployed code is of a release of solc that it does not name (until 0.5.8). Where the metadata is
 * on record, the deployed hash excludes the releases that would write nothing else into it.
 *
 * @param range the releases that the code's own form allows
 * @returns `undefined` where every release that the sources allow was submitted or is excluded
 */
export function compilerRemedy(
  { input: { submitted }, tried, isSearched, deployed }: Comparison,
  range: Partial<ReleaseRange> = {},
): CompilerRemedy | undefined {
  const whole = { ...UNNAMED_RELEASES, ...range };
  const isExcluded = (release: string) => isSearched && writeSameForm(submitted.compilerVersion, release);
  const releases = possibleReleases(
    submitted,
    whole,
    (compilerVersion) =>
      isExcluded(compilerVersion) ||
      tried.includes({ compilerVersion }) ||
      !fitsBeginning(compilerVersion, deployed),
  );
  const [newest] = releases;
  if (newest === undefined) return undefined;
  const names = releases.map(shortVersion).slice(0, 3);
  const isOne = releases.length === 1;
  const fix = isOne
    ? t`Submit with ${names[0] ?? ""}, the only release that the sources and the code allow.`
    : t`Look up the release in the build or the deployment of that time. The newest that the sources and the code allow: ${listed(names)}.`;
  if (releases.length > MAX_BUTTONS) return { fix };
  return {
    fix,
    action: otherCompiler(newest),
  };
}
