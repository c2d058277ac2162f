import { asRecord, fieldAt } from "../json/looseData.ts";
import { targetEvmVersion } from "../languages/codeRules.ts";
import { isOptimizing, revertStringsOf, SOLC_SINCE, solcCode } from "../languages/solidity/solcCode.ts";
import { solcReleases } from "../languages/solidity/solcReleases.ts";
import type { AnalysedCode } from "../matching/codeTraits.ts";
import type { ResubmitChanges, SettingChanges } from "../matching/explanation.ts";
import { commonRuns } from "../matching/metadataSearch.ts";
import { optimizerDetails, switchedDetails } from "../matching/optimizerDetails.ts";
import { contains, runsInterval, SPLITS_SINCE } from "../matching/runsInterval.ts";
import type { Submittable } from "../matching/resubmission.ts";
import { atLeast } from "../versions.ts";
import { possibleEvmVersions, unsaidReleases } from "./deployedFacts.ts";
import type { SettingsAttempt } from "./settingsAttempt.ts";

/** From here on down another pipeline or no optimizer is out of question: either changes the whole form of a code. */
const NEAR = 0.25;
/** From here on up two codes have nothing in common. */
const UNLIKE = 0.5;
/** So many usual numbers of runs are tried where the code's form allows them. */
const MAX_RUNS_TRIED = 4;
/** The last of those for which solc writes the same code but for what a source asks for by name (liblangutil/EVMVersion.h). */
const TELLING_EVM_VERSIONS = ["osaka", "cancun", "shanghai", "paris", "istanbul", "petersburg", "byzantium"];
/** The first release with `viaIR` for production (solc's changelog). */
const VIA_IR_USUAL_SINCE = "0.8.13";

/** What may have been set otherwise, and from 0 to 1 how likely that is beside what else is tried. */
export interface LikelyChanges {
  readonly changes: ResubmitChanges;
  readonly confidence: number;
  /** What is changed, in a word: attempts of one kind that come no nearer speak against the others. */
  readonly kind: string;
}

/**
 * What else may have been set, one thing at a time, the likeliest first: for what no sign in two codes shows. Which of them
 * it is only compiling tells.
 */
export function likelyChanges(attempt: SettingsAttempt, deployed: AnalysedCode): LikelyChanges[] {
  const { submission, distance } = attempt;
  const switches = switchChanges(submission, deployed);
  const evm = evmChanges(submission, deployed);
  const isTelling = ({ evmVersion }: SettingChanges) =>
    TELLING_EVM_VERSIONS.some((one) => one === evmVersion);
  const undone = undoneDetails(submission);
  // Where switched parts came near, another one is as likely as a number of runs.
  const isSwitched = distance < NEAR && undone.length > 0;
  const details = detailChanges(submission);
  const inner = [
    ...runsChanges(submission, deployed),
    ...(isSwitched ? details : []),
    ...evm.filter(isTelling),
    ...revertChanges(submission),
    ...details,
    ...evm.filter((one) => !isTelling(one)),
  ];
  const settings = distance < NEAR ? [...inner, ...switches] : [...switches, ...inner];
  const steps = distance < UNLIKE ? [] : stepsChanges(submission, deployed);
  return [
    ...(isSwitched ? undone : []).map((one) => ({
      changes: { settings: one },
      confidence: UNDOING_CONFIDENCE,
      kind: "undone details",
    })),
    ...inLikelihood([...steps, ...settings].map((one) => ({ settings: one }))),
    // Another release is as likely as another setting where none names itself, and less so where one would have.
    ...inLikelihood(releaseChanges(submission, deployed), deployed.auxdata ? 1 : 0.5),
  ];
}

/** The confidence in changes that no sign speaks for: of the likeliest, and how it falls. */
const BLIND_CONFIDENCE = 0.45;
const BLIND_STEP = 0.015;
/** Of several parts of the optimizer that were switched on the way to a near code, one often came nearer by chance. */
const UNDOING_CONFIDENCE = 0.8;

function inLikelihood(all: readonly ResubmitChanges[], share = 1): LikelyChanges[] {
  return all.map((changes, at) => ({
    changes,
    confidence: share * Math.max(0, BLIND_CONFIDENCE - at * BLIND_STEP),
    kind: kindOf(changes),
  }));
}

function kindOf({ settings }: ResubmitChanges): string {
  if (!settings) return "release";
  const isRuns = asRecord(settings["optimizer"])?.["runs"] !== undefined;
  const isDetails = asRecord(settings["optimizer"])?.["details"] !== undefined;
  return isDetails ? "details" : isRuns ? "runs" : Object.keys(settings).join();
}

/** The optimizer on or off, the pipeline, and both. */
function switchChanges(
  { compilerVersion, stdJsonInput: { settings } }: Submittable,
  { pipeline }: AnalysedCode,
): SettingChanges[] {
  const optimizer = { enabled: !isOptimizing(settings) };
  // While it was an experiment, some sources cost it all memory: it is not tried where the code shows nothing of it.
  if (!atLeast(compilerVersion, pipeline === "ir" ? SOLC_SINCE.viaIR : VIA_IR_USUAL_SINCE))
    return [{ optimizer }];
  const viaIR = settings["viaIR"] !== true;
  return [{ optimizer }, { viaIR }, { optimizer, viaIR }];
}

function runsChanges(
  { compilerVersion, stdJsonInput: { settings } }: Submittable,
  deployed: AnalysedCode,
): SettingChanges[] {
  const evmVersion = targetEvmVersion(settings, solcCode, compilerVersion);
  const isOn = isOptimizing(settings);
  // Before, nothing but the optimizer goes by the runs.
  if (!isOn && !atLeast(compilerVersion, SPLITS_SINCE)) return [];
  const possible = runsInterval({ ...deployed, isOptimized: isOn }, { compilerVersion, evmVersion });
  const usual = commonRuns.filter(
    (runs) => contains(possible, runs) && runs !== (settings.optimizer?.runs ?? 200),
  );
  // The most that there can be makes another code than what is merely large: costs are cut off there.
  const most = usual.toSorted((a, b) => b - a).slice(0, 1);
  const tried = new Set([...usual.slice(0, MAX_RUNS_TRIED - 1), ...most]);
  return [...tried].map((runs) => ({ optimizer: { enabled: isOn, runs } }));
}

function evmChanges(
  { compilerVersion, stdJsonInput: { settings } }: Submittable,
  deployed: AnalysedCode,
): SettingChanges[] {
  const own = targetEvmVersion(settings, solcCode, compilerVersion);
  return possibleEvmVersions(deployed, compilerVersion)
    .filter((one) => one !== own)
    .map((evmVersion) => ({ evmVersion }));
}

function revertChanges({ compilerVersion, stdJsonInput: { settings } }: Submittable): SettingChanges[] {
  const own = asRecord(settings["debug"])?.["revertStrings"] ?? "default";
  return revertStringsOf(compilerVersion)
    .filter((one) => one !== own)
    .map((one) => ({ debug: one === "default" ? null : { revertStrings: one } }));
}

/** One part of the optimizer switched, or as usual again. */
function detailChanges(submission: Submittable): SettingChanges[] {
  const { settings } = submission.stdJsonInput;
  const own = settings.optimizer?.["details"];
  if (!isOptimizing(settings) && own === undefined) return [];
  return [
    ...(own === undefined ? [] : [{ optimizer: { details: null } }]),
    ...undoneDetails(submission),
    ...otherDetails(submission),
  ];
}

/** Each of the switched parts of the optimizer as usual again. */
function undoneDetails({ stdJsonInput: { settings } }: Submittable): SettingChanges[] {
  const own = asRecord(settings.optimizer?.["details"]) ?? {};
  return Object.keys(own).map((name) => ({ optimizer: { details: { [name]: null } } }));
}

function otherDetails({ compilerVersion }: Submittable): SettingChanges[] {
  return optimizerDetails(compilerVersion)
    .map((details) => switchedDetails(compilerVersion, details))
    .filter((one) => one !== undefined && Object.keys(one).length > 0)
    .map((details) => ({ optimizer: { details: details as SettingChanges } }));
}

/**
 * Other steps of the Yul optimizer: the IR pipeline writes another code with each, so that they are the likeliest reason
 * where the pipeline and the optimizer are those that the deployed code shows and the codes are still nothing alike.
 */
function stepsChanges(submission: Submittable, { pipeline }: AnalysedCode): SettingChanges[] {
  const { settings } = submission.stdJsonInput;
  const isShown = pipeline === "ir" && settings["viaIR"] === true && isOptimizing(settings);
  if (!isShown || settings.optimizer?.["details"] !== undefined) return [];
  return otherDetails(submission).filter(
    (one) => fieldAt(one, "optimizer", "details", "yulDetails", "optimizerSteps") !== undefined,
  );
}

/** Other releases, where the deployed code does not say which one made it: those next to the own one first. */
function releaseChanges(submission: Submittable, deployed: AnalysedCode): ResubmitChanges[] {
  const own = solcReleases.indexOf(submission.compilerVersion);
  const steps = (release: string) => Math.abs(solcReleases.indexOf(release) - own);
  return unsaidReleases(submission, deployed)
    .filter((release) => release !== submission.compilerVersion)
    .sort((a, b) => steps(a) - steps(b))
    .map((compilerVersion) => ({ compilerVersion }));
}
