import { t } from "@vscode/l10n";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { ownValue } from "../json/ownValue.ts";
import { LINE_END, placesIn, type TextPlace } from "../text/textPlace.ts";
import { foreign, foreignSentence, type ShownText } from "../text/shownText.ts";
import { compilerErrors, type CompilerError } from "../service/compilerErrors.ts";
import type { JobError } from "../service/job.ts";

/** What a compiler at the service said of a source. */
export interface CompilerProblem {
  /** The source unit name; `undefined` for what concerns no source in particular. */
  readonly name: string | undefined;
  readonly severity: CompilerError["severity"];
  readonly message: ShownText;
  /** solc's number of the message, or Vyper's kind of exception. */
  readonly code: ShownText | undefined;
  readonly start: TextPlace;
  readonly end: TextPlace;
}

/** The compiler's messages of a failed job, with places in the sources that were submitted. */
export function compilerProblems(error: JobError, { sources }: StandardJsonInput): CompilerProblem[] {
  const said = compilerErrors(error);
  const inFile = new Map<string, CompilerError[]>();
  for (const one of said) {
    if (one.file === undefined || !Object.hasOwn(sources, one.file)) continue;
    const known = inFile.get(one.file);
    if (known) known.push(one);
    else inFile.set(one.file, [one]);
  }
  const ranges = new Map(
    [...inFile].flatMap(([file, ofFile]) => [...rangesIn(ownValue(sources, file)?.content ?? "", ofFile)]),
  );
  return said.map((one) => {
    const { file, severity, message, code } = one;
    return {
      name: file !== undefined && inFile.has(file) ? file : undefined,
      severity,
      message: foreignSentence(message || t`The compiler gave no reason.`),
      code: code === undefined ? undefined : foreign(code),
      ...(ranges.get(one) ?? NOWHERE),
    };
  });
}

type Range = Pick<CompilerProblem, "start" | "end">;

const BEGINNING: TextPlace = { line: 0, character: 0 };
const NOWHERE: Range = { start: BEGINNING, end: BEGINNING };

/** Where the messages about a file stand in it. */
function rangesIn(content: string, errors: readonly CompilerError[]): ReadonlyMap<CompilerError, Range> {
  const places = placesOfBytes(
    content,
    errors.flatMap(({ bytes }) => (bytes ? [bytes.start, bytes.end] : [])),
  );
  const lines = errors.some(({ bytes }) => !bytes) ? content.split(LINE_END) : [];
  return new Map(
    errors.map((error) => {
      const { bytes } = error;
      const [start, end] = bytes ? [places.get(bytes.start), places.get(bytes.end)] : [];
      return [error, start && end ? { start, end } : lineRange(error, lines)];
    }),
  );
}

function lineRange({ place }: CompilerError, lines: readonly string[]): Range {
  if (!place) return NOWHERE;
  // A server may say anything: a place is one that the file has.
  const line = Math.max(1, Math.min(Math.trunc(place.line), lines.length)) - 1;
  const { length } = lines[line] ?? "";
  return {
    start: { line, character: Math.min(Math.trunc(place.column), length) },
    end: { line, character: length },
  };
}

/** Where bytes of a text in UTF-8 are for an editor: one walk for all of them. */
function placesOfBytes(text: string, offsets: readonly number[]): ReadonlyMap<number, TextPlace> {
  const sorted = [...new Set(offsets)].sort((a, b) => a - b);
  const placeOf = placesIn(text);
  const places = new Map<number, TextPlace>();
  let bytes = 0;
  for (let at = 0, next = 0; next < sorted.length; at++) {
    for (let offset = sorted[next]; offset !== undefined; offset = sorted[++next]) {
      if (offset > bytes && at < text.length) break;
      places.set(offset, placeOf(Math.min(at, text.length)));
    }
    bytes += bytesOfUnit(text.charCodeAt(at));
  }
  return places;
}

/** In UTF-8; of a character outside the basic plane each of its two units has half. */
function bytesOfUnit(code: number): number {
  if (code < 0x80) return 1;
  return code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
}
