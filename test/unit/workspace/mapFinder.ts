import { matchesGlob } from "node:path";
import { relativePath } from "../../../src/core/files/fileReader.ts";
import type { FileFinder } from "../../../src/core/workspace/fileFinder.ts";

/** Finds the files of a map, as they are when it is asked. */
export function mapFinder(
  files: Readonly<Record<string, unknown>>,
  folders: readonly string[],
): FileFinder & { readonly asked: readonly string[] } {
  const asked: string[] = [];
  return {
    asked,
    find: (include, exclude) => {
      asked.push(include);
      const isMeant = (path: string) =>
        folders.some((folder) => {
          const name = relativePath(path, folder);
          return name !== undefined && matchesGlob(name, include) && !matchesGlob(name, exclude);
        });
      return Promise.resolve(Object.keys(files).filter(isMeant));
    },
  };
}
