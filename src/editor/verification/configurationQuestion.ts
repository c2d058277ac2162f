import { t } from "@vscode/l10n";
import { compareEvmVersions, evmVersions, isEvmVersion } from "../../core/evm/evmVersion.ts";
import { solcCode } from "../../core/languages/solidity/solcCode.ts";
import { proposalInWords, type OpenConfiguration } from "../../core/compilerInput/unknownConfiguration.ts";
import { foreign, shown, type ShownText } from "../../core/text/shownText.ts";
import type { StepFrame } from "../ui/multiStep.ts";
import { pick } from "../ui/questions.ts";
import type { ConfigurationAnswer } from "./configurationAnswers.ts";
import { askOptimizer, pickRelease } from "./settingQuestions.ts";
import type { CompilerParts } from "./verificationParts.ts";

/**
 * Asks what a configuration does not say: what another source of truth says is one choice, the first one most likely.
 *
 * @throws UserCancelled when the user leaves
 */
export async function askConfiguration(
  { compilers }: Pick<CompilerParts, "compilers">,
  title: ShownText,
  { configuration, unknown, proposals }: OpenConfiguration,
): Promise<ConfigurationAnswer> {
  const frame: StepFrame = { title, step: 1, totalSteps: 1, canGoBack: false };
  const [first] = unknown;
  const proposed = await pick<ConfigurationAnswer | "choose">(frame, {
    placeholder: shown`${configuration} computes ${first?.place ?? t`its settings`}. Which compiler settings?`,
    choices: [
      ...proposals.map((proposal) => ({
        icon: "lightbulb",
        label: foreign(proposalInWords(proposal)),
        description: shown`as ${proposal.from} says`,
        value: { compilerVersion: proposal.compilerVersion, settings: proposal.settings },
      })),
      { icon: "edit", label: shown`Choose Compiler and Settings…`, value: "choose" as const },
    ],
  });
  if (proposed !== "choose") return proposed;
  const names = new Set(unknown.map(({ setting }) => setting));
  const compilerVersion = names.has("version") ? await pickRelease(frame, compilers().solc) : undefined;
  return {
    compilerVersion,
    settings: {
      ...(names.has("optimizer") && { optimizer: await askOptimizer(frame, undefined) }),
      ...(names.has("viaIR") && { viaIR: await pickPipeline(frame) }),
      ...(names.has("evmVersion") && { evmVersion: await pickTarget(frame, compilerVersion) }),
      ...Object.fromEntries(LEFT_TO_SOLC.filter(([name]) => names.has(name))),
    },
  };
}

/** What is rarely set at all, as the compiler has it by itself. */
const LEFT_TO_SOLC: readonly (readonly [string, unknown])[] = [
  ["metadata", {}],
  ["libraries", {}],
  ["debug", {}],
  ["remappings", []],
];

function pickPipeline(frame: StepFrame): Promise<boolean> {
  return pick(frame, {
    placeholder: shown`How is the code made?`,
    choices: [
      { label: shown`Not via IR`, description: shown`the compiler's default`, value: false },
      { label: shown`Via IR`, value: true },
    ],
  });
}

function pickTarget(frame: StepFrame, compilerVersion: string | undefined): Promise<string> {
  const own = compilerVersion === undefined ? undefined : solcCode.defaultEvmVersion(compilerVersion);
  const others = evmVersions
    .filter((version) => isEvmVersion(version) && version !== own)
    .toSorted((a, b) => compareEvmVersions(b, a));
  return pick<string>(frame, {
    placeholder: shown`Which EVM version?`,
    choices: [
      ...(own === undefined
        ? []
        : [{ label: foreign(own), description: shown`the compiler's default`, value: own }]),
      ...others.map((version) => ({ label: foreign(version), value: version })),
    ],
  });
}
