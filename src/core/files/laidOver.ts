import { openFile } from "./fileReader.ts";
import type { FolderReader } from "./folderReader.ts";

/** A reader with another text of one file, which is there. Nothing that is made of its files is remembered. */
export function withOtherText(files: FolderReader, path: string, text: string): FolderReader {
  const bytes = new TextEncoder().encode(text);
  return {
    read: (one, largest) => (one === path ? Promise.resolve(bytes) : files.read(one, largest)),
    realPath: (one) => files.realPath(one),
    open: async (one, largest) =>
      one === path
        ? { bytes, realPath: (await files.realPath(path)) ?? path }
        : openFile(files, one, largest),
    list: (one) => files.list(one),
    namesInDiskOrder: (one) => files.namesInDiskOrder?.(one) ?? Promise.resolve(undefined),
    modified: (one) => files.modified?.(one) ?? Promise.resolve(undefined),
    ...(files.scope !== undefined && { scope: files.scope }),
  };
}
