import { t } from "@vscode/l10n";
import { bytesToHex } from "@noble/hashes/utils.js";
import { lastAuxdata, type Auxdata } from "../evm/auxdata.ts";
import { asRecord } from "../json/looseData.ts";
import { targetEvmVersion } from "../languages/codeRules.ts";
import { isOptimizing, SOLC_SINCE, solcCode } from "../languages/solidity/solcCode.ts";
import type { CompilerInput, CompilerSettings } from "../sources/standardJsonInput.ts";
import { counted } from "../text/counted.ts";
import { atLeast } from "../versions.ts";
import { analyseCode, type AnalysedCode } from "./codeTraits.ts";
import { inputSigns } from "./inputSigns.ts";
import { metadataDigest } from "./metadataSearch.ts";
import { contains, runsInterval, writtenAtDeployment } from "./runsInterval.ts";
import { revertReasons } from "./sourceOutline.ts";

/** An input that may have made a code. Without its contract's name the contract's source tells nothing. */
export type JudgedInput = Pick<CompilerInput, "compilerVersion" | "stdJsonInput"> &
  Partial<Pick<CompilerInput, "contractIdentifier">>;

/** What the deployed code tells of how it was compiled, for choices that nothing on disk decides. */
export interface DeployedSigns {
  /** The settings that it shows: whether the optimizer and the IR pipeline were on. */
  readonly settings: CompilerSettings;
  /** How an input fits it. Sentences: why it can't be the one, and what makes it unlikely. */
  signsAgainst(input: JudgedInput): {
    readonly contradictions: readonly string[];
    readonly doubts: readonly string[];
  };
  /** Whether the code has the hash of this metadata, byte for byte; `undefined` where it has no metadata hash. */
  hasMetadataHashOf?(metadata: string): boolean | undefined;
}

/** What a deployed Solidity code tells of how it was compiled. */
export function deployedSigns(code: Uint8Array): DeployedSigns {
  const analysed = analyseCode(code);
  const { isOptimized, pipeline } = analysed;
  const auxdata = lastAuxdata(code);
  const hash = auxdata?.hash;
  return {
    settings: {
      ...(isOptimized !== undefined && { optimizer: { enabled: isOptimized } }),
      ...(pipeline !== undefined && { viaIR: pipeline === "ir" }),
    },
    signsAgainst: (input) => {
      const { compilerVersion, stdJsonInput } = input;
      const { settings } = stdJsonInput;
      const signs = inputSigns(analysed, { language: "Solidity", compilerVersion, settings });
      const against = otherAuxdata(auxdata, compilerVersion, settings);
      const doubts = [
        otherRuns(analysed, input),
        otherYulOptimizer(analysed, settings),
        otherReasons(analysed, input),
      ];
      return {
        contradictions: [...signs.contradictions, ...(against === undefined ? [] : [against])],
        doubts: [...signs.doubts, ...doubts.filter((doubt) => doubt !== undefined)],
      };
    },
    hasMetadataHashOf: (metadata) =>
      hash === undefined ? undefined : metadataDigest(metadata, hash.kind) === hash.digest,
  };
}

/** Why settings have hardly made a code, by the number of runs that its form allows. */
function otherRuns(code: AnalysedCode, { compilerVersion, stdJsonInput }: JudgedInput): string | undefined {
  const { settings, sources } = stdJsonInput;
  const { runs = 200, details } = settings.optimizer ?? {};
  if (code.isOptimized !== true || !isOptimizing(settings)) return undefined;
  // The form goes by the runs where the optimizer's parts choose it.
  const { constantOptimizer, inliner } = asRecord(details) ?? {};
  if (constantOptimizer === false || inliner === false) return undefined;
  const evmVersion = targetEvmVersion(settings, solcCode, compilerVersion);
  const says = (word: RegExp) => Object.values(sources).some(({ content }) => word.test(content));
  const written = writtenAtDeployment(code, {
    immutables: says(/\bimmutable\b/),
    libraries: says(/\blibrary\b/),
  });
  return contains(runsInterval(code, { compilerVersion, evmVersion, written }), runs)
    ? undefined
    : t`The form of the deployed code's constants and functions is not that of ${counted(runs, "run")}.`;
}

/** Why settings have hardly made a code of the IR pipeline: its Yul optimizer has a switch of its own (`details.yul`). */
function otherYulOptimizer({ isYulOptimized }: AnalysedCode, settings: CompilerSettings): string | undefined {
  if (isYulOptimized === undefined || settings["viaIR"] !== true) return undefined;
  const { yul, yulDetails } = asRecord(settings.optimizer?.["details"]) ?? {};
  const isOn = typeof yul === "boolean" ? yul : settings.optimizer?.enabled === true;
  // Other steps may leave out those that show.
  if (isYulOptimized === isOn || (isOn && yulDetails !== undefined)) return undefined;
  return t`The deployed code looks ${isOn ? t`as if the Yul optimizer was off` : t`optimized by the Yul optimizer`}; the settings have it ${isOn ? t`on` : t`off`}.`;
}

/** The word that begins what a revert with a reason gives: the selector of `Error(string)`. */
const ERROR_STRING = 0x08c379a0n << 224n;

/** Why settings have hardly made a code, by the reasons of reverts that the contract writes. */
function otherReasons(
  { constants }: AnalysedCode,
  { compilerVersion, contractIdentifier, stdJsonInput }: JudgedInput,
): string | undefined {
  if (contractIdentifier === undefined || !atLeast(compilerVersion, SOLC_SINCE.revertStrings))
    return undefined;
  const has = (word: bigint) => constants.some(({ value }) => value === word);
  const isStripped = asRecord(stdJsonInput.settings["debug"])?.["revertStrings"] === "strip";
  if (!isStripped && has(ERROR_STRING)) return undefined;
  const reasons = revertReasons(stdJsonInput, contractIdentifier).filter((reason) => reason !== "");
  if (isStripped)
    return reasons.some((reason) => has(firstWord(reason)))
      ? t`The deployed code gives reasons of the contract's reverts; the settings strip them.`
      : undefined;
  return reasons.length > 0
    ? t`The deployed code gives no reasons of reverts, and the contract has ${counted(reasons.length, "reason")}; the settings do not strip them.`
    : undefined;
}

/** The first 32 bytes of a text, as a code has them. */
function firstWord(text: string): bigint {
  const word = new Uint8Array(32);
  word.set(new TextEncoder().encode(text).subarray(0, word.length));
  return BigInt(`0x${bytesToHex(word)}`);
}

/** Why settings can't have made auxdata; from 0.6.0 on they say which hash of the metadata it holds. */
function otherAuxdata(
  auxdata: Auxdata | undefined,
  compilerVersion: string,
  settings: CompilerSettings,
): string | undefined {
  if (!atLeast(compilerVersion, SOLC_SINCE.bytecodeHash)) return undefined;
  const metadata = settings["metadata"] as { bytecodeHash?: unknown; appendCBOR?: unknown } | undefined;
  if (!auxdata)
    return metadata?.appendCBOR === false
      ? undefined
      : t`The deployed code ends without metadata, which these settings append.`;
  const set = metadata?.bytecodeHash ?? "ipfs";
  const found = auxdata.hash?.kind ?? "none";
  return metadata?.appendCBOR === false || set !== found
    ? t`The deployed code ends in metadata with bytecodeHash ${found}, which these settings don't write.`
    : undefined;
}
