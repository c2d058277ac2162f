import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { inInstalledFolder } from "../sources/packagedPath.ts";
import { t } from "@vscode/l10n";
import { lastSegment } from "../files/fileReader.ts";
import { LANGUAGES } from "../languages/language.ts";
import type { PathOf } from "../languages/languageRules.ts";
import { RULES } from "../languages/rules.ts";
import { listed, megabytes } from "../text/counted.ts";
import { MAX_SUBMISSION_BYTES } from "../sources/submissionSize.ts";
import type {
  CompilerInput,
  InputFile,
  LanguageName,
  StandardJsonInput,
} from "../sources/standardJsonInput.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import { asRecord, field } from "../json/looseData.ts";
import { filesBeyond, foreignKindsInPieces } from "../sources/outsideFindings.ts";
import { jsonBytesInPieces, jsonInPieces } from "../json/jsonPieces.ts";
import { eachEntryInPieces, namesInPieces } from "../json/entriesInPieces.ts";
import { eachInPieces, mapOfInPieces, type Pieces } from "../concurrency/turns.ts";
import { secretsInPieces } from "../sources/sourceSecrets.ts";
import { unsupportedSettings } from "./unsupportedSettings.ts";

/** Room for what goes with the input: identifier, compiler version and the like. */
const ENVELOPE_BYTES = 1024;

/**
 * What the service would reject, or a person would regret, in an input that is about to go: empty sources, missing
 * settings, an identifier without its source, stems that collide, too many bytes, paths of the machine, secrets.
 */
export function* checkInputInPieces(
  input: Pick<CompilerInput, "stdJsonInput" | "contractIdentifier" | "files">,
): Pieces<InputFinding[]> {
  const { stdJsonInput, contractIdentifier, files } = input;
  const paths = yield* mapOfInPieces(files, ({ name, path }) => [name, path]);
  const pathOf = (name: string) => {
    const path = paths.get(name);
    return path === undefined ? {} : { path };
  };
  const findings: InputFinding[] = [];
  const packaged = new Set<string>();
  yield* eachInPieces(files, (file) => {
    if (isInstalled(file)) packaged.add(file.name);
  });
  yield* eachEntryInPieces(stdJsonInput.sources, (name, { content }) => {
    if (content === "") {
      findings.push({
        code: "empty_source",
        severity: "error",
        sentence: t`${name} is empty, which the service rejects; remove its import.`,
        ...pathOf(name),
      });
    }
    if (content.startsWith("\ufeff")) {
      findings.push({
        code: "byte_order_mark",
        severity: "error",
        sentence: t`${name} begins with a byte-order mark, which the compiler rejects; save it as UTF-8 without one.`,
        ...pathOf(name),
      });
    }
  });
  for (const [name, content] of yield* textsOf(stdJsonInput)) {
    // What packages say is public already, and can't be changed here.
    for (const secret of packaged.has(name) ? [] : yield* secretsInPieces(content)) {
      findings.push({
        code: "possible_secret",
        severity: "warning",
        sentence: t`${name}, line ${secret.line}, holds what looks like ${secret.what}; it is sent with the sources.`,
        ...pathOf(name),
      });
    }
  }
  // Remappings and names in settings are the repository's words too.
  const [secret] = yield* secretsInPieces(yield* jsonInPieces(stdJsonInput.settings));
  if (secret) {
    findings.push({
      code: "possible_secret",
      severity: "warning",
      sentence: t`The compiler settings hold what looks like ${secret.what}; it is sent with the sources.`,
    });
  }
  for (const finding of settingsWithoutMeaning(stdJsonInput)) findings.push(finding);
  yield;
  // A caller in JavaScript, or a record on disk, may leave it out.
  if (typeof (stdJsonInput as { settings?: unknown }).settings !== "object") {
    findings.push({
      code: "missing_settings",
      severity: "error",
      sentence: t`The input has no settings, without which the service can't compile it; add at least {}.`,
    });
  }
  const { file: source } = splitIdentifier(contractIdentifier);
  if (!Object.hasOwn(stdJsonInput.sources, source)) {
    findings.push({
      code: "unknown_identifier",
      severity: "error",
      sentence: t`${contractIdentifier} names the source ${source}, which the input does not have${closest(source, Object.keys(stdJsonInput.sources))}.`,
    });
  }
  const bytes = yield* requestBytes(stdJsonInput);
  if (bytes > MAX_SUBMISSION_BYTES) {
    findings.push({
      code: "too_large",
      severity: "error",
      sentence: t`The input has ${megabytes(bytes)}, and the service takes ${megabytes(MAX_SUBMISSION_BYTES)}; leave out the files that the contract does not need.`,
    });
  }
  const { checks } = RULES[stdJsonInput.language];
  return [
    ...findings,
    ...(checks ? yield* checks(stdJsonInput, pathOf) : []),
    ...(yield* absolutePaths(stdJsonInput, pathOf)),
    ...(yield* foreignKindsInPieces(input, endingsIn(stdJsonInput.language))),
    ...filesBeyond(input),
  ];
}

/**
 * True for a text that is a package's from a registry; a library that was copied here may hold anything, and so may
 * a record that says what a package's file was.
 */
function isInstalled({ origin, path, realPath = path, isRecorded }: InputFile): boolean {
  return !isRecorded && origin === "dependency" && inInstalledFolder(realPath);
}

/** The texts of an input by name: of its sources, and of its interfaces where these go as text. */
function* textsOf({ sources, interfaces = {} }: StandardJsonInput): Pieces<[name: string, text: string][]> {
  const texts: [name: string, text: string][] = [];
  for (const part of [sources, interfaces])
    yield* eachEntryInPieces<unknown>(part, (name, given) => {
      const content = field(given, "content");
      if (typeof content === "string") texts.push([name, content]);
    });
  return texts;
}

function endingsIn(language: LanguageName): string[] {
  const { endings, otherEndings = [], alsoTakes = [] } = LANGUAGES[language];
  return [...endings, ...otherEndings, ...alsoTakes];
}

/** Settings that the compiler does nothing with: any text may stand there, and it goes with the sources. */
function settingsWithoutMeaning(input: StandardJsonInput): InputFinding[] {
  const names = asRecord(input.settings) ? unsupportedSettings(input) : [];
  if (names.length === 0) return [];
  return [
    {
      code: "unknown_setting",
      severity: "warning",
      sentence: t`The compiler settings hold ${listed(names)}, which ${LANGUAGES[input.language].compiler} is not known to read; that is sent with the sources.`,
    },
  ];
}

/** A UTF-16 unit takes six bytes of JSON at most (`\u0000`). */
const MAX_BYTES_PER_UNIT = 6;

/** The bytes of a request with this input; a bound above them where even that is allowed, since encoding takes time. */
function* requestBytes(input: StandardJsonInput): Pieces<number> {
  const besides = yield* jsonBytesInPieces({ ...input, sources: {} });
  let units = 0;
  let names = 0;
  yield* eachEntryInPieces(input.sources, (name, source) => {
    units += source.content.length;
    names += Buffer.byteLength(JSON.stringify({ [name]: { ...source, content: "" } }));
  });
  const most = besides + names + units * MAX_BYTES_PER_UNIT + ENVELOPE_BYTES;
  if (most <= MAX_SUBMISSION_BYTES) return most;
  return (yield* jsonBytesInPieces(input)) + ENVELOPE_BYTES;
}

/** Names and remappings that tell where the files lie on this machine. */
function* absolutePaths(stdJsonInput: StandardJsonInput, pathOf: PathOf): Pieces<InputFinding[]> {
  const found: string[] = [];
  const settings = stdJsonInput.settings as StandardJsonInput["settings"] | undefined;
  const { remappings = [], search_paths: searchPaths } = settings ?? {};
  // Of `context:prefix=target`, each part may be a path.
  const isWithin = (remapping: string) => /(?:^|[:=])(?:\/(?=.)|[A-Za-z]:[\\/])/.test(remapping);
  yield* eachInPieces(yield* namesInPieces(stdJsonInput.sources), (name) => {
    if (isAbsolute(name)) found.push(name);
  });
  yield* eachInPieces(remappings, (remapping) => {
    if (isWithin(remapping)) found.push(remapping);
  });
  yield* eachInPieces(Array.isArray(searchPaths) ? (searchPaths as unknown[]) : [], (path) => {
    if (typeof path === "string" && isAbsolute(path)) found.push(path);
  });
  const [first] = found;
  if (first === undefined) return [];
  const more = found.length > 1 ? t` and ${(found.length - 1).toLocaleString("en")} more` : "";
  return [
    {
      code: "absolute_path",
      severity: "warning",
      sentence: t`${first}${more} tells where files lie on this machine; it is sent with the sources.`,
      ...pathOf(first),
    },
  ];
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\|file:)/.test(path);
}

function closest(source: string, names: readonly string[]): string {
  const file = lastSegment(source);
  const match = names.find((name) => name.endsWith(`/${file}`) || name === file);
  return match === undefined ? "" : t`; it has ${match}`;
}
