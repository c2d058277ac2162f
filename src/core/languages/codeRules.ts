import { isEvmVersion, type EvmVersion } from "../evm/evmVersion.ts";
import type { CompilerSettings } from "../sources/standardJsonInput.ts";

/** What a compiler does where its settings say nothing, and by what its code tells them. */
export interface CodeRules {
  /** The EVM version that it targets where the settings name none; the version is short or full. */
  readonly defaultEvmVersion: (compilerVersion: string) => EvmVersion;
  /** The first release that can be told an EVM version, short (its changelog); others have none. */
  readonly choosesEvmVersionSince: string;
  /** The settings with its defaults written out, so that two that mean the same are equal; the version is full. */
  readonly withDefaults: (settings: CompilerSettings, compilerVersion: string) => CompilerSettings;
  /** The first release that writes zeros as PUSH0 where the EVM version has it, short (its changelog). */
  readonly pushesZeroSince: string;
  /** The first that copies memory with MCOPY where the EVM version has it, short (its changelog). */
  readonly copiesMemorySince: string;
  /** Before, it copied memory word by word in a loop. */
  readonly copiesMemoryByLoops?: boolean;
  /** What a code without PUSH0 was made for, the likeliest first. */
  readonly beforeShanghai: readonly EvmVersion[];
  /** The first release that leaves the first storage slot to its lock before Cancun, and keeps that in transient storage since. */
  readonly locksFirstSlotSince?: string;
  /** How it reads a contract's own balance and cuts out the selector tells EVM versions of before Istanbul. */
  readonly showsOldTargets?: boolean;
}

/** The EVM version that settings mean: the one they name, where it is known, else the compiler's default; the version is short or full. */
export function targetEvmVersion(
  { evmVersion }: CompilerSettings,
  rules: CodeRules,
  compilerVersion: string,
): EvmVersion {
  return isEvmVersion(evmVersion) ? evmVersion : rules.defaultEvmVersion(compilerVersion);
}
