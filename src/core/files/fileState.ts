import type { Stats } from "node:fs";

/** What tells one state of a file or a folder from every other one, without reading it. */
export interface FileState {
  /** Which file it is, under any name; 0 where the file system can't say. */
  readonly device: number;
  readonly inode: number;
  /** In bytes. */
  readonly size: number;
  /** When its content was last written, as it says itself: in milliseconds since 1970, as are all times here. */
  readonly modified: number;
  /** When anything of it was last changed; no program can set it back. */
  readonly changed: number;
  /** It was asked for by a symbolic link; what is said is said of the file that the link leads to. */
  readonly isLink: boolean;
}

/** A clock of a file system may go in such steps, so that a second change has the same time. */
const STEP_MS = 100;
/** The same for file systems that know seconds only, of which FAT knows every other one. */
const LONG_STEP_MS = 2_100;

/** The state that the system tells. */
export function stateOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats, isLink = false): FileState {
  return { device: dev, inode: ino, size, modified: mtimeMs, changed: ctimeMs, isLink };
}

/** Whether nothing was changed between two states, as long as both are settled. */
export function isSameState(one: FileState | undefined, other: FileState | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.inode === other.inode &&
    one.changed === other.changed &&
    one.modified === other.modified &&
    one.size === other.size &&
    one.device === other.device &&
    one.isLink === other.isLink
  );
}

/**
 * Whether a state is so old at a time that no change after it could have left it as it was: a file that was written a
 * moment ago may be written again in the same step of the clock.
 */
export function isSettled({ changed }: FileState, at: number): boolean {
  return changed < at - (changed % 1_000 === 0 ? LONG_STEP_MS : STEP_MS);
}
