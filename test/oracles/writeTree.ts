import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes files below a folder; a value that begins with `->` is a link to that path, relative to the link's. */
export function writeTree(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    if (content.startsWith("->")) symlinkSync(content.slice(2), target);
    else writeFileSync(target, content);
  }
}
