import { atLeast } from "../versions.ts";

/**
 * The EVM versions that solc and Vyper can compile for, oldest first, each with the first solc that takes it as a setting
 * (ethereum/solidity, `liblangutil/EVMVersion.h` and the changelogs).
 */
const VERSIONS = [
  ["homestead", "0.4.21"],
  ["tangerineWhistle", "0.4.21"],
  ["spuriousDragon", "0.4.21"],
  ["byzantium", "0.4.21"],
  ["constantinople", "0.4.22"],
  ["petersburg", "0.5.5"],
  ["istanbul", "0.5.14"],
  ["berlin", "0.8.5"],
  ["london", "0.8.7"],
  ["paris", "0.8.18"],
  ["shanghai", "0.8.20"],
  ["cancun", "0.8.24"],
  ["prague", "0.8.27"],
  ["osaka", "0.8.29"],
] as const;

/** The names of the EVM versions, oldest first. */
export const evmVersions = VERSIONS.map(([name]) => name);

/** An EVM version by the name that compiler settings use. */
export type EvmVersion = (typeof VERSIONS)[number][0];

/** True for a name that compiler settings use. */
export function isEvmVersion(name: unknown): name is EvmVersion {
  return (evmVersions as readonly unknown[]).includes(name);
}

/** Negative when `a` is older than `b`, positive when it is newer. */
export function compareEvmVersions(a: EvmVersion, b: EvmVersion): number {
  return evmVersions.indexOf(a) - evmVersions.indexOf(b);
}

/** The EVM versions that a solc takes as a setting, oldest first; none before 0.4.21. */
export function evmVersionsOf(solc: string): EvmVersion[] {
  return VERSIONS.filter(([, since]) => atLeast(solc, since)).map(([name]) => name);
}

/**
 * The newest EVM version that a solc takes, up to the one that is wanted; `undefined` for a solc that takes none, and the
 * wanted one itself where it is not known.
 */
export function supportedEvmVersion(wanted: string, solc: string): string | undefined {
  const last = evmVersions.findIndex((name) => name.toLowerCase() === wanted.toLowerCase());
  if (last < 0) return wanted;
  return evmVersionsOf(solc).findLast((name) => evmVersions.indexOf(name) <= last);
}
