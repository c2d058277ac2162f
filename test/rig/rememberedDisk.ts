import { diskFiles } from "../../src/core/files/diskFiles.ts";
import { FileMemory } from "../../src/core/files/fileMemory.ts";
import type { FolderReader } from "../../src/core/files/folderReader.ts";

/** The disk as a window reads it that opens now and remembers from one command to the next. */
export function openedDisk(): FolderReader {
  return { ...diskFiles, memory: new FileMemory() };
}

/** The same for all of a program, as one window. */
export const rememberedDisk: FolderReader = openedDisk();
