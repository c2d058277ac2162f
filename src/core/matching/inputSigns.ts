import { t } from "@vscode/l10n";
import { bytesToHex } from "@noble/hashes/utils.js";
import { targetEvmVersion } from "../languages/codeRules.ts";
import { LANGUAGES } from "../languages/language.ts";
import { codeRulesOf } from "../languages/rules.ts";
import type { Disassembly } from "../evm/disassembly.ts";
import { asRecord } from "../json/looseData.ts";
import { isOptimizing } from "../languages/solidity/solcCode.ts";
import { evmContradiction } from "./codeFindings.ts";
import type { AnalysedCode } from "./codeTraits.ts";
import { compareSelectors } from "./contractSearch.ts";
import { listed } from "../text/counted.ts";
import type { LocalBuild } from "./localBuild.ts";
import { ownValue } from "../json/ownValue.ts";
import { IN_BRIEF } from "./reasonsInBrief.ts";
import { capitalised } from "../text/capitalised.ts";

/** What the deployed code says of an input that was not compiled. Sentences. */
interface InputSigns {
  /** Why it can't match. */
  readonly contradictions: readonly string[];
  /** What makes a match unlikely. */
  readonly doubts: readonly string[];
  /** The first of them where a line has no room for its sentence; absent where there is none. */
  readonly brief?: string;
}

/** Below this share of functions in common it is another contract. */
const MIN_LIKENESS = 0.5;

/** Compares a deployed code with the settings and the functions that an input has. */
export function inputSigns(
  deployed: AnalysedCode,
  { settings, language, compilerVersion, selectors }: LocalBuild,
): InputSigns {
  const [contradictions, doubts]: [string[], string[]] = [[], []];
  const briefs = new Map<string, string>();
  if (settings && compilerVersion !== undefined) {
    const rules = codeRulesOf(language);
    const own = targetEvmVersion(settings, rules, compilerVersion);
    const contradiction = evmContradiction(deployed, rules, compilerVersion, own);
    if (contradiction)
      contradictions.push(
        contradiction.kind === "newer"
          ? t`The deployed code uses ${contradiction.instruction}, which came with ${capitalised(contradiction.evmVersion)}; the settings say ${capitalised(own)}.`
          : t`The deployed code has no PUSH0, as before Shanghai; the settings say ${capitalised(own)}.`,
      );
  }
  if (settings && !(language && LANGUAGES[language].optimizerModes)) {
    if (asRecord(settings["metadata"])?.["bytecodeHash"] === "none" && deployed.auxdata?.hash)
      contradictions.push(t`The deployed code carries a metadata hash; the settings have bytecodeHash none.`);
    const isIR = settings["viaIR"] === true;
    if (deployed.pipeline !== undefined && (deployed.pipeline === "ir") !== isIR) {
      const sentence = t`The deployed code looks ${isIR ? t`as if it was not compiled` : t`compiled`} via IR; the settings have viaIR ${isIR ? t`on` : t`off`}.`;
      doubts.push(sentence);
      briefs.set(sentence, IN_BRIEF.viaIR(!isIR));
    }
    const isOptimized = isOptimizing(settings);
    if (deployed.isOptimized !== undefined && deployed.isOptimized !== isOptimized) {
      const sentence = t`The deployed code looks ${isOptimized ? t`as if it was not optimized` : t`optimized`}; the settings have the optimizer ${isOptimized ? t`on` : t`off`}.`;
      doubts.push(sentence);
      briefs.set(sentence, IN_BRIEF.optimizer(!isOptimized));
    }
  }
  if (selectors && deployed.selectors.length > 0) {
    const { likeness, missing, extra } = compareSelectors(deployed.selectors, Object.keys(selectors));
    const names = (list: readonly string[]) =>
      listed(list.map((one) => ownValue(selectors, one) ?? `0x${one}`));
    const parts = [
      missing.length > 0 ? t`has ${names(missing)}, which the contract has not` : "",
      extra.length > 0 ? t`does not have ${names(extra)}` : "",
    ].filter((part) => part !== "");
    const sentence = t`The deployed code ${parts.join(t`, and `)}.`;
    const isOther = likeness < MIN_LIKENESS && lacksFunctions(deployed.code, selectors);
    if (parts.length > 0) (isOther ? contradictions : doubts).push(sentence);
    briefs.set(sentence, IN_BRIEF.otherFunctions(missing.length, extra.length));
  }
  const [first = ""] = [...contradictions, ...doubts];
  const brief = briefs.get(first);
  return { contradictions, doubts, ...(brief !== undefined && { brief }) };
}

/** A selector with fewer digits that count may be made by arithmetic instead of being written out. */
const MIN_SELECTOR_BYTES = 3;

/**
 * Whether the deployed code can't answer most of a contract's functions, since nowhere in it the bytes of their
 * selectors occur. How it finds its functions does not matter then.
 */
export function lacksFunctions(
  { bytes }: Disassembly,
  selectors: Readonly<Record<string, string>> = {},
): boolean {
  const whole = bytesToHex(bytes);
  const written = Object.keys(selectors)
    .map((selector) => selector.replace(/^(?:00)+/, ""))
    .filter((digits) => digits.replace(/0+$/, "").length >= 2 * MIN_SELECTOR_BYTES);
  const missing = written.filter((digits) => !whole.includes(digits));
  return written.length > 0 && missing.length > written.length / 2;
}
