import { join } from "node:path";
import { isInside, relativePath } from "../../../../src/core/files/fileReader.ts";
import type { FolderEntry, FolderReader } from "../../../../src/core/files/folderReader.ts";

/**
 * Folders of this machine seen at other places, as if they had been copied there.
 *
 * @param below reads this machine
 * @param mounts where each is seen, an absolute path, and where it lies
 */
export function mountedFolders(below: FolderReader, mounts: Readonly<Record<string, string>>): FolderReader {
  const places = Object.entries(mounts).sort(([a], [b]) => b.length - a.length);
  const placeOf = (path: string): string | undefined => {
    const found = places.find(([seen]) => isInside(path, seen));
    if (!found) return undefined;
    const [seen, folder] = found;
    return path === seen ? folder : join(folder, relativePath(path, seen) ?? "");
  };
  return {
    read: async (path) => {
      const place = placeOf(path);
      return place === undefined ? undefined : below.read(place);
    },
    realPath: (path) => Promise.resolve(path),
    list: async (path) => {
      const place = placeOf(path);
      const entries = place === undefined ? undefined : await below.list(place);
      const above = places.flatMap(([seen]): FolderEntry[] => {
        const inner = relativePath(seen, path)?.split("/")[0] ?? "";
        return inner === "" ? [] : [{ name: inner, kind: "folder" }];
      });
      if (!entries && above.length === 0) return undefined;
      const names = new Map([...(entries ?? []), ...above].map((entry) => [entry.name, entry]));
      return [...names.values()];
    },
  };
}
