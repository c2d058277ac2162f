import { codeBytes, unlinkedCodeBytes } from "../evm/hex.ts";
import { compareCodes, type CodeComparison } from "../evm/codeComparison.ts";
import { disassemble, type Disassembly } from "../evm/disassembly.ts";
import { compareVersions, shortVersion } from "../versions.ts";
import { isBlueprint } from "../evm/blueprint.ts";
import { findAuxdata, hashText, type Auxdata } from "../evm/auxdata.ts";
import { isOtherOrder } from "../evm/instructionOrder.ts";
import { INVALID } from "../evm/opcodes.ts";
import { findProxy, type ProxyCode } from "../evm/proxy.ts";
import { chanceInWords } from "../languages/vyper/vyperCallOrder.ts";
import { isCancellation } from "../errors.ts";
import { proxyInWords } from "./proxyWording.ts";
import { counted, listed } from "../text/counted.ts";
import type { LocalBuild } from "./localBuild.ts";
import { inputSigns, lacksFunctions } from "./inputSigns.ts";
import { readMetadata } from "./compilerMetadata.ts";
import {
  AS_ON_DISK,
  metadataDigest,
  findProvenBuildInPieces,
  type ProvenBuild,
  type ProvenDifference,
} from "./metadataSearch.ts";
import { sourceHash } from "./sourceVariants.ts";
import { ownValue } from "../json/ownValue.ts";
import { inTurns } from "../concurrency/turns.ts";

/** What a submission would come to. */
export type PredictedOutcome = "exact_match" | "match" | "mismatch" | "unknown";

/** A prediction, and what to do with it. */
export interface Prediction {
  readonly prediction: PredictedOutcome;
  /** Sentences, the decisive one first. */
  readonly reasons: readonly string[];
  /** The best that this deployment can come to: `match` where the code carries no metadata hash. */
  readonly ceiling: "exact_match" | "match";
  readonly proxy?: ProxyCode;
  /** Where a proxy hands its calls on to, 0x-prefixed, lower case. */
  readonly implementation?: string;
  /** The build that the deployed metadata hash proves, where one was found. */
  readonly proven?: ProvenBuild;
}

/** The deployment and the build to compare it with. */
export interface PredictionInput {
  /** `eth_getCode` of the address, 0x-prefixed; `0x` where nothing is deployed. */
  readonly deployedCode: string;
  /** The creation code with its arguments, where it is known; Vyper's integrity hash stands only there. */
  readonly deployedCreationCode?: string;
  readonly localBuild: LocalBuild;
}

/** Reads where a proxy hands its calls on to; `undefined` where that can't be told. */
export type ImplementationReader = (proxy: ProxyCode) => Promise<string | undefined>;

/** What is known so far, for the rules to agree on. */
interface Facts {
  readonly input: PredictionInput;
  readonly deployed: Disassembly;
  readonly auxdata: Auxdata | undefined;
  /** The local runtime code, where there is one. */
  readonly local: Disassembly | undefined;
  readonly code: CodeComparison | undefined;
  readonly ceiling: Ceiling;
}

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
      ceiling: "match",
      reasons: ["Nothing is deployed at this address on this chain. Check the chain and the address."],
    };
  }
  const deployed = disassemble(bytes);
  const auxdata = deployed.auxdatas.at(-1);
  const { runtimeBytecode } = input.localBuild;
  const local = runtimeBytecode ? disassemble(unlinkedCodeBytes(runtimeBytecode)) : undefined;
  const facts: Facts = {
    input,
    deployed,
    auxdata,
    local,
    code: local && compareCodes(deployed, local),
    ceiling: ceilingOf(input, deployed),
  };
  return (
    byBlueprint(facts) ??
    byMetadataHash(facts) ??
    (await byProxy(facts, implementationOf)) ??
    byCompiler(facts) ??
    byLength(facts) ??
    (await bySearch(facts)) ??
    byCode(facts)
  );
}

/** A blueprint holds creation code, auxdata and all, and is no contract that could be verified. */
function byBlueprint({ deployed: { bytes }, ceiling }: Facts): Prediction | undefined {
  if (!isBlueprint(bytes)) return undefined;
  return {
    prediction: "mismatch",
    ceiling: ceiling.match,
    reasons: [
      "This address is a blueprint (ERC-5202): creation code that is kept for others to deploy. Verify a contract that was created from it.",
    ],
  };
}

/** The deployed code carries the hash of the local metadata. */
function byMetadataHash(facts: Facts): Prediction | undefined {
  const { auxdata, input, code, ceiling } = facts;
  const { metadata } = input.localBuild;
  if (
    !auxdata?.hash ||
    metadata === undefined ||
    metadataDigest(metadata, auxdata.hash.kind) !== auxdata.hash.digest
  )
    return undefined;
  const equal = `The deployed code carries the metadata hash of this build (${hashText(auxdata.hash)}): sources and settings are those of the deployment.`;
  const stale = staleSources(facts);
  if (stale.length > 0) {
    return {
      prediction: "unknown",
      ceiling: ceiling.match,
      reasons: [
        `The build that is recorded is the deployed one, but ${listed(stale)} ${stale.length === 1 ? "has" : "have"} changed since. Submit the recorded sources.`,
      ],
    };
  }
  if (code && !isSameCode(code, false)) {
    return {
      prediction: "mismatch",
      ceiling: ceiling.match,
      reasons: [
        `${equal} But the code differs in ${counted(code.differingBytes, "byte")}, as it does when other files were compiled along. Submit the full input of the build.`,
      ],
    };
  }
  return ceiling.match === "exact_match"
    ? { prediction: "exact_match", ceiling: "exact_match", reasons: [equal] }
    : {
        prediction: "match",
        ceiling: "match",
        reasons: [equal, ...(ceiling.reason ? [ceiling.reason] : [])],
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
  { deployed, code, local, ceiling, input }: Facts,
  implementationOf: ImplementationReader | undefined,
): Promise<Prediction | undefined> {
  const proxy = findProxy(deployed);
  if (!proxy || (code && isSameCode(code, false))) return undefined;
  // Whoever builds a proxy of the same kind means the proxy itself.
  if (local && findProxy(local)?.kind === proxy.kind) return undefined;
  const implementation = proxy.implementation ?? (await orUnknown(() => implementationOf?.(proxy)));
  const isOther =
    local !== undefined || isNoContract(proxy) || lacksFunctions(deployed, input.localBuild.selectors);
  const instead =
    implementation === undefined
      ? "Verify its implementation instead, or the proxy with its own sources."
      : `Verify the implementation at ${implementation} instead.`;
  return {
    prediction: isOther ? "mismatch" : "unknown",
    ceiling: ceiling.match,
    proxy,
    ...(implementation && { implementation }),
    reasons: isOther
      ? [`This address is ${proxyInWords(proxy)}, not the contract itself. ${instead}`]
      : [
          `This address is ${proxyInWords(proxy)}. Whether that is the contract itself can't be told without a local build: compile it, then look again. ${
            implementation === undefined
              ? "For the contract behind the proxy, verify its implementation."
              : `For the contract behind the proxy, verify the implementation at ${implementation}.`
          }`,
        ],
  };
}

/** What no source of a contract comes to: code that was put together byte by byte. */
function isNoContract({ kind }: ProxyCode): boolean {
  return kind === "EIP-1167" || kind === "EIP-7702";
}

/** That it is a proxy is known without its implementation, so whoever can't be asked is no failure. */
async function orUnknown(read: () => Promise<string | undefined> | undefined): Promise<string | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isCancellation(error)) throw error;
    return undefined;
  }
}

/** The deployed code names another language or another compiler. */
function byCompiler(facts: Facts): Prediction | undefined {
  const { auxdata, input, ceiling } = facts;
  if (isSame(facts)) return undefined;
  const { localBuild, deployedCreationCode } = input;
  const own = auxdata ?? findAuxdata(codeBytes(deployedCreationCode)).at(-1);
  const language = languageOf(localBuild);
  if (!own) return undefined;
  if (language && own.language !== language) {
    return {
      prediction: "mismatch",
      ceiling: ceiling.match,
      reasons: [
        `The deployed code was made by ${own.language}${own.compilerVersion ? ` ${own.compilerVersion}` : ""}, the local build by ${language}. Choose the contract that was deployed.`,
      ],
    };
  }
  const local = localCompiler(localBuild);
  if (!local) return undefined;
  const isOld = own.hash?.kind === "bzzr0" && own.compilerVersion === undefined;
  const isOther = own.compilerVersion
    ? shortVersion(local) !== own.compilerVersion && compareVersions(local, own.compilerVersion) !== 0
    : isOld && compareVersions(local, "0.5.9") >= 0;
  if (!isOther) return undefined;
  const versions = `The deployed code was compiled with ${own.compilerVersion ?? "solc 0.4.7 to 0.5.8"}, the local build with ${shortVersion(local)}.`;
  if (facts.code)
    return {
      prediction: "mismatch",
      ceiling: ceiling.match,
      reasons: [`${versions} Build with the deployed version, then look again.`],
    };
  // A release often makes the same code of a contract as the one before it.
  const { contradictions, doubts } = inputSigns(facts.deployed.bytes, localBuild);
  return {
    prediction: contradictions.length > 0 ? "mismatch" : "unknown",
    ceiling: ceiling.match,
    reasons: [
      ...contradictions,
      `${versions} Two releases may make the same code, but it is no exact match. Submit with the deployed version.`,
      ...doubts,
    ],
  };
}

function languageOf({ language, metadata }: LocalBuild): "Solidity" | "Vyper" | undefined {
  return language ?? (metadata === undefined ? undefined : "Solidity");
}

function localCompiler({ compilerVersion, metadata }: LocalBuild): string | undefined {
  return compilerVersion ?? (metadata === undefined ? undefined : readMetadata(metadata)?.compilerVersion);
}

/** Another spelling of the files, or other settings, that the deployed metadata hash proves. */
async function bySearch(facts: Facts): Promise<Prediction | undefined> {
  const { auxdata, input, code, ceiling } = facts;
  const { metadata, sources = {} } = input.localBuild;
  if (!auxdata?.hash || metadata === undefined) return undefined;
  const proven = await inTurns(
    findProvenBuildInPieces(auxdata.hash, metadata, sources, auxdata.compilerVersion),
  );
  if (!proven || proven.differences.length === 0) return undefined;
  const reasons = proven.differences.map(differenceInWords);
  const filesOnly = proven.differences.every(({ kind }) => kind === "file");
  // The line endings of a file do not reach the code, and what stands in the metadata alone doesn't, either.
  const isSame = code
    ? isSameCode(code, false)
    : proven.differences.every((one) => !mayReachCode(one)) || undefined;
  const hasExactFiles = filesOnly && proven.isFoundByService && ceiling.match === "exact_match";
  return {
    prediction:
      isSame === undefined ? "unknown" : !isSame ? "mismatch" : hasExactFiles ? "exact_match" : "match",
    ceiling: ceiling.match,
    proven,
    reasons: [
      ...reasons,
      ...(hasExactFiles ? ["The service tries such line endings by itself."] : []),
      ...(isSame && !hasExactFiles
        ? ["The code is the same; with this put right it is an exact match."]
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

function differenceInWords(difference: ProvenDifference): string {
  switch (difference.kind) {
    case "compiler":
      return `The deployed build used solc ${shortVersion(difference.deployed)}, the local one ${shortVersion(difference.local)}.`;
    case "setting":
      return `The deployed build has ${difference.setting} ${difference.deployed}, the local one ${difference.local}.`;
    case "file":
      return difference.description === AS_ON_DISK
        ? `The deployed build has ${listed(difference.files)} as on disk now; the recorded build is older.`
        : `The deployed build has ${listed(difference.files)} ${difference.description}.`;
  }
}

/** Without a metadata hash that fits, the codes decide; without a local code, nothing does. */
function byCode(facts: Facts): Prediction {
  const { code, ceiling, input } = facts;
  const because = ceiling.reason ? [ceiling.reason] : [];
  const stale = staleSources(facts);
  const files =
    stale.length > 0
      ? [`${listed(stale)} ${stale.length === 1 ? "has" : "have"} changed since the build.`]
      : [];
  const isVyper = languageOf(input.localBuild) === "Vyper";
  const chance = isVyper ? chanceOf(input.localBuild) : undefined;
  if (!code) return withoutCode(facts, [...files, ...because, ...(chance === undefined ? [] : [chance])]);
  if (chance !== undefined) {
    const likeness = isSame(facts)
      ? "The code of the local build is the deployed one"
      : facts.local && isOtherOrder(facts.deployed, facts.local)
        ? "The code of the local build has the deployed instructions in another order"
        : undefined;
    if (likeness !== undefined)
      return { prediction: "unknown", ceiling: ceiling.match, reasons: [chance, `${likeness}.`, ...because] };
    files.push(chance);
  }
  if (isSame(facts) && stale.length > 0) {
    return {
      prediction: "unknown",
      ceiling: ceiling.match,
      reasons: [
        `The code of the local build is the deployed one, but ${listed(stale)} ${stale.length === 1 ? "has" : "have"} changed since. Build again, then look again.`,
        ...because,
      ],
    };
  }
  if (isSame(facts)) {
    const exact = isVyper && hasSameIntegrity(input);
    if (exact) {
      return {
        prediction: "exact_match",
        ceiling: "exact_match",
        reasons: [
          "The creation code carries the integrity of these sources, and the runtime code is the same.",
        ],
      };
    }
    return {
      prediction: "match",
      ceiling: ceiling.match,
      reasons: [
        ...(ceiling.reason
          ? [`The code is the same. ${ceiling.reason}`]
          : [
              "The code is the same, but its metadata hash is another one: a comment, a name or a setting that does not reach the code differs.",
            ]),
        ...files,
      ],
    };
  }
  return {
    prediction: "mismatch",
    ceiling: ceiling.match,
    reasons: [
      `The code differs from the local build's in ${counted(code.differingBytes, "byte")}: a source or a setting is not that of the deployment.`,
      ...files,
      ...because,
    ],
  };
}

function chanceOf({ sources = {}, compilerVersion = "" }: LocalBuild): string | undefined {
  return chanceInWords(Object.values(sources), compilerVersion);
}

/** Without a local code, only what speaks against a match can be told, and that it is no exact one. */
function withoutCode({ deployed, auxdata, input, ceiling }: Facts, more: readonly string[]): Prediction {
  const { localBuild } = input;
  const { contradictions, doubts } = inputSigns(deployed.bytes, localBuild);
  const isOtherMetadataHash =
    auxdata?.hash !== undefined && localBuild.metadata !== undefined && localBuild.isMetadataBuilt !== true;
  const hash = auxdata?.hash ? ` (${hashText(auxdata.hash)})` : "";
  return {
    prediction: contradictions.length > 0 ? "mismatch" : "unknown",
    ceiling: ceiling.match,
    reasons: [
      ...contradictions,
      ...doubts,
      isOtherMetadataHash
        ? `The metadata hash of the deployed build${hash} is not that of the local one, so a source or a setting differs. Whether the code does, too, can't be told without the code of the local build.`
        : "There is no local build to compare the deployed code with. Compile the contract, then look again.",
      ...more,
    ],
  };
}

/** Codes that are the same but for the form of their metadata, which the service does not take for a match. */
function byLength(facts: Facts): Prediction | undefined {
  const { code, input, ceiling, deployed } = facts;
  if (!code || languageOf(input.localBuild) === "Vyper" || !isSameCode(code, false)) return undefined;
  const refusal =
    lengthRefusal(facts, disassemble(unlinkedCodeBytes(input.localBuild.runtimeBytecode ?? "")), deployed) ??
    innerRefusal(code);
  return refusal === undefined
    ? undefined
    : { prediction: "mismatch", ceiling: ceiling.match, reasons: [refusal] };
}

/**
 * Why the service refuses codes that are the same but for the length of their metadata (lib-sourcify,
 * `Verification.ts`): it goes on only when the deployed metadata has no hash, and it can put just one of them right.
 */
function lengthRefusal({ auxdata }: Facts, local: Disassembly, deployed: Disassembly): string | undefined {
  if (local.bytes.length === deployed.bytes.length) return undefined;
  const own = local.auxdatas.at(-1);
  // Where nothing is deployed behind the code, the service takes the auxdata and the INVALID before it away.
  const taken = own && !auxdata ? own.end - own.start + 1 : undefined;
  const fits = taken === undefined || local.bytes.length - taken === deployed.bytes.length;
  if (!auxdata?.hash && local.auxdatas.length === 1 && fits) return undefined;
  const form = (one: Auxdata | undefined) =>
    one
      ? `bytecodeHash ${one.hash?.kind ?? "none"}${one.experimental ? " and the experimental mark" : ""}`
      : "appendCBOR off";
  return `The instructions are the same, but the metadata behind them has another form: the deployed build has ${form(auxdata)}, the local one ${form(local.auxdatas.at(-1))}. Build with the deployed setting.`;
}

/**
 * Why the service refuses codes that are the same but for the auxdata of contracts inside: it finds them by the hash that
 * changes when a source does (lib-sourcify, `auxdataUtils.ts`), and without one only the last auxdata, at the end.
 */
function innerRefusal({ pairs }: CodeComparison): string | undefined {
  const auxdatas = pairs.filter(({ right }) => right?.section.kind === "auxdata");
  const lost = auxdatas
    .slice(0, -1)
    .some(
      ({ relation, right }) =>
        relation === "auxdata" && right?.section.kind === "auxdata" && !right.section.auxdata.hash,
    );
  return lost
    ? "The instructions are the same, but a contract inside carries the version of another compiler, which the service can't put right without a metadata hash. Build with the deployed version."
    : undefined;
}

/** Vyper 0.4.1 and newer writes a hash over the sources into the creation code. */
function hasSameIntegrity({ deployedCreationCode, localBuild }: PredictionInput): boolean {
  const integrity = (code: string | undefined) => findAuxdata(codeBytes(code)).at(-1)?.layout?.integrity;
  const own = integrity(localBuild.creationBytecode);
  return own !== undefined && own === integrity(deployedCreationCode);
}

/** Whether the service would find the codes the same. Vyper appends immutables, whole words, to the runtime code. */
function isSame({ code, input, deployed }: Facts): boolean {
  if (languageOf(input.localBuild) !== "Vyper") return code !== undefined && isSameCode(code, false);
  const local = unlinkedCodeBytes(input.localBuild.runtimeBytecode ?? "");
  return (
    local.length > 0 &&
    (deployed.bytes.length - local.length) % 32 === 0 &&
    local.every((byte, at) => byte === deployed.bytes[at])
  );
}

/**
 * Whether two codes differ in nothing but what a deployment writes in, and auxdata.
 *
 * @param strict auxdata must be the same, too
 */
function isSameCode({ pairs }: CodeComparison, strict: boolean): boolean {
  return pairs.every(({ relation, left, right }) => {
    if (relation === "same" || relation === "immutable") return true;
    // A library that is not linked yet is zero in the local code.
    if (relation === "address") return /^0+$/.test(right?.instruction?.operand ?? "");
    const item = left ?? right;
    const isAuxdata = relation === "auxdata" || item?.section.kind === "auxdata";
    // The INVALID before auxdata goes with it.
    return !strict && (isAuxdata || (item?.instruction?.opcode === INVALID && relation !== "word"));
  });
}

/** The best that a deployment can come to (argotorg/sourcify, lib-sourcify, `Verification.ts`, `matchBytecodes`). */
function ceilingOf({ localBuild, deployedCreationCode }: PredictionInput, deployed: Disassembly): Ceiling {
  const auxdata = deployed.auxdatas.at(-1);
  const isVyper = (auxdata?.language ?? languageOf(localBuild)) === "Vyper";
  if (isVyper) {
    const version =
      findAuxdata(codeBytes(deployedCreationCode)).at(-1)?.compilerVersion ??
      auxdata?.compilerVersion ??
      localCompiler(localBuild);
    return version !== undefined && compareVersions(version, "0.4.1") >= 0
      ? {
          match: "exact_match",
          reason:
            "Vyper's integrity hash stands in the creation code only, so an exact match needs the creation transaction.",
        }
      : {
          match: "match",
          reason: "A match is the most that is possible: Vyper before 0.4.1 writes no metadata hash.",
        };
  }
  const without = deployed.auxdatas.find((one) => !one.hash);
  if (!auxdata || without) {
    return {
      match: "match",
      reason: auxdata
        ? "A match is the most that is possible: the code was built with bytecodeHash none and carries no metadata hash."
        : "A match is the most that is possible: the code carries no metadata (Yul, appendCBOR off, or solc before 0.4.7).",
    };
  }
  return { match: "exact_match" };
}
