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

/**
 * The compiler's messages of a failed job (`errorData.compilerErrors`; argotorg/sourcify, packages/lib-sourcify,
 * `SourcifyLibError.ts`). solc counts bytes of the source (`sourceLocation.start` and `end`, -1 for unknown), Vyper
 * lines from one and columns from zero.
 */
export function compilerProblems({ errorData }: JobError, input: StandardJsonInput): CompilerProblem[] {
  const errors = isRecord(errorData) ? errorData["compilerErrors"] : undefined;
  return Array.isArray(errors) ? errors.filter(isRecord).map((error) => problemOf(error, input)) : [];
}

function problemOf(
  error: Readonly<Record<string, unknown>>,
  { sources }: StandardJsonInput,
): CompilerProblem {
  const location = isRecord(error["sourceLocation"]) ? error["sourceLocation"] : {};
  const file = location["file"];
  const source = typeof file === "string" ? ownValue(sources, file) : undefined;
  const { severity, message, errorCode, type } = error;
  return {
    name: source && typeof file === "string" ? file : undefined,
    severity: severity === "warning" || severity === "info" ? severity : "error",
    message: foreignSentence(typeof message === "string" ? message : "The compiler gave no reason."),
    code:
      typeof errorCode === "string"
        ? foreign(errorCode)
        : typeof type === "string"
          ? foreign(type)
          : undefined,
    ...rangeOf(location, source?.content ?? ""),
  };
}

function rangeOf(
  { start, end, lineno, col_offset }: Readonly<Record<string, unknown>>,
  content: string,
): { readonly start: TextPlace; readonly end: TextPlace } {
  if (typeof start === "number" && start >= 0) {
    const bytes = new TextEncoder().encode(content);
    const last = typeof end === "number" && end > start ? end : start;
    return { start: placeOfByte(bytes, start), end: placeOfByte(bytes, last) };
  }
  if (typeof lineno === "number" && lineno >= 1) {
    const lines = content.split(/\r\n|\r|\n/);
    // A server may say anything: a place is one that the file has.
    const line = Math.min(Math.trunc(lineno), lines.length) - 1;
    const { length } = lines[line] ?? "";
    const character =
      typeof col_offset === "number" && col_offset >= 0 ? Math.min(Math.trunc(col_offset), length) : 0;
    return { start: { line, character }, end: { line, character: length } };
  }
  return { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
}

/** Where a byte of a UTF-8 text is for an editor, whose lines end with LF, CR or both. */
function placeOfByte(bytes: Uint8Array, offset: number): TextPlace {
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, offset));
  const lines = before.split(/\r\n|\r|\n/);
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
