import { t } from "@vscode/l10n";
import { asRecord } from "../../json/looseData.ts";
import { shortVersion } from "../../versions.ts";
import { switchedDetails } from "../optimizerDetails.ts";
import { findProvenBuildInPieces, type ProvenDifference } from "../metadataSearch.ts";
import type { AnalysedCode } from "../codeTraits.ts";
import type { Cause, CauseCode, ResubmitChanges, SettingChanges, SubmittedBuild } from "../explanation.ts";
import { settingCause } from "./settingCauses.ts";
import { grouped, listed } from "../../text/counted.ts";
import type { Pieces } from "../../concurrency/turns.ts";

/**
 * The causes that the deployed metadata hash proves, where the submitted build's metadata is known: the metadata with
 * another setting, compiler or line ending has just the deployed hash.
 */
export function* provenCauses(submitted: SubmittedBuild, { auxdata }: AnalysedCode): Pieces<Cause[]> {
  if (submitted.metadata === undefined || !auxdata?.hash) return [];
  const sources = Object.fromEntries(
    Object.entries(submitted.stdJsonInput.sources).map(([name, { content }]) => [name, content]),
  );
  const proven = yield* findProvenBuildInPieces(
    auxdata.hash,
    submitted.metadata,
    sources,
    auxdata.compilerVersion,
  );
  if (!proven || proven.differences.length === 0) return [];
  // A person who sends again wants every difference put right at once.
  const changes = provenChanges(proven.differences, submitted);
  return proven.differences.map((difference, at): Cause => {
    const { code, evidence } = inWords(difference);
    return {
      code,
      confidence: 0.995 - at / 1_000,
      evidence: t`${evidence}; the metadata hash of the deployed code proves it.`,
      fix: t`Submit it like that.`,
      ...(changes && { action: { kind: "resubmit", ...labelsOf(proven.differences), changes } }),
    };
  });
}

function inWords(difference: ProvenDifference): { code: CauseCode; evidence: string } {
  switch (difference.kind) {
    case "compiler":
      return {
        code: "compiler_version",
        evidence: t`The deployed code was compiled with ${shortVersion(difference.deployed)}, you sent ${shortVersion(difference.local)}`,
      };
    case "setting":
      return {
        code: settingCause(difference.setting, difference.settings),
        evidence: t`The deployed build has ${difference.setting} ${difference.deployed}, you sent ${difference.local}`,
      };
    case "file":
      return {
        code: "edited_source",
        evidence: t`The deployed build has ${listed(difference.files)} ${difference.description}`,
      };
  }
}

/** What of a build to send differently, so that these differences are gone; those of files are not among it. */
export function provenChanges(
  differences: readonly ProvenDifference[],
  { compilerVersion: sentVersion, stdJsonInput: { settings: sent } }: SubmittedBuild,
): ResubmitChanges | undefined {
  let compilerVersion: string | undefined;
  const settings: Record<string, SettingChanges | string | number | boolean | null> = {};
  for (const difference of differences) {
    if (difference.kind === "compiler") compilerVersion = difference.deployed;
    if (difference.kind !== "setting") continue;
    const { evmVersion, optimizer, viaIR, metadata } = difference.settings;
    if (difference.setting === "evmVersion" && evmVersion) settings["evmVersion"] = evmVersion;
    if (difference.setting === "viaIR") settings["viaIR"] = viaIR === true;
    if (
      difference.setting === "optimizer" ||
      difference.setting === "runs" ||
      difference.setting === "details"
    )
      settings["optimizer"] = {
        enabled: optimizer?.enabled === true || optimizer?.details !== undefined,
        runs: optimizer?.runs ?? 200,
        details: inPlaceOf(
          sent.optimizer?.["details"],
          switchedDetails(compilerVersion ?? sentVersion, optimizer?.details),
        ),
      };
    if (difference.setting === "debug")
      settings["debug"] = (difference.settings["debug"] as SettingChanges | undefined) ?? null;
    if (difference.setting === "metadata") {
      settings["metadata"] = {
        bytecodeHash: metadata?.bytecodeHash ?? null,
        useLiteralContent: metadata?.useLiteralContent ?? null,
      };
    }
    if (difference.setting === "experimental")
      settings["experimental"] = difference.settings["experimental"] === true ? true : null;
    if (difference.setting === "libraries") settings["libraries"] = null;
    if (difference.setting === "remappings") settings["remappings"] = null;
  }
  const hasSettings = Object.keys(settings).length > 0;
  if (compilerVersion === undefined && !hasSettings) return undefined;
  return { ...(compilerVersion !== undefined && { compilerVersion }), ...(hasSettings && { settings }) };
}

/** A setting in the place of another one, of which nothing stays. */
function inPlaceOf(sent: unknown, wanted: unknown): SettingChanges | null {
  const members = asRecord(wanted);
  if (!members) return null;
  const gone = Object.keys(asRecord(sent) ?? {}).filter((name) => !Object.hasOwn(members, name));
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...(members as SettingChanges) };
}

function labelsOf(differences: readonly ProvenDifference[]): {
  readonly label: string;
  readonly localLabel: string;
} {
  const [only] = differences;
  if (differences.length === 1 && only?.kind === "compiler") {
    const version = shortVersion(only.deployed);
    return { label: t`Resubmit With ${version}`, localLabel: t`Verify With ${version}` };
  }
  if (differences.length === 1 && only?.kind === "setting" && only.setting === "runs") {
    const runs = grouped(Number(only.deployed));
    return { label: t`Resubmit With ${runs} Runs`, localLabel: t`Verify With ${runs} Runs` };
  }
  return { label: t`Resubmit as Deployed`, localLabel: t`Verify as Deployed` };
}
