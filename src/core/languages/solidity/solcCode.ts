import type { EvmVersion } from "../../evm/evmVersion.ts";
import { compareVersions } from "../../versions.ts";
import type { CodeRules } from "../codeRules.ts";

/** From this release on, the EVM version is the default (the changelogs, "Set default EVM version"). */
const DEFAULT_EVM_VERSIONS: readonly (readonly [since: string, evmVersion: EvmVersion])[] = [
  ["0.8.31", "osaka"],
  ["0.8.30", "prague"],
  ["0.8.25", "cancun"],
  ["0.8.20", "shanghai"],
  ["0.8.18", "paris"],
  ["0.8.7", "london"],
  ["0.8.5", "berlin"],
  ["0.5.14", "istanbul"],
  ["0.5.5", "petersburg"],
];

/** What solc does by itself; it compiles Solidity and Yul. */
export const solcCode: CodeRules = {
  defaultEvmVersion: (compilerVersion) =>
    DEFAULT_EVM_VERSIONS.find(([since]) => compareVersions(compilerVersion, since) >= 0)?.[1] ?? "byzantium",
  withDefaults: ({ optimizer, evmVersion, ...settings }, compilerVersion) => ({
    ...settings,
    evmVersion: evmVersion ?? solcCode.defaultEvmVersion(compilerVersion),
    viaIR: settings["viaIR"] === true,
    optimizer: { ...optimizer, enabled: optimizer?.enabled === true, runs: optimizer?.runs ?? 200 },
  }),
  choosesEvmVersionSince: "0.4.21",
  pushesZeroSince: "0.8.20",
  copiesMemorySince: "0.8.25",
  beforeShanghai: ["paris", "london", "istanbul"],
  showsOldTargets: true,
};
