import { t } from "@vscode/l10n";
import { compareEvmVersions, type EvmVersion } from "../../evm/evmVersion.ts";
import { LANGUAGES } from "../../languages/language.ts";
import { targetEvmVersion } from "../../languages/codeRules.ts";
import { codeRulesOf } from "../../languages/rules.ts";
import { atLeast, shortVersion } from "../../versions.ts";
import { evmContradiction } from "../codeFindings.ts";
import { deployedCompiler, hasSameFunctions, namesCompiler, type Comparison } from "../comparison.ts";
import type { Cause } from "../explanation.ts";
import { compilerRemedy } from "../unnamedCompiler.ts";
import { counted } from "../../text/counted.ts";
import { capitalised } from "../../text/capitalised.ts";

/** solc's first release whose default is Petersburg, and with it the first that shifts by default. */
const SHIFTS_BY_DEFAULT = "0.5.5";
const LAST_WITHOUT_SHIFTS = "0.5.4";
/** What a sign tells at most where the deployed code does not say its compiler, whose default it may be. */
const MAX_UNNAMED = 0.72;
/** And where the metadata is on record, by which another EVM version alone, or another release, would have been found. */
const MAX_SEARCHED = 0.5;

/** A sign of another EVM version. */
interface Sign {
  readonly confidence: number;
  readonly evidence: string;
  /** Versions that would explain it, the likeliest first. */
  readonly targets: readonly EvmVersion[];
  /** No release that may have made the code has one of them by default. */
  readonly isNoDefault?: boolean;
}

/**
 * The EVM version, from instructions that one side has and the other's target does not allow, or that the target
 * always uses and the deployed code never.
 */
export function evmCauses(comparison: Comparison): Cause[] {
  const { input, tried } = comparison;
  const sent = sentEvmVersion(comparison);
  const sign = signOf(comparison, sent);
  if (!sign) return [];
  const target =
    sign.targets.find((evmVersion) => !tried.includes({ settings: { evmVersion } })) ?? sign.targets[0];
  const isNamed = namesCompiler(comparison);
  const most = isNamed || sign.isNoDefault ? 1 : comparison.isSearched ? MAX_SEARCHED : MAX_UNNAMED;
  const cause: Cause = {
    code: "evm_version",
    confidence: Math.min(sign.confidence, most),
    evidence: t`${sign.evidence}; you sent ${capitalised(sent)}.`,
    ...(target && {
      fix: t`Submit with evmVersion ${target}.`,
      action: {
        kind: "resubmit",
        label: t`Resubmit for ${capitalised(target)}`,
        localLabel: t`Verify for ${capitalised(target)}`,
        changes: { settings: { evmVersion: target } },
      },
    }),
  };
  const isDefault = input.submitted.stdJsonInput.settings.evmVersion === undefined;
  const compiler = isDefault && !isNamed && !sign.isNoDefault ? olderDefault(comparison, sign) : undefined;
  return compiler ? [compiler, cause] : [cause];
}

/** The EVM version that the submitted settings mean for the compiler of the deployed code. */
export function sentEvmVersion(comparison: Comparison): EvmVersion {
  const { language, settings } = comparison.input.submitted.stdJsonInput;
  // Another compiler has another default, which comes right with the compiler.
  return targetEvmVersion(settings, codeRulesOf(language), deployedCompiler(comparison));
}

/**
 * Codes of before 0.5.9 don't say their compiler. Where settings name no EVM version, the default of another release is
 * likelier than a setting that few projects had then.
 */
function olderDefault(comparison: Comparison, { evidence, targets }: Sign): Cause | undefined {
  const { deployed, input, code } = comparison;
  const { submitted } = input;
  const { hasMetadata } = LANGUAGES[submitted.stdJsonInput.language];
  if (!hasMetadata || deployed.auxdata?.hash?.kind !== "bzzr0") return undefined;
  const isOlder = targets[0] === "byzantium";
  const remedy = compilerRemedy(
    comparison,
    isOlder ? { most: LAST_WITHOUT_SHIFTS } : { least: SHIFTS_BY_DEFAULT },
  );
  if (!remedy) return undefined;
  return {
    code: "compiler_version",
    // Another contract may be of another release without that being the matter.
    confidence: hasSameFunctions(comparison) || code.likeness >= 0.5 ? 0.775 : 0.6,
    evidence: isOlder
      ? t`${evidence}, as solc before ${SHIFTS_BY_DEFAULT} does by default; you sent ${shortVersion(submitted.compilerVersion)}.`
      : t`${evidence}, as solc from ${SHIFTS_BY_DEFAULT} on does by default; you sent ${shortVersion(submitted.compilerVersion)}.`,
    ...remedy,
  };
}

function signOf(comparison: Comparison, sent: EvmVersion): Sign | undefined {
  const { deployed, recompiled, input, selectors } = comparison;
  const compiler = deployedCompiler(comparison);
  const rules = codeRulesOf(input.submitted.stdJsonInput.language);
  const [mine, theirs] = [deployed.evm, recompiled.evm];
  const usual = rules.defaultEvmVersion(compiler);
  const { needed } = mine;
  const contradiction = evmContradiction(deployed, rules, compiler, sent);
  if (contradiction?.kind === "newer")
    return {
      confidence: 0.96,
      evidence: t`The deployed code uses ${contradiction.instruction}, which came with ${capitalised(contradiction.evmVersion)}`,
      targets:
        compareEvmVersions(usual, contradiction.evmVersion) > 0
          ? [usual, contradiction.evmVersion]
          : [contradiction.evmVersion],
    };
  // What no compiler of this language made says nothing of its settings.
  if (deployed.language === undefined || codeRulesOf(deployed.language) !== rules) return undefined;
  /** A sign of an old target holds only where no instruction is of a later one. */
  const allows = (target: EvmVersion) => !needed || compareEvmVersions(needed.evmVersion, target) <= 0;
  const isSince = (release: string) => atLeast(compiler, release);
  if (contradiction)
    return {
      confidence: 0.95,
      evidence: t`The deployed code has no PUSH0 and writes ${counted(contradiction.zeros, "zero")} in two bytes, as before Shanghai`,
      targets: rules.beforeShanghai,
    };
  if (
    isSince(rules.copiesMemorySince) &&
    compareEvmVersions(sent, "cancun") >= 0 &&
    mine.mcopy === 0 &&
    theirs.mcopy > 0 &&
    // What was edited may copy nothing any more.
    (!rules.copiesMemoryByLoops || mine.copyLoops > theirs.copyLoops) &&
    mine.push0 > 0 &&
    allows("shanghai") &&
    selectors.likeness > 0.7
  )
    return {
      // A function that copies memory may also have come or gone with an edit.
      confidence: selectors.likeness === 1 ? 0.9 : 0.6,
      evidence: t`The recompiled code copies memory with MCOPY and the deployed code never does, as before Cancun`,
      targets: ["shanghai"],
    };
  // Vyper keeps its lock in the first storage slot before Cancun, and in transient storage since.
  if (
    rules.locksFirstSlotSince !== undefined &&
    isSince(rules.locksFirstSlotSince) &&
    compareEvmVersions(sent, "cancun") >= 0 &&
    mine.firstSlot === 0 &&
    mine.secondSlot > 0 &&
    theirs.firstSlot > 0
  )
    return {
      confidence: 0.88,
      evidence: t`The deployed code leaves the first storage slot to Vyper's lock, as before Cancun`,
      targets: [mine.push0 > 0 ? "shanghai" : "paris"],
    };
  const hasOldCalls = rules.showsOldTargets && mine.startsAt80 && mine.calls > 0;
  if (
    hasOldCalls &&
    compareEvmVersions(sent, "tangerineWhistle") >= 0 &&
    mine.thriftyCalls > 0 &&
    theirs.thriftyCalls === 0 &&
    allows("homestead")
  )
    return {
      confidence: 0.94,
      evidence: t`The deployed code keeps gas back from its calls, as before Tangerine Whistle`,
      targets: ["homestead"],
      isNoDefault: true,
    };
  if (
    hasOldCalls &&
    compareEvmVersions(sent, "byzantium") >= 0 &&
    mine.returnDataSize === 0 &&
    theirs.returnDataSize > 0 &&
    allows("spuriousDragon")
  )
    return {
      confidence: 0.92,
      evidence: t`The deployed code never looks at what a failed call returned, as before Byzantium`,
      targets: ["spuriousDragon", "tangerineWhistle"],
      isNoDefault: true,
    };
  const isDivided = mine.selectorDivision > 0 && theirs.selectorDivision === 0;
  if (
    rules.showsOldTargets &&
    compareEvmVersions(sent, "istanbul") >= 0 &&
    mine.addressBalance > 0 &&
    theirs.addressBalance === 0 &&
    allows("petersburg")
  )
    return {
      confidence: 0.93,
      evidence: t`The deployed code reads its own balance with ADDRESS and BALANCE, as before Istanbul`,
      targets: isDivided && allows("byzantium") ? ["byzantium"] : ["petersburg", "constantinople"],
    };
  if (
    rules.showsOldTargets &&
    compareEvmVersions(sent, "constantinople") >= 0 &&
    isDivided &&
    allows("byzantium")
  )
    return {
      confidence: 0.94,
      evidence: t`The deployed code cuts out the selector by a division where later EVM versions shift, as before Constantinople`,
      targets: ["byzantium", "spuriousDragon", "homestead"],
    };
  return undefined;
}
