import type { StandardJsonInput } from "../compilerInput/standardJsonInput.ts";
import { foreign, foreignSentence, type ShownText } from "../text/shownText.ts";
import type { JobError } from "./job.ts";
import { ownValue } from "../json/ownValue.ts";

/** A place in a text; both zero-based, characters in UTF-16 units, as editors count. */
export interface TextPlace {
  readonly line: number;
  readonly character: number;
}

/** What a compiler at the service said of a source. */
export interface CompilerProblem {
  /** The source unit name; `undefined` for what concerns no source in particular. */
  readonly name: string | undefined;
  readonly severity: "error" | "warning" | "info";
  readonly message: ShownText;
  /** solc's number of the message, or Vyper's kind of exception. */
  readonly code: ShownText | undefined;
  readonly start: TextPlace;
  readonly end: TextPlace;
}

/** More of one job are not shown: nobody reads on, and a compiler stops long before. */
const MOST_PROBLEMS = 1_000;

type Said = Readonly<Record<string, unknown>>;

/**
 * The compiler's messages of a failed job (`errorData.compilerErrors`; argotorg/sourcify, packages/lib-sourcify,
 * `SourcifyLibError.ts`), as many as anybody reads. solc counts bytes of the source (`sourceLocation.start` and `end`, -1
 * for unknown), Vyper lines from one and columns from zero.
 */
export function compilerProblems({ errorData }: JobError, input: StandardJsonInput): CompilerProblem[] {
  const errors = isRecord(errorData) ? errorData["compilerErrors"] : undefined;
  if (!Array.isArray(errors)) return [];
  const said = errors.filter(isRecord).slice(0, MOST_PROBLEMS);
  const inFile = new Map<string | undefined, Said[]>();
  for (const error of said) {
    const file = fileOf(error, input);
    const known = inFile.get(file);
    if (known) known.push(error);
    else inFile.set(file, [error]);
  }
  const ranges = new Map(
    [...inFile].flatMap(([file = "", ofFile]) => [
      ...rangesIn(ownValue(input.sources, file)?.content ?? "", ofFile),
    ]),
  );
  return said.map((error) => problemOf(error, fileOf(error, input), ranges.get(error) ?? NOWHERE));
}

type Range = Pick<CompilerProblem, "start" | "end">;

const BEGINNING: TextPlace = { line: 0, character: 0 };
const NOWHERE: Range = { start: BEGINNING, end: BEGINNING };

function locationOf(error: Said): Said {
  return isRecord(error["sourceLocation"]) ? error["sourceLocation"] : {};
}

/** The source that a message is about, where the input has it. */
function fileOf(error: Said, { sources }: StandardJsonInput): string | undefined {
  const { file } = locationOf(error);
  return typeof file === "string" && Object.hasOwn(sources, file) ? file : undefined;
}

function problemOf(error: Said, name: string | undefined, range: Range): CompilerProblem {
  const { severity, message, errorCode, type } = error;
  return {
    name,
    severity: severity === "warning" || severity === "info" ? severity : "error",
    message: foreignSentence(typeof message === "string" ? message : "The compiler gave no reason."),
    code:
      typeof errorCode === "string"
        ? foreign(errorCode)
        : typeof type === "string"
          ? foreign(type)
          : undefined,
    ...range,
  };
}

/** Where the messages about a file stand in it. */
function rangesIn(content: string, errors: readonly Said[]): ReadonlyMap<Said, Range> {
  const spans = new Map(errors.flatMap((error) => spanOf(locationOf(error), error)));
  const places = placesOfBytes(content, [...spans.values()].flat());
  const lines = spans.size < errors.length ? content.split(/\r\n|\r|\n/) : [];
  return new Map(
    errors.map((error) => {
      const [start, end] = (spans.get(error) ?? []).map((offset) => places.get(offset));
      return [error, start && end ? { start, end } : lineRange(locationOf(error), lines)];
    }),
  );
}

function spanOf({ start, end }: Said, error: Said): (readonly [Said, readonly [number, number]])[] {
  if (typeof start !== "number" || !(start >= 0)) return [];
  return [[error, [start, typeof end === "number" && end > start ? end : start]]];
}

function lineRange({ lineno, col_offset }: Said, lines: readonly string[]): Range {
  if (typeof lineno !== "number" || !(lineno >= 1)) return NOWHERE;
  // A server may say anything: a place is one that the file has.
  const line = Math.min(Math.trunc(lineno), lines.length) - 1;
  const { length } = lines[line] ?? "";
  const character =
    typeof col_offset === "number" && col_offset >= 0 ? Math.min(Math.trunc(col_offset), length) : 0;
  return { start: { line, character }, end: { line, character: length } };
}

const LF = 10;
const CR = 13;

/** Where bytes of a text in UTF-8 are for an editor, whose lines end with LF, CR or both: one walk for all of them. */
function placesOfBytes(text: string, offsets: readonly number[]): ReadonlyMap<number, TextPlace> {
  const sorted = [...new Set(offsets)].sort((a, b) => a - b);
  const places = new Map<number, TextPlace>();
  let bytes = 0;
  let [line, start] = [0, 0];
  for (let at = 0, next = 0; next < sorted.length; at++) {
    for (let offset = sorted[next]; offset !== undefined; offset = sorted[++next]) {
      if (offset > bytes && at < text.length) break;
      places.set(offset, { line, character: Math.min(at, text.length) - start });
    }
    const code = text.charCodeAt(at);
    bytes += bytesOfUnit(code);
    if (code !== LF && (code !== CR || text.charCodeAt(at + 1) === LF)) continue;
    line++;
    start = at + 1;
  }
  return places;
}

/** In UTF-8; of a character outside the basic plane each of its two units has half. */
function bytesOfUnit(code: number): number {
  if (code < 0x80) return 1;
  return code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
}

function isRecord(value: unknown): value is Said {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
