/** Whether an import is relative: its first segment is `.` or `..`, and not a name that begins with a dot, as `.deps`. */
export function isRelativeImport(path: string): boolean {
  return /^\.\.?(?:\/|$)/.test(path);
}

/**
 * The source unit name of an import before remapping. A path that is {@link isRelativeImport} is resolved
 * against the importing unit's name; any other is a name already (ethereum/solidity,
 * docs/path-resolution.rst and libsolutil/CommonIO.cpp, `absolutePath`).
 *
 * The importer's part stays as it is: its last segment goes, with the slashes before it, and `..` takes one
 * more off the end; what is already there is not normalised, and too many `..` leave nothing.
 */
export function resolveImportPath(path: string, importer: string): string {
  if (!isRelativeImport(path)) return path;
  const segments = path.split("/");
  let folder = withoutLastSegment(importer);
  const below: string[] = [];
  for (const segment of segments) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") below.push(segment);
    else if (below.pop() === undefined) folder = withoutLastSegment(folder);
  }
  if (below.length === 0) return folder;
  return `${folder}${folder === "" || folder.endsWith("/") ? "" : "/"}${below.join("/")}`;
}

function withoutLastSegment(name: string): string {
  const slash = name.lastIndexOf("/");
  if (slash < 0) return "";
  let end = slash;
  while (name.endsWith("/", end)) end--;
  const kept = name.slice(0, end);
  // "/a.sol" lies in the root, which is not nothing.
  return kept === "" && name !== "/" ? "/" : kept;
}
