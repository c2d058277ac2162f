import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../core/errors.ts";
import { withChanges, type Submittable } from "../../core/matching/resubmission.ts";
import { RULES } from "../../core/languages/rules.ts";
import { firstCompilerError } from "../../core/service/failure.ts";
import { ended } from "../../core/text/sentenceEnd.ts";
import type { Deployment } from "../../core/service/submissionRequest.ts";
import type { LibraryAddresses } from "../../core/settingsSearch/linkedLibraries.ts";
import { changesTo, rewrittenFiles, rewrittenInWords } from "../../core/settingsSearch/searchedCause.ts";
import type { ResubmitChanges } from "../../core/matching/explanation.ts";
import { percentEqual } from "../../core/evm/codeDistance.ts";
import type {
  FoundSettings,
  SettingsSearchResult,
  TriedSettings,
} from "../../core/settingsSearch/settingsSearch.ts";
import { namesBetween, type SourceNames } from "../../core/sources/sourceNames.ts";
import type { CompilerInput, CompilerSettings } from "../../core/sources/standardJsonInput.ts";
import { counted, grouped } from "../../core/text/counted.ts";
import { foreignSentence, shown } from "../../core/text/shownText.ts";
import { runAction } from "../ui/action.ts";
import { optionalNumber } from "../ui/arguments.ts";
import { copyText } from "../ui/clipboard.ts";
import { showMessage } from "../ui/notifications.ts";
import { withProgressMessage } from "../ui/progress.ts";
import { chosenDeployment } from "./chosenDeployment.ts";
import { choiceToLay, compilerInputOf, namingsOf, type WorkspaceInput } from "./compilerInputOf.ts";
import { deployedContract } from "./deployedContract.ts";
import { keepProvenSettings } from "./keepProvenSettings.ts";
import { verifyContract } from "./verifyContract.ts";
import { configurationEdit, writeConfiguration } from "./writeSettings.ts";
import type { VerificationParts } from "./verificationParts.ts";

/** What `findSettings` resolves to. */
interface SettingsAnswer {
  /** Proven by the service's engine on this machine. */
  readonly found?: {
    /** In full form. */
    readonly compilerVersion: string;
    /** Those of the compiler input, whole. */
    readonly settings: CompilerSettings;
    /** The addresses of libraries that the deployed code has: source unit name, library, address. */
    readonly libraries?: LibraryAddresses;
    readonly verdict: "exact_match" | "match";
    /** The source unit names that differ: that of the workspace, that of the deployed build; `settings` have the latter. */
    readonly sourceNames?: SourceNames;
    /** Source unit names of the files that the deployed build has with other line endings. */
    readonly rewrittenFiles?: readonly string[];
  };
  /** In the order in which they were compiled; `distance` is the share of the code's bytes that differ, from 0 to 1. */
  readonly tried: readonly TriedSettings[];
  readonly seconds: number;
}

const TITLE = shown`Find the Settings`;
/** How long a search lasts at most where nothing else is said, and at all. */
const LIMIT_SECONDS = 120;
const MAX_LIMIT_SECONDS = 3_600;

/**
 * `ledgerLens.findSettings` `{contract, chainId, address, creationTransactionHash?, limitSeconds?}`: searches for the compiler
 * and the settings that make the deployed code of the contract's sources, by compiling on this machine. Nothing is published.
 */
export async function findSettings(
  parts: VerificationParts,
  args: Readonly<Record<string, unknown>>,
): Promise<SettingsAnswer> {
  const limitSeconds = Math.min(optionalNumber(args, "limitSeconds") ?? LIMIT_SECONDS, MAX_LIMIT_SECONDS);
  const { contract, place, known } = await chosenDeployment(parts, TITLE, args);
  const input = await compilerInputOf(parts, contract, known, TITLE);
  const { language } = input.stdJsonInput;
  if (!RULES[language].hasHiddenSettings) {
    throw new LedgerLensError(
      "settings_not_searched",
      t`The settings of ${language} contracts are not searched for. Run Verify Locally to compare this one as it is.`,
    );
  }
  const started = performance.now();
  const result = await withProgressMessage(
    shown`Finding the settings of ${input.contractName}`,
    async (report, signal) => {
      report(shown`reading the deployed code`);
      const deployed = await deployedContract(parts, place, known, signal);
      const namingClues = async () => {
        const namings = await namingsOf(contract).catch((error: unknown) => {
          parts.log.warn(
            `How tools would name the files of ${input.contractName} is not known: ${String(error)}`,
          );
          return [];
        });
        return { path: input.path, namings };
      };
      const options = { title: TITLE, started, onProgress: report, signal, limitSeconds, namingClues };
      return parts.local.searchSettings(input, deployed, options);
    },
  );
  const { found, tried, seconds } = result;
  parts.log.info(
    `${input.contractName} on chain ${place.chainId} at ${place.address}: ${found ? `${found.verdict.verdict} with ${found.what}` : "settings not found"}, ${counted(tried.length, "attempt")}, ${seconds.toFixed(1)} s`,
  );
  if (found) await keepProvenSettings(parts, input, place, result);
  void tell(parts, input, result, { contract, ...place });
  return { ...(found && { found: answerOf(input, found) }), tried, seconds };
}

function answerOf(
  { stdJsonInput: given }: Pick<CompilerInput, "stdJsonInput">,
  { submission, verdict }: FoundSettings,
): NonNullable<SettingsAnswer["found"]> {
  const settings = settingsAlone(submission);
  const sourceNames = namesBetween(given.sources, submission.stdJsonInput.sources);
  const libraries = settings["libraries"] as LibraryAddresses | undefined;
  const rewritten = rewrittenFiles({ stdJsonInput: given }, submission);
  return {
    compilerVersion: submission.compilerVersion,
    settings,
    ...(libraries && Object.keys(libraries).length > 0 && { libraries }),
    verdict: verdict.verdict === "exact_match" ? "exact_match" : "match",
    ...(sourceNames && { sourceNames }),
    ...(rewritten.length > 0 && { rewrittenFiles: rewritten }),
  };
}

/** The result as a message; no code waits for its buttons. */
async function tell(
  parts: VerificationParts,
  input: WorkspaceInput,
  { found, tried, seconds, messages }: SettingsSearchResult,
  deployment: Deployment & { readonly contract: string },
): Promise<void> {
  const { contractName } = input;
  const effort = shown`${grouped(tried.length)} tried, ${seconds.toFixed(1)} s`;
  if (!found && messages !== undefined) {
    const error = { customCode: "compiler_error", message: "", errorData: { compilerErrors: messages } };
    await showMessage(
      "error",
      foreignSentence(
        t`${contractName} doesn't compile with any of the settings tried (${effort}): ${ended(firstCompilerError(error))}`,
      ),
    );
    return;
  }
  if (!found) {
    const [best] = tried.toSorted((a, b) => a.distance - b.distance);
    const nearest = best ? shown` Nearest: ${percentEqual(best.distance)} equal, ${best.what}.` : shown``;
    await showMessage(
      "error",
      shown`${contractName}: no settings found that make the deployed code (${effort}).${nearest}`,
    );
    return;
  }
  const changes = changesTo(input, found.submission);
  const rewritten = rewrittenFiles(input, found.submission);
  const submit = {
    label: shown`Submit With These Settings`,
    run: () => pressed(t`Submit With These Settings`, () => submitChanged(parts, input, deployment, changes)),
  };
  const copy = {
    label: shown`Copy Settings`,
    run: () => copyText(copiedSettings(input, found), shown`Settings copied`),
  };
  const pressed = (title: string, work: () => Promise<void>) =>
    runAction(parts.log, title, { interactive: true }, work);
  const edit = await configurationEdit(input, found.submission);
  const write = edit && {
    label: shown`Write Into Configuration`,
    run: () => pressed(t`Write Into Configuration`, () => writeConfiguration(parts, edit)),
  };
  const verdict = found.verdict.verdict === "exact_match" ? t`exact match` : t`match`;
  await showMessage(
    "information",
    foreignSentence(
      [
        t`${contractName}: ${verdict} with ${found.what}, proven by compiling (${effort}); nothing was published.`,
        ...(rewritten.length > 0 ? [rewrittenInWords(rewritten)] : []),
      ].join(" "),
    ),
    // Where the file can't be edited safely, a person does it.
    ...(rewritten.length > 0 ? [write ?? copy] : [submit, write ?? copy]),
  );
}

/** Opens the last step before a submission with what was found. */
async function submitChanged(
  parts: VerificationParts,
  input: WorkspaceInput,
  deployment: Deployment & { readonly contract: string },
  changes: ResubmitChanges = {},
): Promise<void> {
  const { compilerVersion } = changes;
  const args = { ...deployment, ...(compilerVersion !== undefined && { compilerVersion }) };
  await verifyContract(parts, args, choiceToLay(input, changes));
}

/** The compiler, its settings as standard JSON input has them, and the names that differ, as JSON. */
function copiedSettings({ stdJsonInput }: WorkspaceInput, { submission }: FoundSettings): string {
  const { compilerVersion } = submission;
  const sourceNames = namesBetween(stdJsonInput.sources, submission.stdJsonInput.sources);
  const copied = { compilerVersion, settings: settingsAlone(submission), sourceNames };
  return `${JSON.stringify(copied, undefined, 2)}\n`;
}

/** Without what is asked of the compiler. */
function settingsAlone(submission: Submittable): CompilerSettings {
  return withChanges(submission, { settings: { outputSelection: null } }).stdJsonInput.settings;
}
