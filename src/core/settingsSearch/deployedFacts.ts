import { isOptimizing, SOLC_SINCE, solcCode } from "../languages/solidity/solcCode.ts";
import { compareEvmVersions, evmVersionsOf, type EvmVersion } from "../evm/evmVersion.ts";
import { targetEvmVersion } from "../languages/codeRules.ts";
import { completeSolcVersion, solcReleases } from "../languages/solidity/solcReleases.ts";
import { evmContradiction } from "../matching/codeFindings.ts";
import type { AnalysedCode } from "../matching/codeTraits.ts";
import { fitsBeginning, possibleReleases, UNNAMED_RELEASES } from "../matching/nearRelease.ts";
import type { ResubmitChanges, SettingChanges } from "../matching/explanation.ts";
import { withChanges, type Submittable } from "../matching/resubmission.ts";
import { atLeast } from "../versions.ts";
import { withTakenSettings } from "./takenSettings.ts";

/** The release that a deployed code names, in full form; `undefined` where it names none that is known. */
function namedRelease({ auxdata }: Pick<AnalysedCode, "auxdata">): string | undefined {
  const named = auxdata?.compilerVersion;
  return named !== undefined && solcReleases.some((release) => release.startsWith(`${named}+`))
    ? completeSolcVersion(named)
    : undefined;
}

/** The releases that may have made a deployed code that names none, in full form: the newest first. */
export function unsaidReleases(
  submission: Submittable,
  { auxdata, evm, code }: Pick<AnalysedCode, "auxdata" | "evm" | "code">,
): string[] {
  if (auxdata?.compilerVersion !== undefined) return [];
  const range = auxdata ? UNNAMED_RELEASES : { least: SOLC_SINCE.appendCBOR, most: NEWEST };
  return possibleReleases(submission, range, (release) => !fitsBeginning(release, { evm, code }));
}

const NEWEST = "0.8.999";

/** A submission with what the auxdata of the deployed code proves: the release, and how the metadata is hashed. */
export function withProvenSettings(submission: Submittable, deployed: AnalysedCode): Submittable {
  const unsaid = unsaidReleases(submission, deployed);
  const own = submission.compilerVersion;
  const compilerVersion =
    namedRelease(deployed) ?? (unsaid.length === 0 || unsaid.includes(own) ? own : (unsaid[0] ?? own));
  const { settings } = submission.stdJsonInput;
  const given = settings["metadata"] as { bytecodeHash?: unknown; appendCBOR?: unknown } | undefined;
  const kind = deployed.auxdata?.hash?.kind ?? "none";
  const isWritten = given?.bytecodeHash !== undefined;
  const metadata: SettingChanges = {
    ...(deployed.auxdata && kind !== (given?.bytecodeHash ?? "ipfs") && { bytecodeHash: kind }),
    // The compiler refuses a hash of metadata that it is told to leave out.
    ...(!deployed.auxdata && isWritten && { bytecodeHash: "none" }),
    ...((given?.appendCBOR === false) !== !deployed.auxdata && {
      appendCBOR: deployed.auxdata ? null : false,
    }),
  };
  return withTakenSettings(
    withChanges(submission, {
      compilerVersion,
      ...(atLeast(compilerVersion, SOLC_SINCE.bytecodeHash) &&
        Object.keys(metadata).length > 0 && { settings: { metadata } }),
    }),
  );
}

/** What the form of the deployed code shows to be other than a submission says: optimizer, pipeline, EVM version. */
export function shownChanges(
  { compilerVersion, stdJsonInput: { settings } }: Submittable,
  deployed: AnalysedCode,
): ResubmitChanges | undefined {
  const isIr = settings["viaIR"] === true;
  const target = targetEvmVersion(settings, solcCode, compilerVersion);
  const evmVersion = evmContradiction(deployed, solcCode, compilerVersion, target)
    ? possibleEvmVersions(deployed, compilerVersion)[0]
    : undefined;
  const changes: SettingChanges = {
    ...(deployed.isOptimized !== undefined &&
      deployed.isOptimized !== isOptimizing(settings) && { optimizer: { enabled: deployed.isOptimized } }),
    ...(deployed.pipeline !== undefined &&
      (deployed.pipeline === "ir") !== isIr && { viaIR: deployed.pipeline === "ir" }),
    ...(evmVersion !== undefined && { evmVersion }),
  };
  return Object.keys(changes).length > 0 ? { settings: changes } : undefined;
}

/** The EVM versions of a release that nothing in the deployed code speaks against: the release's default first, then the newest first. */
export function possibleEvmVersions(deployed: AnalysedCode, compilerVersion: string): EvmVersion[] {
  const usual = solcCode.defaultEvmVersion(compilerVersion);
  return evmVersionsOf(compilerVersion)
    .filter((one) => !evmContradiction(deployed, solcCode, compilerVersion, one))
    .sort((a, b) => Number(b === usual) - Number(a === usual) || compareEvmVersions(b, a));
}
