import { t } from "@vscode/l10n";
import { RULES } from "../../languages/rules.ts";
import type { StandardJsonInput } from "../../sources/standardJsonInput.ts";
import type { Pieces } from "../../concurrency/turns.ts";
import { optimizerInWords, settingInWords, settingValueInWords } from "../../matching/settingWords.ts";
import { atLeast } from "../../versions.ts";
import { counted, grouped, kilobytes } from "../../text/counted.ts";
import type { LabelledText } from "../../text/labelledText.ts";
import { foreign, foreignLine, shown } from "../../text/shownText.ts";
import type { FilePlace } from "../filePlace.ts";
import type { SentFile, SentSummary } from "./pageModel.ts";

/** More files than these are counted. */
export const MAX_SENT_FILES = 500;

/** How a source of Vyper names the EVM version itself. */
const EVM_PRAGMA = /#[ \t]*pragma[ \t]+evm-version\b/;

/** What a summary is made of. */
interface Sent {
  /** Short or full. */
  readonly compilerVersion: string;
  /** "solc 0.8.28+commit.7893614a" */
  readonly compiler: string;
  readonly contractIdentifier: string;
  readonly stdJsonInput: StandardJsonInput;
  readonly placeOf: (name: string) => FilePlace | undefined;
}

/** Sums up a compiler input, its files in the order in which it has them. */
export function* sentSummaryInPieces({
  compiler,
  compilerVersion,
  contractIdentifier,
  stdJsonInput: { sources, settings, language },
  placeOf,
}: Sent): Pieces<SentSummary> {
  const files: SentFile[] = [];
  let [bytes, count, fromDependencies] = [0, 0, 0];
  for (const [name, { content }] of Object.entries(sources)) {
    const size = Buffer.byteLength(content, "utf8");
    const place = placeOf(name);
    bytes += size;
    if (place === "dependency") fromDependencies++;
    if (count++ < MAX_SENT_FILES)
      files.push({ name: foreignLine(name), bytes: size, ...(place && { place }) });
    if (count % 16 === 0) yield;
  }
  const settingFacts = Object.entries(settings)
    .filter(([name]) => name !== "outputSelection")
    .map(([name, value]): LabelledText => {
      const whole = foreignLine(JSON.stringify(value));
      return {
        label: foreign(name),
        value: foreign(name === "optimizer" ? optimizerInWords(value) : settingValueInWords(value)),
        whole,
      };
    });
  const { evmVersion, optimizer, viaIR } = settings;
  const rules = RULES[language].code;
  const ownEvmVersion =
    evmVersion === undefined &&
    rules !== undefined &&
    atLeast(compilerVersion, rules.choosesEvmVersionSince) &&
    !Object.values(sources).some(({ content }) => EVM_PRAGMA.test(content))
      ? rules.defaultEvmVersion(compilerVersion)
      : undefined;
  const brief = [
    compiler.replace(/\+.*/s, ""),
    ...(evmVersion === undefined ? [] : [evmVersion]),
    ...(ownEvmVersion === undefined ? [] : [t`${ownEvmVersion} by default`]),
    ...(optimizer === undefined ? [] : [settingInWords("optimizer", optimizer)]),
    ...(viaIR === true ? [settingInWords("viaIR", viaIR)] : []),
    `${counted(count, "file")}${fromDependencies === 0 ? "" : t` (${grouped(fromDependencies)} from dependencies)`}`,
    kilobytes(bytes),
  ];
  return {
    brief: foreign(brief.join(" · ")),
    facts: [
      { label: shown`Compiler`, value: foreign(compiler) },
      { label: shown`Contract`, value: foreignLine(contractIdentifier) },
      ...settingFacts,
      ...(ownEvmVersion === undefined
        ? []
        : [{ label: foreign("evmVersion"), value: shown`${ownEvmVersion}, the compiler's default` }]),
    ],
    files,
    fileCount: count,
  };
}
