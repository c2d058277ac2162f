import {
  type ShownText,
  joined,
  foreign,
  foreignLine,
  foreignSentence,
  shown,
  shortAddress,
} from "../../text/shownText.ts";
import { explorerPage } from "../../chains/blockExplorers.ts";
import { chainLabel } from "../../chains/chainNames.ts";
import type { CodeSummary } from "../../matching/codeSummaryShape.ts";
import { causesByHistory, FIND_COMMIT, PROVEN, type Cause } from "../../matching/explanation.ts";
import { EXACT_BY_CREATION_CODE, HASH_IN_CREATION_CODE } from "../../matching/metadataHashPlace.ts";
import type { MetadataHashPlace } from "../../languages/languageRules.ts";
import { errorCodeOf } from "../../service/errorCodes.ts";
import { shownHost } from "../../http/shownAddress.ts";
import { explorerVerifications } from "../../service/explorerVerification.ts";
import { saidOf } from "../../service/failure.ts";
import { isMatch, type JobError, type Match, toMatch } from "../../service/job.ts";
import { transformationFacts } from "../../service/codeTransformation.ts";
import type { VerifiedDetails } from "../../service/verifiedDetails.ts";
import { exactTime } from "../../text/timeWords.ts";
import type { LabelledText } from "../../text/labelledText.ts";
import { ended } from "../../text/sentenceEnd.ts";
import { isGivenUp } from "../jobPollPace.ts";
import {
  hasPlace,
  isFinished,
  isRefusedAsVerified,
  isVerifiedBefore,
  recordStatus,
  recordTitle,
  wasAgreedHere,
  type JobRecord,
} from "../jobRecord.ts";
import { hostOf, outcomeInBrief, outcomeSentence, tellingCause } from "../jobWords.ts";
import { isChainUnknown, retryOffer } from "../retryOffer.ts";
import { explorerInWords } from "../explorerWords.ts";
import type { PageButton, PageCause, SentSummary, VerificationPage } from "./pageModel.ts";

/** What is known of a job beside its record, as far as it is read. */
export interface JobDetails {
  readonly sent?: SentSummary;
  readonly code?: CodeSummary;
  /** Where the creation code was compared, too, and differs. */
  readonly creationCode?: CodeSummary;
  readonly codeNote?: ShownText;
  readonly verified?: VerifiedDetails;
  readonly constructorArguments?: readonly LabelledText[];
  /** What the deployment wrote into the immutables, in words. */
  readonly immutables?: string;
  /** Whether what was found can be written into the project's configuration. */
  readonly canWriteConfiguration?: boolean;
  /** Whether there is a history to look through for what was deployed; absent until that is known. */
  readonly hasHistory?: boolean;
  /** Whether the contract's file is in the workspace, to be compared with what is verified. */
  readonly hasFile?: boolean;
}

/** Buttons that are not of a cause, a file or an explorer. */
export const BUTTONS = {
  findSettings: {
    id: "find settings",
    label: shown`Find the Settings`,
    title: shown`Compile with other settings on this machine until the deployed code comes out`,
  },
  findCommit: {
    id: "find commit",
    label: shown`Find the Commit`,
    title: shown`Look through the history for the sources that were deployed`,
  },
  compareWithWorkspace: {
    id: "compare with workspace",
    label: shown`Compare With Workspace`,
    title: shown`The verified source beside the file as it is now`,
  },
  writeConfiguration: {
    id: "write configuration",
    label: shown`Write Into Configuration…`,
    title: shown`Shows what would change in the project's configuration`,
  },
  showDifference: { id: "show difference", label: shown`Show Bytecode Difference` },
  showCreationDifference: { id: "show creation difference", label: shown`Show Creation Code Difference` },
  openExplorer: { id: "open explorer", label: shown`Open in Block Explorer` },
  copyLink: { id: "copy link", label: shown`Copy Link` },
  copyAddress: { id: "copy address", label: shown`Copy Address` },
  copyTransaction: { id: "copy transaction", label: shown`Copy Transaction Hash` },
  check: { id: "check", label: shown`Check Now`, title: shown`Ask the service now` },
  stopWaiting: { id: "stop waiting", label: shown`Stop Waiting` },
  tryAgain: { id: "retry", label: shown`Try Again`, title: shown`Submit the very same again` },
  submitAgain: { id: "retry", label: shown`Submit Again`, title: shown`Submit the very same again` },
  verifyLocally: {
    id: "verify locally",
    label: shown`Verify Locally…`,
    title: shown`Compiles on this machine and compares; nothing is published`,
  },
  chooseChain: {
    id: "choose chain",
    label: shown`Choose Another Chain…`,
    title: shown`Asks for the chain, then submits there; what is sent is shown first, unless you chose not to be asked again`,
  },
  compareAgain: {
    id: "compare again",
    label: shown`Compare Again`,
    title: shown`Compile the files as they are now and compare once more`,
  },
  publish: {
    id: "publish",
    label: shown`Verify…`,
    title: shown`Submits to the service; what is sent is shown first, unless you chose not to be asked again`,
  },
  rawJson: {
    id: "raw job",
    label: shown`Raw JSON`,
    title: shown`Everything that is known of it`,
  },
  rawInput: {
    id: "raw input",
    label: shown`Compiler Input`,
    title: shown`The standard JSON input as it was compiled`,
  },
} as const satisfies Readonly<Record<string, PageButton>>;

/**
 * The page of a submitted job.
 *
 * @param isInLedger whether the ledger that is shown is that of the job's chain
 */
export function jobPage(
  record: JobRecord,
  details: JobDetails,
  {
    now,
    isWaitedFor,
    isInLedger,
  }: { readonly now: number; readonly isWaitedFor: boolean; readonly isInLedger: boolean },
): VerificationPage {
  const status = recordStatus(record);
  const title = recordTitle(record);
  const { job, explanation, submission, verificationId } = record;
  const { code, creationCode, codeNote, sent, verified, constructorArguments = [] } = details;
  const offered = causesByHistory(explanation?.causes ?? [], details.hasHistory);
  const { causes, lead } = leadAndCauses(offered);
  const isLinked = verificationId !== undefined || isMatch(status);
  const isRetried = explanation?.causes[0]?.action?.kind === "retry";
  // The button of the first cause stands beside these.
  const offer = isRetried ? undefined : retryOffer(record, now);
  // Equal metadata is of the very sources and settings: there are no others to find.
  const isOfOtherFiles = explanation?.causes[0]?.code === "extra_files";
  const finds = status === "failed" && submission !== undefined && code !== undefined && !isOfOtherFiles;
  const has = (kind: NonNullable<Cause["action"]>["kind"]) =>
    offered.some(({ action }) => action?.kind === kind);
  return {
    title,
    outcome:
      status === "failed"
        ? "failed"
        : status === "pending"
          ? isGivenUp(record, now)
            ? "open"
            : "pending"
          : "verified",
    headline: headlineOf(record, now),
    place: hasPlace(record) ? placeOf(record) : shown`a contract that the service does not name`,
    sentences: sentencesOf(record, now),
    facts: factsOf(record, isInLedger),
    ...(lead && { lead }),
    buttons: [
      ...(finds && !causes.some(({ isProven }) => isProven) ? [BUTTONS.findSettings] : []),
      ...(finds && details.hasHistory === true && !has("find commit") ? [BUTTONS.findCommit] : []),
      ...(details.hasFile === true && toMatch(status) ? [BUTTONS.compareWithWorkspace] : []),
      ...(details.canWriteConfiguration === true ? [BUTTONS.writeConfiguration] : []),
      ...(status === "pending" ? [BUTTONS.check] : []),
      ...(isWaitedFor ? [BUTTONS.stopWaiting] : []),
      ...(isChainUnknown(record) && submission ? [BUTTONS.verifyLocally, BUTTONS.chooseChain] : []),
      ...(offer === undefined ? [] : [offer === "try again" ? BUTTONS.tryAgain : BUTTONS.submitAgain]),
      ...(isLinked
        ? [{ id: "open service", label: shown`Open at ${hostOf(record)}` }, BUTTONS.copyLink]
        : []),
      ...(explorerPage(record.chainId, record.address) === undefined ? [] : [BUTTONS.openExplorer]),
      ...(hasPlace(record) ? [BUTTONS.copyAddress] : []),
      ...(record.creationTransactionHash === undefined ? [] : [BUTTONS.copyTransaction]),
      BUTTONS.rawJson,
    ],
    causes,
    ...(code && { code, codeButton: BUTTONS.showDifference }),
    ...(creationCode && { creationCode, creationButton: BUTTONS.showCreationDifference }),
    // Where nothing is deployed there are no codes that could be missed.
    ...(codeNote && !(job?.error && errorCodeOf(job.error)?.subject === "address") && { codeNote }),
    ...(sent && { sent }),
    sentTitle: record.stage === "refused" ? shown`What was not published` : shown`What was submitted`,
    sentButtons: sent ? [BUTTONS.rawInput] : [],
    hasFiles: sent !== undefined,
    explorers: (job ? explorerVerifications(job) : []).map(({ explorer, link, ...became }, at) => ({
      name: foreign(explorer),
      words: foreignSentence(explorerInWords(became)),
      ...(link !== undefined && {
        button: { id: `explorer ${at}`, label: shown`Open ${shownHost(link)}`, title: foreignLine(link) },
      }),
    })),
    transformations: verified
      ? [
          ...transformationFacts("runtime", verified.runtime, details.immutables),
          ...transformationFacts("creation", verified.creation),
        ]
      : [],
    constructorArguments,
  };
}

/** "Hedera Testnet (296) · 0x8a79…41c2" */
export function placeOf({
  chainId,
  address,
}: {
  readonly chainId: string;
  readonly address: string;
}): ShownText {
  return joined([foreign(chainLabel(chainId)), foreign(shortAddress(address))], " · ");
}

/** "Router does not match" */
function headlineOf(record: JobRecord, now: number): ShownText {
  const title = recordTitle(record);
  switch (recordStatus(record)) {
    case "exact_match":
      return isRefusedAsVerified(record)
        ? shown`${title} is verified already: exact match`
        : shown`${title} is verified: exact match`;
    case "match":
      return isVerifiedBefore(record) || isRefusedAsVerified(record)
        ? shown`${title} is verified already: match`
        : shown`${title} is verified: match`;
    case "failed": {
      if (record.stage === "refused") return shown`${title} was not submitted`;
      const { subject } = (record.job?.error && errorCodeOf(record.job.error)) ?? {};
      if (subject === "codes") return shown`${title} does not match`;
      if (subject === "compiler's errors") return shown`${title} doesn't compile`;
      return subject === "compiler's absence" || subject === "compiler's silence"
        ? shown`${title} was not compiled`
        : shown`${title} is not verified`;
    }
    case "pending":
      return shown`${title}: ${outcomeInBrief(record, now)}`;
  }
}

function sentencesOf(record: JobRecord, now: number): ShownText[] {
  const error = record.job?.error;
  const said = error ? saidOf(error) : "";
  const answer = said === "" ? [] : [shown`${hostOf(record)} says: ${ended(said)}`];
  // What the head and the causes say is not said again.
  if (error && isToldByCauses(record, error))
    return standsBesideCode(record, error) || tellsOfCauses(record).includes(said) ? [] : answer;
  const outcome = outcomeSentence(record, now);
  const isExact = recordStatus(record) === "exact_match" && !isRefusedAsVerified(record);
  return [
    // The head says that it is verified, and this what that means.
    isExact
      ? record.submission
        ? shown`${hostOf(record)} compiled these files to exactly the deployed code.`
        : shown`${hostOf(record)} has sources that it compiled to exactly the deployed code.`
      : foreignSentence(outcome),
    // What is part of the sentence already is not said twice.
    ...(outcome.includes(said) ? [] : answer),
  ];
}

/** Whether the head and the first cause are all that the sentence of an outcome says. */
function isToldByCauses(record: JobRecord, error: JobError): boolean {
  return (
    recordStatus(record) === "failed" &&
    record.secondTry === undefined &&
    tellingCause(error, record.explanation) !== undefined
  );
}

/**
 * Whether the service's words stand beside its error code: they are no more than that says, as the head does, where the causes
 * say the rest. "The onchain and recompiled bytecodes don't match."
 */
function standsBesideCode(record: JobRecord, error: JobError): boolean {
  return (
    isToldByCauses(record, error) &&
    errorCodeOf(error)?.subject === "codes" &&
    /\b(?:don't|doesn't|do not|does not) match$/i.test(saidOf(error))
  );
}

function tellsOfCauses({ explanation }: JobRecord): string {
  return (explanation?.causes ?? []).map(({ evidence, fix = "" }) => `${evidence} ${fix}`).join(" ");
}

/**
 * Where a contract is.
 *
 * @param isInLedger whether the ledger that is shown is that of its chain, so that it opens there
 */
export function addressFact(address: string, isInLedger: boolean): LabelledText {
  return { label: shown`Address`, value: foreign(address), ...(isInLedger && { opens: address }) };
}

function factsOf(record: JobRecord, isInLedger: boolean): LabelledText[] {
  const { address, chainId, verificationId, creationTransactionHash, submittedAt, job, submission } = record;
  const { error } = job ?? {};
  return [
    ...(hasPlace(record)
      ? [{ label: shown`Chain`, value: foreign(chainLabel(chainId)) }, addressFact(address, isInLedger)]
      : []),
    { label: shown`Service`, value: foreign(hostOf(record)) },
    {
      label: record.stage === "refused" ? shown`Tried` : shown`Submitted`,
      value: foreign(exactTime(submittedAt, undefined)),
    },
    ...matchFacts(record),
    ...(isFinished(record) && job?.compilationTime
      ? [
          {
            label: shown`Compiled in`,
            value: shown`${(Number(job.compilationTime) / 1000).toFixed(1)} s`,
          },
        ]
      : []),
    ...(creationTransactionHash === undefined
      ? []
      : [
          {
            label: shown`Creation transaction`,
            value: foreign(shortAddress(creationTransactionHash)),
            whole: foreign(creationTransactionHash),
            ...(isInLedger && { opens: creationTransactionHash }),
          },
        ]),
    ...(verificationId === undefined ? [] : [{ label: shown`Job`, value: foreign(verificationId) }]),
    ...(error?.customCode
      ? [
          {
            label: shown`Error code`,
            value: foreign(
              standsBesideCode(record, error)
                ? `${error.customCode} · ${ended(saidOf(error))}`
                : error.customCode,
            ),
          },
        ]
      : []),
    ...(submission
      ? []
      : [
          {
            label: shown`Sent`,
            value: wasAgreedHere(record)
              ? shown`no source: a similarity search`
              : shown`not from here, so what was sent is not known`,
          },
        ]),
  ];
}

/** How well each of the codes of a verified contract matches. */
function matchFacts(record: JobRecord): LabelledText[] {
  const { contract, job, creationTransactionHash, submission } = record;
  const known = contract ?? job?.contract;
  const status = recordStatus(record);
  if (!known || !isMatch(status)) return [];
  const { runtimeMatch, creationMatch } = known;
  // Some services tell the better of the two alone.
  if (runtimeMatch === undefined && creationMatch === undefined) return [];
  return [
    runtimeFact(toMatch(runtimeMatch), toMatch(creationMatch), submission?.metadataHashIn, status),
    {
      label: shown`Creation code`,
      value:
        !isMatch(creationMatch) && creationTransactionHash === undefined
          ? shown`no match, or the service does not know it`
          : matchInWords(toMatch(creationMatch)),
    },
  ];
}

/**
 * How well the runtime code matches: a match beside an exact match of the creation code is told the reason of.
 *
 * @param hashIn where the code carries its metadata hash, as far as that is known
 * @param outcome of both codes together
 */
export function runtimeFact(
  runtime: Match | null | undefined,
  creation: Match | null | undefined,
  hashIn: MetadataHashPlace | undefined,
  outcome: string,
): LabelledText {
  const label = shown`Runtime code`;
  const isHashThere = hashIn === "creation code";
  const isExplained =
    runtime === "match" && creation === "exact_match" && (isHashThere || outcome === "exact_match");
  if (!isExplained) return { label, value: matchInWords(runtime) };
  const { brief: value, whole } = isHashThere ? HASH_IN_CREATION_CODE : EXACT_BY_CREATION_CODE;
  return { label, value, whole };
}

/** How well a code matches, where that was compared. */
export function matchInWords(match: Match | null | undefined): ShownText {
  return match === "exact_match" ? shown`exact match` : match === "match" ? shown`match` : shown`no match`;
}

/**
 * The button of the first cause leads the page; of an only cause, it stands nowhere else. That which looks for the commit
 * stands beside the fix that names the history, in the place of the head's own.
 */
export function leadAndCauses(offered: readonly Cause[]): Pick<VerificationPage, "causes" | "lead"> {
  const causes = offered.map(pageCause);
  const [first, ...others] = causes;
  if (!first?.button || offered[0]?.action?.kind === FIND_COMMIT.kind) return { causes };
  const { button: lead, ...only } = first;
  return { lead, causes: others.length === 0 ? [only] : causes };
}

/** A cause as a row, with the button that puts it right. */
export function pageCause(
  { evidence, fix, confidence, action }: Pick<Cause, "evidence" | "fix" | "confidence" | "action">,
  at: number,
): PageCause {
  return {
    evidence: foreignSentence(evidence),
    ...(fix !== undefined && { fix: foreignSentence(fix) }),
    certainty:
      confidence >= PROVEN
        ? shown`proven`
        : confidence >= 0.85
          ? shown`very likely`
          : confidence >= 0.5
            ? shown`likely`
            : confidence >= 0.25
              ? shown`possible`
              : shown`unlikely`,
    ...(confidence >= PROVEN && { isProven: true }),
    exactly: shown`${Math.round(confidence * 100)} % sure`,
    ...(action && { button: { id: `cause ${at}`, label: foreign(action.label) } }),
  };
}
