/**
 * The EVM versions that solc and Vyper can compile for, oldest first (ethereum/solidity,
 * `liblangutil/EVMVersion.h`).
 */
export const evmVersions = [
  "homestead",
  "tangerineWhistle",
  "spuriousDragon",
  "byzantium",
  "constantinople",
  "petersburg",
  "istanbul",
  "berlin",
  "london",
  "paris",
  "shanghai",
  "cancun",
  "prague",
  "osaka",
] as const;

/** An EVM version by the name that compiler settings use. */
export type EvmVersion = (typeof evmVersions)[number];

/** True for a name that compiler settings use. */
export function isEvmVersion(name: unknown): name is EvmVersion {
  return (evmVersions as readonly unknown[]).includes(name);
}

/** Negative when `a` is older than `b`, positive when it is newer. */
export function compareEvmVersions(a: EvmVersion, b: EvmVersion): number {
  return evmVersions.indexOf(a) - evmVersions.indexOf(b);
}

/** From this solc release on, the EVM version is the default (the changelogs, "Set default EVM version"). */
const SOLC_DEFAULTS: readonly (readonly [since: string, evmVersion: EvmVersion])[] = [
  ["0.8.31", "osaka"],
  ["0.8.30", "prague"],
  ["0.8.25", "cancun"],
  ["0.8.20", "shanghai"],
  ["0.8.18", "paris"],
  ["0.8.7", "london"],
  ["0.8.5", "berlin"],
  ["0.5.14", "istanbul"],
  ["0.5.5", "petersburg"],
  ["0.0.0", "byzantium"],
];

/** From this Vyper release on, the EVM version is the default (vyperlang/vyper, `evm/opcodes.py`). */
const VYPER_DEFAULTS: readonly (readonly [since: string, evmVersion: EvmVersion])[] = [
  ["0.4.3", "prague"],
  ["0.4.0", "cancun"],
  ["0.3.8", "shanghai"],
  ["0.3.7", "paris"],
  ["0.3.0", "berlin"],
  ["0.0.0", "istanbul"],
];

/** The EVM version that a compiler targets when its settings name none; the version is short or full. */
export function defaultEvmVersion(language: "Solidity" | "Vyper", compilerVersion: string): EvmVersion {
  const table = language === "Vyper" ? VYPER_DEFAULTS : SOLC_DEFAULTS;
  return table.find(([since]) => compareVersions(compilerVersion, since) >= 0)?.[1] ?? "byzantium";
}

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
