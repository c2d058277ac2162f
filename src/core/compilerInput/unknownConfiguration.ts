import { shortVersion } from "../versions.ts";
import { t } from "@vscode/l10n";
import { counted, listed } from "../text/counted.ts";
import { LANGUAGES } from "../languages/language.ts";
import { LedgerLensError } from "../errors.ts";
import { settingInWords, settingValueInWords } from "../matching/settingWords.ts";
import { leftOutWords } from "../sources/skippedFindings.ts";
import type { UnknownSetting } from "../tools/unknownSettings.ts";
import type { CompilerInput, CompilerSettings } from "../sources/standardJsonInput.ts";

/** Where the answer to what a configuration computes may be read instead. */
export interface ConfigurationProposal {
  /** What says so, as people call it: `foundry.toml`. */
  readonly from: string;
  /** Full form; missing where only settings are proposed. */
  readonly compilerVersion?: string;
  /** The settings that are not known, as far as this source says them. */
  readonly settings: CompilerSettings;
}

/** What a configuration does not say. */
export interface OpenConfiguration {
  /** The name of its file. */
  readonly configuration: string;
  /** Absolute path of the project's root. */
  readonly project: string;
  readonly unknown: readonly UnknownSetting[];
  /** The best first. */
  readonly proposals: readonly ConfigurationProposal[];
}

/**
 * The compiler or a setting that decides the code is computed by the configuration, and nothing else says it. It is not
 * guessed: a person is asked, with {@link proposals}, and a caller gets this error.
 */
export class UnknownConfigurationError extends LedgerLensError {
  readonly open: OpenConfiguration;
  readonly #contractName: string;

  /** @param leftOut what could not be read, in words without a full stop; it may be why something is not known */
  constructor(open: OpenConfiguration, contractName: string, leftOut: readonly string[] = []) {
    const { configuration, unknown, proposals } = open;
    const [first] = unknown;
    const others = new Set(unknown.map(({ place }) => place)).size - 1;
    const rest = others > 0 ? t` (and ${others} more)` : "";
    const settings = [...new Set(unknown.map(({ setting }) => setting))].filter((name) => name !== "version");
    const isVersionOpen = unknown.some(({ setting }) => setting === "version");
    const isOne = isVersionOpen || settings.length === 1;
    const what = isVersionOpen ? t`the compiler` : listed(settings, Infinity);
    const toGive = [
      ...(isVersionOpen ? [t`the compiler version`] : []),
      ...(settings.length > 0
        ? [t`${listed(settings, Infinity)} in the setting ledgerLens.compilerSettings`]
        : []),
    ];
    const [proposal] = proposals;
    const proposed = proposal
      ? t` ${beginningASentence(proposal.from)} says ${proposalInWords(proposal)}.`
      : "";
    super(
      "configuration_unknown",
      t`${configuration}, line ${first?.line ?? 1}: ${first?.place ?? "solidity"} is computed (${first?.code ?? ""})${rest}, so ${what} of ${contractName} ${isOne ? t`isn't` : t`aren't`} known. Build the project, or give ${toGive.join(t`, and `)}.${proposed}${leftOutWords(leftOut)}`,
      {
        detail: [
          ...unknown.map(
            ({ place, line, code }) => t`${configuration}:${line}: ${place} is computed: ${code}`,
          ),
          ...leftOut,
        ].join("\n"),
      },
    );
    this.open = open;
    this.#contractName = contractName;
  }

  /** The same error, which tells what was left out besides. */
  withLeftOut(leftOut: readonly string[]): UnknownConfigurationError {
    return new UnknownConfigurationError(this.open, this.#contractName, leftOut);
  }
}

/** "solc 0.8.24, optimizer on with 200 runs, paris" */
export function proposalInWords({ compilerVersion, settings }: ConfigurationProposal): string {
  return compilationInWords(LANGUAGES.Solidity.compiler, compilerVersion, settings);
}

/** {@link proposalInWords} of an input. */
export function settingsInWords({
  compilerVersion,
  stdJsonInput: { language, settings },
}: Pick<CompilerInput, "compilerVersion" | "stdJsonInput">): string {
  return compilationInWords(LANGUAGES[language].compiler, compilerVersion, settings);
}

/** {@link proposalInWords} of a compiler, as people call it. */
export function compilationInWords(
  compiler: string,
  compilerVersion: string | undefined,
  settings: CompilerSettings,
): string {
  const { optimizer, viaIR, evmVersion, optimize } = settings;
  const runs = optimizer?.runs === undefined ? "" : t` with ${counted(optimizer.runs, "run")}`;
  const words = [
    ...(compilerVersion === undefined ? [] : [`${compiler} ${shortVersion(compilerVersion)}`]),
    ...(optimizer?.enabled === undefined
      ? []
      : [optimizer.enabled ? t`optimizer on${runs}` : t`optimizer off`]),
    ...(optimize === undefined ? [] : [`optimize ${settingValueInWords(optimize)}`]),
    ...(viaIR === undefined ? [] : [settingInWords("viaIR", viaIR)]),
    ...(evmVersion === undefined ? [] : [evmVersion]),
  ];
  return words.length > 0 ? words.join(", ") : t`the compiler's defaults`;
}

/** A file keeps its own letters. */
function beginningASentence(text: string): string {
  return text.startsWith("the ") ? t`The ${text.slice(4)}` : text;
}
