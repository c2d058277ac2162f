import type { EvmVersion } from "../../evm/evmVersion.ts";
import { compareVersions } from "../../versions.ts";
import type { CodeRules } from "../codeRules.ts";

/** From this release on, the EVM version is the default (vyperlang/vyper, `evm/opcodes.py`). */
const DEFAULT_EVM_VERSIONS: readonly (readonly [since: string, evmVersion: EvmVersion])[] = [
  ["0.4.3", "prague"],
  ["0.4.0", "cancun"],
  ["0.3.8", "shanghai"],
  ["0.3.7", "paris"],
  ["0.3.0", "berlin"],
];

/** What Vyper's compiler does by itself. */
export const vyperCode: CodeRules = {
  defaultEvmVersion: (compilerVersion) =>
    DEFAULT_EVM_VERSIONS.find(([since]) => compareVersions(compilerVersion, since) >= 0)?.[1] ?? "istanbul",
  withDefaults: (settings) => settings,
  choosesEvmVersionSince: "0.2.0",
  pushesZeroSince: "0.3.8",
  copiesMemorySince: "0.3.11",
  beforeShanghai: ["paris"],
  locksFirstSlotSince: "0.4.0",
};
