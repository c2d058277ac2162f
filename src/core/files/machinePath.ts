/**
 * A path as a tool wrote it, in the form in which core reads files: `/` between the parts, and a Windows drive as
 * `/c:/vault/A.sol`. What is relative stays so.
 */
export function machinePath(written: string): string {
  // Rust's own form of a long Windows path begins with `\\?\`.
  const path = written.replace(/^\\\\\?\\/, "").replaceAll("\\", "/");
  return /^[A-Za-z]:\//.test(path) ? `/${path.charAt(0).toLowerCase()}${path.slice(1)}` : path;
}

/** True for a path from the root of a machine, Windows or not. */
export function isMachinePath(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** True when a tool's name for a file means this path; Windows does not tell upper from lower case. */
export function isSamePath(written: string, path: string): boolean {
  return pathKey(machinePath(written)) === pathKey(path);
}

/** What the paths that core reads the same file by have in common, for looking one up among many. */
export function pathKey(path: string): string {
  return /^\/[a-z]:\//i.test(path) ? path.toLowerCase() : path;
}
