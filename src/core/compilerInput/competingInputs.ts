import { t } from "@vscode/l10n";
import { LANGUAGES } from "../languages/language.ts";
import { asRecord } from "../json/looseData.ts";
import { metadataSettings } from "../matching/builtMetadata.ts";
import { orderedJson } from "../matching/compilerMetadata.ts";
import type { LedgerLensError } from "../errors.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import { UnresolvedImportError } from "../languages/solidity/solidityClosure.ts";
import type { CompilerInput, CompilerSettings, LanguageName } from "../sources/standardJsonInput.ts";
import { compareMarks, marksAgainst, type DeployedEvidence } from "./deploymentMarks.ts";
import { settingsInWords } from "./unknownConfiguration.ts";

/** One of several inputs of a contract, any of which may be of what was deployed. */
export interface Candidate {
  /** What makes it, as people call it. */
  readonly title: string;
  readonly input: CompilerInput;
  /** What makes it is known to have deployed the contract. */
  readonly isDeployer: boolean;
  /** What its build wrote, where there is one. */
  readonly metadata?: string;
}

/** How a choice is told. */
interface ChoiceInWords {
  readonly code: "two_tools" | "several_projects";
  /** The contract's file, absolute. */
  readonly path: string;
  /** That there is a choice, without a full stop. */
  readonly both: string;
  /** That there is a choice which nothing decides, up to the word before "nothing that is known". */
  readonly undecided: string;
  /** What to do then. */
  readonly advice: string;
}

/** Of several inputs the one that the deployment shows; else the first, which is told. */
export function decided<One extends Candidate>(
  candidates: readonly [One, ...One[]],
  evidence: DeployedEvidence,
  { code, path, both, undecided, advice }: ChoiceInWords,
): One {
  const [first, second] = candidates;
  if (!second || candidates.every(({ input }) => isSameCompilation(input, first.input))) return first;
  const told = (chosen: One, severity: InputFinding["severity"], sentence: string): One => ({
    ...chosen,
    input: {
      ...chosen.input,
      findings: [{ code, severity, sentence, path }, ...chosen.input.findings],
    },
  });
  const deployed = candidates.find(({ isDeployer }) => isDeployer);
  if (deployed)
    return told(deployed, "note", t`${both}; ${deployed.title} deployed it, so its settings are taken.`);
  const judged = candidates
    .map((candidate) => ({
      candidate,
      marks: marksAgainst(candidate.input, evidence, candidate.metadata),
    }))
    .sort((a, b) => compareMarks(a.marks, b.marks));
  const [best, next] = judged;
  if (best && next && compareMarks(best.marks, next.marks) < 0)
    return told(
      best.candidate,
      "note",
      t`${both}; the deployed code fits ${best.candidate.title}'s settings (${settingsInWords(best.candidate.input)}) better than ${next.candidate.title}'s (${settingsInWords(next.candidate.input)}).`,
    );
  return told(
    first,
    "warning",
    t`${undecided} nothing that is known of the deployment tells them apart; ${first.title}'s settings are taken (${settingsInWords(first.input)}), ${second.title}'s are ${settingsInWords(second.input)}. ${advice}`,
  );
}

/** Of why there is no input, the failure of the one that found the most of what is imported. */
export function furthest(failures: readonly LedgerLensError[]): LedgerLensError | undefined {
  const missing = (failure: LedgerLensError) =>
    failure instanceof UnresolvedImportError ? failure.imports.length : 0;
  return failures.toSorted((a, b) => missing(a) - missing(b))[0];
}

/** True when two inputs give the same code and the same metadata. */
export function isSameCompilation(a: CompilerInput, b: CompilerInput): boolean {
  return comparable(a) === comparable(b);
}

/** An input, with what the compiler fills in by itself. */
function comparable({ compilerVersion, stdJsonInput }: CompilerInput): string {
  const { language, settings, sources } = stdJsonInput;
  return orderedJson([compilerVersion, comparableSettings(language, settings, compilerVersion), sources]);
}

/** Settings with what the compiler fills in by itself, and without those that reach neither code nor metadata. */
export function comparableSettings(
  language: LanguageName,
  settings: CompilerSettings,
  compilerVersion: string,
): object {
  const filled = LANGUAGES[language].hasMetadata ? filledIn(settings, compilerVersion) : settings;
  return { ...filled, outputSelection: undefined };
}

function filledIn(settings: CompilerSettings, compilerVersion: string): object {
  const written = metadataSettings(settings, compilerVersion);
  const optimizer = { ...settings.optimizer, ...asRecord(written["optimizer"]) };
  // Metadata has these only where they say something.
  return { ...settings, viaIR: undefined, debug: undefined, ...written, optimizer };
}
