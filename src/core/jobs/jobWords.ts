import { t } from "@vscode/l10n";
import { chainName } from "../chains/chainNames.ts";
import { LANGUAGES, languageOfPath } from "../languages/language.ts";
import { shownHost } from "../http/shownAddress.ts";
import { counted } from "../text/counted.ts";
import { foreign, foreignSentence, shortAddress, shown, type ShownText } from "../text/shownText.ts";
import { errorCodeOf } from "../service/errorCodes.ts";
import { compilerErrorInBrief, failureSentence, firstErrorText } from "../service/failure.ts";
import type { JobError } from "../service/job.ts";
import type { FileApart } from "./filesApart.ts";
import { GIVE_UP_HOURS, isGivenUp } from "./jobPollPace.ts";
import {
  isRefusedAsVerified,
  isVerifiedBefore,
  recordStatus,
  recordTitle,
  type JobRecord,
} from "./jobRecord.ts";
import { belowExactWords } from "../matching/metadataHashPlace.ts";
import { ended } from "../text/sentenceEnd.ts";
import { durationWords } from "../text/timeWords.ts";
import type { Cause, CauseCode } from "../matching/explanation.ts";
import { capitalised } from "../text/capitalised.ts";

/** A contract at its place, for a message that stands apart from all else of it: "Vault at 0x9d44…1688 on Sepolia". */
export function placedContract(
  name: ShownText,
  { chainId, address }: Pick<JobRecord, "chainId" | "address">,
): ShownText {
  return shown`${name} at ${shortAddress(address)} on ${chainName(chainId)}`;
}

/** The same of a job's contract; a similarity search has no name of one, and a job that was taken up no address at times. */
export function placedTitle(record: JobRecord): ShownText {
  const { address, chainId, submission } = record;
  const title = recordTitle(record);
  if (address === "") return title;
  return submission ? placedContract(title, record) : shown`${title} on ${chainName(chainId)}`;
}

/**
 * What became of a job, as one sentence.
 *
 * @param title of its contract
 */
export function outcomeSentence(
  record: JobRecord,
  now = Date.now(),
  title: ShownText = recordTitle(record),
): string {
  const status = recordStatus(record);
  if (isRefusedAsVerified(record)) return earlierSentence(record, undefined, title);
  switch (status) {
    case "exact_match":
      return t`${title} is verified: exact match.`;
    case "match":
      if (isVerifiedBefore(record)) return t`${title} is verified already, and this submission is no better.`;
      return t`${title} is verified: match. ${belowExactWords(record.submission?.metadataHashIn, (record.contract ?? record.job?.contract)?.creationMatch)}`;
    case "failed":
      if (record.job?.error && record.secondTry?.isWithheld)
        return t`${title} does not match with the files that it needs alone; the second try, with all files of the build, was not sent, since the configured service is another one now.`;
      if (record.job?.error && record.secondTry)
        return t`${title} does not match with the files that it needs alone; all files of the build were submitted as a second try.`;
      return record.job?.error
        ? failedSentence(title, record.job.error, record.explanation)
        : (record.problem?.message ?? t`${title} is not verified: the service found no match.`);
    case "pending":
      return (
        record.problem?.message ??
        (isGivenUp(record, now) ? lostSentence(record, title) : undefined) ??
        (record.stage === "adopted"
          ? t`${hostOf(record)} is at work on ${title} already, for another user or an earlier session. Its result will be shown here.`
          : undefined) ??
        t`${title} is still being verified at ${hostOf(record)}. The job stays in the Verification view.`
      );
  }
}

/**
 * Of a contract that was verified before anything new was accepted.
 *
 * @param apart the files here that are not among the verified ones, where that was compared
 * @param title of its contract
 */
export function earlierSentence(
  record: JobRecord,
  apart?: readonly FileApart[],
  title: ShownText = recordTitle(record),
): string {
  const how = recordStatus(record) === "exact_match" ? t`exact match` : t`match`;
  if (!apart) return t`${title} is verified already: ${how}. Nothing new was published.`;
  const edited = apart.filter(({ change }) => change === "edited").map(({ name }) => foreign(name));
  const [first, ...others] = edited;
  if (first === undefined)
    return apart.length === 0
      ? t`${title} is verified already: ${how}. Nothing new was published: the files here are the verified ones.`
      : t`${title} is verified already: ${how}. Nothing new was published: the files here are the verified ones, but for their line endings.`;
  return others.length === 0
    ? t`${title} is verified already: ${how}. Nothing new was published, and ${first} here is not what was verified.`
    : t`${title} is verified already: ${how}. Nothing new was published, and ${counted(edited.length, "file")} here are not what was verified, ${first} among them.`;
}

/**
 * Of a job that has no end after hours: a service that was killed leaves its jobs open, and refuses their contracts as
 * duplicates until it is told to end them (argotorg/sourcify issue 2880).
 */
function lostSentence(record: JobRecord, title: ShownText): string {
  return record.stage === "adopted"
    ? t`${hostOf(record)} has refused ${title} as a duplicate for hours without a result, so its job was probably lost there. Submit again; if that is refused, too, choose another service or tell those who run this one.`
    : t`${hostOf(record)} has been at work on ${title} for hours without a result, so its job was probably lost there. Submit again; if that is refused as a duplicate, choose another service or tell those who run this one.`;
}

/** The most likely cause, where it tells more than the service's words: of its own faults only the service knows something. */
export function tellingCause(error: JobError, explanation: JobRecord["explanation"]): Cause | undefined {
  const [first] = explanation?.causes ?? [];
  return first?.code === "server" && errorCodeOf(error)?.subject !== "compiler's absence" ? undefined : first;
}

/** With the most likely cause, where one is known beside what the service says. */
function failedSentence(title: string, error: JobError, explanation: JobRecord["explanation"]): string {
  const first = tellingCause(error, explanation);
  if (!first) return failureSentence(title, error);
  const subject = errorCodeOf(error)?.subject;
  const isAbsence = subject === "compiler's absence";
  const evidence = foreignSentence(first.evidence);
  const fix = first.fix === undefined || subject === "codes" ? "" : ` ${foreignSentence(first.fix)}`;
  if (isAbsence) return t`${title} was not compiled. ${evidence}${fix}`;
  const brief = first.code === "compiler_error" ? compilerErrorInBrief(error) : undefined;
  if (brief !== undefined) {
    // A file that is missing is told by the cause, in fewer words than the compiler's.
    const text = firstErrorText(error);
    return t`${title} doesn't compile: ${brief}. ${evidence.includes(text) ? ended(text) : evidence}${fix}`;
  }
  // Behind a colon stands no other one.
  if (evidence.includes(": "))
    switch (subject) {
      case "codes":
        return t`${title} does not match. ${evidence}`;
      case "compiler's errors":
        return t`${title} doesn't compile. ${evidence}${fix}`;
      default:
        return t`${title} is not verified. ${evidence}${fix}`;
    }
  const inside = insideSentence(evidence);
  return subject === "codes"
    ? t`${title} does not match: ${inside}`
    : t`${title} is not verified: ${inside}${fix}`;
}

/** A sentence behind a colon: a word of ours begins small, a name stays as it is. */
function insideSentence(sentence: string): string {
  return /^(?:The|This|These|No|Nothing|None|Settings|You|With|Without|A|An|Both|Every|Each|Only|One|In|It|Its)\b/.test(
    sentence,
  )
    ? `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
    : sentence;
}

/** The state of a job in a few words: "exact match", "compiling, 12 s", "No match". */
export function outcomeInBrief(record: JobRecord, now = Date.now()): string {
  const status = recordStatus(record);
  if (isRefusedAsVerified(record))
    return status === "exact_match" ? t`exact match, verified already` : t`match, verified already`;
  if (status === "exact_match") return t`exact match`;
  if (status === "match") return isVerifiedBefore(record) ? t`match, verified already` : t`match`;
  if (record.stage === "refused") return t`not submitted`;
  if (record.stage === "prepared") return t`not sent yet`;
  if (record.stage === "submitting" && record.problem === undefined) return t`submitting`;
  if (record.stage === "unconfirmed" || record.stage === "submitting") return t`submission in doubt`;
  if (isGivenUp(record, now)) return t`given up after ${GIVE_UP_HOURS} h without an answer`;
  if (status === "pending") {
    if (record.problem?.code === "wrong_answer") return t`waiting; the service answered about something else`;
    if (record.problem) return t`waiting; the last check failed`;
    if (record.stage === "adopted") return t`waiting for another job of this contract`;
    return t`compiling, ${durationWords(now - record.submittedAt)}`;
  }
  if (record.secondTry?.isWithheld) return t`second try not sent`;
  if (record.secondTry) return t`submitted again with all files`;
  const error = record.job?.error;
  return (error && errorCodeOf(error)?.brief) ?? t`Not verified`;
}

/** {@link outcomeInBrief}, with why a job failed: "No match: the sources differ". */
export function explainedInBrief(record: JobRecord, now = Date.now()): string {
  const brief = outcomeInBrief(record, now);
  const error = record.job?.error;
  if (recordStatus(record) !== "failed" || record.stage === "refused" || record.secondTry) return brief;
  const { subject } = (error && errorCodeOf(error)) ?? {};
  const why =
    subject === "compiler's errors" && error
      ? compilerErrorInBrief(error)
      : subject === undefined || subject === "codes"
        ? firstCauseInBrief(record)
        : undefined;
  return why === undefined ? brief : `${brief}: ${why}`;
}

const CAUSES: Readonly<Record<CauseCode, string>> = {
  compiler_version: t`another compiler`,
  language: t`another language`,
  evm_version: t`the EVM versions differ`,
  optimizer: t`the optimizer settings differ`,
  optimizer_runs: t`the optimizer runs differ`,
  via_ir: t`viaIR differs`,
  metadata_settings: t`the metadata settings differ`,
  unlinked_library: t`a library is not linked`,
  constructor_arguments: t`the constructor arguments differ`,
  proxy: t`a proxy is deployed`,
  wrong_contract: t`another contract is deployed`,
  edited_source: t`the sources differ`,
  extra_files: t`files are missing`,
  not_deployed: t`nothing is deployed there`,
  abstract_contract: t`the contract is abstract`,
  compiler_error: t`the sources don't compile`,
  server: t`the service failed`,
};

/** The most likely cause in a few words: "the optimizer runs differ"; `undefined` where none is known. */
function firstCauseInBrief({ explanation }: JobRecord): string | undefined {
  const [first] = explanation?.causes ?? [];
  return first && CAUSES[first.code];
}

/** A cause in a few words: "The optimizer runs differ". */
export function causeInBrief(code: CauseCode): string {
  return capitalised(CAUSES[code]);
}

/** The service's host. */
export function hostOf({ service }: JobRecord): string {
  return shownHost(service);
}

/** What compiles a file, by the name that its users know: "solc 0.8.28+commit.7893614a". */
export function compilerInWords(path: string, version: string): string {
  return `${LANGUAGES[languageOfPath(path) ?? "Solidity"].compiler.toLowerCase()} ${version}`;
}
