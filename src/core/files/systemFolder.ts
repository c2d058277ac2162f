import { isAbsolute, relative, sep } from "node:path";

/**
 * Whether a path of the operating system is a folder or lies in it. Both are absolute, and links in them are resolved where
 * that matters: what is compared is how they are written.
 */
export function isInSystemFolder(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(sep)[0] !== "..";
}
