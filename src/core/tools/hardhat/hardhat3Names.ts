/** What Hardhat 3 puts before the paths of a project's own files. */
export const HARDHAT3_OWN = "project/";
/** What it puts before those of a package's files. */
export const HARDHAT3_PACKAGES = "npm/";

/** A file of a package as Hardhat 3 names it, `npm/<name>@<version>/<path>`; `undefined` for any other name. */
export function hardhat3Packaged(
  name: string,
): Readonly<Record<"name" | "version" | "path", string>> | undefined {
  const [, of, version, path] = /^npm\/((?:@[^/]+\/)?[^/@]+)@([^/]+)\/(.+)$/.exec(name) ?? [];
  return of === undefined || version === undefined || path === undefined
    ? undefined
    : { name: of, version, path };
}
