import { splitIdentifier } from "../../sources/contractIdentifier.ts";
import { t } from "@vscode/l10n";
import { fullVersion } from "../../languages/rules.ts";
import { compareVersions, shortVersion } from "../../versions.ts";
import { foreign } from "../../text/shownText.ts";
import type { Pieces } from "../../concurrency/turns.ts";
import { isSameHash } from "../codeFindings.ts";
import type { AnalysedCode } from "../codeTraits.ts";
import { errorCodeOf } from "../../service/errorCodes.ts";
import { saidOf } from "../../service/failure.ts";
import { ended } from "../../text/sentenceEnd.ts";
import { compilerErrorCauses, unavailableCompilerCauses } from "./compilerMessages.ts";
import { otherCompiler } from "../nearRelease.ts";
import { findCandidates } from "../contractSearch.ts";
import type { Cause, ExplanationInput } from "../explanation.ts";
import { listed } from "../../text/counted.ts";
import { shortName, workspaceName } from "../contractNames.ts";
import { definitionsIn, nearestName } from "../sourceOutline.ts";
import { NOT_DEPLOYED } from "../notDeployed.ts";

/** What the service's code alone says. `isSettled`: comparing codes would add nothing. */
interface AnsweredCauses {
  readonly causes: readonly Cause[];
  readonly isSettled: boolean;
}

/**
 * The causes that a job error's code names (argotorg/sourcify, packages/lib-sourcify, `SourcifyLibError.ts`). For a
 * code that is not known the service's own words stand, beside what the bytecodes say.
 */
export function* answeredCauses(
  input: ExplanationInput,
  deployed: AnalysedCode | undefined,
  recompiled: AnalysedCode | undefined,
): Pieces<AnsweredCauses> {
  const { error, submitted, earlier = [] } = input;
  const said = saidOf(error);
  const aside = said && ` (${said})`;
  const settled = (...causes: Cause[]): AnsweredCauses => ({ causes, isSettled: true });
  const known = errorCodeOf(error);
  switch (known?.subject) {
    case "address":
      return settled({
        code: "not_deployed",
        // The chain itself said so.
        confidence: 1,
        evidence: NOT_DEPLOYED,
        fix: t`Check the chain and the address; right after a deployment, try again in a few seconds.`,
        action: { kind: "check address", label: t`Change Address` },
      });
    case "contract without code":
      return settled(yield* abstractCause(input, deployed));
    case "compiler's errors":
      return settled(...compilerErrorCauses(error, submitted, deployed));
    case "compiler's absence":
      return settled(...unavailableCompilerCauses(error, submitted, earlier));
    case "compiler's silence":
      return settled({
        code: "server",
        confidence: 0.7,
        evidence: t`The compiler at the service gave no output${aside}: nothing was compared, and that tells nothing of the sources.`,
        fix: t`Try again in a minute; if it happens again, check the compiler's version and the settings.`,
        action: { kind: "retry", label: t`Try Again` },
      });
    case "contract's name":
      return settled(notFoundCause(input));
    case "compiler's version":
      return settled(unknownCompilerCause(input, deployed, aside));
    case "language":
      return settled({
        code: "language",
        confidence: 0.95,
        evidence: t`The service does not verify ${foreign(submitted.stdJsonInput.language)}${aside}.`,
        fix: t`Submit sources in a language that the service takes.`,
      });
    case "sources":
      return settled({
        code: "compiler_error",
        confidence: 0.9,
        evidence: t`The service could not put the sources together${aside}.`,
        fix: t`Submit every file that the contract needs, as the build had it.`,
        action: { kind: "submit full input", label: t`Submit All Files`, localLabel: t`Verify All Files` },
      });
    case "codes beside equal auxdata":
      return { isSettled: false, causes: equalAuxdataCauses(deployed, recompiled) };
    case "codes":
      return { causes: [], isSettled: false };
    case "earlier verification":
      return settled({
        code: "server",
        confidence: 0.9,
        evidence: t`The contract is verified already, and this submission is no better.`,
      });
    case "similarity":
      return settled({
        code: "server",
        confidence: 0.9,
        evidence: t`The service knows no verified contract with the same code.`,
        fix: t`Submit the sources.`,
      });
    case "service":
    case undefined:
      return {
        isSettled: !deployed || !error.recompiledRuntimeCode,
        causes: [
          {
            code: "server",
            confidence: known ? 0.97 : 0.5,
            evidence:
              (said || error.customCode) === ""
                ? t`The service could not finish, and gave no reason.`
                : t`The service could not finish: ${ended(said || foreign(error.customCode))}`,
            ...(known && !known.retryMayHelp
              ? { fix: t`Check the metadata settings, or choose another service.` }
              : { fix: t`Try again in a minute.`, action: { kind: "retry", label: t`Try Again` } }),
          },
        ],
      };
  }
}

/**
 * The service compares what the compilers left behind the codes (lib-sourcify, `Verification.ts`,
 * `handleExtraFileInputBug`). Only where that holds a hash does it tell of the sources: of two builds without one, any two
 * are equal.
 */
function equalAuxdataCauses(
  deployed: AnalysedCode | undefined,
  recompiled: AnalysedCode | undefined,
): Cause[] {
  if (!deployed || !recompiled)
    return [extraFilesCause(0.7, t`The service finds that the metadata is the same and the code is not`)];
  const isSame = isSameHash(deployed.auxdata?.hash, recompiled.auxdata?.hash);
  return isSame ? [extraFilesCause(0.97, t`The metadata is the same and the code is not`)] : [];
}

/** The cause that trimming an input brings about in some releases of solc. */
export function extraFilesCause(confidence: number, observed: string): Cause {
  return {
    code: "extra_files",
    confidence,
    evidence: t`${observed}: the compiler numbers everything it reads, so files that the contract does not import changed the optimizer's choices.`,
    fix: t`Submit every file of the build.`,
    action: { kind: "submit full input", label: t`Submit All Files`, localLabel: t`Verify All Files` },
  };
}

function withoutCode(kind: string | undefined, name: string): string {
  switch (kind) {
    case "interface":
      return t`${name} is an interface: it has no code of its own that could be deployed.`;
    case "abstract contract":
      return t`${name} is abstract: it has no code of its own that could be deployed.`;
    default:
      return t`${name} is without code: it has no code of its own that could be deployed.`;
  }
}

function* abstractCause(input: ExplanationInput, deployed: AnalysedCode | undefined): Pieces<Cause> {
  const { submitted, localContracts = [] } = input;
  const { file, name } = splitIdentifier(submitted.contractIdentifier);
  const definitions = definitionsIn(submitted.stdJsonInput, file);
  const kind = definitions.find((definition) => definition.name === name)?.kind;
  const [fitting] = deployed
    ? yield* findCandidates(deployed.code, deployed.selectors, localContracts, submitted.contractIdentifier)
    : [];
  // Before 0.6 nothing marks a contract as abstract.
  const concrete = definitions.filter(
    (definition) =>
      (definition.kind === "contract" || definition.kind === "library") && definition.name !== name,
  );
  const proposal =
    fitting && fitting.selectors > 0.8 ? fitting.contract.name : concrete[0] && `${file}:${concrete[0].name}`;
  return {
    code: "abstract_contract",
    confidence: 0.98,
    evidence: withoutCode(kind, foreign(name)),
    fix: proposal
      ? t`Submit ${workspaceName(input, proposal)}${fitting ? t`, which has the deployed functions` : ""}.`
      : t`Choose the contract that was deployed.`,
    action: {
      kind: "choose contract",
      label: proposal ? t`Submit ${shortName(proposal)}` : t`Choose Contract`,
      ...(proposal && { contract: proposal }),
    },
  };
}

function notFoundCause(input: ExplanationInput): Cause {
  const { submitted, localContracts = [] } = input;
  const { file, name } = splitIdentifier(submitted.contractIdentifier);
  const { sources } = submitted.stdJsonInput;
  const inFile = definitionsIn(submitted.stdJsonInput, file).map(
    (definition) => `${file}:${definition.name}`,
  );
  const all = Object.keys(sources).flatMap((source) =>
    definitionsIn(submitted.stdJsonInput, source).map((definition) => `${source}:${definition.name}`),
  );
  const sameName = all.find((identifier) => splitIdentifier(identifier).name === name);
  const proposal =
    sameName ??
    nearestName(submitted.contractIdentifier, inFile.length > 0 ? inFile : all) ??
    nearestName(
      submitted.contractIdentifier,
      localContracts.map((contract) => contract.name),
    );
  const evidence = Object.hasOwn(sources, file)
    ? t`${foreign(file)} defines no contract ${foreign(name)}; it has ${listed(inFile.map((identifier) => foreign(splitIdentifier(identifier).name))) || t`none`}.`
    : t`No submitted file is called ${foreign(file)}.`;
  return {
    code: "wrong_contract",
    confidence: 0.95,
    evidence,
    fix: proposal ? t`Submit ${workspaceName(input, proposal)}.` : t`Check the contract's name and file.`,
    action: {
      kind: "choose contract",
      label: proposal ? t`Submit ${shortName(proposal)}` : t`Choose Contract`,
      ...(proposal && { contract: proposal }),
    },
  };
}

function unknownCompilerCause(
  { submitted }: ExplanationInput,
  deployed: AnalysedCode | undefined,
  aside: string,
): Cause {
  const onChain = deployed?.auxdata?.compilerVersion;
  const short = shortVersion(submitted.compilerVersion);
  const proposal = fullVersion(submitted.stdJsonInput.language, onChain ?? short);
  const isOther = onChain !== undefined && compareVersions(onChain, short) !== 0;
  return {
    code: "compiler_version",
    confidence: 0.95,
    evidence:
      t`The service does not have the compiler ${foreign(submitted.compilerVersion)}${aside}` +
      (isOther ? t`, and the deployed code was compiled with ${onChain}.` : "."),
    fix: proposal ? t`Submit with ${proposal}.` : t`Choose a released compiler, its commit included.`,
    ...(proposal && proposal !== submitted.compilerVersion && { action: otherCompiler(proposal) }),
  };
}
