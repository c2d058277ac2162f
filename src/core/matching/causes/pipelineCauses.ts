import { LANGUAGES } from "../../languages/language.ts";
import { isOptimizing, SOLC_SINCE } from "../../languages/solidity/solcCode.ts";
import { t } from "@vscode/l10n";
import { RULES } from "../../languages/rules.ts";
import type { LanguageName } from "../../sources/standardJsonInput.ts";
import { atLeast } from "../../versions.ts";
import { ALIKE } from "../codeFindings.ts";
import {
  deployedCompiler,
  hasSameFunctions,
  namesCompiler,
  NEARLY_SAME,
  type Comparison,
} from "../comparison.ts";
import type { Cause, SettingChanges } from "../explanation.ts";
import { counted, grouped } from "../../text/counted.ts";
import { fittingRuns } from "./runsCause.ts";
import { vyperCauses } from "./vyperCauses.ts";
import { capitalised } from "../../text/capitalised.ts";

/** Languages whose settings have nothing in common with solc's. */
const OWN_CAUSES: Partial<Record<LanguageName, (comparison: Comparison) => Cause[]>> = { Vyper: vyperCauses };

/** Optimizer and pipeline. */
export function pipelineCauses(comparison: Comparison, found: readonly Cause[]): Cause[] {
  const { deployed, recompiled, input, findings, code } = comparison;
  const { settings, language } = input.submitted.stdJsonInput;
  const own = OWN_CAUSES[language];
  if (own) return own(comparison);
  const causes: Cause[] = [];
  const sentIR = settings["viaIR"] === true;
  const sentOptimizer = isOptimizing(settings);
  // What tells pipelines and optimizers apart is how contracts are written for them, and not what was written by hand.
  const isByHand = LANGUAGES[language].madeAs !== language;
  const pipeline = isByHand ? undefined : (deployed.pipeline ?? pipelineBesides(comparison));
  const isOtherPipeline =
    pipeline !== undefined &&
    (pipeline === "ir") !== sentIR &&
    pipeline !== recompiled.pipeline &&
    code.likeness < ALIKE &&
    // Older code can't be of that pipeline, whatever its form.
    atLeast(deployedCompiler(comparison), SOLC_SINCE.viaIR) &&
    atLeast(input.submitted.compilerVersion, SOLC_SINCE.viaIR);
  // Where the sign of optimization fails for the recompiled code, it says nothing of the deployed code.
  const isReliable = recompiled.isOptimized === undefined || recompiled.isOptimized === sentOptimizer;
  const bySign =
    deployed.isOptimized !== undefined && isReliable && deployed.isOptimized !== sentOptimizer
      ? deployed.isOptimized
      : undefined;
  const otherwise = bySign ?? optimizedBesides(comparison, sentOptimizer);
  const isOtherOptimizer = otherwise !== undefined;
  const isOptimized = otherwise === true;
  const fitting = fittingRuns(comparison, isOptimized);
  const optimizer: SettingChanges = { enabled: isOptimized, runs: fitting };
  // Parts of the optimizer that were switched off leave the marks of code that was not optimized.
  const isCertain =
    (bySign !== undefined || isPlainBeside(comparison, otherwise)) &&
    settings.optimizer?.["details"] === undefined;
  const confidence = isByHand ? 0.5 : isCertain ? 0.93 : 0.7;
  // Of a compiler that is not named, a setting and another release's default look alike: both come right with it.
  const evmVersion = namesCompiler(comparison) ? undefined : wantedEvmVersion(found);
  if (isOtherPipeline) {
    const isIR = pipeline === "ir";
    causes.push({
      code: "via_ir",
      confidence: namesCompiler(comparison) && deployed.pipeline !== undefined ? 0.94 : 0.79,
      evidence: isIR
        ? t`The deployed code was compiled via IR, as the form of its checks shows; you sent viaIR off.`
        : t`The deployed code was not compiled via IR, as the form of its checks shows; you sent viaIR on.`,
      fix: t`Submit with viaIR ${isIR ? t`on` : t`off`}${isOtherOptimizer ? t` and the optimizer ${isOptimized ? t`on` : t`off`}` : ""}.`,
      action: {
        kind: "resubmit",
        label: isIR ? t`Resubmit With viaIR` : t`Resubmit Without viaIR`,
        localLabel: isIR ? t`Verify With viaIR` : t`Verify Without viaIR`,
        changes: { settings: { viaIR: isIR, ...(isOtherOptimizer && { optimizer }) } },
      },
    });
  }
  if (isOtherOptimizer) {
    const isSameSize = deployed.code.bytes.length === recompiled.code.bytes.length;
    const sizes =
      findings.isTruncated || isSameSize
        ? ""
        : t` (${counted(deployed.code.bytes.length, "byte")}, recompiled ${grouped(recompiled.code.bytes.length)})`;
    causes.push({
      code: "optimizer",
      confidence: isOtherPipeline ? confidence - 0.08 : confidence,
      evidence: isOptimized
        ? t`The deployed code is optimized${sizes}; you sent the optimizer off.`
        : t`The deployed code is not optimized${sizes}; you sent the optimizer on.`,
      fix: t`Submit with the optimizer ${isOptimized ? t`on` : t`off`}${evmVersion === undefined ? "" : t` for ${capitalised(evmVersion)}`}${isOptimized ? t`, for ${grouped(fitting)} runs` : ""}.`,
      action: {
        kind: "resubmit",
        label: isOptimized ? t`Resubmit Optimized` : t`Resubmit Unoptimized`,
        localLabel: isOptimized ? t`Verify Optimized` : t`Verify Unoptimized`,
        changes: {
          settings: {
            optimizer,
            ...(isOtherPipeline && { viaIR: pipeline === "ir" }),
            ...(evmVersion !== undefined && { evmVersion }),
          },
        },
      },
    });
  }
  return causes;
}

/**
 * The pipeline of a deployed code without functions, which shows none, beside the same contract of the legacy pipeline,
 * which shows that it calls what answers to everything.
 */
function pipelineBesides({ deployed, recompiled }: Comparison): "ir" | undefined {
  const hasFunctions = deployed.selectors.length + recompiled.selectors.length > 0;
  const hasPipelines = deployed.language !== undefined && RULES[deployed.language].hasHiddenSettings;
  return !hasFunctions && hasPipelines && recompiled.pipeline === "legacy" ? "ir" : undefined;
}

/** The EVM version that a cause would submit for. */
function wantedEvmVersion(causes: readonly Cause[]): string | undefined {
  const action = causes.find(({ code }) => code === "evm_version")?.action;
  const wanted = action?.kind === "resubmit" ? action.changes.settings?.["evmVersion"] : undefined;
  return typeof wanted === "string" ? wanted : undefined;
}

/** How many more marks a code has that no optimizer went over, where assembly by hand leaves few in either. */
const MORE_MARKS = 1.8;
/** Marks per thousand instructions that even such a code has. */
const MIN_MARKS = 2.5;
/** How much longer it is. */
const LONGER = 1.05;

/** Whether the code that is not optimized shows it by itself, where the other one has no mark of it but is short. */
function isPlainBeside({ deployed, recompiled }: Comparison, isOptimized: boolean | undefined): boolean {
  if (isOptimized === undefined) return false;
  const [plain, optimized] = isOptimized ? [recompiled, deployed] : [deployed, recompiled];
  return plain.isOptimized === false && optimized.plainMarks === 0;
}

/**
 * Whether the deployed code is optimized, where its own form does not tell but that of the other code beside it does;
 * `undefined` where it was compiled as it was sent.
 */
function optimizedBesides(comparison: Comparison, sentOptimizer: boolean): boolean | undefined {
  const { deployed, recompiled, code, findings } = comparison;
  if (findings.isTruncated || !hasSameFunctions(comparison) || code.likeness >= NEARLY_SAME) return undefined;
  if (deployed.pipeline === "ir" || recompiled.pipeline === "ir") return undefined;
  const [plain, optimized] = sentOptimizer ? [deployed, recompiled] : [recompiled, deployed];
  if (optimized.isOptimized === false) return undefined;
  const isPlain =
    plain.plainMarks >= Math.max(MIN_MARKS, MORE_MARKS * optimized.plainMarks) &&
    plain.code.bytes.length >= LONGER * optimized.code.bytes.length;
  return isPlain ? !sentOptimizer : undefined;
}
