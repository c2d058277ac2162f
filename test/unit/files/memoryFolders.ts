import type { FolderEntry, FolderReader } from "../../../src/core/files/folderReader.ts";
import { memoryFiles } from "./memoryFiles.ts";

/** A file system in a map from absolute path to content, with its folders. */
export function memoryFolders(files: Readonly<Record<string, string | Uint8Array>>): FolderReader {
  const folders = new Map<string, Map<string, FolderEntry>>();
  for (const path of Object.keys(files)) {
    const segments = path.split("/").slice(1);
    for (const [at, name] of segments.entries()) {
      const folder = `/${segments.slice(0, at).join("/")}`;
      const entries = folders.get(folder) ?? new Map<string, FolderEntry>();
      entries.set(name, { name, kind: at === segments.length - 1 ? "file" : "folder" });
      folders.set(folder, entries);
    }
  }
  return {
    ...memoryFiles(files),
    list: (path) => {
      const entries = folders.get(path);
      return Promise.resolve(entries && [...entries.values()]);
    },
  };
}

/** The files of a project below its root. */
export function below(
  root: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Record<string, string | Uint8Array> {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`${root}/${path}`, content]));
}
