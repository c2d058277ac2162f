/** Folders in which package managers keep what they install, in any project: what lies there is other people's. */
export const INSTALLED_FOLDERS: readonly string[] = ["node_modules", "site-packages"];

/** Whether a path leads into such a folder. */
export function inInstalledFolder(path: string): boolean {
  return path
    .split("/")
    .slice(0, -1)
    .some((segment) => INSTALLED_FOLDERS.includes(segment));
}

/** Whether a path is a `node_modules`, or leads into one: where Node and npm look, and nothing of Python's lies. */
export function inNodeModules(path: string): boolean {
  return path.split("/").includes("node_modules");
}

/** A folder of `node_modules`, the package's name with its scope, and the path in the package, empty for the folder itself. */
type PackagedPath = Readonly<Record<"folder" | "name" | "path", string>>;

/** A name with a point before it is no package's: `.bin` and `.pnpm` hold what belongs to packages. */
const PACKAGED = /^((?:.*\/)?node_modules\/(@[^/]+\/[^/]+|[^@./][^/]*))(?:\/(.*))?$/s;

/** The package of `node_modules` that a path leads into, the innermost one; `undefined` for any other path. */
export function packagedPath(path: string): PackagedPath | undefined {
  const [, folder, name, inside = ""] = PACKAGED.exec(path) ?? [];
  return folder === undefined || name === undefined ? undefined : { folder, name, path: inside };
}

/** The path by which a file of an installed package is imported; `undefined` for any other file. */
export function packageImport(path: string): string | undefined {
  const found = packagedPath(path);
  return found && `${found.name}/${found.path}`;
}
