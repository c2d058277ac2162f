import type { FileReader } from "../files.ts";

/** Something of the workspace that could not be used, and was left out of a job. */
export interface SkippedFile {
  /** Absolute. */
  readonly path: string;
  /** What follows the name: `is not valid JSON`. */
  readonly reason: string;
}

const skipped = new WeakMap<FileReader, Map<string, SkippedFile>>();

/** More are not kept: nobody reads on, and a repository can hold any number of broken files. */
const MOST_SKIPPED = 1_000;

/** From now on remembers what is skipped of what this reader reads; `outer` is the reader that it reads through. */
export function collectSkipped(files: FileReader, outer?: FileReader): void {
  skipped.set(files, (outer && skipped.get(outer)) ?? new Map<string, SkippedFile>());
}

/** Notes that a file was left out. A reader that does not collect forgets it. */
export function noteSkipped(files: FileReader, path: string, reason: string): void {
  const known = skipped.get(files);
  if (known && known.size < MOST_SKIPPED && !known.has(path)) known.set(path, { path, reason });
}

/** What was left out so far, in the order in which it was met. */
export function skippedFiles(files: FileReader): readonly SkippedFile[] {
  return [...(skipped.get(files)?.values() ?? [])];
}
