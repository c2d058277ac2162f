/** Compares `0.8.9` and `v0.8.30+commit.73712a01` by their numbers. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [versionNumbers(a), versionNumbers(b)];
  for (let at = 0; at < 3; at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** `v0.8.30+commit.73712a01` without its `v` and its commit. */
export function shortVersion(version: string): string {
  return version.trim().replace(/^v/, "").split("+")[0] ?? "";
}

function versionNumbers(version: string): number[] {
  return (/^v?(\d+)\.(\d+)\.(\d+)/.exec(version.trim()) ?? []).slice(1).map(Number);
}

/** True when one version is not older than another, in their three numbers. */
export function atLeast(version: string, least: string): boolean {
  return compareVersions(version, least) >= 0;
}
