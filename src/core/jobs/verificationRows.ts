import { deploymentKey } from "../evm/deploymentKey.ts";
import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { t } from "@vscode/l10n";
import { counted, grouped, listed } from "../text/counted.ts";
import { recorderTitle, RECORDING_TOOLS } from "../tools/tool.ts";
import type { UnreadableRecords } from "../tools/unreadableRecords.ts";
import type { FoundDeployment } from "../workspace/workspaceDeployments.ts";
import { exactTime, localTime, nextWhenWordsAt, nextWordsAt, whenWords } from "../text/timeWords.ts";
import { faultRow, rowsOf } from "../rows/faultRow.ts";
import type { LedgerLensError } from "../errors.ts";
import { shownHost } from "../http/shownAddress.ts";
import type { ViewRow } from "../rows/viewRow.ts";
import { foreign, foreignSentence, joined, shown, type ShownText, shortAddress } from "../text/shownText.ts";
import { explorerPage } from "../chains/blockExplorers.ts";
import { chainLabel } from "../chains/chainNames.ts";
import { verifyingJob } from "./contractStanding.ts";
import { deploymentInBrief, newestJobOf, type DeploymentState } from "./deploymentStates.ts";
import { causesByHistory, SHOW_DIFFERENCE, type Action, type Cause } from "../matching/explanation.ts";
import { EXPLORER_ICONS, explorerInWords } from "./explorerWords.ts";
import { explorerVerifications, type ExplorerVerification } from "../service/explorerVerification.ts";
import { giveUpAt, isGivenUp } from "./jobPollPace.ts";
import { LOCAL_VERDICTS, localResultId, offeredLocalCauses, type LocalResult } from "./localResults.ts";
import type { UnreadableJob } from "./jobFolder.ts";
import { hasPlace, recordStatus, recordTitle, wasAgreedHere, type JobRecord } from "./jobRecord.ts";
import { causeInBrief, compilerInWords, explainedInBrief, hostOf, outcomeSentence } from "./jobWords.ts";
import { nameInBrief, withShortIds } from "../text/inBrief.ts";
import { placeAmong, type Place } from "./placeAmong.ts";
import { isChainUnknown, retryOffer } from "./retryOffer.ts";
import { isMatch, toMatch } from "../service/job.ts";
import type { Deployment } from "../service/submissionRequest.ts";
import type { SubmittedFile } from "./submissionParts.ts";
import { shortVersion } from "../versions.ts";

/** A row of the verification view: a group, a found deployment, a job, or a fact about a job. */
export interface VerificationRow extends ViewRow {
  readonly children?: readonly VerificationRow[];
  /** The job of the row, or that the row tells of. */
  readonly record?: JobRecord;
  /** A job's own row: what is known of it is made when it is opened, by {@link jobFacts}. */
  readonly isJob?: true;
  /** Older jobs, newest first, whose rows are made when they are unfolded, by {@link olderJobRows}. */
  readonly olderJobs?: readonly JobRecord[];
  readonly deployment?: FoundDeployment;
  /** What compiling here came to. */
  readonly localResult?: LocalResult;
  /** What an earlier session stored and can't be read. */
  readonly unreadable?: UnreadableJob;
  /** What the row offers to do. */
  readonly action?: Action;
  /** The row of what was submitted: its files are made rows when it is unfolded, by `submittedFileRows`. */
  readonly hasFiles?: true;
  readonly submittedFile?: SubmittedFile;
}

/** What the view is made of. */
export interface VerificationPicture {
  /** Newest first. */
  readonly records: readonly JobRecord[];
  readonly deployments: readonly FoundDeployment[];
  /** Records of deployments that can't be read. */
  readonly unreadableRecords?: UnreadableRecords | undefined;
  /** Why the records of deployments could not be looked at, which is an error of ours. */
  readonly deploymentsFault?: unknown;
  /** What earlier sessions stored and can't be read. */
  readonly unreadable?: readonly UnreadableJob[];
  /** Why the disk did not take the last change of a job. */
  readonly problem?: LedgerLensError | undefined;
  /** How a deployment stands, as far as it is known. */
  readonly stateOf: (deployment: Deployment) => DeploymentState | undefined;
  /** Of jobs those at the service of which these are the states; all by default. */
  readonly jobsHere?: (records: readonly JobRecord[]) => readonly JobRecord[];
  /** Whether the service can't see a chain, so that what is there is verified on this machine; it sees all by default. */
  readonly isOutOfReach?: (deployment: Pick<FoundDeployment, "chainId">) => boolean;
  /** Whether the file of a job's contract is no longer what was submitted; as far as is known, none is. */
  readonly isEdited?: (record: JobRecord) => boolean;
  /** Whether the file of a job's contract is in the workspace; none is by default. */
  readonly hasFile?: (record: JobRecord) => boolean;
  /** Whether the ledger that is shown is that of a chain; of none by default. */
  readonly isInLedger?: (chainId: string) => boolean;
  /** Whether a file has a history to look through; none has by default. */
  readonly hasHistory?: (path: string) => boolean;
  /** Whether a command waits for a job now. */
  readonly isWaitedFor: (id: string) => boolean;
  /** So many jobs stand by themselves, the others are put together; all by default. */
  readonly newestJobs?: number;
  /** What was verified here and not published, the newest first. */
  readonly localResults?: readonly LocalResult[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The rows of the view: the jobs, in a group of their own where deployments were found. */
export function verificationRows(picture: VerificationPicture): VerificationRow[] {
  const { records, deployments, hasHistory, isOutOfReach = () => false } = picture;
  const local = localRows(picture);
  const jobs = [...recordRows(picture), ...storageRows(picture), ...jobRows(records, picture)];
  if (deployments.length === 0) return [...local, ...jobs];
  const found: VerificationRow = {
    id: "deployments",
    label: shown`Deployments found`,
    description: shown`${grouped(deployments.length)}`,
    tooltip: [
      shown`What the records of ${listed(RECORDING_TOOLS, RECORDING_TOOLS.length)} in this workspace say was deployed`,
    ],
    context: [
      "deployments",
      ...(deployments.every(isOutOfReach) ? ["local"] : []),
      ...(deployments.some(({ defined }) => defined && hasHistory?.(defined.path)) ? ["tracked"] : []),
    ].join("."),
    expanded: true,
    children: rowsOf(deployments, deploymentId, (deployment) => deploymentRow(deployment, picture)),
  };
  if (jobs.length === 0) return [found, ...local];
  return [
    found,
    ...local,
    {
      id: "jobs",
      label: shown`Jobs`,
      description: shown`${grouped(records.length)}`,
      expanded: true,
      children: jobs,
    },
  ];
}

/** What was verified here: never among the jobs, since nothing of it was published. */
function localRows(picture: VerificationPicture): VerificationRow[] {
  const { localResults = [], stateOf } = picture;
  if (localResults.length === 0) return [];
  const isVerified = (result: LocalResult) => isMatch(stateOf(result));
  return [
    {
      id: "local results",
      label: shown`Verified on this machine`,
      ...(localResults.every(isVerified)
        ? { tooltip: [shown`What compiling here came to`] }
        : {
            description: shown`not published`,
            tooltip: [shown`What compiling here came to. The service has none of it.`],
          }),
      context: "localResults",
      expanded: true,
      children: rowsOf(
        localResults,
        (result) => `local ${localResultId(result)}`,
        (result) => localRow(result, isVerified(result), picture),
      ),
    },
  ];
}

function localRow(
  result: LocalResult,
  isVerified: boolean,
  { now, hasHistory, isOutOfReach, isInLedger }: VerificationPicture,
): VerificationRow {
  const { contractName, chainId, address, verdict, compilerVersion, at, reason } = result;
  const causes = offeredLocalCauses(result, hasHistory?.(result.path));
  const id = `local ${localResultId(result)}`;
  const canBePublished = !isVerified && isOutOfReach?.(result) !== true;
  const facts: Fact[] = [
    ...(causes.length === 0
      ? [{ label: t`Outcome`, description: reason, tooltip: [reason], icon: "lightbulb" }]
      : causes.map(causeRow)),
    { label: t`Compiler`, description: compilerVersion, icon: "versions", copyText: compilerVersion },
    // A job has it beside its causes, too.
    ...(causes.some(({ action }) => action?.kind === "find commit")
      ? [
          {
            label: t`Runtime code`,
            description: SHOW_DIFFERENCE.label,
            icon: "file-binary",
            context: actionContext(SHOW_DIFFERENCE),
            action: SHOW_DIFFERENCE,
          },
        ]
      : []),
  ];
  return {
    id,
    changesAt: nextWhenWordsAt(at, now, undefined),
    ...nameOfRow(contractName),
    description: joined(
      [
        LOCAL_VERDICTS[verdict],
        foreign(chainLabel(chainId)),
        foreign(shortAddress(address)),
        foreign(whenWords(at, now, undefined)),
      ],
      " · ",
    ),
    tooltip: [
      ...wholeName(contractName),
      foreignSentence(reason),
      shown`${chainLabel(chainId)} · ${address}`,
      ...(isVerified ? [] : [shown`Not published`]),
    ],
    icon: "beaker",
    color: verdict === "mismatch" ? "error" : "passed",
    context: [
      "localResult",
      verdict === "mismatch" ? "mismatch" : canBePublished ? "matching" : "local",
      ...tracked(result.path, hasHistory),
      ...inLedger(result, isInLedger),
    ].join("."),
    copyText: address,
    localResult: result,
    children: facts.map((fact, at) => ({ ...factRow(fact), id: `${id} ${at}`, localResult: result })),
  };
}

/** So many older jobs are put together. */
const OLDER_JOBS = 100;

function jobRows(records: readonly JobRecord[], picture: VerificationPicture): VerificationRow[] {
  const { newestJobs = records.length } = picture;
  const older = records.slice(newestJobs);
  return [
    ...guardedJobRows(records.slice(0, newestJobs), picture),
    ...(older.length === 0 ? [] : [olderRow("older", older)]),
  ];
}

/** The rows of older jobs: the jobs, in groups where there are many. */
export function olderJobRows(older: readonly JobRecord[], picture: VerificationPicture): VerificationRow[] {
  if (older.length <= OLDER_JOBS) return guardedJobRows(older, picture);
  const rows: VerificationRow[] = [];
  // Counted from the oldest one, so that a new job leaves all groups but the first as they are.
  for (let end = older.length; end > 0; end -= OLDER_JOBS) {
    const group = older.slice(Math.max(0, end - OLDER_JOBS), end);
    rows.unshift(olderRow(`older ${older.length - end}`, group));
  }
  return rows;
}

function olderRow(id: string, older: readonly JobRecord[]): VerificationRow {
  return {
    id,
    label: shown`Older jobs`,
    description: shown`${grouped(older.length)}`,
    context: "older",
    olderJobs: older,
  };
}

const DEPLOYMENTS: Readonly<
  Record<DeploymentState | "unknown", { readonly icon: string; readonly context: string }>
> = {
  exact_match: { icon: "pass-filled", context: "verified" },
  match: { icon: "pass", context: "verified.verifiable" },
  failed: { icon: "error", context: "verifiable" },
  pending: { icon: "sync~spin", context: "running" },
  not_verified: { icon: "circle-outline", context: "verifiable" },
  unknown: { icon: "circle-outline", context: "verifiable" },
};

function deploymentId(deployment: FoundDeployment): string {
  const name = deployment.defined?.name ?? splitIdentifier(deployment.contract).name;
  return `deployment ${deploymentKey(deployment)} ${name}`;
}

/** A job whose row can't be drawn has a row all the same, with which it can be removed. */
function guardedJobRows(records: readonly JobRecord[], picture: VerificationPicture): VerificationRow[] {
  const placesOf = placesAlike(picture.records);
  return rowsOf(
    records,
    ({ id }) => `job ${id}`,
    (record) => jobRow(record, picture, placesOf(record)),
  ).map((row, at) => {
    const record = records[at];
    return row.fault === undefined || !record ? row : { ...row, context: "job.fault", record };
  });
}

/** What is to be said of the files that tell of deployments. */
function recordRows({ unreadableRecords, deploymentsFault }: VerificationPicture): VerificationRow[] {
  return [
    ...(deploymentsFault === undefined ? [] : [faultRow("deployments fault", deploymentsFault)]),
    ...(unreadableRecords
      ? [
          {
            id: "unreadable records",
            label: unreadableRecords.label,
            description: foreignSentence(unreadableRecords.sentences[0] ?? ""),
            tooltip: unreadableRecords.sentences.map(foreignSentence),
            icon: "warning",
          },
        ]
      : []),
  ];
}

/** What is to be said of the jobs' files. */
function storageRows({ problem, unreadable = [] }: VerificationPicture): VerificationRow[] {
  const count = unreadable.length;
  return [
    ...(problem
      ? [
          {
            id: "storage problem",
            label: shown`Changes of jobs can't be kept`,
            description: foreignSentence(problem.message),
            icon: "warning",
            color: "warning",
            context: "storageProblem",
          } as const,
        ]
      : []),
    ...(count === 0
      ? []
      : [
          {
            id: "unreadable",
            label:
              count === 1 ? shown`1 stored job can't be read` : shown`${count} stored jobs can't be read`,
            description: shown`Show`,
            tooltip: [shown`They are kept as they are. Open them to see what they hold, or remove them.`],
            icon: "warning",
            context: "unreadables",
            children: rowsOf(unreadable, ({ key }) => `unreadable ${key}`, unreadableRow),
          },
        ]),
  ];
}

function unreadableRow(unreadable: UnreadableJob): VerificationRow {
  return {
    id: `unreadable ${unreadable.key}`,
    label: foreign(unreadable.file),
    description: foreign(unreadable.reason),
    icon: "file",
    context: "unreadable",
    unreadable,
  };
}

function deploymentRow(deployment: FoundDeployment, picture: VerificationPicture): VerificationRow {
  const { chainId, address, contract, defined, recordedBy, record, when, creationTransactionHash } =
    deployment;
  const state = picture.stateOf(deployment);
  const isLocal = picture.isOutOfReach?.(deployment) === true;
  const { icon, context: standing } = DEPLOYMENTS[state ?? "unknown"];
  const context = isLocal ? standing.replace("verifiable", "local") : standing;
  const jobsHere = picture.jobsHere?.(picture.records) ?? picture.records;
  const verifying = toMatch(state) && verifyingJob(deployment, jobsHere);
  const said = verifiedInWords(
    deploymentInBrief(deployment, state, jobsHere),
    verifying && picture.isEdited?.(verifying),
  );
  const name = defined?.name ?? splitIdentifier(contract).name;
  return {
    id: deploymentId(deployment),
    ...nameOfRow(name),
    description: joined([foreign(said), foreign(chainLabel(chainId)), foreign(shortAddress(address))], " · "),
    tooltip: [
      ...wholeName(name),
      shown`${chainLabel(chainId)} · ${address}`,
      ...(when === undefined ? [] : [shown`Deployed ${exactTime(when, undefined)}`]),
      ...(creationTransactionHash === undefined
        ? []
        : [shown`Creation transaction ${creationTransactionHash}`]),
      shown`Recorded by ${recorderTitle(recordedBy)} in ${record}`,
      ...(defined ? [] : [shown`The workspace has no contract, or several, that this record may mean`]),
      ...(isLocal ? [shown`The verification service can't see this chain. Use Verify Locally.`] : []),
    ],
    icon,
    ...(icon.startsWith("pass") && { color: "passed" }),
    ...(icon === "error" && { color: "error" }),
    context: [
      `deployment.${defined ? context : context.replace(/verifiable|local/, "")}`,
      ...(newestJobOf(deployment, picture.records) ? ["told"] : []),
      ...explored(deployment),
      ...inLedger(deployment, picture.isInLedger),
    ].join("."),
    copyText: address,
    deployment,
  };
}

/** How something stands, and that its file is no longer what was verified. */
function verifiedInWords(words: string, isEdited = false): string {
  return isEdited ? t`${words}, edited since` : words;
}

/** The label of a contract's row: the outcome stands behind it, and can be read in a narrow view, too. */
function nameOfRow(name: string): Pick<VerificationRow, "label" | "wholeLabel"> {
  const short = nameInBrief(name);
  return { label: foreign(short), ...(short !== name && { wholeLabel: foreign(name) }) };
}

/** The first line of the tooltip where the label is not the whole name. */
function wholeName(name: string): ShownText[] {
  return nameInBrief(name) === name ? [] : [foreign(name)];
}

/** The label of a job's row. */
function jobLabel(record: JobRecord): Pick<VerificationRow, "label" | "wholeLabel"> {
  const name = record.submission?.contractName;
  return name === undefined ? { label: recordTitle(record) } : nameOfRow(name);
}

/**
 * Tells of a job the places by which it is told apart from others of its label: those at its address, and one at each of two
 * addresses. A list may have a thousand jobs of one label.
 */
function placesAlike(records: readonly JobRecord[]): (record: JobRecord) => readonly Place[] {
  const byLabel = new Map<string, Map<string, Place[]>>();
  for (const record of records) {
    const { label } = jobLabel(record);
    const byAddress = byLabel.get(label) ?? new Map<string, Place[]>();
    const address = record.address.toLowerCase();
    const there = byAddress.get(address) ?? [];
    if (!there.some(({ chainId }) => chainId === record.chainId)) there.push(record);
    byLabel.set(label, byAddress.set(address, there));
  }
  return (record) => {
    const byAddress = byLabel.get(jobLabel(record).label) ?? new Map<string, Place[]>();
    const [[one] = [], [other] = []] = byAddress.values();
    return [one, other, ...(byAddress.get(record.address.toLowerCase()) ?? [])].filter(
      (place) => place !== undefined,
    );
  };
}

function jobRow(
  record: JobRecord,
  { now, isWaitedFor, isEdited, hasFile, hasHistory, isInLedger }: VerificationPicture,
  alike: readonly Place[],
): VerificationRow {
  const label = jobLabel(record);
  const status = recordStatus(record);
  const isVerified = isMatch(status);
  // A narrow view shows the beginning alone: the outcome comes before the place.
  const brief = [
    verifiedInWords(explainedInBrief(record, now), isVerified && isEdited?.(record)),
    ...placeAmong(record, alike),
    status === "pending" ? "" : whenWords(record.submittedAt, now, undefined),
  ];
  return {
    id: `job ${record.id}`,
    ...changesAt(record, now),
    ...label,
    description: joined(
      brief.map((part) => foreign(part)),
      " · ",
    ),
    tooltip: [
      foreignSentence(outcomeSentence(record)),
      ...(hasPlace(record) ? [shown`${chainLabel(record.chainId)} · ${record.address}`] : []),
      shown`Submitted ${exactTime(record.submittedAt, undefined)}`,
    ],
    ...jobIcon(record, now),
    context: [
      "job",
      ...(isVerified ? ["verified"] : []),
      ...(isVerified && hasFile?.(record) === true ? ["comparable"] : []),
      ...(status === "pending" ? ["checkable"] : []),
      ...(isWaitedFor(record.id) ? ["waited"] : []),
      ...(record.difference === undefined ? [] : ["different"]),
      ...tracked(record.submission?.path, hasHistory),
      ...(record.explanation?.causes.some(({ action }) => action?.kind === "check address")
        ? ["misplaced"]
        : []),
      ...(retryOffer(record, now) ? ["retryable"] : []),
      ...(isChainUnknown(record) && record.submission ? ["elsewhere"] : []),
      // Where the service has no job, the page of a verified contract is the link.
      ...(record.verificationId !== undefined || isVerified ? ["linked"] : []),
      ...explored(record),
      ...inLedger(record, isInLedger),
    ].join("."),
    ...(hasPlace(record) && { copyText: record.address }),
    record,
    isJob: true,
  };
}

/** For the menus: that there is a history to look through. */
function tracked(path: string | undefined, hasHistory: VerificationPicture["hasHistory"]): string[] {
  return path !== undefined && hasHistory?.(path) === true ? ["tracked"] : [];
}

/** For the menus: that the chain has an explorer. */
function explored({ chainId, address }: Pick<FoundDeployment, "chainId" | "address">): string[] {
  return explorerPage(chainId, address) === undefined ? [] : ["explored"];
}

/** For the menus: that the ledger which is shown has the contract. */
function inLedger(
  { chainId, address }: Pick<FoundDeployment, "chainId" | "address">,
  isInLedger: VerificationPicture["isInLedger"],
): string[] {
  return address !== "" && isInLedger?.(chainId) === true ? ["inLedger"] : [];
}

/** When what the row says of a job changes because time passes. */
function changesAt(record: JobRecord, now: number): Pick<VerificationRow, "changesAt"> {
  if (recordStatus(record) !== "pending")
    return { changesAt: nextWhenWordsAt(record.submittedAt, now, undefined) };
  if (isGivenUp(record, now)) return {};
  const isCounted = record.stage === "submitted" && !record.problem;
  return { changesAt: isCounted ? nextWordsAt([record.submittedAt], now, undefined) : giveUpAt(record) };
}

function jobIcon(record: JobRecord, now: number): Pick<VerificationRow, "icon" | "color"> {
  switch (recordStatus(record)) {
    case "exact_match":
      return { icon: "pass-filled", color: "passed" };
    case "match":
      return { icon: "pass", color: "passed" };
    case "failed":
      return { icon: "error", color: "error" };
    case "pending":
      if (isGivenUp(record, now)) return { icon: "circle-slash" };
      return record.stage === "submitted" && !record.problem
        ? { icon: "sync~spin" }
        : { icon: "question", color: "warning" };
  }
}

/** A row of {@link jobFacts} before its words are made fit to be shown. */
type Fact = Omit<VerificationRow, "id" | "label" | "description" | "tooltip"> & {
  readonly label: string;
  readonly description: string;
  readonly tooltip?: readonly string[];
};

/**
 * What is known of a job, a row each.
 *
 * @param hasHistory whether its file has a history to look through; `undefined` until that is known
 */
export function jobFacts(record: JobRecord, now = Date.now(), hasHistory?: boolean): VerificationRow[] {
  try {
    return factsOf(record, now, hasHistory);
  } catch (error) {
    return [faultRow("fault", error)];
  }
}

function factsOf(record: JobRecord, now: number, hasHistory: boolean | undefined): VerificationRow[] {
  const { submission, job, problem, explanation, difference } = record;
  const isRefused = record.stage === "refused";
  const causes =
    (explanation && causesByHistory(explanation.causes, hasHistory).map(causeRow)) ??
    (job?.error || problem
      ? [{ label: t`Outcome`, description: outcomeSentence(record), icon: "lightbulb" }]
      : []);
  const facts: Fact[] = [
    ...causes,
    ...(difference === undefined
      ? []
      : [
          {
            label: t`Runtime code`,
            description: difference,
            icon: "file-binary",
            context: actionContext(SHOW_DIFFERENCE),
            action: SHOW_DIFFERENCE,
          },
        ]),
    ...secondTryFacts(record),
    ...(job ? explorerVerifications(job).map(explorerRow) : []),
    ...(hasPlace(record)
      ? [
          {
            label: chainLabel(record.chainId),
            description: shortAddress(record.address),
            tooltip: [`${chainLabel(record.chainId)}: ${record.address}`],
            icon: "location",
            context: "address",
            copyText: record.address,
          },
        ]
      : []),
    submission
      ? {
          label: isRefused ? t`What was not published` : t`What was submitted`,
          // A narrow view shows the beginning alone; the contract is that of the row above.
          description: [
            compilerInWords(submission.path, shortVersion(submission.compilerVersion)),
            counted(submission.fileCount, "file"),
            submission.contractIdentifier,
          ].join(" · "),
          tooltip: [
            submission.contractIdentifier,
            compilerInWords(submission.path, submission.compilerVersion),
            counted(submission.fileCount, "file"),
          ],
          icon: "json",
          hasFiles: true,
        }
      : wasAgreedHere(record)
        ? { label: t`Similarity search`, description: t`no source was submitted`, icon: "search" }
        : { label: t`Not submitted from here`, description: t`what was sent is not known`, icon: "question" },
    {
      label: isRefused
        ? t`Tried ${localTime(record.submittedAt, now, undefined)}`
        : t`Submitted ${localTime(record.submittedAt, now, undefined)}`,
      changesAt: nextWordsAt([], now, undefined),
      description: [
        hostOf(record),
        ...(job?.compilationTime
          ? [t`compiled in ${(Number(job.compilationTime) / 1000).toFixed(1)} s`]
          : []),
        ...(record.verificationId ? [t`job ${withShortIds(record.verificationId)}`] : []),
      ].join(" · "),
      icon: "clock",
      tooltip: [
        ...(record.verificationId ? [t`${hostOf(record)}: job ${record.verificationId}`] : []),
        exactTime(record.submittedAt, undefined),
      ],
      ...(record.verificationId && {
        copyText: record.verificationId,
      }),
    },
  ];
  return facts.map((fact, at) => ({ ...factRow(fact), id: String(at), record }));
}

function factRow({ label, description, tooltip, ...fact }: Fact): Omit<VerificationRow, "id"> {
  return {
    ...fact,
    label: foreignSentence(label),
    description: foreignSentence(description),
    ...(tooltip && { tooltip: tooltip.map(foreignSentence) }),
  };
}

/** That a job has another one beside it, which sent all files of the build. */
function secondTryFacts({ secondTry, secondTryOf }: JobRecord): Fact[] {
  if (secondTry)
    return [
      {
        label: t`Submitted again with all files of the build`,
        description: t`because the service answered ${secondTry.because}`,
        icon: "references",
      },
    ];
  return secondTryOf
    ? [
        {
          label: t`Second try, with all files of the build`,
          description: t`the first one, with the files that the contract needs, came to ${secondTryOf.because}`,
          icon: "references",
        },
      ]
    : [];
}

/** What an explorer did with a verification, with its link. */
function explorerRow({ explorer, link, ...became }: ExplorerVerification): Fact {
  return {
    label: explorer,
    // The service says where the link leads, whatever it calls the explorer.
    description: [explorerInWords(became), ...(link === undefined ? [] : [shownHost(link)])].join(" · "),
    icon: EXPLORER_ICONS[became.state],
    ...(link !== undefined && { copyText: link, context: "explorer" }),
  };
}

/** A cause: what speaks for it, and what would help. */
function causeRow({ code, evidence, confidence, fix, action }: Cause): Fact {
  const certainty = `${Math.round(confidence * 100)} %`;
  return {
    label: causeInBrief(code),
    // A narrow view shows the beginning alone: what differs, then how sure that is.
    description: [evidence, certainty, ...(action ? [action.label] : [])].join(" · "),
    icon: "lightbulb",
    tooltip: [evidence, ...(fix === undefined ? [] : [fix]), t`${certainty} sure`],
    context: "cause",
    ...(action && { context: actionContext(action), action }),
  };
}

/** For the menus: every kind of action is a command of its own name. */
function actionContext({ kind }: Action): string {
  return `cause.${kind.replaceAll(" ", "-")}`;
}
