/**
 * Whether the editor's setting of hidden files (`files.exclude`) has a pattern that is meant from an open folder on, such
 * as `src/generated/**` or `build`. Only one that begins with `**` means the same from every folder on.
 *
 * @param setting its value: patterns, of which those with `false` don't count
 */
export function hidesByPath(setting: unknown): boolean {
  if (typeof setting !== "object" || setting === null) return false;
  return Object.entries(setting).some(
    ([pattern, isOn]) => isOn !== false && !pattern.startsWith("**/") && pattern !== "**",
  );
}

/**
 * A glob relative to an open folder that covers what another covers relative to a folder in it.
 *
 * @param folder relative to the open folder, without a slash at its end
 */
export function globBelow(folder: string, glob: string): string {
  // What has a meaning in a glob stands for itself in brackets.
  return `${folder.replace(/[[\]{}*?]/g, "[$&]")}/${glob}`;
}
