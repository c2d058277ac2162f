import {
  anyObject,
  ifReadable,
  listOf,
  numberFrom,
  object,
  openObject,
  readAs,
  text,
  type LooseObject,
} from "../json/shape.ts";
import { parseJson } from "../json/looseData.ts";
import { beforeJson, withoutEnd } from "../json/wordsBesideJson.ts";
import type { JobError } from "./job.ts";

/** What a compiler at the service said, as far as it can be read. */
export interface CompilerError {
  readonly severity: "error" | "warning" | "info";
  /** In the compiler's words; empty where it gave none. */
  readonly message: string;
  /** Its kind in the compiler's words, solc's `TypeError` or Vyper's kind of exception. */
  readonly type: string | undefined;
  /** solc's number of the message, or its kind. */
  readonly code: string | undefined;
  /** solc's number of the message alone. */
  readonly errorCode: string | undefined;
  /** The source unit that it is about; nothing says that it is one of those that were submitted. */
  readonly file: string | undefined;
  /** solc's place: bytes of the UTF-8 source, from the first to behind the last. */
  readonly bytes: { readonly start: number; readonly end: number } | undefined;
  /** Vyper's place, or what solc writes beside its text: a line from one and a column from zero. */
  readonly place: { readonly line: number; readonly column: number } | undefined;
}

/** More of one job are not read: a compiler stops long before, and so does a person. */
const MAX_ERRORS = 1_000;

const position = numberFrom(0, Number.MAX_VALUE);

const compilerError = object({
  severity: ifReadable(text(20)),
  message: ifReadable(text()),
  formattedMessage: ifReadable(text()),
  errorCode: ifReadable(text(50)),
  type: ifReadable(text(200)),
  sourceLocation: ifReadable(
    object({
      file: ifReadable(text(10_000)),
      start: ifReadable(position),
      end: ifReadable(position),
      lineno: ifReadable(position),
      col_offset: ifReadable(position),
    }),
  ),
});

const errorData = openObject({
  compilerErrors: ifReadable(listOf(anyObject)),
  compilerErrorMessage: ifReadable(text()),
});

/**
 * The compiler's messages of a failed job, in its order (`errorData.compilerErrors`; argotorg/sourcify,
 * packages/lib-sourcify, `SourcifyLibError.ts`). solc says the place in bytes. Vyper's entries name the file that was
 * compiled and no more; the place stands in `formattedMessage`, and so does the file where it is an imported one
 * (vyperlang/vyper, `vyper/exceptions.py`, `_BaseVyperException.format_annotation`).
 */
export function compilerErrors(error: CompilerFailure): CompilerError[] {
  return listedErrors(error).flatMap((entry) => {
    const read = readAs(compilerError, entry);
    if (!read) return [];
    const { severity, message = "", formattedMessage = "", errorCode, type, sourceLocation = {} } = read;
    const { file, start, end, lineno, col_offset } = sourceLocation;
    const written = writtenPlace(formattedMessage, file);
    return [
      {
        severity: severity === "warning" || severity === "info" ? severity : "error",
        message,
        type,
        code: errorCode ?? type,
        errorCode,
        file: written?.file ?? file,
        bytes: start === undefined ? undefined : { start, end: Math.max(start, end ?? start) },
        place:
          lineno !== undefined && lineno >= 1
            ? { line: lineno, column: col_offset ?? 0 }
            : written && { line: written.line, column: written.column },
      },
    ];
  });
}

/** What of a job's error holds the compiler's messages. */
type CompilerFailure = Pick<JobError, "errorData"> & Partial<Pick<JobError, "message">>;

/** The entries of the compiler's list as they came; a service that keeps none may write it behind its own words. */
function listedErrors({ errorData: data, message = "" }: CompilerFailure): LooseObject[] {
  const kept = readAs(errorData, data)?.compilerErrors ?? [];
  return (kept.length > 0 ? kept : writtenErrors(message)).slice(0, MAX_ERRORS);
}

function writtenErrors(message: string): LooseObject[] {
  const start = message.search(/\[\s*\{\s*"/);
  if (start === -1) return [];
  try {
    return (readAs(listOf(anyObject), parseJson(message.slice(start))) ?? []).filter(
      (entry) => "severity" in entry || "formattedMessage" in entry,
    );
  } catch {
    // It was cut, or is something else.
    return [];
  }
}

/**
 * What the service says where no compiler ran, or where it keeps no list of errors (`errorData.compilerErrorMessage`,
 * else the error's message without the list as JSON text that servers put at its end); empty where it says nothing.
 */
export function compilerErrorText({ errorData: data, message }: JobError): string {
  const said = readAs(errorData, data)?.compilerErrorMessage ?? message;
  return withoutEnd(beforeJson(said).words);
}

/**
 * Whether a `compiler_error` tells of a compiler that the service could not get, so that nothing was compiled
 * (argotorg/sourcify, packages/compilers, `solidityCompiler.ts` and `vyperCompiler.ts`).
 */
export function isCompilerUnavailable(error: JobError): boolean {
  return (
    error.customCode === "compiler_error" &&
    // A row asks each time that it is drawn: the entries are counted and not read.
    listedErrors(error).length === 0 &&
    /\bfailed (?:fetching|to fetch|to download|downloading) (?:the )?(?:solc|solidity|vyper|fe|compiler)\b|\b(?:solc|vyper|fe|compiler)(?: binary)? not found\b/i.test(
      compilerErrorText(error),
    )
  );
}

interface WrittenPlace {
  readonly file: string | undefined;
  readonly line: number;
  readonly column: number;
}

/**
 * The first place that a formatted message names: `contract "a.vy:7", function "foo", line 7:13` and `line 6:21` of
 * Vyper (columns from zero), ` --> a.sol:7:13:` and `a.sol:7:13: Error` of solc (from one).
 */
function writtenPlace(formatted: string, file: string | undefined): WrittenPlace | undefined {
  for (const line of formatted.split(/\r\n|\r|\n/, 50)) {
    const ofVyper =
      /^ {2}(?:contract "([^"\n]{1,1000}):\d+", )?(?:function "[^"\n]{1,200}", )?line (\d{1,9}):(\d{1,9}) *$/.exec(
        line,
      );
    if (ofVyper) {
      const [, named, row, column] = ofVyper;
      return { file: named ?? file, line: Number(row), column: Number(column) };
    }
    const ofSolc = /^(?: {0,10}--> )?([^\s"][^"\n]{0,1000}):(\d{1,9}):(\d{1,9}):/.exec(line);
    if (ofSolc && (file === undefined || ofSolc[1] === file))
      return { file: ofSolc[1], line: Number(ofSolc[2]), column: Math.max(0, Number(ofSolc[3]) - 1) };
  }
  return undefined;
}
