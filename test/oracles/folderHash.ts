import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/**
 * The hash of each file of a folder, with its name: what decides what a tool makes of it. Where a file names the folder
 * itself, that does not count, so that the same files elsewhere are the same. Links don't count either: what they lead
 * to is the caller's to name. What Python
 * keeps of what it read is left out.
 *
 * @returns hex
 */
export function folderHash(folder: string): string {
  const hash = createHash("sha256");
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/[\\/]__pycache__(?:[\\/]|$)/.test(entry.parentPath),
  );
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  for (const path of paths.sort()) {
    // Byte for byte, whatever the encoding.
    const content = readFileSync(path, "latin1").replaceAll(folder, "$FOLDER");
    hash.update(JSON.stringify([relative(folder, path), content]));
  }
  return hash.digest("hex");
}
