import { codeBytes } from "../evm/hex.ts";
import { compareCodesInPieces, type ItemPair } from "../evm/codeComparison.ts";
import { disassemble } from "../evm/disassembly.ts";
import { isBlueprint } from "../evm/blueprint.ts";
import { compareVersions, shortVersion } from "../versions.ts";
import { findAuxdata, type Auxdata } from "../evm/auxdata.ts";
import { PUSH20 } from "../evm/opcodes.ts";
import { extraFilesCause, shortName, workspaceName } from "./answeredCauses.ts";
import { analyseCode, type AnalysedCode } from "./codeTraits.ts";
import {
  ALIKE,
  deployedCompiler,
  hasSameFunctions,
  isHarmless,
  namesCompiler,
  type Comparison,
} from "./comparison.ts";
import { constructorCause } from "./constructorCause.ts";
import {
  compareSelectors,
  findCandidates,
  namesOf,
  type ContractCandidate,
  type SelectorComparison,
} from "./contractSearch.ts";
import type { Action, Cause, ExplanationInput, ResubmitChanges, SettingChanges } from "./explanation.ts";
import { fullVersion } from "./fullVersion.ts";
import { counted, grouped, listed } from "../text/counted.ts";
import { languageCause } from "./languageCause.ts";
import { proxyInWords } from "./proxyWording.ts";
import { provenCauses } from "./provenCauses.ts";
import { evmCauses } from "./evmCause.ts";
import { capitalised } from "./compilerMessages.ts";
import {
  constantLikeness,
  hasGuessedDetails,
  optimizerDetailsCause,
  revertStringsCause,
} from "./hiddenSettings.ts";
import { fittingRuns, runsCause } from "./runsCause.ts";
import { compareRuns } from "./runsEstimate.ts";
import { compilerRemedy } from "./unnamedCompiler.ts";
import { TriedSubmissions } from "./triedSubmissions.ts";
import { vyperCauses } from "./vyperCauses.ts";
import { librariesIn } from "./sourceOutline.ts";
import { foreign } from "../text/shownText.ts";
import type { Pieces } from "../concurrency/turns.ts";

/** The release that brought `settings.experimental` (solc's changelog). */
const EXPERIMENTAL_MODE_SINCE = "0.8.35";

const SHOW_DIFFERENCE: Action = { kind: "show difference", label: "Show Bytecode Difference" };

/** The causes that two runtime codes tell, in no order. */
export function* codeCauses(
  input: ExplanationInput,
  deployed: AnalysedCode,
  whole: AnalysedCode,
): Pieces<Cause[]> {
  const isTruncated = endsAtPlaceholder(whole);
  // What is behind the placeholder is unknown, so only what is before it is compared.
  const left = isTruncated ? analyseCode(deployed.code.bytes.slice(0, whole.code.bytes.length)) : deployed;
  const comparison: Comparison = {
    input,
    deployed: isTruncated ? { ...left, auxdata: deployed.auxdata, language: deployed.language } : deployed,
    recompiled: whole,
    code: yield* compareCodesInPieces(left.code, whole.code),
    selectors: compareSelectors(left.selectors, whole.selectors),
    isTruncated,
    tried: new TriedSubmissions(input),
    isSearched: input.submitted.metadata !== undefined && deployed.auxdata?.hash !== undefined,
  };
  const plain =
    blueprintCause(deployed) ??
    proxyCause(comparison, deployed) ??
    languageCause(input, deployed) ??
    (yield* constructorCause(input, deployed, whole));
  if (plain) return [plain];
  const proven = yield* provenCauses(input.submitted, deployed);
  if (proven.length > 0) return proven;
  const causes = [compilerCause(comparison)].filter((cause) => cause !== undefined);
  for (const cause of evmCauses(comparison)) causes.push(cause);
  if (isSameCode(comparison)) return [...causes, ...sameCodeCauses(comparison)];
  yield;
  for (const cause of pipelineCauses(comparison, causes)) causes.push(cause);
  const sameMetadata = sameMetadataHash(comparison);
  if (sameMetadata)
    return [...causes, extraFilesCause(0.95, "The metadata is the same on both sides and the code is not")];
  const reasons = revertStringsCause(comparison);
  if (reasons) causes.push(reasons);
  yield;
  // Beside details that were a guess, nothing tells of runs.
  const runs = reasons || hasGuessedDetails(comparison) ? undefined : yield* runsCause(comparison, causes);
  if (runs) {
    const isPointed = !namesCompiler(comparison) && hasSameFunctions(comparison) && pointsToRuns(comparison);
    causes.push(isPointed ? { ...runs, confidence: Math.max(runs.confidence, POINTED) } : runs);
  }
  for (const cause of yield* sourceCauses(comparison, causes)) causes.push(cause);
  if (isTruncated) causes.push(libraryPlaceholderCause(comparison, 0.3));
  return weighed(comparison, causes);
}

/**
 * What another contract's code shows of settings says nothing of the settings of this one, and what a code shows that does
 * not say its compiler may come with another one.
 */
function weighed(comparison: Comparison, causes: readonly Cause[]): Cause[] {
  const { selectors, code, deployed } = comparison;
  const isOther = selectors.likeness < 0.3 && code.likeness < ALIKE && deployed.selectors.length > 0;
  const isUnnamed = deployed.auxdata?.hash?.kind === "bzzr0" && !namesCompiler(comparison);
  return causes.map((cause) => {
    const { code: kind, confidence } = cause;
    if (kind === "wrong_contract" || kind === "edited_source") return cause;
    if (isOther) return { ...cause, confidence: Math.min(confidence, 0.6) };
    const isProof = kind === "compiler_version" || kind === "language" || kind === "unlinked_library";
    return isUnnamed && !isProof ? { ...cause, confidence: Math.min(confidence, MAX_UNNAMED) } : cause;
  });
}

/**
 * The service keeps recompiled code as bytes, and decoding stops at a library's placeholder, right behind the
 * PUSH20 that takes its address. Such a code has no auxdata and ends with that opcode.
 */
function endsAtPlaceholder({ code, auxdata }: AnalysedCode): boolean {
  return auxdata === undefined && code.bytes.at(-1) === PUSH20;
}

/** Nothing can call a blueprint. */
function blueprintCause({ code: { bytes } }: AnalysedCode): Cause | undefined {
  if (!isBlueprint(bytes)) return undefined;
  return {
    code: "wrong_contract",
    confidence: 0.96,
    evidence: `The deployed code is a blueprint (ERC-5202, ${counted(bytes.length, "byte")}): creation code that is kept for others to deploy.`,
    fix: "Verify a contract that was created from it.",
    action: { kind: "check address", label: "Check Address" },
  };
}

function proxyCause({ recompiled, code }: Comparison, { proxy }: AnalysedCode): Cause | undefined {
  if (!proxy) return undefined;
  // Whoever submits a contract that is a proxy itself, and of the same make, means that.
  const isOwn =
    recompiled.proxy !== undefined && (recompiled.proxy.kind === proxy.kind || code.likeness >= ALIKE);
  if (isOwn) return undefined;
  const target =
    proxy.implementation && proxy.kind !== "EIP-7702" ? ` in front of ${proxy.implementation}` : "";
  return {
    code: "proxy",
    confidence: proxy.kind === "other" ? 0.9 : 0.98,
    evidence: `The address is ${proxyInWords(proxy)}${target}, not the contract that was submitted.`,
    fix:
      proxy.kind === "EIP-7702" || proxy.kind === "EIP-1167"
        ? "Verify the contract that it hands its calls on to."
        : "Verify the implementation; the proxy has sources of its own.",
    action: {
      kind: "verify implementation",
      label: "Verify Implementation",
      ...(proxy.implementation && { implementation: proxy.implementation }),
      proxy,
    },
  };
}

/** Where no release of those that the code may be of can compile the sources, they are not the deployed ones. */
const NO_RELEASE: Pick<Cause, "fix"> = {
  fix: "The sources allow none of these releases: submit the sources as they were deployed, from version control.",
};

function compilerCause(comparison: Comparison): Cause | undefined {
  const { deployed, input } = comparison;
  const { submitted, error } = input;
  const creation = findAuxdata(codeBytes(error.onchainCreationCode)).at(-1);
  const auxdata = deployed.auxdata ?? creation;
  const sent = shortVersion(submitted.compilerVersion);
  if (!auxdata) return undefined;
  const onChain = auxdata.compilerVersion;
  if (onChain === undefined) {
    // The hash of before 0.5.9 stands alone.
    if (auxdata.hash?.kind !== "bzzr0" || compareVersions(sent, "0.5.9") < 0) return undefined;
    return {
      code: "compiler_version",
      confidence: 0.95,
      evidence: `The deployed code was compiled with solc 0.4.7 to 0.5.8, which its auxdata shows; you sent ${sent}.`,
      ...(compilerRemedy(comparison) ?? NO_RELEASE),
    };
  }
  if (compareVersions(onChain, sent) === 0 && !onChain.includes("-")) return undefined;
  if (onChain === sent) return undefined;
  const full = fullVersion(auxdata.language, onChain) ?? onChain;
  return {
    code: "compiler_version",
    confidence: 0.97,
    evidence: `The deployed code was compiled with ${onChain}; you sent ${sent}.`,
    fix: `Submit with ${onChain}.`,
    action: {
      kind: "resubmit",
      label: `Resubmit With ${shortVersion(onChain)}`,
      changes: { compilerVersion: full },
    },
  };
}

/** Whether nothing differs but values that a deployment writes in, and auxdata. Vyper appends immutables. */
function isSameCode({ code, input, deployed, recompiled }: Comparison): boolean {
  if (input.submitted.stdJsonInput.language !== "Vyper") return code.pairs.every(isHarmless);
  const [mine, theirs] = [deployed.code.bytes, recompiled.code.bytes];
  return (mine.length - theirs.length) % 32 === 0 && theirs.every((byte, at) => byte === mine[at]);
}

function sameMetadataHash({ deployed, recompiled }: Comparison): boolean {
  const [one, other] = [deployed.auxdata?.hash, recompiled.auxdata?.hash];
  return one !== undefined && one.kind === other?.kind && one.digest === other.digest;
}

/** What can be at fault when the instructions are the same. */
function sameCodeCauses(comparison: Comparison): Cause[] {
  const { code, deployed, recompiled, isTruncated } = comparison;
  if (isTruncated) return [libraryPlaceholderCause(comparison, 0.9), editedCause(comparison, 0.4)];
  const addresses = code.pairs.filter(({ relation }) => relation === "address");
  if (addresses.length > 0) return addressCauses(comparison, addresses);
  const metadata = metadataCause(deployed.auxdata, recompiled.auxdata);
  if (metadata) return [metadata];
  if (!sameMetadataHash(comparison) && deployed.auxdata?.hash) {
    return [
      {
        code: "edited_source",
        confidence: 0.7,
        evidence:
          "Every instruction is the same and only the metadata hash differs: a comment, a name, a line ending or a setting that does not reach the code.",
        fix: "This counts as a match. For an exact match, submit the files and settings of the deployment byte for byte.",
        action: SHOW_DIFFERENCE,
      },
      {
        code: "metadata_settings",
        confidence: 0.4,
        evidence:
          "Settings that only the metadata holds (remappings, libraries, literal content) would show in this way, too.",
      },
    ];
  }
  const immutables = code.pairs.filter(({ relation }) => relation === "immutable").length;
  return [
    {
      code: "server",
      // Without a hash nothing shows whether what leaves the runtime code alone differs, such as a constructor.
      confidence: deployed.auxdata?.hash ? 0.9 : 0.6,
      evidence:
        immutables > 0
          ? `The codes differ only in ${counted(immutables, "immutable value")}, which a deployment writes: that should have matched.`
          : "The codes are the same: that should have matched.",
      fix: "Submit again, and report it to the service if it happens again.",
      action: { kind: "retry", label: "Submit Again" },
    },
  ];
}

function addressCauses({ input }: Comparison, addresses: readonly ItemPair[]): Cause[] {
  const linked = linkedAddresses(input.submitted.stdJsonInput.settings["libraries"]);
  const pairs = new Map(
    addresses.map(({ left, right }) => [left?.instruction?.operand ?? "", right?.instruction?.operand ?? ""]),
  );
  const [[onChain = "", sent = ""] = []] = pairs;
  const link = linked.find(({ address }) => [...pairs.values()].includes(address));
  const isZero = /^0*$/.test(sent);
  if (!link && !isZero) {
    return [
      {
        code: "edited_source",
        confidence: 0.85,
        evidence: `Only ${counted(pairs.size, "address")} in the code differs: 0x${onChain} is deployed, 0x${sent} was compiled.`,
        fix: "Submit the sources with the addresses of the deployment.",
        action: SHOW_DIFFERENCE,
      },
      {
        code: "unlinked_library",
        confidence: 0.3,
        evidence: `0x${onChain} may be the address of a library.`,
      },
    ];
  }
  const found = linked.flatMap(({ file, name, address }) => {
    const deployedAt = [...pairs].find(([, one]) => one === address)?.[0];
    return deployedAt === undefined ? [] : [{ file, name, address, deployedAt: `0x${deployedAt}` }];
  });
  const names = listed(found.map(({ name }) => name));
  return [
    {
      code: "unlinked_library",
      confidence: 0.95,
      evidence: link
        ? `${found.map(({ name, address, deployedAt }) => `The library ${foreign(name)} is linked at ${deployedAt} in the deployed code; you sent 0x${address}`).join(". ")}.`
        : `The deployed code calls a library at 0x${onChain}, which the recompiled code does not link.`,
      fix: link
        ? `Submit with ${names} linked as deployed.`
        : `Submit with the library linked at 0x${onChain}.`,
      ...(link && {
        action: {
          kind: "resubmit",
          label: `Resubmit With ${names} Linked`,
          changes: { settings: { libraries: librarySettings(found) } },
        },
      }),
    },
  ];
}

/** The `libraries` setting: file → name → address. */
function librarySettings(
  libraries: readonly { readonly file: string; readonly name: string; readonly deployedAt: string }[],
): SettingChanges {
  const files = [...new Set(libraries.map(({ file }) => file))];
  return Object.fromEntries(
    files.map((file) => [
      file,
      Object.fromEntries(
        libraries.filter((one) => one.file === file).map(({ name, deployedAt }) => [name, deployedAt]),
      ),
    ]),
  );
}

function linkedAddresses(libraries: unknown): { file: string; name: string; address: string }[] {
  if (typeof libraries !== "object" || libraries === null) return [];
  return Object.entries(libraries).flatMap(([file, names]) =>
    typeof names === "object" && names !== null
      ? Object.entries(names as Record<string, unknown>).map(([name, address]) => ({
          file,
          name,
          address: String(address).replace(/^0x/i, "").toLowerCase(),
        }))
      : [],
  );
}

function libraryPlaceholderCause({ input, recompiled }: Comparison, confidence: number): Cause {
  const at = recompiled.code.bytes.length;
  const wholeDeployed = codeBytes(input.error.onchainRuntimeCode);
  const isSameSoFar = wholeDeployed[at - 1] === PUSH20 && confidence > 0.5;
  const address = isSameSoFar
    ? `0x${[...wholeDeployed.subarray(at, at + 20)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`
    : undefined;
  const libraries = librariesIn(input.submitted.stdJsonInput);
  const [only] = libraries.length === 1 ? libraries : [];
  const changes: ResubmitChanges | undefined =
    address && only ? { settings: { libraries: { [only.file]: { [only.name]: address } } } } : undefined;
  return {
    code: "unlinked_library",
    confidence,
    evidence:
      `The recompiled code breaks off after ${counted(at, "byte")} at the placeholder of a library that is not linked` +
      (address ? `; the deployed code has ${address} there.` : "."),
    fix: address
      ? `Submit with the library${only ? ` ${only.name}` : ""} linked at ${address}.`
      : "Submit with the addresses of the libraries.",
    ...(changes && {
      action: { kind: "resubmit", label: `Resubmit With ${only?.name ?? "Library"} Linked`, changes },
    }),
  };
}

/** The own form of auxdata: which hash, or none. */
function metadataCause(deployed: Auxdata | undefined, recompiled: Auxdata | undefined): Cause | undefined {
  const settings = (metadata: SettingChanges, label: string): Action => ({
    kind: "resubmit",
    label,
    changes: { settings: { metadata } },
  });
  const [mine, theirs] = [deployed?.hash?.kind, recompiled?.hash?.kind];
  if (!deployed && recompiled) {
    return {
      code: "metadata_settings",
      confidence: 0.95,
      evidence: `The deployed code carries no metadata; the recompiled code ends with ${counted(recompiled.end - recompiled.start, "byte")} of it.`,
      fix: "Submit with appendCBOR off.",
      action: settings({ appendCBOR: false, bytecodeHash: "none" }, "Resubmit Without Metadata"),
    };
  }
  if (deployed && !recompiled) {
    return {
      code: "metadata_settings",
      confidence: 0.95,
      evidence: `The deployed code carries metadata (${mine ?? "no hash"}); the recompiled code has none.`,
      fix: `Submit with appendCBOR on and bytecodeHash ${mine ?? "none"}.`,
      action: settings({ appendCBOR: true, bytecodeHash: mine ?? "none" }, "Resubmit With Metadata"),
    };
  }
  if (mine !== theirs) {
    const wanted = mine === "bzzr0" || mine === undefined ? (mine ?? "none") : mine;
    return {
      code: "metadata_settings",
      confidence: 0.95,
      evidence: `The deployed code has ${hashInWords(mine)} in its metadata; you sent ${hashInWords(theirs)}.`,
      fix: `Submit with bytecodeHash ${wanted}.`,
      action: settings({ bytecodeHash: wanted }, `Resubmit With bytecodeHash ${wanted}`),
    };
  }
  if (deployed?.experimental !== recompiled?.experimental) {
    const isMarked = deployed?.experimental === true;
    // The setting came with 0.8.35; before, a pragma or a prerelease brought the mark.
    const hasMode = compareVersions(recompiled?.compilerVersion ?? "0.0.0", EXPERIMENTAL_MODE_SINCE) >= 0;
    return {
      code: "metadata_settings",
      confidence: 0.9,
      evidence: `The ${isMarked ? "deployed" : "recompiled"} code is marked as experimental and the other is not.`,
      ...(hasMode
        ? {
            fix: `Submit with experimental ${isMarked ? "on" : "off"}.`,
            action: {
              kind: "resubmit",
              label: `Resubmit ${isMarked ? "as" : "Without"} Experimental`,
              changes: { settings: { experimental: isMarked ? true : null } },
            },
          }
        : { fix: "Check for pragma experimental, and that the compiler is a release." }),
    };
  }
  return undefined;
}

function hashInWords(kind: string | undefined): string {
  return kind === undefined ? "no hash" : kind === "ipfs" ? "an IPFS hash" : `a Swarm hash (${kind})`;
}

/** The first release with `viaIR` (solc's changelog): older code can't be of that pipeline, whatever its form. */
const VIA_IR_SINCE = "0.7.5";

/** Optimizer and pipeline. */
function pipelineCauses(comparison: Comparison, found: readonly Cause[]): Cause[] {
  const { deployed, recompiled, input, isTruncated, code } = comparison;
  const { settings, language } = input.submitted.stdJsonInput;
  if (language === "Vyper") return vyperCauses(comparison);
  const causes: Cause[] = [];
  const sentIR = settings["viaIR"] === true;
  const sentOptimizer = settings.optimizer?.enabled === true;
  const isOtherPipeline =
    deployed.pipeline !== undefined &&
    (deployed.pipeline === "ir") !== sentIR &&
    deployed.pipeline !== recompiled.pipeline &&
    code.likeness < ALIKE &&
    compareVersions(deployedCompiler(comparison), VIA_IR_SINCE) >= 0 &&
    compareVersions(input.submitted.compilerVersion, VIA_IR_SINCE) >= 0;
  // Where the sign of optimization fails for the recompiled code, it says nothing of the deployed code.
  const isReliable = recompiled.isOptimized === undefined || recompiled.isOptimized === sentOptimizer;
  const bySign =
    deployed.isOptimized !== undefined && isReliable && deployed.isOptimized !== sentOptimizer
      ? deployed.isOptimized
      : undefined;
  const otherwise = bySign ?? optimizedBesides(comparison, sentOptimizer);
  const isOtherOptimizer = otherwise !== undefined;
  const isOptimized = otherwise === true;
  const optimizer: SettingChanges = { enabled: isOptimized, runs: fittingRuns(comparison, isOptimized) };
  // Parts of the optimizer that were switched off leave the marks of code that was not optimized.
  const isCertain = bySign !== undefined && settings.optimizer?.["details"] === undefined;
  const confidence = isCertain ? 0.93 : 0.7;
  // Of a compiler that is not named, a setting and another release's default look alike: both come right with it.
  const evmVersion = namesCompiler(comparison) ? undefined : wantedEvmVersion(found);
  if (isOtherPipeline) {
    const isIR = deployed.pipeline === "ir";
    causes.push({
      code: "via_ir",
      confidence: namesCompiler(comparison) ? 0.94 : 0.79,
      evidence: isIR
        ? "The deployed code was compiled via IR, as the form of its checks shows; you sent viaIR off."
        : "The deployed code was not compiled via IR, as the form of its checks shows; you sent viaIR on.",
      fix: `Submit with viaIR ${isIR ? "on" : "off"}${isOtherOptimizer ? ` and the optimizer ${isOptimized ? "on" : "off"}` : ""}.`,
      action: {
        kind: "resubmit",
        label: `Resubmit ${isIR ? "With" : "Without"} viaIR`,
        changes: { settings: { viaIR: isIR, ...(isOtherOptimizer && { optimizer }) } },
      },
    });
  }
  if (isOtherOptimizer) {
    const sizes = isTruncated
      ? ""
      : ` (${counted(deployed.code.bytes.length, "byte")}, recompiled ${grouped(recompiled.code.bytes.length)})`;
    causes.push({
      code: "optimizer",
      confidence: isOtherPipeline ? confidence - 0.08 : confidence,
      evidence: isOptimized
        ? `The deployed code is optimized${sizes}; you sent the optimizer off.`
        : `The deployed code is not optimized${sizes}; you sent the optimizer on.`,
      fix: `Submit with the optimizer ${isOptimized ? "on" : "off"}${evmVersion === undefined ? "" : ` for ${capitalised(evmVersion)}`}.`,
      action: {
        kind: "resubmit",
        label: `Resubmit ${isOptimized ? "Optimized" : "Unoptimized"}`,
        changes: {
          settings: {
            optimizer,
            ...(isOtherPipeline && { viaIR: deployed.pipeline === "ir" }),
            ...(evmVersion !== undefined && { evmVersion }),
          },
        },
      },
    });
  }
  return causes;
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

/**
 * Whether the deployed code is optimized, where its own form does not tell but that of the other code beside it does;
 * `undefined` where it was compiled as it was sent.
 */
function optimizedBesides(comparison: Comparison, sentOptimizer: boolean): boolean | undefined {
  const { deployed, recompiled, code, isTruncated } = comparison;
  if (isTruncated || !hasSameFunctions(comparison) || code.likeness >= NEARLY_SAME) return undefined;
  if (deployed.isOptimized !== true || recompiled.isOptimized !== true) return undefined;
  if (deployed.pipeline === "ir" || recompiled.pipeline === "ir") return undefined;
  const [plain, optimized] = sentOptimizer ? [deployed, recompiled] : [recompiled, deployed];
  const isPlain =
    plain.plainMarks >= Math.max(MIN_MARKS, MORE_MARKS * optimized.plainMarks) &&
    plain.code.bytes.length >= LONGER * optimized.code.bytes.length;
  return isPlain ? !sentOptimizer : undefined;
}

/** Another contract, or the same one with other sources. */
function* sourceCauses(comparison: Comparison, found: readonly Cause[]): Pieces<Cause[]> {
  const { deployed, recompiled, input, selectors, code } = comparison;
  const { localContracts = [], submitted } = input;
  const causes: Cause[] = [];
  // A sign of another setting explains differences in the code, but none in the functions.
  const strong = found.map(({ confidence }) => confidence).filter((one) => one > 0.5);
  const explained = strong.reduce((one, other) => Math.max(one, other), 0);
  const wholeCode = disassemble(codeBytes(input.error.onchainRuntimeCode));
  const candidates = yield* findCandidates(
    wholeCode,
    deployed.selectors,
    localContracts,
    submitted.contractIdentifier,
  );
  const [best] = candidates;
  // A function that was renamed makes the functions of another contract as like as those of this one.
  const isBetter = (one: ContractCandidate) =>
    one.code === undefined
      ? one.selectors > selectors.likeness && (one.selectors === 1 || code.likeness < NEARLY_SAME)
      : one.code > code.likeness + (one.selectors > selectors.likeness ? 0 : 0.02);
  const isFitting = best !== undefined && best.selectors >= selectors.likeness && isBetter(best);
  const isOtherOnBothSides =
    selectors.likeness < 0.7 &&
    selectors.likeness >= 0.5 &&
    code.likeness < 0.5 &&
    Math.min(selectors.missing.length, selectors.extra.length) >= 2;
  const isOther =
    (selectors.likeness < 0.5 && code.likeness < ALIKE) ||
    isOtherOnBothSides ||
    (deployed.selectors.length === 0 && recompiled.selectors.length === 0 && code.likeness < 0.4) ||
    (deployed.proxy === undefined && recompiled.proxy !== undefined);
  if (isFitting || isOther) {
    // A few functions of many may also be those of an edit.
    const other = isOtherOnBothSides ? 0.77 : 0.9;
    const all = [...localContracts];
    const fit = isFitting ? best : undefined;
    const confidence =
      (fit?.code ?? 0) > 0.95
        ? 0.97
        : fit?.selectors === 1 && selectors.likeness < 1
          ? 0.94
          : isOther
            ? other
            : 0.6;
    causes.push({
      code: "wrong_contract",
      confidence,
      evidence: functionsEvidence(
        selectors,
        deployed,
        namesOf(selectors.missing, all),
        namesOf(selectors.extra, all),
      ),
      fix: fit
        ? `${workspaceName(input, fit.contract.name)} has ${fit.selectors === 1 ? "exactly the deployed functions" : `${Math.round(fit.selectors * 100)} % of the deployed functions`}: submit it.`
        : "Choose the contract that was deployed.",
      action: {
        kind: "choose contract",
        label: fit ? `Submit ${shortName(fit.contract.name)}` : "Choose Contract",
        ...(fit && { contract: fit.contract.name }),
      },
    });
  }
  const wrong = causes[0]?.confidence ?? 0;
  const base = editedConfidence(comparison);
  const isSame = hasSameFunctions(comparison);
  causes.push(
    editedCause(comparison, Math.max(0.15, isSame ? base - Math.max(explained, wrong) : base - wrong)),
  );
  const unnamed = strong.length === 0 && isSame ? unnamedCompilerCause(comparison) : undefined;
  if (unnamed) causes.push(unnamed);
  const isElsewhere = isScattered(comparison) || found.some(({ code: kind }) => kind === "optimizer_runs");
  const details =
    isSame && isElsewhere && constantLikeness(comparison) > 0.7
      ? optimizerDetailsCause(comparison, found)
      : undefined;
  if (details) causes.push(details);
  return causes;
}

/** Share from which on an edit is the only explanation: a setting changes the form of the whole code. */
const NEARLY_SAME = 0.9;

/**
 * How sure it is that the sources differ: that functions differ proves it, and so do few changes in what is done. A
 * difference all over the code may also be a setting that no sign shows.
 */
function editedConfidence(comparison: Comparison): number {
  const { code, tried } = comparison;
  if (!hasSameFunctions(comparison)) return code.likeness >= ALIKE ? 0.88 : 0.75;
  const isNamed = namesCompiler(comparison);
  if (isScattered(comparison)) return tried.count > 2 || comparison.isSearched ? 0.6 : 0.5;
  if (code.likeness >= NEARLY_SAME && isNamed && constantLikeness(comparison) < 1) return 0.86;
  if (code.likeness >= NEARLY_SAME) return 0.76;
  return tried.count > 2 ? 0.7 : 0.6;
}

/** So many places of a difference an edit has at most, where a release changes what every contract begins with. */
const MAX_PLACES_OF_EDIT = 8;
/** What is told of codes that don't say their compiler: another release may be what differs, too. */
const MAX_UNNAMED = 0.78;

/** What constants tell of runs, where the code does not say its compiler. */
const POINTED = 0.77;

/** Codes of before 0.5.9 don't say their compiler: what differs everywhere may be another release. */
function unnamedCompilerCause(comparison: Comparison): Cause | undefined {
  const { deployed, recompiled, input, code } = comparison;
  const { submitted } = input;
  const sent = shortVersion(submitted.compilerVersion);
  if (deployed.auxdata?.hash?.kind !== "bzzr0" || namesCompiler(comparison)) return undefined;
  if (compareVersions(sent, "0.5.9") >= 0 || pointsToRuns(comparison)) return undefined;
  if (constantLikeness(comparison) < (isScattered(comparison) ? 0.5 : 0.7)) return undefined;
  const remedy = compilerRemedy(comparison);
  if (!remedy) return undefined;
  const isElsewhere = hasOtherHead(code);
  const places = placesOf(code);
  const share =
    places / Math.max(1, Math.min(deployed.code.bytes.length, recompiled.code.bytes.length) / 200);
  if (!isElsewhere && places <= MAX_PLACES_OF_EDIT && share < 1) return undefined;
  return {
    code: "compiler_version",
    confidence: 0.77,
    evidence: `The functions and the constants are the same and the code differs in ${counted(places, "place")}${isElsewhere ? ", its beginning among them" : ""}, as between releases; it does not say its compiler, which was solc 0.4.7 to 0.5.8. You sent ${sent}.`,
    ...remedy,
  };
}

/**
 * Constants are written in another form, and all for more runs or all for fewer, as no release does that keeps what
 * every contract begins with: that is the number of runs, whatever else the code says.
 */
function pointsToRuns({ deployed, recompiled, input, code }: Comparison): boolean {
  const { optimizer } = input.submitted.stdJsonInput.settings;
  if (optimizer?.enabled !== true || deployed.isOptimized !== true) return false;
  const { reencoded, direction } = compareRuns(deployed.constants, recompiled.constants);
  return reencoded > 0 && direction !== undefined && !hasOtherHead(code);
}

/** Whether what every contract begins with differs. */
function hasOtherHead({ pairs }: Comparison["code"]): boolean {
  return pairs.slice(0, 6).some((pair) => !isHarmless(pair));
}

/** An edit changes the code in a few places, a setting in very many. */
const MAX_EDITED_PLACES = 30;

function isScattered({ code }: Comparison): boolean {
  return code.likeness < ALIKE || placesOf(code) > MAX_EDITED_PLACES;
}

/** How many stretches of two codes differ. */
function placesOf({ pairs }: Comparison["code"]): number {
  return pairs.filter((pair, at) => !isHarmless(pair) && isHarmless(pairs[at - 1] ?? pair)).length;
}

function functionsEvidence(
  selectors: SelectorComparison,
  deployed: AnalysedCode,
  missing: readonly string[],
  extra: readonly string[],
): string {
  if (missing.length === 0 && extra.length === 0)
    return deployed.selectors.length === 0
      ? "The deployed code has little in common with the recompiled code."
      : "Another contract has the same functions, and its code fits better.";
  const parts = [
    missing.length > 0 ? `has ${listed(missing)}, which the submitted contract has not` : "",
    extra.length > 0 ? `does not have ${listed(extra)}` : "",
  ].filter((part) => part !== "");
  const share = deployed.selectors.length - selectors.missing.length;
  return `The deployed code ${parts.join(", and ")}; ${grouped(share)} of its ${counted(deployed.selectors.length, "function")} ${share === 1 ? "is" : "are"} in both.`;
}

function editedCause({ code, selectors, input, tried }: Comparison, confidence: number): Cause {
  const { localContracts = [] } = input;
  const places = placesOf(code);
  const hasOtherFunctions = selectors.missing.length + selectors.extra.length > 0;
  const functions = [
    selectors.missing.length > 0
      ? `${listed(namesOf(selectors.missing, localContracts))} ${selectors.missing.length === 1 ? "is" : "are"} deployed and not in the sources`
      : "",
    selectors.extra.length > 0
      ? `${listed(namesOf(selectors.extra, localContracts))} ${selectors.extra.length === 1 ? "is" : "are"} in the sources and not deployed`
      : "",
  ].filter((part) => part !== "");
  return {
    code: "edited_source",
    confidence,
    evidence: hasOtherFunctions
      ? `The sources changed: ${functions.join(", and ")}.`
      : `The functions are the same, but ${counted(code.differingBytes, "byte")} differ${places > 0 ? ` in ${counted(places, "place")}` : ""}${code.likeness >= NEARLY_SAME ? ", and the rest is the same: the sources changed" : tried.count > 1 ? `, with each of ${tried.count} settings that were submitted: the sources changed` : ": the sources changed, or a setting that leaves no sign in the code"}.`,
    fix: "Submit the sources as they were deployed, from version control.",
    action: SHOW_DIFFERENCE,
  };
}
