import { inTurns, type Pieces } from "../concurrency/turns.ts";
import { ownValue } from "../json/ownValue.ts";
import type { AnalysedCode } from "../matching/codeTraits.ts";
import {
  withMembers,
  writeSameForm,
  type CompilerMetadata,
  type MetadataSource,
} from "../matching/compilerMetadata.ts";
import type { SettingChanges } from "../matching/explanation.ts";
import { withDefaultEvm } from "../matching/metadataSearch.ts";
import { optimizerDetails, switchedDetails } from "../matching/optimizerDetails.ts";
import { withChanges, type Submittable } from "../matching/resubmission.ts";
import { sourceVariants, withContent } from "../matching/sourceVariants.ts";
import { unsaidReleases } from "./deployedFacts.ts";
import { packagedPath } from "../sources/packagedPath.ts";
import { repositoryOf } from "../tools/foundry/libraryRepositories.ts";
import { hardhat3Packaged } from "../tools/hardhat/hardhat3Names.ts";
import { ownPath } from "../tools/tool.ts";
import { hashStart, HashSearch, RunsTemplate } from "./provenSubmission.ts";
import type { SettingsAttempt } from "./settingsAttempt.ts";
import { withTakenSettings } from "./takenSettings.ts";

/** Of the bytes that may be hashed for what leaves no trace in a code. */
const SHARE = 0.25;

/**
 * The submission that the metadata hash proves where more than one thing differs from an attempt: some of the files have
 * other line endings, a part of the optimizer was switched, or another release that does not name itself compiled, and the
 * number of runs, the EVM version or what becomes of the reasons of reverts is another one, too. Nothing is compiled.
 */
export async function provenTogether(
  attempt: SettingsAttempt,
  deployed: AnalysedCode,
  signal: AbortSignal,
): Promise<Submittable | undefined> {
  const start = hashStart(attempt, deployed);
  if (!start) return undefined;
  const { hash, metadata, own, isOn: enabled, likelyRuns: numbers, ways } = start;
  const { submission } = attempt;
  const { compilerVersion, stdJsonInput } = submission;
  const { settings } = stdJsonInput;
  const search = new HashSearch(hash, SHARE);
  return inTurns(
    (function* (): Pieces<Submittable | undefined> {
      for (const contents of writings(stdJsonInput.sources)) {
        const sources = { ...own.sources, ...writtenSources(own, contents) };
        const text = withMembers(metadata, { sources }, own.compilerVersion);
        for (const way of [undefined, ...ways]) {
          const likely = way ? numbers.slice(0, 1) : numbers;
          const runs = yield* search.firstOf(new RunsTemplate(text, own, way), likely);
          if (runs === undefined) continue;
          const changes = { ...way?.changes, optimizer: { enabled, runs } };
          const { stdJsonInput: changed, ...rest } = withChanges(submission, { settings: changes });
          const written = Object.entries(contents).map(([name, content]) => [name, { content }] as const);
          const all = { ...changed.sources, ...Object.fromEntries(written) };
          return { ...rest, stdJsonInput: { ...changed, sources: all } };
        }
      }
      for (const details of enabled ? optimizerDetails(own.compilerVersion) : []) {
        if (settings.optimizer?.["details"] !== undefined) break;
        const optimizer = { details };
        const template = new RunsTemplate(metadata, { ...own, settings: { ...own.settings, optimizer } });
        const runs = yield* search.firstOf(template, numbers);
        if (runs === undefined) continue;
        const switched = switchedDetails(compilerVersion, details) as SettingChanges;
        return withChanges(submission, { settings: { optimizer: { enabled, runs, details: switched } } });
      }
      for (const release of unsaidReleases(submission, deployed)) {
        if (release === compilerVersion || !writeSameForm(release, own.compilerVersion)) continue;
        const theirs = withDefaultEvm(own, release);
        const text = withMembers(metadata, { settings: theirs }, release);
        const template = new RunsTemplate(text, { ...own, compilerVersion: release, settings: theirs });
        const runs = yield* search.firstOf(template, numbers);
        if (runs === undefined) continue;
        const target = settings.evmVersion === undefined ? {} : { evmVersion: theirs.evmVersion ?? null };
        return withTakenSettings(
          withChanges(submission, {
            compilerVersion: release,
            settings: { ...target, optimizer: { enabled, runs } },
          }),
        );
      }
      return undefined;
    })(),
    signal,
  );
}

type Contents = Readonly<Record<string, string>>;

/** What some of the files may have been, each change as the contents that differ: those of one folder first, then each alone. */
function* writings(sources: Submittable["stdJsonInput"]["sources"]): Generator<Contents> {
  const names = Object.keys(sources);
  const folders = [...new Set(names.map(outerFolder))];
  const within = (folder: string) => names.filter((name) => outerFolder(name) === folder);
  const groups = [
    ...folders.map(within),
    ...folders.map((folder) => names.filter((name) => outerFolder(name) !== folder)),
    ...names.map((name) => [name]),
  ];
  const seen = new Set<string>();
  for (const group of groups)
    for (const { apply } of sourceVariants.slice(0, 2)) {
      const changed = group.flatMap((name) => {
        const content = ownValue(sources, name)?.content ?? "";
        const written = apply(content);
        return written === content ? [] : [[name, written] as const];
      });
      const key = JSON.stringify(changed.map(([name, content]) => [name, content.length]));
      if (changed.length === 0 || seen.has(key)) continue;
      seen.add(key);
      yield Object.fromEntries(changed);
    }
}

/** What a team checks out together: `contracts`, `@openzeppelin`, `lib/solmate`. */
function outerFolder(name: string): string {
  const packaged = packagedPath(name) ?? hardhat3Packaged(name);
  const own = packaged?.name ?? ownPath(name);
  return repositoryOf(own) || (own.split("/")[0] ?? "");
}

function writtenSources(
  { sources }: CompilerMetadata,
  contents: Contents,
): Readonly<Record<string, MetadataSource>> {
  const known = Object.entries(contents).flatMap(([name, content]) => {
    const source = ownValue(sources, name);
    return source ? [[name, withContent(source, content)] as const] : [];
  });
  return Object.fromEntries(known);
}
