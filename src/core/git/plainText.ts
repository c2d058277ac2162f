import { readFile, stat } from "node:fs/promises";

/** Configurations, pointers and names of branches are far smaller. */
const MAX_BYTES = 1024 * 1024;

/**
 * The text of a file of a repository; empty for one that is not there, can't be read or is larger. What is no plain file is not
 * opened: a pipe that came with a folder is never read to its end.
 *
 * @param largest in bytes
 */
export async function plainText(path: string, largest = MAX_BYTES): Promise<string> {
  try {
    const stats = await stat(path);
    return stats.isFile() && stats.size <= largest ? await readFile(path, "utf8") : "";
  } catch {
    return "";
  }
}
