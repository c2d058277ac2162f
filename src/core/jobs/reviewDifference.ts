import { t } from "@vscode/l10n";
import type { InputFinding } from "../sources/inputFinding.ts";
import { eachEntryInPieces, keysOf } from "../json/entriesInPieces.ts";
import { jsonInPieces } from "../json/jsonPieces.ts";
import { eachInPieces, mapInPieces, type Pieces } from "../concurrency/turns.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { shownHost } from "../http/shownAddress.ts";
import { foreign } from "../text/shownText.ts";
import type { SubmittedInput } from "./jobRecord.ts";
import type { PublishReview } from "./publishReview.ts";
import type { SubmissionRequest } from "../service/submissionRequest.ts";

/** What two reviews are compared by. */
interface ComparedReview {
  readonly service: string;
  readonly request: SubmissionRequest;
  readonly input?: SubmittedInput;
  readonly stdJsonInput: StandardJsonInput | undefined;
  /** All of the build, where that is more. */
  readonly wholeBuild: StandardJsonInput | undefined;
  readonly shown: PublishReview;
  readonly findings: readonly InputFinding[];
}

/** So many files are named. */
const MAX_NAMES = 3;

/**
 * What is different between what was shown and what would go now, as the subject of a sentence: "src/Vault.sol and the
 * compiler settings". `undefined` for two that show and send the very same.
 */
export function* reviewDifference(before: ComparedReview, now: ComparedReview): Pieces<string | undefined> {
  const changes: string[] = [];
  if (before.service !== now.service)
    changes.push(t`the service (${shownHost(before.service)} then, ${shownHost(now.service)} now)`);
  const files = yield* changedFiles(before, now);
  const isSameRequest =
    before.request.path === now.request.path &&
    before.request.body === now.request.body &&
    files.length === 0 &&
    (yield* withoutTexts(before.wholeBuild)) === (yield* withoutTexts(now.wholeBuild));
  if (!isSameRequest) for (const change of inputChanges(before, now, files)) changes.push(change);
  if (changes.length === 0 && (yield* facts(before)) !== (yield* facts(now)))
    changes.push(t`what is known of the files`);
  if (changes.length < 2) return changes[0];
  return t`${changes.slice(0, -1).join(", ")} and ${changes.at(-1) ?? ""}`;
}

function inputChanges(before: ComparedReview, now: ComparedReview, files: readonly string[]): string[] {
  const names = files.slice(0, MAX_NAMES).map((name) => foreign(name));
  const more = files.length - names.length;
  const changes = [...names, ...(more > 0 ? [t`${more.toLocaleString("en")} more files`] : [])];
  if (before.input?.compilerVersion !== now.input?.compilerVersion) changes.push(t`the compiler`);
  if (settingsOf(before) !== settingsOf(now)) changes.push(t`the compiler settings`);
  if (before.input?.contractIdentifier !== now.input?.contractIdentifier)
    changes.push(t`the contract's name`);
  if (before.request.path !== now.request.path) changes.push(t`the address`);
  return changes.length > 0 ? changes : [t`what would be sent`];
}

/** Names of sources that are new, gone or another text. */
function* changedFiles(before: ComparedReview, now: ComparedReview): Pieces<string[]> {
  const [old, fresh] = [yield* textsOf(before), yield* textsOf(now)];
  const changed: string[] = [];
  yield* eachInPieces(old, ([name, text]) => {
    if (fresh.get(name) !== text) changed.push(name);
  });
  yield* eachInPieces(fresh.keys(), (name) => {
    if (!old.has(name)) changed.push(name);
  });
  return changed;
}

function* textsOf({ stdJsonInput, wholeBuild }: ComparedReview): Pieces<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const part of [wholeBuild, stdJsonInput])
    yield* eachEntryInPieces(part?.sources ?? {}, (name, { content }) => texts.set(name, content));
  for (const [name, content] of Object.entries(stdJsonInput?.interfaces ?? {}))
    texts.set(name, JSON.stringify(content));
  return texts;
}

/** What there is of an input besides its sources, which are compared as they are. */
function* withoutTexts(input: StandardJsonInput | undefined): Pieces<string> {
  return input === undefined ? "" : yield* jsonInPieces({ ...input, sources: keysOf(input.sources) });
}

function settingsOf({ stdJsonInput }: ComparedReview): string {
  return JSON.stringify(stdJsonInput?.settings ?? {});
}

/** What a person was told besides the texts: where files are from and what there is to say of them. */
function* facts({ shown: { files, sentence }, findings }: ComparedReview): Pieces<string> {
  return yield* jsonInPieces([
    sentence,
    yield* mapInPieces(files, ({ name, path, place, onlyIfNeeded }) => [name, path, place, onlyIfNeeded]),
    findings.map(({ sentence: said }) => said),
  ]);
}
