import type { EvmVersion } from "../../evm/evmVersion.ts";
import { fieldAt } from "../../json/looseData.ts";
import { atLeast } from "../../versions.ts";
import type { CompilerSettings } from "../../sources/standardJsonInput.ts";
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
    DEFAULT_EVM_VERSIONS.find(([since]) => atLeast(compilerVersion, since))?.[1] ?? "byzantium",
  withDefaults: ({ optimizer, evmVersion, ...settings }, compilerVersion) => ({
    ...settings,
    evmVersion: evmVersion ?? solcCode.defaultEvmVersion(compilerVersion),
    viaIR: settings["viaIR"] === true,
    optimizer: { ...optimizer, enabled: optimizer?.enabled === true, runs: optimizer?.runs ?? 200 },
  }),
  choosesEvmVersionSince: "0.4.21",
  pushesZeroSince: "0.8.20",
  copiesMemorySince: "0.8.25",
  copiesMemoryByLoops: true,
  beforeShanghai: ["paris", "london", "istanbul"],
  showsOldTargets: true,
};

/** The optimizer where nothing is said of it, as tools write it out that leave nothing to solc. */
export const DEFAULT_OPTIMIZER = { enabled: false, runs: 200 } as const;

/**
 * Whether the optimizer is on. What metadata says of one whose parts were switched is these parts and no `enabled` (solc,
 * libsolidity/interface/CompilerStack.cpp, `createMetadata`), of which `cse` is on where the optimizer is.
 */
export function isOptimizing({ optimizer }: CompilerSettings): boolean {
  return optimizer?.enabled === true || fieldAt(optimizer, "details", "cse") === true;
}

/** The first release of solc that takes each setting, or does what its code or its metadata shows. */
export const SOLC_SINCE = {
  /** Metadata, whose hash stands behind the code. */
  metadata: "0.4.7",
  optimizerDetails: "0.5.5",
  /** Its own version, in the auxdata. */
  ownVersion: "0.5.9",
  bytecodeHash: "0.6.0",
  /** `settings.debug.revertStrings`, which is `strip` or the default. */
  revertStrings: "0.6.0",
  /** The same with `debug`. */
  debugReasons: "0.6.3",
  viaIR: "0.7.5",
  inliner: "0.8.2",
  /** `settings.optimizer.details.inliner`; metadata has it since there is an inliner. */
  inlinerSwitch: "0.8.5",
  appendCBOR: "0.8.18",
  experimental: "0.8.35",
} as const;

/** What a release takes as `settings.debug.revertStrings`, the default first; the version is short or full. */
export function revertStringsOf(version: string): readonly string[] {
  return [
    "default",
    ...(atLeast(version, SOLC_SINCE.revertStrings) ? ["strip"] : []),
    ...(atLeast(version, SOLC_SINCE.debugReasons) ? ["debug"] : []),
  ];
}
