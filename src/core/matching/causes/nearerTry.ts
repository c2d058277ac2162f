import { t } from "@vscode/l10n";
import type { Pieces } from "../../concurrency/turns.ts";
import { compareCodesInPieces } from "../../evm/codeComparison.ts";
import { disassemble } from "../../evm/disassembly.ts";
import { compareEvmVersions, isEvmVersion, supportedEvmVersion } from "../../evm/evmVersion.ts";
import { codeBytes } from "../../evm/hex.ts";
import { targetEvmVersion } from "../../languages/codeRules.ts";
import { codeRulesOf } from "../../languages/rules.ts";
import { shortVersion } from "../../versions.ts";
import { namesCompiler, type Comparison } from "../comparison.ts";
import { sentEvmVersion } from "./evmCause.ts";
import type { Cause } from "../explanation.ts";
import { capitalised } from "../../text/capitalised.ts";

/** Above what is told of settings under a compiler that was a guess. */
const CONFIDENCE = 0.79;

/**
 * Of code that does not say its compiler, another default of the EVM version and a setting look alike. Where the compiler
 * with the other default was tried and its code is no nearer than that of the one before, that one with the setting is
 * next, and not what its code would show of other settings.
 */
export function* nearerTryCause(comparison: Comparison): Pieces<Cause | undefined> {
  const { input, tried, deployed, code } = comparison;
  const { submitted } = input;
  const { settings, language } = submitted.stdJsonInput;
  if (namesCompiler(comparison) || settings.evmVersion !== undefined) return undefined;
  const evmVersion = sentEvmVersion(comparison);
  for (const { compilerVersion, recompiledRuntimeCode, stdJsonInput } of tried.alike) {
    if (!recompiledRuntimeCode || stdJsonInput.settings.evmVersion !== undefined) continue;
    const release = shortVersion(compilerVersion);
    const usual = targetEvmVersion(stdJsonInput.settings, codeRulesOf(language), release);
    // What the older release knows of it.
    const wanted = supportedEvmVersion(evmVersion, release);
    if (!isEvmVersion(wanted) || compareEvmVersions(wanted, usual) === 0) continue;
    const { enabled = false, runs = 200 } = stdJsonInput.settings.optimizer ?? {};
    const changes = { compilerVersion, settings: { optimizer: { enabled, runs }, evmVersion: wanted } };
    if (tried.includes(changes)) continue;
    const other = disassemble(codeBytes(recompiledRuntimeCode));
    yield;
    if ((yield* compareCodesInPieces(deployed.code, other)).likeness < code.likeness) continue;
    return {
      code: "evm_version",
      confidence: CONFIDENCE,
      evidence: t`The code of solc ${release} came as near as that of ${shortVersion(submitted.compilerVersion)}, but for its EVM version.`,
      fix: t`Submit with ${release} and evmVersion ${wanted}.`,
      action: {
        kind: "resubmit",
        label: t`Resubmit With ${release} for ${capitalised(wanted)}`,
        localLabel: t`Verify With ${release} for ${capitalised(wanted)}`,
        changes,
      },
    };
  }
  return undefined;
}
