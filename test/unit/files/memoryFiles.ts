import { type FileReader, isInside } from "../../../src/core/files/fileReader.ts";

/** A file system in a map from absolute path to content. Links map a path to the path behind it. */
export function memoryFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  links: Readonly<Record<string, string>> = {},
): FileReader & { readonly asked: readonly string[] } {
  const asked: string[] = [];
  return {
    asked,
    read: (path) => {
      asked.push(path);
      const content = files[links[path] ?? path];
      return Promise.resolve(typeof content === "string" ? new TextEncoder().encode(content) : content);
    },
    realPath: (path) => {
      const real = links[path] ?? path;
      return Promise.resolve(Object.keys(files).some((file) => isInside(file, real)) ? real : undefined);
    },
  };
}
