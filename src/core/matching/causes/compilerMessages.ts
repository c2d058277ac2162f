import { t } from "@vscode/l10n";
import { compareEvmVersions, isEvmVersion, type EvmVersion } from "../../evm/evmVersion.ts";
import { targetEvmVersion } from "../../languages/codeRules.ts";
import { LANGUAGES } from "../../languages/language.ts";
import { codeRulesOf, fullVersion } from "../../languages/rules.ts";
import { evmVersionOf } from "../../evm/opcodes.ts";
import { isOptimizing, SOLC_SINCE } from "../../languages/solidity/solcCode.ts";
import { foreign } from "../../text/shownText.ts";
import { compilerErrors, compilerErrorText } from "../../service/compilerErrors.ts";
import { firstNamedError, saidOf } from "../../service/failure.ts";
import { ended } from "../../text/sentenceEnd.ts";
import type { JobError } from "../../service/job.ts";
import type { AnalysedCode } from "../codeTraits.ts";
import type { Action, Cause, EarlierTry, SubmittedBuild } from "../explanation.ts";
import { languageFinding } from "../codeFindings.ts";
import { languageCause } from "./findingCauses.ts";
import { otherCompiler, nearRelease } from "../nearRelease.ts";
import { counted, listed } from "../../text/counted.ts";
import { atLeast, plainVersion, shortVersion } from "../../versions.ts";
import { capitalised } from "../../text/capitalised.ts";

const SHOW_ERRORS: Action = { kind: "show errors", label: t`Show Errors` };

/** A message of solc or Vyper, as far as it is read here. */
interface CompilerMessage {
  readonly text: string;
  readonly errorCode: string | undefined;
}

/**
 * The causes where the service could not get the compiler, so that nothing was compiled: its fault while the release
 * exists. A release near it compiles the sources, too; its metadata is another one.
 */
export function unavailableCompilerCauses(
  error: JobError,
  submitted: SubmittedBuild,
  earlier: readonly EarlierTry[] = [],
): Cause[] {
  const { compilerVersion, stdJsonInput } = submitted;
  const name = `${LANGUAGES[stdJsonInput.language].compiler} ${foreign(shortVersion(compilerVersion))}`;
  const isRelease =
    fullVersion(stdJsonInput.language, shortVersion(compilerVersion)) === plainVersion(compilerVersion);
  const wasTried = (version: string) =>
    earlier.some((one) => plainVersion(one.compilerVersion) === plainVersion(version));
  const near = nearRelease(submitted, (release) => !wasTried(release));
  // Who has tried again already is better served by the other offer.
  const isAgain = wasTried(compilerVersion);
  const fault: Cause = {
    code: "server",
    confidence: isRelease ? (isAgain && near ? 0.45 : 0.95) : 0.4,
    evidence: t`The service could not get the compiler ${name} (${foreign(compilerErrorText(error))}).`,
    fix: near
      ? t`Try again later, or submit with ${shortVersion(near)}, which the service may have.`
      : t`Try again later.`,
    action: { kind: "retry", label: t`Try Again` },
  };
  const other: Cause | undefined = near
    ? {
        code: "compiler_version",
        confidence: isRelease && !isAgain ? 0.05 : 0.6,
        evidence: isRelease
          ? t`${name} is released, and the service does not have it now; ${shortVersion(near)} is the nearest that the sources allow.`
          : t`${name} (${foreign(compilerVersion)}) is no release that is known here; ${shortVersion(near)} is the nearest that the sources allow.`,
        fix: t`Submit with ${shortVersion(near)}.`,
        action: otherCompiler(near),
      }
    : undefined;
  const causes = other ? [fault, other] : [fault];
  return causes.sort((one, two) => two.confidence - one.confidence);
}

/**
 * The causes of a submission that does not compile. The service hands on what the compiler said; a wrong
 * version, EVM version or pipeline is told from an error in the sources by it.
 *
 * @param deployed the deployed code, where the service gave it
 */
export function compilerErrorCauses(
  error: JobError,
  submitted: SubmittedBuild,
  deployed: AnalysedCode | undefined,
): Cause[] {
  const messages = messagesOf(error);
  const language =
    deployed &&
    languageFinding(
      { runtime: deployed, creationCode: error.onchainCreationCode },
      { language: submitted.stdJsonInput.language, compilerVersion: undefined, runtime: undefined },
    );
  // A compiler of another language can't read the sources, whatever it says of them.
  const causes: Cause[] = language ? [languageCause(language)] : [];
  const version = versionCause(messages, submitted, deployed);
  if (version) causes.push(version);
  const evm = evmCause(messages, submitted);
  if (evm) causes.push(evm);
  const pipeline = stackTooDeepCause(messages, deployed, submitted);
  if (pipeline) causes.push(pipeline);
  const missing = messages.flatMap(({ text }) => /Source "([^"]+)" not found/.exec(text)?.[1] ?? []);
  const what =
    missing.length > 0
      ? t`${listed([...new Set(missing)])} ${missing.length === 1 ? t`is` : t`are`} imported and ${missing.length === 1 ? t`was` : t`were`} not submitted`
      : firstNamedError(error);
  causes.push({
    code: "compiler_error",
    confidence: causes.length > 0 ? 0.4 : 0.97,
    evidence:
      messages.length === 0
        ? t`The sources don't compile, and the compiler gave no reason.`
        : messages.length > 1
          ? t`The compiler reports ${counted(messages.length, "error")}, the first: ${ended(what)}`
          : t`The compiler reports: ${ended(what)}`,
    fix:
      missing.length > 0
        ? t`Submit the missing files, too: check the remappings, and install the packages.`
        : t`Correct the sources, or submit those of the deployment.`,
    action: SHOW_ERRORS,
  });
  return causes;
}

function versionCause(
  messages: readonly CompilerMessage[],
  submitted: SubmittedBuild,
  deployed: AnalysedCode | undefined,
): Cause | undefined {
  const found = messages.find(
    ({ text, errorCode }) =>
      errorCode === "5333" ||
      // The service found no compiler of that version.
      (messages.length === 1 &&
        errorCode === undefined &&
        /compiler version|incorrect version|Vyper not found/i.test(text)) ||
      /requires different compiler version|version pragma|pragma version/i.test(text) ||
      isIncompatibleVersion(text),
  );
  if (!found) return undefined;
  const onChain = deployed?.auxdata?.compilerVersion;
  return {
    code: "compiler_version",
    confidence: 0.97,
    evidence:
      (found.errorCode === undefined &&
      !/version pragma|pragma version|Version specification|requires different/i.test(found.text)
        ? t`The service does not have the compiler ${foreign(submitted.compilerVersion)}`
        : t`The sources don't allow ${shortVersion(submitted.compilerVersion)}`) +
      (onChain ? t`; the deployed code was compiled with ${onChain}.` : "."),
    fix: onChain ? t`Submit with ${onChain}.` : t`Choose a compiler that every pragma allows.`,
    ...(onChain && {
      action: otherCompiler(fullVersion(submitted.stdJsonInput.language, onChain) ?? onChain),
    }),
  };
}

/** Vyper's "Version specification … is not compatible" in one line; found by its parts, each looked for once a line. */
function isIncompatibleVersion(text: string): boolean {
  return text
    .toLowerCase()
    .split(/[\n\r\u2028\u2029]/)
    .some((line) => {
      const start = line.indexOf("version specification ");
      return start >= 0 && line.includes(" is not compatible", start);
    });
}

/** An instruction or a function of inline assembly that the target does not have. */
function evmCause(
  messages: readonly CompilerMessage[],
  { stdJsonInput: { language, settings }, compilerVersion }: SubmittedBuild,
): Cause | undefined {
  for (const { text } of messages) {
    const named = /only available (?:for|in) (\w+)-compatible/i.exec(text)?.[1];
    const called =
      /Function "(\w+)" not found/.exec(text)?.[1] ?? /(?<!\w)"?(\w+)"? instruction/.exec(text)?.[1];
    const lower = named && named.charAt(0).toLowerCase() + named.slice(1);
    const byName = called ? evmVersionOf(called.toUpperCase()) : undefined;
    const needed: EvmVersion | undefined = isEvmVersion(lower) ? lower : byName;
    if (!needed) continue;
    const sent = targetEvmVersion(settings, codeRulesOf(language), compilerVersion);
    if (compareEvmVersions(sent, needed) >= 0) continue;
    return {
      code: "evm_version",
      confidence: 0.96,
      evidence: t`The sources use ${called ?? t`an instruction`}, which came with ${capitalised(needed)}; you sent ${capitalised(sent)}.`,
      fix: t`Submit with evmVersion ${needed} or a newer one.`,
      action: {
        kind: "resubmit",
        label: t`Resubmit for ${capitalised(needed)}`,
        localLabel: t`Verify for ${capitalised(needed)}`,
        changes: { settings: { evmVersion: needed } },
      },
    };
  }
  return undefined;
}

/** What makes room on the stack: the pipeline via IR, which has the optimizer on, or the optimizer of the other one. */
function stackTooDeepCause(
  messages: readonly CompilerMessage[],
  deployed: AnalysedCode | undefined,
  { compilerVersion, stdJsonInput: { settings } }: SubmittedBuild,
): Cause | undefined {
  if (!messages.some(({ text }) => /stack too deep/i.test(text))) return undefined;
  const mayBeIR =
    deployed?.pipeline !== "legacy" &&
    settings["viaIR"] !== true &&
    atLeast(compilerVersion, SOLC_SINCE.viaIR);
  if (mayBeIR)
    return {
      code: "via_ir",
      confidence: deployed?.pipeline === "ir" ? 0.97 : 0.8,
      evidence:
        t`With the settings that were sent the compiler finds the stack too deep` +
        (deployed?.pipeline === "ir" ? t`; the deployed code was compiled via IR.` : "."),
      fix: t`Submit with viaIR on.`,
      action: {
        kind: "resubmit",
        label: t`Resubmit With viaIR`,
        localLabel: t`Verify With viaIR`,
        changes: { settings: { viaIR: true } },
      },
    };
  if (isOptimizing(settings)) return undefined;
  return {
    code: "optimizer",
    confidence: 0.85,
    evidence: t`With the settings that were sent the compiler finds the stack too deep.`,
    fix: t`Submit with the optimizer on.`,
    action: {
      kind: "resubmit",
      label: t`Resubmit Optimized`,
      localLabel: t`Verify Optimized`,
      changes: { settings: { optimizer: { enabled: true, runs: 200 } } },
    },
  };
}

/** The errors that the compiler listed; without a list, all that the service says. */
function messagesOf(error: JobError): CompilerMessage[] {
  const listed = compilerErrors(error)
    .filter(({ severity, message }) => severity === "error" && message !== "")
    .map(({ message, errorCode }) => ({ text: message, errorCode }));
  const said = saidOf({ message: compilerErrorText(error) });
  return listed.length === 0 && said !== "" ? [{ text: said, errorCode: undefined }] : listed;
}
