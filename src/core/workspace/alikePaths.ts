import { inInstalledFolder } from "../sources/packagedPath.ts";

/**
 * The paths that agree with a name in the most segments from the end; none where not even the file's own name agrees.
 *
 * @param name with `/` between its segments, such as a source unit name
 */
export function mostAlikePaths(name: string, paths: readonly string[]): readonly string[] {
  const alike = paths.map((path) => ({ path, common: commonSegments(name, path) }));
  const most = alike.reduce((least, { common }) => Math.max(least, common), 1);
  return alike.filter(({ common }) => common === most).map(({ path }) => path);
}

/**
 * The files that a name most likely means: those whose paths agree the most, the project's own before those of its packages;
 * where one alone is the project's own, that one.
 */
export function likeliestFiles(name: string, paths: readonly string[]): readonly string[] {
  const alike = mostAlikePaths(name, paths);
  const own = alike.filter((path) => !inInstalledFolder(path));
  return own.length === 1 ? own : [...own, ...alike.filter(inInstalledFolder)];
}

/** How many segments at the end of two paths are the same. */
function commonSegments(one: string, other: string): number {
  const ofOne = one.split("/").reverse();
  const ofOther = other.split("/").reverse();
  const differs = ofOne.findIndex((segment, at) => segment !== ofOther[at]);
  return differs === -1 ? ofOne.length : differs;
}
