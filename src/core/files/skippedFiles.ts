import { t } from "@vscode/l10n";
import type { FileReader } from "./fileReader.ts";

/** Something of the workspace that could not be used, and was left out of a job. */
export interface SkippedFile {
  /** Absolute. */
  readonly path: string;
  /** What follows the name: `is not valid JSON`. */
  readonly reason: string;
  /** The part of the file that it is about, as a person finds it: `line 3`. The whole file unless said. */
  readonly place?: string;
}

interface Skipped {
  /** By path and place. */
  readonly byPath: Map<string, SkippedFile>;
  readonly tell?: ((file: SkippedFile) => void) | undefined;
}

const skipped = new WeakMap<FileReader, Skipped>();

/** More are not kept: no person reads more, and a repository can hold any number of broken files. */
const MAX_SKIPPED = 1_000;

/**
 * From now on remembers what is skipped of what this reader reads.
 *
 * @param outer The reader that it reads through; both share what they remember.
 * @param tell Called for every file once, where the outer one does not collect.
 */
export function collectSkipped(
  files: FileReader,
  outer?: FileReader,
  tell?: (file: SkippedFile) => void,
): void {
  skipped.set(files, (outer && skipped.get(outer)) ?? { byPath: new Map(), tell });
}

/** Notes that a file, or a part of it, was left out. A reader that does not collect forgets it. */
export function noteSkipped(files: FileReader, path: string, reason: string, place?: string): void {
  const known = skipped.get(files);
  const key = place === undefined ? path : `${path}\0${place}`;
  if (!known || known.byPath.size >= MAX_SKIPPED || known.byPath.has(key)) return;
  const file = { path, reason, ...(place !== undefined && { place }) };
  known.byPath.set(key, file);
  known.tell?.(file);
}

/** The value as far as it has the right form; one that is there and has not is noted as left out, and is `undefined`. */
export function formedOrNoted<T>(
  files: FileReader,
  path: string,
  place: string,
  value: unknown,
  read: (value: unknown) => T | undefined,
): T | undefined {
  const formed = value === undefined ? undefined : read(value);
  if (value !== undefined && formed === undefined)
    noteSkipped(files, path, t`has no form that can be read`, place);
  return formed;
}

/** What was left out so far, in the order in which it was met. */
export function skippedFiles(files: FileReader): readonly SkippedFile[] {
  return [...(skipped.get(files)?.byPath.values() ?? [])];
}
