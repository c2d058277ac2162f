import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Whether a folder seems to be in a work tree of git, by no more than a `.git` in it or above it: enough to offer what looks
 * through a history, which then says what is wrong with the repository.
 */
export async function isBelowRepository(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    const isThere = await lstat(join(at, ".git")).then(
      () => true,
      () => false,
    );
    if (isThere || at === dirname(at)) return isThere;
  }
}
