/** Compares `0.8.9` and `v0.8.30+commit.73712a01` by their numbers. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [versionNumbers(a), versionNumbers(b)];
  for (let at = 0; at < 3; at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** `0.8.30+commit.73712a01`, whether a `v` stands before it, as in a tag and in much that is typed, or not. */
export function plainVersion(version: string): string {
  return version.trim().replace(/^v/, "");
}

/** `v0.8.30+commit.73712a01` without its `v` and its commit. */
export function shortVersion(version: string): string {
  return plainVersion(version).split("+")[0] ?? "";
}

/** True when a full version is the one that is wanted, which may be short: `0.8.3` is not `0.8.30+commit.73712a01`. */
export function isCompilerVersion(full: string, wanted: string): boolean {
  const text = plainVersion(wanted);
  return full === text || full.startsWith(`${text}+`);
}

function versionNumbers(version: string): number[] {
  return (/^v?(\d+)\.(\d+)\.(\d+)/.exec(version.trim()) ?? []).slice(1).map(Number);
}

/** True when one version is not older than another, in their three numbers. */
export function atLeast(version: string, least: string): boolean {
  return compareVersions(version, least) >= 0;
}
