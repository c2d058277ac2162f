import { splitIdentifier } from "../../core/sources/contractIdentifier.ts";
import { onRecord } from "./onRecord.ts";
import { t } from "@vscode/l10n";
import { LANGUAGES } from "../../core/languages/language.ts";
import * as vscode from "vscode";
import type { CompilerInput, CompilerSettings } from "../../core/sources/standardJsonInput.ts";
import type { ReviewOffer } from "../../core/jobs/reviewOffers.ts";
import { evmVersions } from "../../core/evm/evmVersion.ts";
import { isLocalById } from "../../core/chains/privateChains.ts";
import { chainLabel } from "../../core/chains/chainNames.ts";
import type { PredictedOutcome, Prediction } from "../../core/matching/predict.ts";
import type { VerifiedContract } from "../../core/service/job.ts";
import { optimizerInWords } from "../../core/matching/settingWords.ts";
import { recordedMatch } from "../../core/jobs/recordedMatch.ts";
import { expectationDetail, sentenceRow, sourceInBrief } from "../../core/jobs/reviewLines.ts";
import type { AgreedSubmission, SubmissionReview } from "../../core/jobs/submissionReview.ts";
import { fateLine, filesInBrief, showFiles } from "./publishedFiles.ts";
import { counted } from "../../core/text/counted.ts";
import { shortAddress, foreign, foreignSentence, shown, type ShownText } from "../../core/text/shownText.ts";
import { stopSignal } from "../ui/asking.ts";
import { runAction } from "../ui/action.ts";
import type { StepFrame } from "../ui/multiStep.ts";
import { checkNotLeft } from "../ui/questionFlow.ts";
import { askText, pick } from "../ui/questions.ts";
import { type StepChoice, separator } from "../ui/quickPick.ts";
import { uriOf } from "../workspaceFiles.ts";
import { choiceToLay, type CompilerChoice, type WorkspaceInput } from "./compilerInputOf.ts";
import { askOtherAddress } from "./contractStep.ts";
import { askAddress } from "./deploymentSteps.ts";
import { compiledToo, predictedByCodes } from "./predictMatch.ts";
import { reviewNow } from "./inputReview.ts";
import { offeredPath, offersByCode, offersByCompiling } from "./reviewOffers.ts";
import { askOptimizer, pickRelease } from "./settingQuestions.ts";
import type { CompilerState } from "./deploymentInspection.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { verifyReviewed } from "./verifyLocally.ts";
import { inTurns } from "../../core/concurrency/turns.ts";
import { deploymentOf } from "../../core/service/submissionRequest.ts";
import type { CompilerParts, VerificationParts } from "./verificationParts.ts";

/** What is known while a verification asks for the rest. */
export interface VerifyState extends CompilerState {
  /** Whether an agent or another extension wants it: then a person is asked each time, whatever was agreed to before. */
  readonly isForProgram?: boolean;
  /** Whether it began by itself after a deployment: then a person is asked each time, too. */
  readonly isUnasked?: boolean;
  /** What a person was shown and agreed to. */
  reviewed?: AgreedSubmission;
  /** Whether it goes by what they agreed to before, and nothing was shown. */
  isCovered?: boolean;
  /** What they agreed to for good with it, which is kept once they can't leave any more. */
  agreedForGood?: Pick<SubmissionReview, "service" | "scope">;
  /** The files that are no longer what the build compiled, which is what was shown. */
  changedSinceBuild?: CompilerInput["changedSinceBuild"];
  /** What the service has on record, once it was asked; `null` for nothing. */
  recorded?: VerifiedContract | null;
}

type Item =
  | ReviewOffer
  | "submit"
  | "always"
  | "public"
  | "local"
  | "expectation"
  | "compiler"
  | "optimizer"
  | "evmVersion"
  | "files";

/** What is known of the result before anything is sent. */
interface Expectation {
  readonly icon: string;
  readonly label: ShownText;
  readonly detail?: ShownText;
  readonly prediction?: PredictedOutcome;
  readonly ceiling?: Prediction["ceiling"];
  /** Everything that speaks for it. */
  readonly reasons?: readonly string[];
}

/** What is known of the result, and what the deployed code offers instead. */
interface Outlook {
  readonly expected: Expectation;
  readonly offers: readonly ReviewOffer[];
}

const PREDICTING: Expectation = { icon: "sync~spin", label: shown`Comparing with the deployed code…` };

const EXPECTED: Readonly<Record<PredictedOutcome, Expectation>> = {
  exact_match: { icon: "pass-filled", label: shown`Exact match expected` },
  match: { icon: "pass", label: shown`Match expected` },
  mismatch: { icon: "error", label: shown`No match expected` },
  unknown: { icon: "question", label: shown`Can't predict the result` },
};

/** Where the workspace was not built: no fault, and nothing that speaks against a match. */
const WITHOUT_BUILD: Expectation = { ...EXPECTED.unknown, icon: "info" };

/** Beside what submits, and in its place where the service can't see the chain. */
export const VERIFY_HERE: StepChoice<"local"> = {
  icon: "beaker",
  label: shown`Verify Locally`,
  description: shown`Compiles on this machine and compares; nothing is published`,
  value: "local",
};

/**
 * The last step: what will be sent and where. Enter submits; compiler and settings can be changed and the files can be
 * looked at, after which the step comes again. Who agreed to the like of it before is not asked, unless something in the
 * files should make a person think twice, they are those of a commit, or it is a program that wants it sent. What was shown once waits for its Submit,
 * whatever becomes of it by what is changed there.
 *
 * What is shown is frozen, and that is what `state.reviewed` holds in the end. Before, everything is read once more, only
 * to compare: if anything is different by then, the step says so and comes again with what is there now.
 */
export async function reviewStep(
  parts: VerificationParts,
  state: VerifyState,
  frame: StepFrame,
): Promise<void> {
  let current = await reviewNow(parts, state);
  let changed: string | undefined;
  let asked: string | undefined;
  let obstacle: Obstacle | undefined;
  const isByItself = state.isForProgram === true || state.isUnasked === true;
  /**
   * What was looked at and left as it was comes back active: another Enter must not fall on Submit. Nor must one that was on
   * its way to something else when the review came by itself.
   */
  let lookedAt: Item | undefined = isByItself ? "public" : undefined;
  let isShown = false;
  for (;;) {
    const { review, input } = current;
    state.changedSinceBuild = input.changedSinceBuild;
    if (asked !== review.service) {
      const recorded = onRecord(parts, parts.service(review.service), state);
      [state.recorded, obstacle] = await Promise.all([recorded, obstacleNow(parts, review, state)]);
    }
    asked = review.service;
    const isDone = state.recorded?.match === "exact_match";
    const isLocal = obstacle !== undefined;
    const isAgreed = !isByItself && !isShown && parts.consent.covers(review.service, review.scope);
    if (isDone || (!isLocal && changed === undefined && isAgreed)) {
      state.reviewed = review.agreed();
      state.isCovered = isAgreed;
      return;
    }
    let outlook: Outlook = { expected: PREDICTING, offers: isLocal ? [] : await offersKnown(state) };
    const isCertainToFail = outlook.offers.length > 0;
    const items = () => [
      ...changedItems(changed),
      // Why is said of two, and of the first alone: so all lines of the review fit into a window of 1,280 × 800.
      ...outlook.offers.map((offer, at) => offerItem(offer, at === 0 && outlook.offers.length < 3)),
      ...reviewItems(state, input, review, outlook, {
        obstacle,
        isCrowded: outlook.offers.length + Number(changed !== undefined) > 1,
      }),
    ];
    const title = state.isForProgram
      ? shown`Verify ${input.contractName}: requested by an agent or another extension`
      : state.isUnasked
        ? shown`Verify ${input.contractName}, which was just deployed`
        : shown`Verify ${input.contractName}`;
    isShown = true;
    const titled = { ...frame, title, maySend: false };
    const item: Item = await pick<Item>(titled, {
      placeholder: isLocal
        ? shown`Press Enter to verify on this machine, or select an item to change it`
        : isByItself || isCertainToFail
          ? shown`Select Submit to send what is shown, or an item to change it`
          : shown`Press Enter to submit, or select an item to change it`,
      choices: items(),
      beginAt: changed === undefined ? lookedAt : undefined,
      later: async (signal, show) => {
        const tell = (now: Outlook) => {
          outlook = now;
          show(items());
        };
        await lookAhead(parts, state, input, tell, signal, outlook.offers);
        return items();
      },
    });
    if (item === "submit" || item === "always") {
      const now = await reviewNow(parts, state);
      changed = await inTurns(review.changesInPieces(now.review));
      if (changed === undefined) {
        checkNotLeft();
        state.reviewed = review.agreed();
        if (item === "always") state.agreedForGood = review;
        return;
      }
      current = now;
      continue;
    }
    // What is offered is found out anew.
    lookedAt = typeof item === "object" ? "expectation" : item;
    let isAnother = false;
    const sub: StepFrame = { ...titled, title: frame.title, canGoBack: true };
    const choice = state.choice;
    try {
      if (item === "compiler")
        state.choice = { ...choice, compilerVersion: await pickCompiler(parts, sub, input) };
      if (item === "optimizer") setSettings(state, await askOptimization(sub, input));
      if (item === "evmVersion") setSettings(state, { evmVersion: await pickEvmVersion(sub) });
      if (item === "files" || item === "public") await showFiles(parts, sub, [{ files: review.shown.files }]);
      if (item === "expectation") await showReasons(sub, outlook.expected);
      if (item === "local") await verifyHere(parts, state, input);
      if (typeof item === "object") isAnother = await takeOffer(parts, state, input, item, sub);
    } catch (error) {
      // Back returns to this step; leaving leaves the command.
      if (error instanceof LedgerLensError) throw error;
    }
    if (isAnother) {
      current = await reviewNow(parts, state);
      asked = changed = lookedAt = undefined;
      continue;
    }
    if (state.choice === choice) continue;
    lookedAt = undefined;
    // What is different by more than the choice is said, too.
    const before = await reviewNow(parts, { ...state, choice });
    changed = await inTurns(review.changesInPieces(before.review));
    current = await reviewNow(parts, state);
  }
}

/**
 * Says that nothing was sent because what was shown is no longer what there is. It stands first, where Enter looks at
 * the files instead of sending what was not looked at.
 */
export function changedItems(changed: string | undefined): StepChoice<"files">[] {
  return changed === undefined
    ? []
    : [
        {
          icon: "warning",
          label: shown`Nothing was sent, because this changed while it was shown: ${changed}.`,
          value: "files",
        },
      ];
}

/** Why nothing can be submitted, and what can be done about it. */
interface Obstacle {
  readonly label: ShownText;
  readonly detail: ShownText;
}

/** What stands in the way of a submission, as far as that is known before: a service that does not say takes it. */
async function obstacleNow(
  { jobs }: Pick<VerificationParts, "jobs">,
  { host, service }: Pick<SubmissionReview, "host" | "service">,
  { chainId = "" }: VerifyState,
): Promise<Obstacle | undefined> {
  const chain = chainLabel(chainId);
  const detail = shown`Another service can be set in ledgerLens.verificationUrl`;
  switch (await jobs.chainObstacle(service, chainId, stopSignal())) {
    case "local":
      return {
        label: shown`Can't be submitted: ${host} can't see ${chain}`,
        detail: isLocalById(chainId)
          ? shown`It runs on this machine or its network. A service that runs there, too, can be set in ledgerLens.verificationUrl`
          : shown`It is set up only on this machine or its network. A public node of it can be set in ledgerLens.rpcUrls, or a service that runs there, too, in ledgerLens.verificationUrl`,
      };
    case "unlisted":
      return { label: shown`Can't be submitted: ${host} does not know ${chain}`, detail };
    case "unsupported":
      return { label: shown`Can't be submitted: ${host} does not support ${chain} any more`, detail };
    case undefined:
      return undefined;
  }
}

/** Compiles and compares here what the review shows, which comes again whatever comes of it. */
async function verifyHere(
  parts: VerificationParts,
  { chainId = "", address = "", creationTransactionHash, choice }: VerifyState,
  input: WorkspaceInput,
): Promise<void> {
  const place = deploymentOf({ chainId, address, creationTransactionHash });
  const work = () => verifyReviewed(parts, input, place, choice);
  const act = (what: typeof work): Promise<unknown> =>
    runAction(parts.log, VERIFY_HERE.label, { interactive: true, again: () => act(work) }, what);
  try {
    await work();
  } catch (error) {
    if (!(error instanceof LedgerLensError)) throw error;
    // The review does not wait for what is made of the message.
    void act(() => Promise.reject(error));
  }
}

/** What is offered from the beginning, and so begun at: all else comes while a person looks, and moves no line. */
async function offersKnown({ choice: { isUndeployed } }: VerifyState): Promise<readonly ReviewOffer[]> {
  return isUndeployed ? [(await import("../../core/jobs/reviewOffers.ts")).CHANGE_ADDRESS] : [];
}

/**
 * What the deployed code says of the result and offers instead, told as it becomes known; that it can't be read is an answer
 * too.
 *
 * @param known what is offered until then
 */
async function lookAhead(
  parts: VerificationParts,
  { chainId = "", address = "", creationTransactionHash, choice }: VerifyState,
  input: WorkspaceInput,
  tell: (outlook: Outlook) => void,
  signal: AbortSignal,
  known: readonly ReviewOffer[],
): Promise<void> {
  let offers = known;
  try {
    const deployment = { chainId, address, creationTransactionHash, deployment: choice.deployment };
    const byCodes = await predictedByCodes(parts, input, deployment, signal);
    offers = await offersByCode(parts, input, choice, byCodes);
    tell({ expected: PREDICTING, offers });
    const options = {
      onProgress: (label: ShownText) => tell({ expected: { ...PREDICTING, label }, offers }),
      signal,
    };
    const prediction = await compiledToo(parts, input, byCodes, options);
    const { offersLeft } = await import("../../core/jobs/reviewOffers.ts");
    offers = offersLeft(offers, prediction.prediction);
    const expected = expectationOf(prediction);
    tell({ expected, offers });
    if (offers.length > 0 || prediction.prediction !== "mismatch" || byCodes.predicted.isCertain) return;
    offers = await offersByCompiling(parts, input, byCodes, signal);
    tell({ expected, offers });
  } catch (error) {
    if (!(error instanceof LedgerLensError)) throw error;
    const reasons = [error.message];
    const detail = expectationDetail({ reasons });
    tell({ expected: { ...EXPECTED.unknown, reasons, ...(detail && { detail }) }, offers });
  }
}

function expectationOf(predicted: Prediction): Expectation {
  const { prediction, ceiling, reasons, isWithoutBuild } = predicted;
  const detail = expectationDetail(predicted);
  return {
    ...(prediction === "unknown" && isWithoutBuild ? WITHOUT_BUILD : EXPECTED[prediction]),
    prediction,
    ceiling,
    reasons,
    ...(detail !== undefined && { detail }),
  };
}

const OFFER_ICONS = {
  address: "edit",
  implementation: "arrow-right",
  settings: "lightbulb",
  contract: "lightbulb",
} as const;

/** Stands before all that submits. */
function offerItem(offer: ReviewOffer, saysWhy: boolean): StepChoice<Item> {
  const { kind, label, evidence } = offer;
  const description = kind === "contract" ? foreign(offeredPath(offer.contract)) : offer.description;
  return {
    icon: OFFER_ICONS[kind],
    label,
    ...(description !== undefined && { description }),
    ...(saysWhy && { detail: evidence }),
    value: offer,
  };
}

/**
 * Changes what the review is of.
 *
 * @returns whether it is of another contract or another deployment by then, so that nothing shown before counts
 */
async function takeOffer(
  parts: VerificationParts,
  state: VerifyState,
  input: WorkspaceInput,
  offer: ReviewOffer,
  frame: StepFrame,
): Promise<boolean> {
  switch (offer.kind) {
    case "address": {
      const { address, creationTransactionHash } = await askOtherAddress(parts, state, frame);
      state.address = address;
      state.creationTransactionHash = creationTransactionHash;
      // The same again is looked at once more: it may have been deployed meanwhile.
      state.lookedAt = undefined;
      return true;
    }
    case "implementation":
      state.address = offer.address ?? (await askAddress(parts, { chainId: state.chainId }, frame));
      state.creationTransactionHash = undefined;
      return true;
    case "contract":
      state.contract = offer.contract;
      // What was chosen for the other contract's build says nothing of this one.
      state.choice = {
        ...state.choice,
        compilerVersion: undefined,
        settings: undefined,
        sourceNames: undefined,
      };
      return true;
    case "settings": {
      const { settings } = choiceToLay(input, offer.changes);
      const { compilerVersion = state.choice.compilerVersion } = offer.changes;
      state.choice = {
        ...state.choice,
        compilerVersion,
        settings: { ...state.choice.settings, ...settings },
      };
      return false;
    }
  }
}

/** Where a review stands. */
interface ReviewPlace {
  /** Why nothing can be submitted from here. */
  readonly obstacle: Obstacle | undefined;
  /** What stands above it takes so many lines of a window of 1,280 × 800 that what is said twice is said once. */
  readonly isCrowded: boolean;
}

function reviewItems(
  { chainId = "", address = "", recorded, choice, isForProgram, isUnasked }: VerifyState,
  input: WorkspaceInput,
  { shown: review }: SubmissionReview,
  { expected, offers }: Outlook,
  { obstacle, isCrowded }: ReviewPlace,
): StepChoice<Item>[] {
  const isLocal = obstacle !== undefined;
  const { language, settings } = input.stdJsonInput;
  const { prediction, ceiling } = expected;
  const known = recordedMatch(input.contractName, recorded ?? undefined, prediction, ceiling);
  const concerns = review.concerns.filter(({ sentence }) =>
    input.findings.every((finding) => finding.sentence !== sentence),
  );
  const told = [...input.findings, ...concerns].map(({ severity, sentence }) => ({
    icon: FINDING_ICONS[severity],
    ...sentenceRow(sentence),
    value: "files" as const,
  }));
  const isShort = !isLocal && (isCrowded || told.some(({ detail }) => detail !== undefined));
  const always: StepChoice<Item> = {
    icon: "check-all",
    label: shown`Submit, and Do Not Ask Again`,
    detail: shown`For ${review.host} from this workspace; asks again where possible secrets are found`,
    value: "always",
    sends: true,
  };
  const submitting: StepChoice<Item>[] = [
    {
      icon: "cloud-upload",
      label: shown`Submit to ${review.host}`,
      description: shown`${chainLabel(chainId)} · ${shortAddress(address)}`,
      detail: review.sentence,
      value: "submit",
      sends: true,
    },
    // What a program asks for comes again each time, and so does a commit.
    ...(isForProgram || isUnasked || input.isOfCommit ? [] : [always]),
    { ...fateLine(review.host), description: filesInBrief(review), value: "public" },
  ];
  return [
    ...(obstacle ? [VERIFY_HERE, { icon: "info", ...obstacle, value: "local" as const }] : submitting),
    separator(shown`what to expect`),
    ...(known ? [{ icon: "verified", label: foreign(known.brief), value: "expectation" as const }] : []),
    {
      icon: expected.icon,
      label: expected.label,
      // What is offered says why, and so the whole list fits into a small window.
      ...(expected.detail !== undefined && offers.length === 0 && { detail: expected.detail }),
      value: "expectation",
    },
    ...(isLocal ? [] : [VERIFY_HERE]),
    separator(isLocal ? shown`what is compiled` : shown`what is sent`),
    ...told,
    // What the line is under takes a part of its width.
    {
      icon: "files",
      label: shown`Files`,
      description: isShort ? foreign(sourceWords(input, choice)) : filesInBrief(review),
      value: "files",
    },
    {
      icon: "versions",
      label: shown`Compiler`,
      description: shown`${LANGUAGES[language].compiler.toLowerCase()} ${input.compilerVersion} · ${input.compilerReason}`,
      value: "compiler",
    },
    {
      icon: "rocket",
      label: shown`Optimizer`,
      description: foreign(optimizerWords(input)),
      value: "optimizer",
    },
    {
      icon: "chip",
      label: shown`EVM version`,
      description: foreign(settings.evmVersion ?? t`the compiler's default`),
      value: "evmVersion",
    },
    ...(choice.sourceNames
      ? [
          {
            icon: "symbol-file",
            label: shown`Source names`,
            description: foreign(namesInBrief(input)),
            value: "files" as const,
          },
        ]
      : []),
    ...(isShort
      ? []
      : [
          {
            icon: "database",
            label: shown`Read from`,
            description: foreign(sourceWords(input, choice)),
            value: "files" as const,
          },
        ]),
  ];
}

/** By which names and remappings files go that the project has under others. */
function namesInBrief({ contractIdentifier, stdJsonInput }: CompilerInput): string {
  const entry = splitIdentifier(contractIdentifier).file;
  const { remappings = [] } = stdJsonInput.settings;
  const found = remappings.length === 0 ? t`without remappings` : counted(remappings.length, "remapping");
  return `${entry} · ${found}`;
}

const FINDING_ICONS = { error: "error", warning: "warning", note: "info" } as const;

/** Where the input comes from. */
function sourceWords({ source, record }: CompilerInput, { commit }: CompilerChoice): string {
  if (commit !== undefined) return t`commit ${commit}, with its own configuration`;
  return sourceInBrief(
    source,
    record === undefined ? undefined : vscode.workspace.asRelativePath(uriOf(record)),
  );
}

async function pickCompiler(
  { compilers }: Pick<CompilerParts, "compilers">,
  frame: StepFrame,
  input: CompilerInput,
): Promise<string> {
  const { releaseList, compiler } = LANGUAGES[input.stdJsonInput.language];
  if (releaseList === undefined) {
    return askText(frame, {
      prompt: shown`The version of ${compiler}`,
      placeholder: foreign(input.compilerVersion),
      value: input.compilerVersion,
      check: (text) => text.trim(),
    });
  }
  return pickRelease(frame, compilers()[releaseList], input.compilerVersion);
}

/** The optimizer as the compiler of the language has it. */
function optimizerWords({ stdJsonInput: { language, settings } }: CompilerInput): string {
  if (LANGUAGES[language].optimizerModes) {
    const { optimize } = settings;
    return typeof optimize === "string" ? optimize : optimize === false ? t`none` : t`the compiler's default`;
  }
  return optimizerInWords({ runs: 200, ...settings.optimizer });
}

/** The settings that a person chose for the optimizer. */
async function askOptimization(frame: StepFrame, input: CompilerInput): Promise<CompilerSettings> {
  const { language, settings } = input.stdJsonInput;
  const modes = LANGUAGES[language].optimizerModes;
  if (modes) {
    const optimize = await pick(frame, {
      placeholder: shown`What does the compiler optimize for?`,
      choices: modes.map((mode) => ({ label: foreign(mode), value: mode })),
    });
    return { optimize };
  }
  return { optimizer: await askOptimizer(frame, { enabled: false, ...settings.optimizer }) };
}

async function pickEvmVersion(frame: StepFrame): Promise<string | undefined> {
  const chosen = await pick(frame, {
    placeholder: shown`Which EVM version?`,
    choices: [
      { label: shown`The compiler's default`, value: "" },
      ...evmVersions.toReversed().map((version) => ({ label: foreign(version), value: version })),
    ],
  });
  return chosen || undefined;
}

async function showReasons(frame: StepFrame, { reasons = [], label }: Expectation): Promise<void> {
  await pick(frame, {
    placeholder: shown`${label}, because`,
    choices: reasons.map((reason) => ({ label: foreignSentence(reason), value: reason })),
  });
}

function setSettings(state: VerifyState, change: Readonly<Record<string, unknown>>): void {
  // What is chosen as undefined is taken out of what the build has.
  state.choice = { ...state.choice, settings: { ...state.choice.settings, ...change } };
}
