import { t } from "@vscode/l10n";
import { counted } from "../text/counted.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import type { CompilerInput, InputFile, StandardJsonInput } from "../sources/standardJsonInput.ts";
import { checkInputInPieces } from "../compilerInput/inputChecks.ts";
import { byCodeUnits, sortInPieces } from "../concurrency/sortInPieces.ts";
import { eachInPieces, mapInPieces, mapOfInPieces, type Pieces } from "../concurrency/turns.ts";
import { deepFrozen, frozenInPieces } from "../json/deepFrozen.ts";
import { eachEntryInPieces } from "../json/entriesInPieces.ts";
import type { FilePlace } from "./filePlace.ts";
import { runsHere } from "../http/thisMachine.ts";
import { foreign, foreignSentence, shown, type ShownText } from "../text/shownText.ts";

/** A file that is published. */
export interface PublishedFile {
  /** The name under which it is published. */
  readonly name: ShownText;
  /** That name as it goes: the source unit name. */
  readonly unit: string;
  /** The file on disk; where there is none, the record that holds the text. */
  readonly path: string;
  /** Whether its text is that of a file on disk; else it is in a record alone. */
  readonly isOnDisk: boolean;
  /** There is a file, and the text that goes is not its, but that of a record of a build. */
  readonly isRecorded?: boolean;
  /** The very text that goes. */
  readonly text: string;
  readonly bytes: number;
  readonly origin: InputFile["origin"];
  /** `outside`: it is neither in the project nor a dependency of it, but in the opened folders all the same. */
  readonly place: FilePlace;
  /** True for a file that goes only if the files that the contract needs do not match by themselves. */
  readonly onlyIfNeeded: boolean;
  /** What in it should make a person think twice, a sentence each. */
  readonly concerns: readonly ShownText[];
}

/**
 * What becomes of sources at a service, which stands beside everything that sends them: one on this machine publishes nothing.
 *
 * @param host with or without a port
 */
export function fateOfSources(host: string): ShownText {
  return runsHere(host)
    ? shown`Sources are sent to a service on this machine`
    : shown`Sources become public permanently`;
}

/** What a person sees before something is published. */
export interface PublishReview {
  readonly host: ShownText;
  /** What happens, and where. */
  readonly sentence: ShownText;
  /** What needs a look first, then what is from outside the project, then by name. */
  readonly files: readonly PublishedFile[];
  /** Of all files that may go. */
  readonly bytes: number;
  /** Secrets and paths of the machine, a sentence each. */
  readonly concerns: readonly InputFinding[];
}

const CONCERNS: ReadonlySet<InputFinding["code"]> = new Set([
  "possible_secret",
  "absolute_path",
  "not_a_source",
  "outside_project",
  "other_folder",
  "other_service",
  "unknown_setting",
]);

/**
 * What publishing an input at a service comes to. The list is made of the texts that go and not of what is known of
 * files, so that nothing goes that is not in it. The files of the whole build are in it, since they go as well if the
 * service's answer to the first submission says that they may help.
 */
export function* publishReviewInPieces(
  input: Pick<
    CompilerInput,
    "contractIdentifier" | "stdJsonInput" | "files" | "findings" | "wholeBuild" | "record"
  >,
  service: { readonly host: string },
): Pieces<PublishReview> {
  const { findings, wholeBuild, contractIdentifier, record } = input;
  const first = yield* textsOf(input.stdJsonInput);
  const more: [name: string, text: string][] = [];
  if (wholeBuild)
    yield* eachInPieces(yield* textsOf(wholeBuild.stdJsonInput), ([name, text]) => {
      if (first.get(name) !== text) more.push([name, text]);
    });
  const concerns = findings.filter(({ code }) => CONCERNS.has(code));
  if (wholeBuild && more.length > 0) {
    const known = new Set(concerns.map(({ sentence }) => sentence));
    for (const other of yield* checkInputInPieces({ ...wholeBuild, contractIdentifier }))
      if (CONCERNS.has(other.code) && !known.has(other.sentence)) concerns.push(other);
  }
  // A list for each path, which all files there share: a hundred thousand of one record may have as many concerns.
  const concernsOf = new Map<string | undefined, ShownText[]>();
  for (const { path, sentence } of concerns) {
    const alike = concernsOf.get(path);
    if (alike) alike.push(foreignSentence(sentence));
    else concernsOf.set(path, [foreignSentence(sentence)]);
  }
  const publishedBy = function* (files: readonly InputFile[], onlyIfNeeded: boolean) {
    const known = yield* mapOfInPieces(files, (file) => [file.name, file]);
    return ([unit, text]: readonly [string, string]): PublishedFile => {
      const file = known.get(unit);
      // What nothing is known of is from nowhere in the project.
      const path = file?.path ?? record ?? "";
      const found = concernsOf.get(path) ?? [];
      return deepFrozen({
        name: foreign(unit),
        unit,
        path,
        isOnDisk: file !== undefined && !file.isRecorded && path !== record,
        ...(file?.isRecorded && { isRecorded: true }),
        text,
        bytes: Buffer.byteLength(text),
        origin: file?.origin ?? "project",
        place: file ? PLACES[file.origin] : "outside",
        onlyIfNeeded,
        concerns: file?.isRecorded ? [NOT_THE_FILE, ...found] : found,
      });
    };
  };
  const files = yield* sortInPieces(
    [
      ...(yield* mapInPieces(first, yield* publishedBy(input.files, false))),
      ...(yield* mapInPieces(more, yield* publishedBy(wholeBuild?.files ?? [], true))),
    ],
    (a, b) =>
      weight(a) - weight(b) || Number(a.onlyIfNeeded) - Number(b.onlyIfNeeded) || byCodeUnits(a.name, b.name),
  );
  const host = foreign(service.host);
  const second =
    more.length === 0 ? "" : t`, and ${counted(more.length, "file")} more if those alone do not match`;
  const sent = counted(first.size, "file");
  return yield* frozenInPieces({
    host,
    sentence: runsHere(service.host)
      ? shown`Sends ${sent} to ${host}${second}.`
      : shown`Publishes ${sent} at ${host}${second}.`,
    files,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    concerns,
  });
}

/**
 * The texts that become public by several submissions, each once, in pieces: what several send under one name is one text, and two
 * texts under one name, or in one record, are two.
 */
export function* distinctFiles(
  reviews: readonly Pick<PublishReview, "files">[],
): Pieces<readonly PublishedFile[]> {
  const seen = new Map<string, PublishedFile[]>();
  for (const { files } of reviews)
    yield* eachInPieces(files, (file) => {
      const alike = seen.get(file.unit) ?? [];
      if (alike.every(({ text }) => text !== file.text)) seen.set(file.unit, [...alike, file]);
    });
  return [...seen.values()].flat();
}

/** Every text of an input by its name: the sources, and the interfaces and storage layouts of Vyper. */
function* textsOf({
  sources,
  interfaces = {},
  storage_layout_overrides: layouts = {},
}: StandardJsonInput): Pieces<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  yield* eachEntryInPieces(sources, (name, { content }) => texts.set(name, content));
  for (const part of [interfaces, layouts])
    yield* eachEntryInPieces<unknown>(part, (name, value) => texts.set(name, interfaceText(value)));
  return texts;
}

function interfaceText(value: unknown): string {
  const { content } = (value ?? {}) as { readonly content?: unknown };
  return typeof content === "string" ? content : JSON.stringify(value);
}

const NOT_THE_FILE = shown`What is sent is not the text of the file, but what the record of a build says was compiled.`;

const PLACES: Readonly<Record<InputFile["origin"], FilePlace>> = {
  project: "project",
  workspace: "outside",
  dependency: "dependency",
};

function weight({ concerns, place }: Pick<PublishedFile, "concerns" | "place">): number {
  if (concerns.length > 0) return 0;
  return ["outside", "project", "dependency"].indexOf(place) + 1;
}
