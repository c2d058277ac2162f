import { t } from "@vscode/l10n";
import type { FileReader } from "../files/fileReader.ts";
import { noteSkipped } from "../files/skippedFiles.ts";
import { LARGEST_FILE_BYTES, tooLargeReason, UnreadableFile } from "../files/unreadableFile.ts";
import { hasMoreParts, isDeeper, MAX_LEVELS } from "./depth.ts";

/** The largest configuration file that is read, in bytes; a person writes them by hand. */
export const LARGEST_CONFIGURATION_BYTES = 4 * 1024 * 1024;
/** The largest artifact, index or record of a deployment that is read, in bytes. */
export const LARGEST_ARTIFACT_BYTES = LARGEST_FILE_BYTES;
/** The largest build record that is read, in bytes: 13 to 32 MB are normal, Hardhat writes some of 100 MB. */
export const LARGEST_RECORD_BYTES = 256 * 1024 * 1024;

/** Of a file that is read at once, in values. */
const MAX_PARTS = 4_000_000;

/** A notation of data. */
export interface DataFormat {
  /** As people call it: `JSON`. */
  readonly name: string;
  /** Of a notation that takes long to read, the most bytes of a file that is read at all. */
  readonly largest?: number;
  /** What reads it, which may be loaded at the first need. */
  readonly parser: () => DataParser | Promise<DataParser>;
}

/** Reads a notation. */
export interface DataParser {
  readonly parse: (text: string) => unknown;
  /** The kinds of errors by which it says that a text is not in the notation; any other is a fault of ours. */
  readonly refusals: readonly (abstract new (...details: never[]) => Error)[];
}

/** Thrown by a parser of what is in the notation and still can't be made a value. */
export class UnusableData extends Error {
  /** As it follows the name of the file. */
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

export const json: DataFormat = {
  name: "JSON",
  parser: () => ({ parse: JSON.parse, refusals: [SyntaxError] }),
};

/** What a file of data came to: its value, why it can't be read, or `undefined` when there is none. */
type DataFile = { readonly value: unknown } | { readonly reason: string } | undefined;

/** Reads a file of data. Never throws because of the file: one that can't be read has a reason. */
export async function openData(
  files: FileReader,
  path: string,
  format: DataFormat,
  largest: number,
): Promise<DataFile> {
  const bytes = await openBytes(files, path, Math.min(largest, format.largest ?? largest));
  if (bytes === undefined || "reason" in bytes) return bytes;
  const text = textToParse(bytes, MAX_PARTS);
  if (typeof text !== "string") return text;
  const { parse, refusals } = await format.parser();
  try {
    const value = parse(text);
    return isDeeper(value, MAX_LEVELS) ? { reason: t`is nested too deeply` } : { value };
  } catch (error) {
    if (error instanceof UnusableData) return { reason: error.reason };
    if (!refusals.some((kind) => error instanceof kind)) throw error;
    const line = positionOf(error as Error);
    return {
      reason:
        line === undefined ? t`is not valid ${format.name}` : t`is not valid ${format.name} (line ${line})`,
    };
  }
}

/** The value of JSON, however deep it is nested, or why there is none; see {@link hasMoreParts} for `mostParts`. */
export function parseJsonBytes(
  bytes: Uint8Array,
  mostParts: number,
): { readonly value: unknown } | { readonly reason: string } {
  const text = textToParse(bytes, mostParts);
  if (typeof text !== "string") return text;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { reason: t`is not valid JSON` };
  }
}

function textToParse(bytes: Uint8Array, mostParts: number): string | { readonly reason: string } {
  if (bytes.length > mostParts && hasMoreParts(bytes, mostParts)) return { reason: t`has too many parts` };
  return textOf(bytes) ?? { reason: t`is not UTF-8 text` };
}

/** The bytes of a file, why they can't be had, or `undefined` when there is no such file. */
async function openBytes(
  files: FileReader,
  path: string,
  largest: number,
): Promise<Uint8Array | { readonly reason: string } | undefined> {
  try {
    const bytes = await files.read(path, largest);
    return bytes !== undefined && bytes.length > largest ? { reason: tooLargeReason(largest) } : bytes;
  } catch (error) {
    if (error instanceof UnreadableFile) return { reason: error.reason };
    throw error;
  }
}

/** The value of a file of data; `undefined` when there is none, and for one that can't be read, which is noted. */
export async function readData(
  files: FileReader,
  path: string,
  format: DataFormat,
  largest: number,
): Promise<unknown> {
  const file = await openData(files, path, format, largest);
  if (file === undefined || "value" in file) return file?.value;
  noteSkipped(files, path, file.reason);
  return undefined;
}

/**
 * The JSON of a file, or `undefined` when there is no such file. One that can't be read is noted as skipped.
 *
 * @param largest In bytes.
 */
export async function readJson(
  files: FileReader,
  path: string,
  largest: number = LARGEST_ARTIFACT_BYTES,
): Promise<unknown> {
  return readData(files, path, json, largest);
}

/** The bytes of a file that can be done without; see {@link readData}. */
export async function readBytes(
  files: FileReader,
  path: string,
  largest: number,
): Promise<Uint8Array | undefined> {
  const bytes = await openBytes(files, path, largest);
  if (bytes === undefined || !("reason" in bytes)) return bytes;
  noteSkipped(files, path, bytes.reason);
  return undefined;
}

/** TOML and YAML say where it went wrong. */
function positionOf(error: Error): number | undefined {
  const line = "line" in error ? error.line : undefined;
  return typeof line === "number" ? line : undefined;
}

const STRICT = new TextDecoder("utf-8", { fatal: true });

/** The text of a file that can be done without; see {@link readData}. What is no text is noted, too. */
export async function readText(
  files: FileReader,
  path: string,
  largest: number = LARGEST_CONFIGURATION_BYTES,
): Promise<string | undefined> {
  const bytes = await readBytes(files, path, largest);
  if (bytes === undefined) return undefined;
  const text = textOf(bytes);
  if (text === undefined) noteSkipped(files, path, t`is not UTF-8 text`);
  return text;
}

/** The text of bytes that are UTF-8 without a null; `undefined` for any others. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return STRICT.decode(bytes);
  } catch {
    return undefined;
  }
}
