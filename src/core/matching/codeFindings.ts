import { SOLC_SINCE } from "../languages/solidity/solcCode.ts";
import { compareCodesInPieces, isHarmless, type CodeComparison } from "../evm/codeComparison.ts";
import { bytesToHex } from "@noble/hashes/utils.js";
import { codeBytes } from "../evm/hex.ts";
import { findAuxdata, type Auxdata, type CodeLanguage, type MetadataHash } from "../evm/auxdata.ts";
import { compareEvmVersions, type EvmVersion } from "../evm/evmVersion.ts";
import { PUSH20 } from "../evm/opcodes.ts";
import type { CodeRules } from "../languages/codeRules.ts";
import { LANGUAGES } from "../languages/language.ts";
import { codeRulesOf } from "../languages/rules.ts";
import { VYPER_SINCE } from "../languages/vyper/vyperCode.ts";
import type { LanguageName } from "../sources/standardJsonInput.ts";
import { atLeast, compareVersions, shortVersion } from "../versions.ts";
import { isBlueprint, type ProxyCode } from "../evm/proxy.ts";
import { analyseCode, type AnalysedCode } from "./codeTraits.ts";
import { metadataDigest } from "./metadataSearch.ts";
import type { Pieces } from "../concurrency/turns.ts";

/** What is known of a deployment. */
export interface DeployedCodes {
  readonly runtime: AnalysedCode;
  /** The creation code with its arguments, 0x-prefixed hex, where it is known. */
  readonly creationCode?: string | null | undefined;
}

/** What is known of the build that is compared with it: one on disk, or the one that a service compiled. */
interface KnownBuild {
  /** As in the standard JSON input; `undefined` where nothing tells. */
  readonly language: LanguageName | undefined;
  /** Short or full. */
  readonly compilerVersion: string | undefined;
  readonly runtime: AnalysedCode | undefined;
  /** The creation code, in which Vyper says how much a deployment appends, 0x-prefixed hex. */
  readonly creationCode?: string | null | undefined;
  /** The texts of the sources, where they are known. */
  readonly sources?: readonly string[] | undefined;
  /** The compiler's metadata output, byte for byte, where it is known to be of these sources and settings. */
  readonly metadata?: string | undefined;
}

/** What stands at the address in place of a contract that could be the build's. */
export type TargetFinding =
  | { readonly kind: "blueprint"; readonly bytes: number }
  | { readonly kind: "proxy"; readonly proxy: ProxyCode };

/** That the deployed code was made by the compiler of another language. */
export interface LanguageFinding {
  readonly deployed: CodeLanguage;
  /** That of a compiler, or as the build has it where that is none of these, such as Fe. */
  readonly own: string;
  readonly compilerVersion: string | undefined;
  /** The code says it itself; else its form shows it. */
  readonly isNamed: boolean;
}

/** That the deployed code was made by another release. */
export interface CompilerFinding {
  readonly language: CodeLanguage;
  /** As the code has it, short, with `-` for a prerelease; `undefined` for solc 0.4.7 to 0.5.8, which don't write it. */
  readonly deployed: string | undefined;
  /** Short. */
  readonly own: string;
}

/** An address that differs: 40 digits each, the build's zero where it is not linked. */
export interface AddressFinding {
  readonly deployed: string;
  readonly own: string;
}

/** How the auxdata at the end of two codes differs in its form. */
export type AuxdataFinding =
  | { readonly kind: "none deployed"; readonly own: Auxdata }
  | { readonly kind: "none built"; readonly deployed: Auxdata }
  | { readonly kind: "another hash"; readonly deployed: Auxdata; readonly own: Auxdata }
  | { readonly kind: "experimental"; readonly deployed: Auxdata; readonly own: Auxdata };

/** What two codes, and what is known of each, come to. Prediction and explanation both read it, and only put it in words. */
export interface CodeFindings {
  readonly deployed: AnalysedCode;
  readonly own: AnalysedCode | undefined;
  /**
   * The deployed code as far as the build's can be compared: the build's may break off at the placeholder of a library, and
   * a deployment by Vyper appends its immutables.
   */
  readonly compared: AnalysedCode;
  readonly isTruncated: boolean;
  readonly code: CodeComparison | undefined;
  readonly target: TargetFinding | undefined;
  readonly language: LanguageFinding | undefined;
  readonly compiler: CompilerFinding | undefined;
  /** Nothing differs but what a deployment writes in, addresses and auxdata; `undefined` without the build's code. */
  readonly isSameCode: boolean | undefined;
  /** The code of another contract that a source holds as hex is another one, and nothing else of the code differs. */
  readonly isOnlyOtherLiteral: boolean;
  readonly addresses: readonly AddressFinding[];
  /** `none` where the deployed code carries no metadata hash, or where nothing is known to compare it with. */
  readonly metadataHash: "same" | "other" | "none";
  readonly auxdata: AuxdataFinding | undefined;
}

/** Share of the instructions from which on two codes are of one contract. */
export const ALIKE = 0.6;

/** Compares a deployed code and a build. Nothing is fetched and nothing is compiled. */
export function* codeFindingsInPieces(deployment: DeployedCodes, build: KnownBuild): Pieces<CodeFindings> {
  const deployed = deployment.runtime;
  const own = build.runtime;
  const isTruncated = own !== undefined && endsAtPlaceholder(own);
  const appended =
    own && !isTruncated
      ? appendedBytes(deployed.code.bytes, own.code.bytes, build.language, build.creationCode)
      : 0;
  const compared = isTruncated
    ? cutTo(deployed, own.code.bytes.length)
    : appended > 0
      ? cutTo(deployed, deployed.code.bytes.length - appended)
      : deployed;
  yield;
  const code = own && (yield* compareCodesInPieces(compared.code, own.code));
  const isAlike = code && hasSameCode(build, compared, own, code);
  const isOtherLiteral = code !== undefined && hasOtherLiteral(code, build);
  const isSameCode = isAlike && !isOtherLiteral;
  return {
    deployed,
    own,
    compared,
    isTruncated,
    code,
    target: targetOf(deployed, own, code, isSameCode),
    language: languageFinding(deployment, build),
    compiler: compilerFinding(deployment, build),
    isSameCode,
    isOnlyOtherLiteral: isAlike === true && isOtherLiteral,
    addresses: addressesOf(code),
    metadataHash: metadataHashOf(deployed, build),
    auxdata: own && auxdataFinding(deployed.auxdata, own.auxdata),
  };
}

/**
 * The service keeps recompiled code as bytes, and decoding stops at a library's placeholder, right behind the
 * PUSH20 that takes its address. Such a code has no auxdata and ends with that opcode.
 */
export function endsAtPlaceholder({ code, auxdata }: Pick<AnalysedCode, "code" | "auxdata">): boolean {
  return auxdata === undefined && code.bytes.at(-1) === PUSH20;
}

/**
 * How many bytes Vyper's deployment appended to the runtime code: whole words behind it.
 *
 * @param creationCode that of the build, which says it; of older releases the auxdata in the runtime code ends what is compiled,
 * and the oldest have none, so that their code has to be as long as the recompiled one
 */
export function appendedBytes(
  deployed: Uint8Array,
  own: Uint8Array,
  language: LanguageName | undefined,
  creationCode: string | null | undefined,
): number {
  if (!language || !LANGUAGES[language].hasDataBehindCode) return 0;
  const end = findAuxdata(deployed).at(-1)?.end;
  const bytes =
    creationAuxdata(creationCode)?.layout?.immutablesLength ?? deployed.length - (end ?? own.length);
  return bytes <= 0 || bytes % 32 !== 0 || bytes >= deployed.length ? 0 : bytes;
}

/** What lies behind is unknown, or of no compiler, so only what is before it is compared. */
function cutTo(deployed: AnalysedCode, length: number): AnalysedCode {
  return {
    ...analyseCode(deployed.code.bytes.slice(0, length)),
    auxdata: deployed.auxdata,
    language: deployed.language,
  };
}

function targetOf(
  { code: { bytes }, proxy }: AnalysedCode,
  own: AnalysedCode | undefined,
  code: CodeComparison | undefined,
  isSameCode: boolean | undefined,
): TargetFinding | undefined {
  if (isBlueprint(bytes)) return { kind: "blueprint", bytes: bytes.length };
  if (!proxy || isSameCode) return undefined;
  // A build that is a proxy itself, and of the same make, is meant to be one.
  const isOwn = own?.proxy !== undefined && (own.proxy.kind === proxy.kind || (code?.likeness ?? 0) >= ALIKE);
  return isOwn ? undefined : { kind: "proxy", proxy };
}

/** The auxdata of the deployment: of the runtime code, else of the creation code, where Vyper keeps it from 0.3.10 on. */
function deployedAuxdata(
  { runtime, creationCode }: DeployedCodes,
  { language, compilerVersion, runtime: own }: Pick<KnownBuild, "language" | "compilerVersion" | "runtime">,
): Auxdata | undefined {
  const made = language && LANGUAGES[language].madeAs;
  const { language: builtBy = made, compilerVersion: builtWith = compilerVersion } = own?.auxdata ?? {};
  // Where what the build seems to say of itself is of another compiler, it stands in a source.
  const isOfOther = builtWith && compilerVersion && compareVersions(builtWith, compilerVersion) !== 0;
  const isOfSource = isOfOther === true || (made !== undefined && builtBy !== made);
  if (runtime.auxdata && !isOfSource) return runtime.auxdata;
  const isWithout = runtime.language && !LANGUAGES[runtime.language].hasHashInCreationCode;
  return isWithout ? undefined : creationAuxdata(creationCode);
}

/**
 * What Vyper from 0.3.10 on says of a contract in its creation code, behind the runtime code whose length it names. That runtime code may hold another creation code, and the constructor's arguments, which stand behind, as well; solc
 * leaves no auxdata of a creation code.
 */
export function creationAuxdata(creationCode: string | null | undefined): Auxdata | undefined {
  let own: Auxdata | undefined;
  for (const one of findAuxdata(codeBytes(creationCode))) {
    if (!one.layout) continue;
    // Whether the length has the data in it depends on the release; at the least so much lies before.
    const begins = one.start - one.layout.runtimeLength;
    if (begins >= 0 && (!own || begins < own.start)) own = one;
  }
  return own;
}

/** Whether the deployed code is of another language than the build, by what it says or by its form. */
export function languageFinding(
  deployment: DeployedCodes,
  build: Pick<KnownBuild, "language" | "compilerVersion" | "runtime">,
): LanguageFinding | undefined {
  const { language } = build;
  const known = language && LANGUAGES[language].madeAs;
  const own = known ?? language;
  const auxdata = deployedAuxdata(deployment, build);
  // What the code of another compiler looks like is not known, but it doesn't call itself the one of these.
  const deployed = auxdata?.language ?? (known && deployment.runtime.language);
  return own === undefined || deployed === undefined || deployed === own
    ? undefined
    : { deployed, own, compilerVersion: auxdata?.compilerVersion, isNamed: auxdata !== undefined };
}

/** Whether the deployed code names another release than the build's, or has the auxdata of those that name none. */
function compilerFinding(
  deployment: DeployedCodes,
  build: Pick<KnownBuild, "language" | "compilerVersion" | "runtime">,
): CompilerFinding | undefined {
  const { compilerVersion } = build;
  const auxdata = deployedAuxdata(deployment, build);
  if (!auxdata || compilerVersion === undefined) return undefined;
  const { language, compilerVersion: deployed } = auxdata;
  const own = shortVersion(compilerVersion);
  // A prerelease names its commit, too.
  const named = deployed === undefined ? undefined : shortVersion(deployed);
  const isOther =
    named === undefined
      ? auxdata.hash?.kind === "bzzr0" && compareVersions(own, SOLC_SINCE.ownVersion) >= 0
      : named !== own && (compareVersions(named, own) !== 0 || named.includes("-"));
  return isOther ? { language, deployed, own } : undefined;
}

/**
 * Whether a deployment wrote something behind a runtime code of a release that does not say how much.
 *
 * @param compilerVersion that of the build
 */
export function isWrittenBehind(
  { deployed, own }: Pick<CodeFindings, "deployed" | "own">,
  language: LanguageName | undefined,
  compilerVersion: string,
): boolean {
  return (
    language !== undefined &&
    LANGUAGES[language].hasDataBehindCode === true &&
    compilerVersion !== "" &&
    !atLeast(compilerVersion, VYPER_SINCE.layout) &&
    own !== undefined &&
    deployed.code.bytes.length > own.code.bytes.length
  );
}

/** Vyper appends immutables, whole words, to the runtime code; solc leaves places for them. */
function hasSameCode(
  { language }: Pick<KnownBuild, "language">,
  deployed: AnalysedCode,
  own: AnalysedCode,
  { pairs }: CodeComparison,
): boolean {
  if (!language || !LANGUAGES[language].hasDataBehindCode) return pairs.every(isHarmless);
  const [mine, theirs] = [deployed.code.bytes, own.code.bytes];
  return (
    theirs.length > 0 &&
    (mine.length - theirs.length) % 32 === 0 &&
    theirs.every((byte, at) => byte === mine[at])
  );
}

/**
 * Whether a source holds the code of another contract as hex and the deployed one has another there. What a compiler says of a
 * contract that it makes itself may differ; what it says of one that stands in a source is a part of the source.
 */
function hasOtherLiteral({ pairs }: CodeComparison, { sources, runtime }: KnownBuild): boolean {
  if (!sources || !runtime) return false;
  const held = pairs.flatMap(({ relation, right }) => {
    const section = right?.section;
    const isHeld =
      relation === "auxdata" && section?.kind === "auxdata" && section.auxdata !== runtime.auxdata;
    return isHeld ? [bytesToHex(runtime.code.bytes.subarray(section.start, section.end))] : [];
  });
  if (held.length === 0) return false;
  return sources.some((text) => {
    // A literal may be cut into lines, spaced, or written byte by byte.
    const joined = text.toLowerCase().replace(/(?:hex)?["']|[_\s]|\\x/g, "");
    return held.some((hex) => joined.includes(hex));
  });
}

/** The addresses that differ, each deployed one once. */
export function addressesOf(code: CodeComparison | undefined): AddressFinding[] {
  const found = new Map<string, AddressFinding>();
  for (const { relation, left, right } of code?.pairs ?? []) {
    if (relation !== "address") continue;
    const deployed = left?.instruction?.operand ?? "";
    found.set(deployed, { deployed, own: right?.instruction?.operand ?? "" });
  }
  return [...found.values()];
}

/** Whether an address is that of a library that is not linked. */
export function isUnlinked({ own }: AddressFinding): boolean {
  return /^0*$/.test(own);
}

function metadataHashOf(
  { auxdata }: AnalysedCode,
  { metadata, runtime }: KnownBuild,
): CodeFindings["metadataHash"] {
  const hash = auxdata?.hash;
  const own = runtime?.auxdata?.hash;
  if (!hash || (metadata === undefined && !own)) return "none";
  const isSame =
    isSameHash(hash, own) || (metadata !== undefined && metadataDigest(metadata, hash.kind) === hash.digest);
  return isSame ? "same" : "other";
}

/** Whether two codes carry the same metadata hash; two codes without one do not. */
export function isSameHash(one: MetadataHash | undefined, other: MetadataHash | undefined): boolean {
  return one !== undefined && one.kind === other?.kind && one.digest === other.digest;
}

function auxdataFinding(deployed: Auxdata | undefined, own: Auxdata | undefined): AuxdataFinding | undefined {
  if (!deployed) return own && { kind: "none deployed", own };
  if (!own) return { kind: "none built", deployed };
  if (deployed.hash?.kind !== own.hash?.kind) return { kind: "another hash", deployed, own };
  return deployed.experimental === own.experimental ? undefined : { kind: "experimental", deployed, own };
}

/** Why a code can't have been made for an EVM version. */
type EvmContradiction =
  | { readonly kind: "newer"; readonly instruction: string; readonly evmVersion: EvmVersion }
  | { readonly kind: "no PUSH0"; readonly zeros: number };

/**
 * What in a code speaks against an EVM version, proof each.
 *
 * @param rules those of the compiler that the version is of
 */
export function evmContradiction(
  { evm: { needed, push0, pushedZeros }, language }: AnalysedCode,
  rules: CodeRules,
  compilerVersion: string,
  evmVersion: EvmVersion,
): EvmContradiction | undefined {
  if (needed && compareEvmVersions(needed.evmVersion, evmVersion) > 0)
    return { kind: "newer", instruction: needed.name, evmVersion: needed.evmVersion };
  // What no compiler of this language made says nothing of its settings.
  const writesZeros =
    language !== undefined &&
    codeRulesOf(language) === rules &&
    compareVersions(compilerVersion, rules.pushesZeroSince) >= 0 &&
    compareEvmVersions(evmVersion, "shanghai") >= 0;
  return writesZeros && push0 === 0 && pushedZeros > 0 ? { kind: "no PUSH0", zeros: pushedZeros } : undefined;
}
