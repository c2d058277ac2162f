import type { InputFinding } from "../compilerInput/inputFinding.ts";
import type { CompilerInput, InputFile } from "../compilerInput/standardJsonInput.ts";
import { checkInput } from "../compilerInput/inputChecks.ts";
import { isInside } from "../files.ts";
import { foreign, foreignSentence, shown, type ShownText } from "../text/shownText.ts";

/** A file that is published. */
export interface PublishedFile {
  /** The name under which everybody sees it. */
  readonly name: ShownText;
  /** The file on disk. */
  readonly path: string;
  readonly bytes: number;
  /** `outside`: it is neither in the project nor a dependency of it. */
  readonly place: "project" | "dependency" | "outside";
  /** True for a file that goes only if the files that the contract needs do not match by themselves. */
  readonly onlyIfNeeded: boolean;
  /** What in it should make a person think twice, a sentence each. */
  readonly concerns: readonly ShownText[];
}

/** What a person sees before something is published. */
export interface PublishReview {
  /** The service's host. */
  readonly host: ShownText;
  /** What happens, where, and that it can't be taken back. */
  readonly sentence: ShownText;
  /** What concerns somebody first, then what is from outside the project, then by name. */
  readonly files: readonly PublishedFile[];
  /** Of all files that may go. */
  readonly bytes: number;
  /** Secrets and paths of the machine, a sentence each. */
  readonly concerns: readonly InputFinding[];
}

const CONCERNS: ReadonlySet<InputFinding["code"]> = new Set(["possible_secret", "absolute_path"]);

/**
 * What publishing an input at a service comes to. The files of the whole build are in it, since they go as well if the
 * service's answer to the first submission says that they may help.
 */
export function publishReview(
  input: Pick<
    CompilerInput,
    "contractIdentifier" | "stdJsonInput" | "files" | "findings" | "project" | "wholeBuild"
  >,
  service: { readonly host: string },
): PublishReview {
  const { findings, wholeBuild, project, contractIdentifier } = input;
  const first = new Set(input.files.map(({ name }) => name));
  const more = wholeBuild?.files.filter(({ name }) => !first.has(name)) ?? [];
  const concerns = findings.filter(({ code }) => CONCERNS.has(code));
  if (wholeBuild && more.length > 0) {
    const known = new Set(concerns.map(({ sentence }) => sentence));
    const others = checkInput({ ...wholeBuild, contractIdentifier });
    concerns.push(...others.filter(({ code, sentence }) => CONCERNS.has(code) && !known.has(sentence)));
  }
  const published = (onlyIfNeeded: boolean) => (file: InputFile) => ({
    name: foreign(file.name),
    path: file.path,
    bytes: file.bytes,
    place: placeOf(file, project),
    onlyIfNeeded,
    concerns: concerns
      .filter(({ path }) => path === file.path)
      .map(({ sentence }) => foreignSentence(sentence)),
  });
  const files = [...input.files.map(published(false)), ...more.map(published(true))].sort(
    (a, b) =>
      weight(a) - weight(b) || Number(a.onlyIfNeeded) - Number(b.onlyIfNeeded) || compare(a.name, b.name),
  );
  const host = foreign(service.host);
  const second = more.length === 0 ? "" : `, and ${count(more.length)} more if those alone do not match`;
  return {
    host,
    sentence: shown`Publishes ${count(input.files.length)} at ${host}${second}. Everybody can read them there, and it can't be taken back.`,
    files,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    concerns,
  };
}

function placeOf({ origin, path }: InputFile, project: string): PublishedFile["place"] {
  if (origin === "dependency") return "dependency";
  return isInside(path, project) ? "project" : "outside";
}

function weight({ concerns, place }: Pick<PublishedFile, "concerns" | "place">): number {
  if (concerns.length > 0) return 0;
  return ["outside", "project", "dependency"].indexOf(place) + 1;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function count(files: number): string {
  return files === 1 ? "1 file" : `${files.toLocaleString("en-US")} files`;
}
