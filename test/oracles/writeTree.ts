import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { opendir, readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FolderEntry, FolderReader } from "../../src/core/files/folderReader.ts";

/** The folders of this machine, as the product reads those of a workspace. */
export const diskFolders: FolderReader = {
  read: (path) => readFile(path).catch(() => undefined),
  realPath: (path) => realpath(path).catch(() => path),
  modified: async (path) => (await stat(path).catch(() => undefined))?.mtimeMs,
  async namesInDiskOrder(path) {
    const names: string[] = [];
    for await (const { name } of await opendir(path)) names.push(name);
    return names;
  },
  async list(path) {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
    const listed = entries?.map(async (entry): Promise<FolderEntry[]> => {
      const link = entry.isSymbolicLink();
      const target = link ? await stat(join(path, entry.name)).catch(() => undefined) : entry;
      if (!target) return [];
      return [{ name: entry.name, kind: target.isDirectory() ? "folder" : "file", link }];
    });
    return listed && (await Promise.all(listed)).flat();
  },
};

/** Writes files below a folder; a value that begins with `->` is a link to that path, relative to the link's. */
export function writeTree(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    if (content.startsWith("->")) symlinkSync(content.slice(2), target);
    else writeFileSync(target, content);
  }
}
