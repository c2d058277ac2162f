import { bytesToHex } from "@noble/hashes/utils.js";
import { t } from "@vscode/l10n";
import { ended } from "../../text/sentenceEnd.ts";
import { codeBytes } from "../../evm/hex.ts";
import { atLeast, shortVersion } from "../../versions.ts";
import { PUSH20 } from "../../evm/opcodes.ts";
import type { ProxyCode } from "../../evm/proxy.ts";
import {
  isUnlinked,
  isWrittenBehind,
  type AddressFinding,
  type AuxdataFinding,
  type LanguageFinding,
  type TargetFinding,
} from "../codeFindings.ts";
import type { Comparison } from "../comparison.ts";
import {
  FIND_COMMIT,
  SHOW_DIFFERENCE,
  type Action,
  type Cause,
  type ResubmitChanges,
  type SettingChanges,
} from "../explanation.ts";
import { deployedRelease, proxyInWords } from "../findingWords.ts";
import { LANGUAGES } from "../../languages/language.ts";
import { fullVersion, RULES } from "../../languages/rules.ts";
import { counted, listed } from "../../text/counted.ts";
import { SOLC_SINCE } from "../../languages/solidity/solcCode.ts";
import { VYPER_SINCE } from "../../languages/vyper/vyperCode.ts";
import { hasOtherBeginning, otherCompiler, releasesAllowed, STARTS_AT_80_SINCE } from "../nearRelease.ts";
import { librariesIn } from "../sourceOutline.ts";
import { foreign } from "../../text/shownText.ts";
import { compilerRemedy } from "../unnamedCompiler.ts";

/** Nothing can call a blueprint, and a proxy is not the contract behind it. */
export function targetCause(target: TargetFinding): Cause {
  return target.kind === "blueprint" ? blueprintCause(target.bytes) : proxyCause(target.proxy);
}

function blueprintCause(bytes: number): Cause {
  return {
    code: "wrong_contract",
    confidence: 0.96,
    evidence: t`The deployed code is a blueprint (ERC-5202, ${counted(bytes, "byte")}): creation code that is kept for others to deploy.`,
    fix: t`Verify a contract that was created from it.`,
    action: { kind: "check address", label: t`Change Address` },
  };
}

function proxyCause(proxy: ProxyCode): Cause {
  const target =
    proxy.implementation && proxy.kind !== "EIP-7702" ? t` in front of ${proxy.implementation}` : "";
  return {
    code: "proxy",
    confidence: proxy.kind === "other" ? 0.9 : 0.98,
    evidence: t`The address is ${proxyInWords(proxy)}${target}, not the contract that was submitted.`,
    fix:
      proxy.kind === "EIP-7702" || proxy.kind === "EIP-1167"
        ? t`Verify the contract that it forwards calls to.`
        : t`Verify the implementation; the proxy has sources of its own.`,
    action: {
      kind: "verify implementation",
      label: t`Verify Implementation`,
      ...(proxy.implementation && { implementation: proxy.implementation }),
      proxy,
    },
  };
}

/** That the deployed code was made by the compiler of another language. */
export function languageCause({ deployed, own, compilerVersion, isNamed }: LanguageFinding): Cause {
  return {
    code: "language",
    confidence: isNamed ? 0.98 : 0.85,
    evidence: t`The deployed code was made by ${deployed}${compilerVersion ? ` ${compilerVersion}` : ""}; you sent ${own}.`,
    fix: t`Submit the ${deployed} sources.`,
    action: { kind: "choose contract", label: t`Choose Contract` },
  };
}

/** Where no release of those that the code may be of can compile the sources, they are not the deployed ones. */
const NO_RELEASE: Pick<Cause, "fix" | "action"> = {
  fix: t`The sources allow none of these releases: submit the sources as they were deployed, from version control.`,
  action: FIND_COMMIT,
};

/** That the deployed code was made by another release. */
export function otherReleaseCause(comparison: Comparison): Cause | undefined {
  const { compiler } = comparison.findings;
  if (!compiler) return otherBeginningCause(comparison) ?? withoutMetadataCause(comparison);
  const { deployed, own, language } = compiler;
  const evidence = t`The deployed code was compiled with ${deployedRelease(compiler)}`;
  if (deployed === undefined)
    return {
      code: "compiler_version",
      confidence: 0.95,
      evidence: t`${evidence}, which its auxdata shows; you sent ${own}.`,
      ...(compilerRemedy(comparison) ?? NO_RELEASE),
    };
  // What would not compile is not offered, and says that the sources are not those of the deployment.
  if (isRefusedBySources(comparison))
    return {
      code: "compiler_version",
      confidence: 0.75,
      evidence: t`${evidence}, which the pragmas of the submitted sources don't allow; you sent ${own}.`,
      fix: t`Submit the sources as they were deployed: these are of another version, or of another contract.`,
      action: SHOW_DIFFERENCE,
    };
  return {
    code: "compiler_version",
    confidence: 0.97,
    evidence: t`${evidence}; you sent ${own}.`,
    fix: t`Submit with ${deployed}.`,
    action: otherCompiler(fullVersion(language, deployed) ?? deployed),
  };
}

/** Codes of releases that do not say which they are begin otherwise from 0.4.22 on. */
function otherBeginningCause(comparison: Comparison): Cause | undefined {
  if (!hasOtherBeginning(comparison)) return undefined;
  const sent = shortVersion(comparison.input.submitted.compilerVersion);
  const isNewer = comparison.deployed.evm.startsAt80;
  return {
    code: "compiler_version",
    confidence: 0.95,
    evidence: isNewer
      ? t`The deployed code begins as solc from ${STARTS_AT_80_SINCE} on has it; you sent ${sent}.`
      : t`The deployed code begins as solc before ${STARTS_AT_80_SINCE} has it; you sent ${sent}.`,
    ...(compilerRemedy(comparison) ?? NO_RELEASE),
  };
}

/** A release that puts metadata behind every code made none without it. */
function withoutMetadataCause({ findings, deployed, recompiled, input }: Comparison): Cause | undefined {
  const { language } = input.submitted.stdJsonInput;
  const isWithout = findings.auxdata?.kind === "none deployed" && !findings.isSameCode;
  // What is of no known form may be of no compiler.
  if (!isWithout || deployed.language === undefined || deployed.language !== recompiled.language)
    return undefined;
  const releases = RULES[language].releasesWithoutMetadata?.(input.submitted.compilerVersion);
  if (releases === undefined) return undefined;
  return {
    code: "compiler_version",
    confidence: 0.94,
    evidence: t`The deployed code has no metadata, which ${LANGUAGES[language].compiler} ${shortVersion(input.submitted.compilerVersion)} puts behind every code.`,
    fix: t`Submit with the release of the deployment: ${releases}.`,
    action: SHOW_DIFFERENCE,
  };
}

/** Whether the deployed code names a release that a pragma of the submitted sources excludes: they are not its sources. */
export function isRefusedBySources({ findings: { compiler }, input }: Comparison): boolean {
  const { deployed } = compiler ?? {};
  return deployed !== undefined && !deployed.includes("-") && !releasesAllowed(input.submitted)(deployed);
}

/** What the service says where the codes do not even match. */
const CODES_DIFFER = new Set(["no_match", "bytecode_length_mismatch", "extra_file_input_bug"]);

/** What can be at fault when the instructions are the same. */
export function sameCodeCauses(comparison: Comparison): Cause[] {
  const { code, deployed, findings } = comparison;
  if (findings.isTruncated) return [behindPlaceholderCause(comparison)];
  if (findings.addresses.length > 0) {
    const causes = addressCauses(comparison, findings.addresses);
    const besides = metadataBesides(comparison, causes);
    return besides ? [...causes, besides] : causes;
  }
  if (findings.auxdata) return [auxdataCause(findings.auxdata)];
  if (findings.metadataHash === "other") {
    // Another release writes another hash by itself.
    if (findings.compiler)
      return [
        {
          code: "edited_source",
          confidence: 0.3,
          evidence: t`Every instruction of the runtime code is the same. Beside the release, what else is in the metadata may differ as well: a comment, a name, the constructor or a setting that does not reach the code.`,
        },
      ];
    return [
      {
        code: "edited_source",
        confidence: 0.7,
        evidence: t`Every instruction is the same and only the metadata hash differs: a comment, a name, a line ending or a setting that does not reach the code.`,
        // The service may have found a difference that is none of the code.
        fix: CODES_DIFFER.has(comparison.input.error.customCode)
          ? t`Submit the files and settings of the deployment byte for byte.`
          : t`This counts as a match. For an exact match, submit the files and settings of the deployment byte for byte.`,
        action: FIND_COMMIT,
      },
      {
        code: "metadata_settings",
        confidence: 0.4,
        evidence: t`Settings that only the metadata holds (remappings, libraries, literal content) would show in this way, too.`,
      },
    ];
  }
  const { submitted } = comparison.input;
  if (isWrittenBehind(findings, submitted.stdJsonInput.language, submitted.compilerVersion))
    return [
      {
        code: "edited_source",
        confidence: 0.6,
        evidence: t`The runtime code is the same but for what the deployment wrote behind it, which the service can't take away before Vyper ${VYPER_SINCE.layout}: there the creation code has to match, and it is another one, or not known.`,
        fix: t`Name the creation transaction, and submit the constructor as it was deployed.`,
        action: FIND_COMMIT,
      },
    ];
  // Only a mark names another release, which is told.
  if (findings.compiler) return [];
  const immutables = code.pairs.filter(({ relation }) => relation === "immutable").length;
  return [
    {
      code: "server",
      // Without a hash nothing shows whether what leaves the runtime code alone differs, such as a constructor.
      confidence: deployed.auxdata?.hash ? 0.9 : 0.6,
      evidence:
        immutables > 0
          ? t`The codes differ only in ${counted(immutables, "immutable value")}, which a deployment writes: that should have matched.`
          : t`The codes are the same: that should have matched.`,
      fix: t`Submit again, and report it to the service if it happens again.`,
      action: { kind: "retry", label: t`Submit Again` },
    },
  ];
}

/** That the form of the metadata differs as well, where more than that does. */
export function metadataBesides(
  { findings: { auxdata, compiler, isTruncated }, input }: Comparison,
  causes: readonly Cause[],
): Cause | undefined {
  const { hasHiddenSettings } = RULES[input.submitted.stdJsonInput.language];
  // Another release may decide that by itself, unless both have the setting; of a code that breaks off the end is not known.
  const isByRelease =
    compiler !== undefined &&
    !(
      auxdata?.kind === "another hash" &&
      [compiler.deployed, compiler.own].every(
        (release) => release !== undefined && atLeast(release, SOLC_SINCE.bytecodeHash),
      )
    );
  if (!auxdata || isByRelease || isTruncated || !hasHiddenSettings || causes.length === 0) return undefined;
  const isTold = causes.some(
    ({ code }) =>
      code === "metadata_settings" || code === "wrong_contract" || (code === "compiler_version" && !compiler),
  );
  if (isTold) return undefined;
  return { ...auxdataCause(auxdata), confidence: 0.5 };
}

/** That addresses are all that differs: of libraries that are linked elsewhere, or of the sources. */
export function addressCauses(
  { input }: Pick<Comparison, "input">,
  addresses: readonly AddressFinding[],
): Cause[] {
  const linked = linkedAddresses(input.submitted.stdJsonInput.settings["libraries"]);
  const [first] = addresses;
  const [onChain = "", sent = ""] = [first?.deployed, first?.own];
  const link = linked.find(({ address }) => addresses.some(({ own }) => own === address));
  if (!link && first && !isUnlinked(first)) {
    return [
      {
        code: "edited_source",
        confidence: 0.85,
        evidence:
          addresses.length === 1
            ? t`Only one address in the code differs: 0x${onChain} is deployed, 0x${sent} was compiled.`
            : t`Only ${counted(addresses.length, "address")} in the code differ, among them 0x${onChain}, where 0x${sent} was compiled.`,
        fix: t`Submit the sources with the addresses of the deployment.`,
        action: FIND_COMMIT,
      },
      {
        code: "unlinked_library",
        confidence: 0.3,
        evidence: t`0x${onChain} may be the address of a library.`,
      },
    ];
  }
  const found = linked.flatMap(({ file, name, address }) => {
    const deployedAt = addresses.find(({ own }) => own === address)?.deployed;
    return deployedAt === undefined ? [] : [{ file, name, address, deployedAt: `0x${deployedAt}` }];
  });
  const names = listed(found.map(({ name }) => name));
  return [
    {
      code: "unlinked_library",
      confidence: 0.95,
      evidence: link
        ? `${found.map(({ name, address, deployedAt }) => t`The library ${foreign(name)} is linked at ${deployedAt} in the deployed code; you sent 0x${address}`).join(". ")}.`
        : t`The deployed code calls a library at 0x${onChain}, which the recompiled code does not link.`,
      fix: link
        ? t`Submit with ${names} linked as deployed.`
        : t`Submit with the library linked at 0x${onChain}.`,
      ...(link && {
        action: {
          kind: "resubmit",
          label: t`Resubmit With ${names} Linked`,
          localLabel: t`Verify With ${names} Linked`,
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

/** The libraries that the settings link: 40 digits each. */
export function linkedAddresses(libraries: unknown): { file: string; name: string; address: string }[] {
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

/**
 * The codes are the same up to where the recompiled one breaks off. That a library is not linked is no fault for the service,
 * so that what differs lies behind it.
 */
function behindPlaceholderCause(comparison: Comparison): Cause {
  const { evidence, fix, ...cause } = libraryPlaceholderCause(comparison, 0.6);
  return {
    ...cause,
    evidence: t`${ended(evidence)} Up to there the codes are the same, so what differs lies behind it.`,
    fix: t`${ended(fix ?? "")} Then all of the code can be compared.`,
  };
}

/** The submitted contract calls a library where the deployed one had its functions inside. */
export function inlinedLibraryCause({ input }: Comparison): Cause {
  const libraries = librariesIn(input.submitted.stdJsonInput);
  const [only] = libraries.length === 1 ? libraries : [];
  return {
    code: "edited_source",
    confidence: 0.9,
    evidence: only
      ? t`The compiled code calls the library ${only.name}, which has to be linked, and the deployed code calls none: there its functions were internal.`
      : t`The compiled code calls a library, which has to be linked, and the deployed code calls none: there its functions were internal.`,
    fix: t`Submit the sources as they were deployed, from version control.`,
    action: FIND_COMMIT,
  };
}

/** @param wholeDeployed the deployed code of which the recompiled one breaks off */
export function libraryPlaceholderCause(
  { input, recompiled }: Pick<Comparison, "input" | "recompiled">,
  confidence: number,
  wholeDeployed = codeBytes(input.error.onchainRuntimeCode),
): Cause {
  const at = recompiled.code.bytes.length;
  const isSameSoFar = wholeDeployed[at - 1] === PUSH20 && confidence > 0.5;
  const address = isSameSoFar ? `0x${bytesToHex(wholeDeployed.subarray(at, at + 20))}` : undefined;
  const libraries = librariesIn(input.submitted.stdJsonInput);
  const [only] = libraries.length === 1 ? libraries : [];
  const changes: ResubmitChanges | undefined =
    address && only ? { settings: { libraries: { [only.file]: { [only.name]: address } } } } : undefined;
  return {
    code: "unlinked_library",
    confidence,
    evidence:
      t`The recompiled code breaks off after ${counted(at, "byte")} at the placeholder of a library that is not linked` +
      (address ? t`; the deployed code has ${address} there.` : "."),
    fix: address
      ? t`Submit with the library${only ? ` ${only.name}` : ""} linked at ${address}.`
      : t`Submit with the addresses of the libraries.`,
    ...(changes && {
      action: {
        kind: "resubmit",
        label: only ? t`Resubmit With ${only.name} Linked` : t`Resubmit With the Library Linked`,
        localLabel: only ? t`Verify With ${only.name} Linked` : t`Verify With the Library Linked`,
        changes,
      },
    }),
  };
}

/** The own form of auxdata: which hash, or none. */
function auxdataCause(finding: AuxdataFinding): Cause {
  const resubmit = (metadata: SettingChanges, label: string, localLabel: string): Action => ({
    kind: "resubmit",
    label,
    localLabel,
    changes: { settings: { metadata } },
  });
  switch (finding.kind) {
    case "none deployed":
      return {
        code: "metadata_settings",
        confidence: 0.95,
        evidence: t`The deployed code carries no metadata; the recompiled code ends with ${counted(finding.own.end - finding.own.start, "byte")} of it.`,
        fix: t`Submit with appendCBOR off.`,
        action: resubmit(
          { appendCBOR: false, bytecodeHash: "none" },
          t`Resubmit Without Metadata`,
          t`Verify Without Metadata`,
        ),
      };
    case "none built": {
      const kind = finding.deployed.hash?.kind;
      return {
        code: "metadata_settings",
        confidence: 0.95,
        evidence: t`The deployed code carries metadata (${kind ?? t`no hash`}); the recompiled code has none.`,
        fix: t`Submit with appendCBOR on and bytecodeHash ${kind ?? "none"}.`,
        action: resubmit(
          { appendCBOR: true, bytecodeHash: kind ?? "none" },
          t`Resubmit With Metadata`,
          t`Verify With Metadata`,
        ),
      };
    }
    case "another hash": {
      const wanted = finding.deployed.hash?.kind ?? "none";
      return {
        code: "metadata_settings",
        confidence: 0.95,
        evidence: t`The deployed code has ${hashInWords(finding.deployed.hash?.kind)} in its metadata; you sent ${hashInWords(finding.own.hash?.kind)}.`,
        fix: t`Submit with bytecodeHash ${wanted}.`,
        action: resubmit(
          { bytecodeHash: wanted },
          t`Resubmit With bytecodeHash ${wanted}`,
          t`Verify With bytecodeHash ${wanted}`,
        ),
      };
    }
    case "experimental": {
      const isMarked = finding.deployed.experimental;
      // The setting came with 0.8.35; before, a pragma or a prerelease brought the mark.
      const hasMode = atLeast(finding.own.compilerVersion ?? "0.0.0", SOLC_SINCE.experimental);
      return {
        code: "metadata_settings",
        confidence: 0.9,
        evidence: t`The ${isMarked ? t`deployed` : t`recompiled`} code is marked as experimental and the other is not.`,
        ...(hasMode
          ? {
              fix: t`Submit with experimental ${isMarked ? t`on` : t`off`}.`,
              action: {
                kind: "resubmit",
                label: isMarked ? t`Resubmit as Experimental` : t`Resubmit Without Experimental`,
                localLabel: isMarked ? t`Verify as Experimental` : t`Verify Without Experimental`,
                changes: { settings: { experimental: isMarked ? true : null } },
              },
            }
          : { fix: t`Check for pragma experimental, and that the compiler is a release.` }),
      };
    }
  }
}

function hashInWords(kind: string | undefined): string {
  return kind === undefined ? t`no hash` : kind === "ipfs" ? t`an IPFS hash` : t`a Swarm hash (${kind})`;
}
