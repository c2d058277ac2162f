import { t } from "@vscode/l10n";
import { asRecord, asTexts } from "../json/looseData.ts";
import { ownValue } from "../json/ownValue.ts";
import type { Cause, CauseCode, ResubmitChanges, SettingChanges } from "../matching/explanation.ts";
import { changesCause } from "../matching/causes/settingCauses.ts";
import { withChanges, type Submittable } from "../matching/resubmission.ts";
import { namesBetween, renamedSource } from "../sources/sourceNames.ts";
import { grouped, listed } from "../text/counted.ts";
import { submissionDifferenceInWords } from "./attemptWords.ts";
import type { FoundSettings, SettingsSearchResult } from "./settingsSearch.ts";

/**
 * What a search proved, as the first cause of a mismatch, with the button that submits it.
 *
 * @param submitted what did not match, with the sources that were searched with
 * @returns `undefined` where nothing was found, or nothing but the files has to be another
 */
export function searchedCause(
  submitted: Submittable,
  { found, tried, seconds }: Pick<SettingsSearchResult, "found" | "tried" | "seconds">,
): Cause | undefined {
  const changes = found && changesTo(submitted, found.submission);
  if (!found || !changes) return undefined;
  const verdict = found.verdict.verdict === "exact_match" ? t`exact match` : t`match`;
  const rewritten = rewrittenFiles(submitted, found.submission);
  return {
    code: codeOf(changes),
    confidence: 1,
    evidence: t`The deployed build has ${submissionDifferenceInWords(submitted, found.submission)}; proven by compiling: ${verdict} (${grouped(tried.length)} tried, ${seconds.toFixed(1)} s).`,
    ...(rewritten.length > 0
      ? { fix: rewrittenInWords(rewritten) }
      : {
          fix: t`Submit with these settings.`,
          action: {
            kind: "resubmit",
            label: t`Submit With These Settings`,
            localLabel: t`Verify With These Settings`,
            changes,
          },
        }),
  };
}

/** The names, as they were submitted, of files that have other line ends in what was found. */
export function rewrittenFiles(
  { stdJsonInput: { sources: given } }: Pick<Submittable, "stdJsonInput">,
  { stdJsonInput: { sources } }: Pick<Submittable, "stdJsonInput">,
): readonly string[] {
  const names = namesBetween(given, sources) ?? {};
  return Object.entries(given)
    .filter(([name, { content }]) => content !== ownValue(sources, renamedSource(name, names))?.content)
    .map(([name]) => name);
}

/** What a person does before anything that was found can be submitted: nothing rewrites their files for them. */
export function rewrittenInWords(files: readonly string[]): string {
  return t`Give ${listed(files)} the line endings of the deployed build, then verify again with these settings.`;
}

/** What to send differently than was submitted, so that it is what was found; `undefined` for nothing. */
export function changesTo(
  submitted: Submittable,
  found: FoundSettings["submission"],
): ResubmitChanges | undefined {
  const isOther = found.compilerVersion !== submitted.compilerVersion;
  const sourceNames = namesBetween(submitted.stdJsonInput.sources, found.stdJsonInput.sources);
  const { settings } = withChanges(submitted, { ...(sourceNames && { sourceNames }) }).stdJsonInput;
  const changed = changesBetween(
    { ...settings, outputSelection: undefined },
    { ...found.stdJsonInput.settings, outputSelection: undefined },
  );
  if (!isOther && !changed && !sourceNames) return undefined;
  return {
    ...(isOther && { compilerVersion: found.compilerVersion }),
    ...(changed && { settings: changed }),
    ...(sourceNames && { sourceNames }),
  };
}

function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): SettingChanges | undefined {
  const changes = new Map<string, SettingChanges[string]>();
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [one, other] = [ownValue(before, name), ownValue(after, name)];
    if (JSON.stringify(one) === JSON.stringify(other)) continue;
    const members = asRecord(other);
    if (members) {
      const inner = changesBetween(asRecord(one) ?? {}, members);
      if (inner) changes.set(name, inner);
    } else if (typeof other === "string" || typeof other === "number" || typeof other === "boolean")
      changes.set(name, other);
    else if (Array.isArray(other)) changes.set(name, asTexts(other) ?? null);
    else changes.set(name, null);
  }
  return changes.size > 0 ? Object.fromEntries(changes) : undefined;
}

function codeOf({ compilerVersion, settings }: ResubmitChanges): CauseCode {
  return compilerVersion === undefined ? changesCause(settings ?? {}) : "compiler_version";
}
