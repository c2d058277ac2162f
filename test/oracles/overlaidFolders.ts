import { join } from "node:path";
import { isInside, relativePath } from "../../src/core/files/fileReader.ts";
import type { FolderEntry, FolderReader } from "../../src/core/files/folderReader.ts";

/** What is shown other than what there is. */
export interface Overlay {
  /** Texts of files by absolute path, whether there is such a file or not; their folders are there. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files and folders, by absolute path, that are not shown. */
  readonly hidden?: readonly string[];
}

/** A reader with some files laid over what it reads and some hidden. */
export function overlaidFolders(below: FolderReader, { files = {}, hidden = [] }: Overlay): FolderReader {
  const isHidden = (path: string) => hidden.some((one) => isInside(path, one));
  return {
    read: (path) => {
      const text = files[path];
      if (text !== undefined) return Promise.resolve(Buffer.from(text));
      return isHidden(path) ? Promise.resolve(undefined) : below.read(path);
    },
    async realPath(path) {
      if (path in files) return path;
      const isLaid = Object.keys(files).some((file) => isInside(file, path));
      return (await below.realPath(path)) ?? (isLaid ? path : undefined);
    },
    async list(path) {
      const entries = isHidden(path) ? undefined : await below.list(path);
      const kept = (entries ?? []).filter(({ name }) => !isHidden(join(path, name)));
      const laid = new Map<string, FolderEntry>();
      for (const file of Object.keys(files)) {
        const inner = relativePath(file, path)?.split("/");
        const [name = ""] = inner ?? [];
        if (inner) laid.set(name, { name, kind: inner.length > 1 ? "folder" : "file" });
      }
      if (!entries && laid.size === 0) return undefined;
      const others = kept.filter(({ name }) => !laid.has(name));
      return [...others, ...laid.values()];
    },
  };
}
