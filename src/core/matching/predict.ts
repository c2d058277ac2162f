import { t } from "@vscode/l10n";
import { codeBytes, unlinkedCodeBytes } from "../evm/hex.ts";
import type { CodeComparison } from "../evm/codeComparison.ts";
import { atLeast, shortVersion } from "../versions.ts";
import { hashText, type Auxdata, type CodeLanguage } from "../evm/auxdata.ts";
import { isOtherOrder } from "../evm/instructionOrder.ts";
import type { ProxyCode } from "../evm/proxy.ts";
import { LANGUAGES } from "../languages/language.ts";
import { RULES } from "../languages/rules.ts";
import { VYPER_SINCE } from "../languages/vyper/vyperCode.ts";
import { orNothing } from "../errors.ts";
import {
  creationAuxdata,
  codeFindingsInPieces,
  isUnlinked,
  isWrittenBehind,
  type CodeFindings,
  type DeployedCodes,
} from "./codeFindings.ts";
import { analyseCode, type AnalysedCode } from "./codeTraits.ts";
import { bytesOfPlaces, differingPlaces } from "./differingPlaces.ts";
import { deployedRelease, proxyInWords } from "./findingWords.ts";
import { counted, listed } from "../text/counted.ts";
import type { LocalBuild } from "./localBuild.ts";
import { inputSigns, lacksFunctions } from "./inputSigns.ts";
import { IN_BRIEF } from "./reasonsInBrief.ts";
import { readMetadata } from "./compilerMetadata.ts";
import {
  AS_ON_DISK,
  findProvenBuildInPieces,
  type ProvenBuild,
  type ProvenDifference,
} from "./metadataSearch.ts";
import { sourceHash } from "./sourceVariants.ts";
import { ownValue } from "../json/ownValue.ts";
import { inTurns } from "../concurrency/turns.ts";
import { otherConstructorInPieces } from "./otherConstructor.ts";
import { CHECK_PLACE } from "./notDeployed.ts";

/** What a submission would come to. */
export type PredictedOutcome = "exact_match" | "match" | "mismatch" | "unknown";

/** A prediction, and what to do with it. */
export interface Prediction {
  readonly prediction: PredictedOutcome;
  /** Sentences, the decisive one first. */
  readonly reasons: readonly string[];
  /** The decisive reason where a line has no room for its sentence. */
  readonly brief?: string;
  /** The best that this deployment can come to: `match` where the code carries no metadata hash. */
  readonly ceiling: "exact_match" | "match";
  readonly proxy?: ProxyCode;
  /** Where a proxy forwards its calls to, 0x-prefixed, lower case. */
  readonly implementation?: string;
  /** The build that the deployed metadata hash proves, where one was found. */
  readonly proven?: ProvenBuild;
  /** The workspace has no code of a build to compare with. */
  readonly isWithoutBuild?: true;
  /** Nothing that is compiled could say more. */
  readonly isCertain?: true;
}

/** The deployment and the build to compare it with. */
interface PredictionInput {
  /** `eth_getCode` of the address, 0x-prefixed; `0x` where nothing is deployed. */
  readonly deployedCode: string;
  /** The creation code with its arguments, where it is known; Vyper's integrity hash stands only there. */
  readonly deployedCreationCode?: string;
  readonly localBuild: LocalBuild;
}

/** Reads where a proxy forwards its calls to; `undefined` where that can't be told. */
type ImplementationReader = (proxy: ProxyCode) => Promise<string | undefined>;

/** What is known so far, for the rules to agree on. */
interface Facts {
  readonly input: PredictionInput;
  readonly findings: CodeFindings;
  readonly auxdata: Auxdata | undefined;
  readonly ceiling: Ceiling;
}

/** What a rule tells; the ceiling is that of the facts unless said. */
type Verdict = Omit<Prediction, "ceiling"> & Partial<Pick<Prediction, "ceiling">>;

interface Ceiling {
  readonly match: "exact_match" | "match";
  readonly reason?: string;
}

/**
 * Says what a submission of a local build would come to, from the deployed code alone: its auxdata carries the
 * hash of the metadata that it was built with, and so of every source and setting. Nothing is compiled
 * and nothing is sent; the reader is asked only for the implementation of a proxy.
 */
export async function predict(
  input: PredictionInput,
  implementationOf?: ImplementationReader,
): Promise<Prediction> {
  const bytes = codeBytes(input.deployedCode);
  if (bytes.length === 0) {
    return {
      prediction: "mismatch",
      isCertain: true,
      ceiling: "match",
      reasons: [CHECK_PLACE],
    };
  }
  const { localBuild, deployedCreationCode: creationCode } = input;
  const { runtimeBytecode, metadata } = localBuild;
  const deployment = { runtime: analyseCode(bytes), creationCode };
  const findings = await inTurns(
    codeFindingsInPieces(deployment, {
      language: languageOf(localBuild),
      compilerVersion: localCompiler(localBuild),
      runtime: runtimeBytecode ? analyseCode(unlinkedCodeBytes(runtimeBytecode)) : undefined,
      metadata,
      sources: localBuild.sources && Object.values(localBuild.sources),
    }),
  );
  const facts: Facts = {
    input,
    findings,
    auxdata: deployment.runtime.auxdata,
    ceiling: ceilingOf(input, deployment),
  };
  const verdict =
    byBlueprint(facts) ??
    byMetadataHash(facts) ??
    (await byProxy(facts, implementationOf)) ??
    byCompiler(facts) ??
    byLength(facts) ??
    (await bySearch(facts)) ??
    (await byCode(facts));
  return { ceiling: facts.ceiling.match, ...verdict };
}

/** Whether the codes are the same, and no address is another one. A library that is not linked yet is zero in the local code. */
function isSame({ isSameCode, addresses }: CodeFindings): boolean {
  return isSameCode === true && addresses.every(isUnlinked);
}

/** A blueprint holds creation code, auxdata and all, and is no contract that could be verified. */
function byBlueprint({ findings: { target } }: Facts): Verdict | undefined {
  if (target?.kind !== "blueprint") return undefined;
  return {
    prediction: "mismatch",
    isCertain: true,
    reasons: [
      t`This address is a blueprint (ERC-5202): creation code that is kept for others to deploy. Verify a contract that was created from it.`,
    ],
    brief: IN_BRIEF.blueprint(),
  };
}

/** The deployed code carries the hash of the local metadata. */
function byMetadataHash(facts: Facts): Verdict | undefined {
  const { auxdata, findings, ceiling } = facts;
  const { code, metadataHash } = findings;
  if (!auxdata?.hash || metadataHash !== "same") return undefined;
  const equal = t`Same sources and settings: the deployed code carries this build's metadata hash, ${hashText(auxdata.hash)}.`;
  const stale = staleSources(facts);
  if (stale.length > 0) {
    return {
      prediction: "unknown",
      reasons: [
        t`The build that is recorded is the deployed one, but ${listed(stale)} ${stale.length === 1 ? t`has` : t`have`} changed since. Submit the recorded sources.`,
      ],
      brief: IN_BRIEF.sameBuildChangedFiles(stale.length),
    };
  }
  if (code && !isSame(findings)) {
    const bytes = bytesOfPlaces(differingPlaces(code.pairs));
    return {
      prediction: "mismatch",
      reasons: [
        t`${equal} But the code differs in ${counted(bytes, "byte")}, as it does when other files were compiled along. Submit the full input of the build.`,
      ],
      brief: IN_BRIEF.sameHashOtherCode(bytes),
    };
  }
  const brief = IN_BRIEF.sameHash();
  // Anything may stand before a hash that was copied.
  const isCertain = code && ({ isCertain: true } as const);
  return ceiling.match === "exact_match"
    ? { prediction: "exact_match", ...isCertain, reasons: [equal], brief }
    : {
        prediction: "match",
        ...isCertain,
        reasons: [equal, ...(ceiling.reason ? [ceiling.reason] : [])],
        brief,
      };
}

/** Sources that are no longer those of the metadata. */
function staleSources({ input }: Facts): string[] {
  const { metadata, sources = {} } = input.localBuild;
  const recorded = metadata === undefined ? undefined : readMetadata(metadata);
  return Object.entries(recorded?.sources ?? {}).flatMap(([name, { keccak256 }]) => {
    const content = ownValue(sources, name);
    return content !== undefined && sourceHash(content) !== keccak256 ? [name] : [];
  });
}

async function byProxy(
  { findings: { target, deployed, own }, input }: Facts,
  implementationOf: ImplementationReader | undefined,
): Promise<Verdict | undefined> {
  if (target?.kind !== "proxy") return undefined;
  const { proxy } = target;
  const implementation = proxy.implementation ?? (await orNothing(() => implementationOf?.(proxy)));
  const isOther =
    own !== undefined || isNoContract(proxy) || lacksFunctions(deployed.code, input.localBuild.selectors);
  const instead =
    implementation === undefined
      ? t`Verify its implementation instead, or the proxy with its own sources.`
      : t`Verify the implementation at ${implementation} instead.`;
  return {
    prediction: isOther ? "mismatch" : "unknown",
    ...(isNoContract(proxy) && { isCertain: true }),
    proxy,
    ...(implementation && { implementation }),
    brief: IN_BRIEF.proxy(proxyInWords(proxy)),
    reasons: isOther
      ? [t`This address is ${proxyInWords(proxy)}, not the contract itself. ${instead}`]
      : [
          t`This address is ${proxyInWords(proxy)}. Without a local build it is unknown whether that is the contract itself: compile it, then predict again. ${
            implementation === undefined
              ? t`For the contract behind the proxy, verify its implementation.`
              : t`For the contract behind the proxy, verify the implementation at ${implementation}.`
          }`,
        ],
  };
}

/** What no source of a contract comes to: code that was put together byte by byte. */
function isNoContract({ kind }: ProxyCode): boolean {
  return kind === "EIP-1167" || kind === "EIP-7702";
}

/** The deployed code names another language or another compiler. */
function byCompiler({ findings, input }: Facts): Verdict | undefined {
  const { language, compiler, code, deployed } = findings;
  if (isSame(findings)) return undefined;
  // The form alone only makes it likely.
  if (language?.isNamed) {
    return {
      prediction: "mismatch",
      reasons: [
        t`The deployed code was made by ${language.deployed}${language.compilerVersion ? ` ${language.compilerVersion}` : ""}, the local build by ${language.own}. Choose the contract that was deployed.`,
      ],
    };
  }
  if (!compiler) return undefined;
  const versions = t`The deployed code was compiled with ${deployedRelease(compiler)}, the local build with ${compiler.own}.`;
  if (code)
    return {
      prediction: "mismatch",
      reasons: [t`${versions} Build with the deployed version, then predict again.`],
    };
  // A release often makes the same code of a contract as the one before it.
  const { contradictions, doubts, brief } = inputSigns(deployed, input.localBuild);
  return {
    prediction: contradictions.length > 0 ? "mismatch" : "unknown",
    ...(contradictions.length > 0 && brief !== undefined && { brief }),
    reasons: [
      ...contradictions,
      t`${versions} Two releases may make the same code, but it is no exact match. Submit with the deployed version.`,
      ...doubts,
    ],
  };
}

/** That the code is the same with other metadata, and what that may be. */
async function sameCodeInWords({ findings, input }: Facts): Promise<string> {
  const { compiler } = findings;
  if (compiler)
    return t`The code is the same, but its metadata hash is another one: it was compiled with ${deployedRelease(compiler)}, the local build with ${compiler.own}, and a comment, a name or a setting that does not reach the code may differ as well.`;
  const { deployedCreationCode, localBuild } = input;
  return (await inTurns(
    otherConstructorInPieces(findings, deployedCreationCode, localBuild.creationBytecode),
  ))
    ? t`The code is the same, but its metadata hash and its creation code are others: the constructor differs, what it passes on, or a library or a setting that it alone depends on.`
    : t`The code is the same, but its metadata hash is another one: a comment, a name or a setting that does not reach the code differs.`;
}

function languageOf({ language, metadata }: LocalBuild): CodeLanguage | undefined {
  return language ?? (metadata === undefined ? undefined : "Solidity");
}

function localCompiler({ compilerVersion, metadata }: LocalBuild): string | undefined {
  return compilerVersion ?? (metadata === undefined ? undefined : readMetadata(metadata)?.compilerVersion);
}

/** Another spelling of the files, or other settings, that the deployed metadata hash proves. */
async function bySearch(facts: Facts): Promise<Verdict | undefined> {
  const { auxdata, input, findings, ceiling } = facts;
  const { metadata, sources = {} } = input.localBuild;
  if (!auxdata?.hash || metadata === undefined) return undefined;
  const proven = await inTurns(
    findProvenBuildInPieces(auxdata.hash, metadata, sources, auxdata.compilerVersion),
  );
  if (!proven || proven.differences.length === 0) return undefined;
  const reasons = proven.differences.map(provenDifferenceInWords);
  const filesOnly = proven.differences.every(({ kind }) => kind === "file");
  // The line endings of a file do not reach the code, and what stands in the metadata alone doesn't, either.
  const isSameCode = findings.code
    ? isSame(findings)
    : proven.differences.every((one) => !mayReachCode(one)) || undefined;
  const hasExactFiles = filesOnly && proven.isFoundByService && ceiling.match === "exact_match";
  return {
    prediction:
      isSameCode === undefined
        ? "unknown"
        : !isSameCode
          ? "mismatch"
          : hasExactFiles
            ? "exact_match"
            : "match",
    proven,
    ...briefOf(proven.differences),
    reasons: [
      ...reasons,
      ...(hasExactFiles ? [t`The service tries such line endings by itself.`] : []),
      ...(isSameCode && !hasExactFiles
        ? [t`The code is the same; with this put right it is an exact match.`]
        : []),
    ],
  };
}

/** Whether a build with this difference may have another code, as far as can be told without that code. */
function mayReachCode(difference: ProvenDifference): boolean {
  if (difference.kind === "file") return difference.description === AS_ON_DISK;
  if (difference.kind === "compiler") return true;
  const { setting, settings, local } = difference;
  if (setting === "remappings") return false;
  // Of the metadata's settings all but the kind of the hash leave the code's length alone.
  return setting !== "metadata" || !local.includes(`bytecodeHash ${settings.metadata?.bytecodeHash ?? ""}`);
}

function provenDifferenceInWords(difference: ProvenDifference): string {
  switch (difference.kind) {
    case "compiler":
      return t`The deployed build used solc ${shortVersion(difference.deployed)}, the local one ${shortVersion(difference.local)}.`;
    case "setting":
      return t`The deployed build has ${difference.setting} ${difference.deployed}, the local one ${difference.local}.`;
    case "file":
      return difference.description === AS_ON_DISK
        ? t`The deployed build has ${listed(difference.files)} as on disk now; the recorded build is older.`
        : t`The deployed build has ${listed(difference.files)} ${difference.description}.`;
  }
}

/** The first difference without its values and names, of which there may be any number. */
function briefOf([first]: readonly ProvenDifference[]): Pick<Prediction, "brief"> {
  switch (first?.kind) {
    case "setting":
      return { brief: IN_BRIEF.otherSetting(first.setting) };
    case "file":
      return {
        brief:
          first.description === AS_ON_DISK
            ? IN_BRIEF.filesAsOnDisk(first.files.length)
            : IN_BRIEF.otherFiles(first.files.length, first.description),
      };
    default:
      return {};
  }
}

/** Without a metadata hash that fits, the codes decide; without a local code, nothing does. */
async function byCode(facts: Facts): Promise<Verdict> {
  const { findings, ceiling, input } = facts;
  const { code, deployed, own } = findings;
  const because = ceiling.reason ? [ceiling.reason] : [];
  const stale = staleSources(facts);
  const files =
    stale.length > 0
      ? [t`${listed(stale)} ${stale.length === 1 ? t`has` : t`have`} changed since the build.`]
      : [];
  const chance = chanceOf(input.localBuild);
  if (!code) return withoutCode(facts, [...files, ...because, ...(chance === undefined ? [] : [chance])]);
  if (chance !== undefined) {
    const likeness = isSame(findings)
      ? t`The code of the local build is the deployed one`
      : own && isOtherOrder(deployed.code, own.code)
        ? t`The code of the local build has the deployed instructions in another order`
        : undefined;
    if (likeness !== undefined)
      return {
        prediction: "unknown",
        reasons: [chance, `${likeness}.`, ...because],
        brief: IN_BRIEF.byChance(),
      };
    files.push(chance);
  }
  if (isSame(findings) && stale.length > 0) {
    return {
      prediction: "unknown",
      reasons: [
        t`The code of the local build is the deployed one, but ${listed(stale)} ${stale.length === 1 ? t`has` : t`have`} changed since. Build again, then predict again.`,
        ...because,
      ],
      brief: IN_BRIEF.sameCodeChangedFiles(stale.length),
    };
  }
  if (isSame(findings)) {
    const byCreation = byCreationCodeAlone(facts);
    if (byCreation) return byCreation;
    if (hasSameIntegrity(input)) {
      return {
        prediction: "exact_match",
        ceiling: "exact_match",
        reasons: [
          t`The creation code carries the integrity of these sources, and the runtime code is the same.`,
        ],
        brief: IN_BRIEF.sameIntegrity(),
      };
    }
    return {
      prediction: "match",
      reasons: [
        ...(ceiling.reason ? [t`The code is the same. ${ceiling.reason}`] : [await sameCodeInWords(facts)]),
        ...files,
      ],
      ...(ceiling.reason === undefined && {
        brief: IN_BRIEF.sameCodeOtherHash(),
      }),
    };
  }
  if (hasSameCreationCode(input, findings))
    return {
      prediction: "match",
      reasons: [
        t`The creation code is the local build's, so it matches, though its constructor deployed another runtime code.`,
        ...files,
      ],
    };
  const bytes = bytesOfPlaces(differingPlaces(code.pairs));
  return {
    prediction: "mismatch",
    ...(bytes > 0 && { brief: IN_BRIEF.otherCode(bytes) }),
    reasons: [
      findings.isOnlyOtherLiteral
        ? t`A source holds the code of another contract as hex, which is another one in the deployed code.`
        : t`The code differs from the local build's in ${counted(bytes, "byte")}: a source or a setting is not that of the deployment.`,
      ...files,
      ...because,
    ],
  };
}

/**
 * Before Vyper 0.3.10 the service does not know how much a deployment wrote behind the runtime code, so that only the creation
 * code can match (lib-sourcify, `Verification.ts`).
 */
function byCreationCodeAlone({ findings, input }: Facts): Verdict | undefined {
  const { compilerVersion = "" } = input.localBuild;
  if (!isWrittenBehind(findings, languageOf(input.localBuild), compilerVersion)) return undefined;
  const { built, deployed } = creationDigits(input);
  const same = t`The code is the same but for what the deployment wrote behind it, which the service can't take away before Vyper ${VYPER_SINCE.layout}`;
  if (built === "" || deployed === "")
    return {
      prediction: "unknown",
      reasons: [t`${same}: the creation code decides. Name the creation transaction.`],
    };
  return deployed.startsWith(built)
    ? { prediction: "match", reasons: [t`${same}, but the creation code is the local build's, too.`] }
    : {
        prediction: "mismatch",
        reasons: [t`${same}, and the creation code is another one: the constructor differs.`],
      };
}

function chanceOf(build: LocalBuild): string | undefined {
  const { sources = {}, compilerVersion = "" } = build;
  const language = languageOf(build);
  return language && RULES[language].chanceInWords?.(Object.values(sources), compilerVersion);
}

/** Without a local code, only what speaks against a match can be told, and that it is no exact one. */
function withoutCode({ findings, auxdata, input }: Facts, more: readonly string[]): Verdict {
  const { localBuild } = input;
  const { contradictions, doubts, brief: sign } = inputSigns(findings.deployed, localBuild);
  const isOtherMetadataHash =
    auxdata?.hash !== undefined && localBuild.metadata !== undefined && localBuild.isMetadataBuilt !== true;
  const hash = auxdata?.hash ? ` (${hashText(auxdata.hash)})` : "";
  const brief = sign ?? (isOtherMetadataHash ? IN_BRIEF.otherHash() : undefined);
  return {
    isWithoutBuild: true,
    prediction: contradictions.length > 0 ? "mismatch" : "unknown",
    ...(brief !== undefined && { brief }),
    reasons: [
      ...contradictions,
      ...doubts,
      isOtherMetadataHash
        ? t`The metadata hash of the deployed build${hash} is not that of the local one, so a source or a setting differs. Whether the code differs too is unknown without the code of the local build.`
        : t`There is no local build to compare. Build the project, or verify locally, to see the result first.`,
      ...more,
    ],
  };
}

/** Codes that are the same but for the form of their metadata, which the service does not take for a match. */
function byLength({ findings, input }: Facts): Verdict | undefined {
  const { code, own, deployed } = findings;
  const language = languageOf(input.localBuild);
  const isHashBeside = language !== undefined && LANGUAGES[language].hasHashInCreationCode;
  if (!code || !own || isHashBeside || !isSame(findings)) return undefined;
  const refusal = lengthRefusal(own, deployed);
  if (refusal !== undefined)
    return {
      prediction: "mismatch",
      reasons: [refusal],
      brief: IN_BRIEF.otherMetadataForm(),
    };
  const inner = innerRefusal(code, input.localBuild.compilerVersion);
  return inner === undefined
    ? undefined
    : {
        prediction: "mismatch",
        reasons: [inner],
        brief: IN_BRIEF.otherInnerCompiler(),
      };
}

/**
 * Why the service refuses codes that are the same but for the length of their metadata (lib-sourcify,
 * `Verification.ts`): it goes on only when the deployed metadata has no hash, and it can put just one of them right.
 */
function lengthRefusal(local: AnalysedCode, deployed: AnalysedCode): string | undefined {
  const [length, deployedLength] = [local.code.bytes.length, deployed.code.bytes.length];
  if (length === deployedLength) return undefined;
  const [own, auxdata] = [local.auxdata, deployed.auxdata];
  // Where nothing is deployed behind the code, the service takes the auxdata and the INVALID before it away.
  const taken = own && !auxdata ? own.end - own.start + 1 : undefined;
  const fits = taken === undefined || length - taken === deployedLength;
  if (!auxdata?.hash && local.code.auxdatas.length === 1 && fits) return undefined;
  const form = (one: Auxdata | undefined) =>
    one
      ? t`bytecodeHash ${one.hash?.kind ?? "none"}${one.experimental ? t` and the experimental mark` : ""}`
      : t`appendCBOR off`;
  return t`The instructions are the same, but the metadata behind them has another form: the deployed build has ${form(auxdata)}, the local one ${form(own)}. Build with the deployed setting.`;
}

/** From here on the service finds the auxdata of contracts inside; before, it puts right the last one alone. */
const FINDS_INNER_SINCE = "0.4.12";

/**
 * Why the service refuses codes that are the same but for the auxdata of contracts inside: it finds them by the hash that
 * changes when a source does (lib-sourcify, `auxdataUtils.ts`), and without one only the last auxdata, at the end.
 */
function innerRefusal({ pairs }: CodeComparison, compilerVersion = ""): string | undefined {
  const isLastAlone = compilerVersion !== "" && !atLeast(compilerVersion, FINDS_INNER_SINCE);
  const auxdatas = pairs.filter(({ right }) => right?.section.kind === "auxdata");
  const lost = auxdatas
    .slice(0, -1)
    .some(
      ({ relation, right }) =>
        relation === "auxdata" &&
        right?.section.kind === "auxdata" &&
        (isLastAlone || !right.section.auxdata.hash),
    );
  if (lost && isLastAlone)
    return t`The instructions are the same, but a contract inside has another metadata hash, which the service can't put right for solc before ${FINDS_INNER_SINCE}. Build the sources as they were deployed.`;
  return lost
    ? t`The instructions are the same, but a contract inside carries the version of another compiler, which the service can't put right without a metadata hash. Build with the deployed version.`
    : undefined;
}

/**
 * Whether the deployed creation code is the built one, without arguments. The service compares it where the runtime codes are
 * of one length, or the deployed one has no metadata hash (lib-sourcify, `Verification.ts`).
 */
function hasSameCreationCode(input: PredictionInput, { deployed: there, own }: CodeFindings): boolean {
  if (there.auxdata?.hash && there.code.bytes.length !== own?.code.bytes.length) return false;
  const { built, deployed } = creationDigits(input);
  return built !== "" && deployed === built;
}

/** Both creation codes in digits that can be compared; empty for one that is not known. */
function creationDigits({ deployedCreationCode, localBuild }: PredictionInput): {
  readonly built: string;
  readonly deployed: string;
} {
  const digits = (code: string | null | undefined) => (code ?? "").replace(/^0x/i, "").toLowerCase();
  return { built: digits(localBuild.creationBytecode), deployed: digits(deployedCreationCode) };
}

/** Vyper 0.4.1 and newer writes a hash over the sources into the creation code. */
function hasSameIntegrity({ deployedCreationCode, localBuild }: PredictionInput): boolean {
  const integrity = (code: string | undefined) => creationAuxdata(code)?.layout?.integrity;
  // Another language's code may only hold one.
  const language = languageOf(localBuild);
  const isThere = language !== undefined && LANGUAGES[language].hasHashInCreationCode;
  const own = isThere ? integrity(localBuild.creationBytecode) : undefined;
  return own !== undefined && own === integrity(deployedCreationCode);
}

/** The best that a deployment can come to (argotorg/sourcify, lib-sourcify, `Verification.ts`, `matchBytecodes`). */
function ceilingOf({ localBuild }: PredictionInput, { runtime, creationCode }: DeployedCodes): Ceiling {
  const { auxdata } = runtime;
  const language = auxdata?.language ?? languageOf(localBuild);
  if (language && LANGUAGES[language].hasHashInCreationCode) {
    const version =
      creationAuxdata(creationCode)?.compilerVersion ?? auxdata?.compilerVersion ?? localCompiler(localBuild);
    return version !== undefined && RULES[language].metadataHashPlace?.({}, version) === "creation code"
      ? {
          match: "exact_match",
          reason: t`Vyper's integrity hash is in the creation code only, so an exact match needs the creation transaction.`,
        }
      : {
          match: "match",
          reason: t`A match is the most that is possible: Vyper before 0.4.1 writes no metadata hash.`,
        };
  }
  // Contracts that it creates are built with the same settings; what else is in the code is none of the service's matter.
  if (!auxdata?.hash) {
    return {
      match: "match",
      reason: auxdata
        ? t`A match is the most that is possible: the code was built with bytecodeHash none and carries no metadata hash.`
        : t`A match is the most that is possible: the code carries no metadata (Yul, appendCBOR off, or solc before 0.4.7).`,
    };
  }
  return { match: "exact_match" };
}
