import type { EvmVersion } from "../../evm/evmVersion.ts";
import { atLeast } from "../../versions.ts";
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
    DEFAULT_EVM_VERSIONS.find(([since]) => atLeast(compilerVersion, since))?.[1] ?? "istanbul",
  withDefaults: (settings) => settings,
  choosesEvmVersionSince: "0.2.0",
  pushesZeroSince: "0.3.8",
  copiesMemorySince: "0.3.11",
  beforeShanghai: ["paris"],
  locksFirstSlotSince: "0.4.0",
};

/** The first release of Vyper that has each of these (its release notes). */
export const VYPER_SINCE = {
  /** Auxdata in the runtime code; from {@link layout} on it stands behind the creation code. */
  auxdata: "0.3.4",
  /** What the creation code says of its parts, and aims of the optimizer by name: before, it is on or off. */
  layout: "0.3.10",
  /** Modules are imported, not interfaces alone, and both may stand among the sources. */
  modules: "0.4.0",
  /** A hash of sources and settings behind the creation code. */
  hash: "0.4.1",
} as const;
