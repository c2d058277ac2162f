import type { Uri } from "vscode";
import type { UnreadableJob } from "../../core/jobs/jobFolder.ts";
import type { JobRecord } from "../../core/jobs/jobRecord.ts";
import type { Action } from "../../core/matching/explanation.ts";
import type { VerificationRow } from "../../core/jobs/verificationRows.ts";
import type { FoundDeployment } from "../../core/workspace/workspaceDeployments.ts";
import { shown } from "../../core/text/shownText.ts";
import type { JobLink } from "../uriLinks.ts";
import {
  forProgram,
  ofRow,
  onRow,
  withArguments,
  type Command,
  type CommandArguments,
  type Commands,
} from "../ui/commands.ts";
import type { CommitReference } from "./findDeployedCommit.ts";
import type { VerificationSubject } from "./verificationSubject.ts";
import type { RecordedVerification } from "./verifyRecorded.ts";

/** A row of the verification view, or a lens or a button that stands for one. */
interface JobNode {
  readonly row: VerificationRow;
}

const FAILS_WITH_SERVICE = { failsWith: "verification" } as const;

/** The commands of verification; their titles stand in the manifest. */
export const VERIFICATION_COMMANDS: Commands<VerificationSubject> = {
  "ledgerLens.verifyContract": withArguments(
    async ({ parts, commands }, args, file) =>
      commands.verifyContract(
        parts,
        await commands.contractOfFile(parts, shown`Verify Contract`, args, file),
      ),
    FAILS_WITH_SERVICE,
  ),
  // What a lens or a message gives is known; a person answers the rest.
  "ledgerLens.verifyThis": onRow(
    ({ parts, commands }, args: CommandArguments) => commands.verifyContract(parts, args),
    { ...FAILS_WITH_SERVICE, titleOf: "ledgerLens.verifyContract" },
  ),
  // What an agent or another extension asks for; a person decides each time.
  "ledgerLens.submitAfterReview": forProgram(
    ({ parts, commands }, args) => commands.submitAfterReview(parts, args),
    { ...FAILS_WITH_SERVICE, titleOf: "ledgerLens.verifyContract" },
  ),
  "ledgerLens.verifyBySimilarity": withArguments(
    ({ parts, commands }, args) => commands.verifyBySimilarity(parts, args),
    FAILS_WITH_SERVICE,
  ),
  "ledgerLens.checkJob": withArguments(
    ({ parts, commands }, args) => commands.checkJob(parts, args),
    FAILS_WITH_SERVICE,
  ),
  "ledgerLens.explainFailure": withArguments(({ parts, commands }, args) =>
    commands.explainFailure(parts, args),
  ),
  "ledgerLens.exportCompilerInput": withArguments(({ parts, commands }, args) =>
    commands.exportCompilerInput(parts, args),
  ),
  "ledgerLens.verifyAllDeployments": withArguments(
    ({ parts, commands }, args) => commands.verifyAllDeployments(parts, args),
    FAILS_WITH_SERVICE,
  ),
  "ledgerLens.predictMatch": withArguments(async ({ parts, commands }, args, file) =>
    commands.predictMatch(parts, await commands.contractOfFile(parts, shown`Predict Match`, args, file)),
  ),
  "ledgerLens.verifyLocally": withArguments(async ({ parts, commands }, args, file) =>
    commands.verifyLocally(parts, await commands.contractOfFile(parts, shown`Verify Locally`, args, file)),
  ),
  "ledgerLens.findSettings": withArguments(({ parts, commands }, args) => commands.findSettings(parts, args)),
  "ledgerLens.findDeployedCommit": withArguments(({ parts, commands }, args) =>
    commands.findDeployedCommit(parts, args),
  ),
  // What a message gives is known; a person answers the rest.
  "ledgerLens.findThisCommit": onRow(
    ({ parts, commands }, args: CommandArguments) => commands.findDeployedCommit(parts, args),
    { titleOf: "ledgerLens.findDeployedCommit" },
  ),
  "ledgerLens.findRowCommit": ofRow(({ parts, commands }, { row: { record, localResult } }: JobNode) => {
    const contract = record?.submission ?? localResult;
    const deployment = record ?? localResult;
    return (
      contract &&
      deployment &&
      commands.findDeployedCommit(parts, {
        contract: `${contract.path}:${contract.contractName}`,
        chainId: deployment.chainId,
        address: deployment.address,
      })
    );
  }),
  "ledgerLens.showChangesSince": onRow(
    ({ parts, commands }, of: CommitReference) => commands.showChangesSince(parts, of),
    { titleOf: "ledgerLens.findDeployedCommit" },
  ),
  // Of all that was recorded as deployed.
  "ledgerLens.verifyAllLocally": onRow(({ parts, commands }) =>
    commands.verifyLocally(parts, { deployments: "all" }),
  ),
  "ledgerLens.findAllCommits": onRow(({ parts, commands }) =>
    commands.findDeployedCommit(parts, { deployments: "all" }),
  ),
  "ledgerLens.openVerifiedSource": withArguments(
    ({ parts, commands }, args) => commands.openVerifiedSource(parts, args),
    FAILS_WITH_SERVICE,
  ),
  // What a row or a hover gives is known; a person chooses the file.
  "ledgerLens.openThisSource": onRow(
    ({ parts, commands }, args: CommandArguments) => commands.openVerifiedSource(parts, args),
    { ...FAILS_WITH_SERVICE, titleOf: "ledgerLens.openVerifiedSource" },
  ),
  "ledgerLens.openRowSource": ofRow(({ parts, commands }, { row: { record, deployment } }: JobNode) => {
    const { chainId, address } = record ?? deployment ?? {};
    return (
      address !== undefined &&
      commands.openVerifiedSource(parts, { chainId, address }, parts.service(record?.service))
    );
  }, FAILS_WITH_SERVICE),
  "ledgerLens.compareRowWithWorkspace": onJob(
    ({ parts, commands }, record) => commands.compareContract(parts, record),
    FAILS_WITH_SERVICE,
  ),
  "ledgerLens.compareWithWorkspace": onRow(({ parts, commands }, uri: Uri | undefined) =>
    commands.compareWithWorkspace(parts.jobs.store.all(), uri),
  ),
  // Of a table that is shown.
  "ledgerLens.copyTable": onRow(({ commands }, uri: Uri | undefined) => commands.copyTable(uri)),
  "ledgerLens.manageCompilers": withArguments(({ parts, commands }) => commands.manageCompilers(parts)),
  "ledgerLens.createSample": withArguments(({ commands }, args) => commands.createSample(args)),
  "ledgerLens.refreshCompilerList": withArguments(({ parts, commands }) =>
    commands.refreshCompilerList(parts),
  ),
  "ledgerLens.askBeforePublishing": withArguments(({ parts, commands }) =>
    commands.askBeforePublishing(parts),
  ),
  "ledgerLens.refreshVerification": onRow(({ view, parts }) => {
    // Every job that is not finished, and the deployments that are not verified.
    view.refresh();
    return parts.jobs.checkOpen();
  }, FAILS_WITH_SERVICE),
  "ledgerLens.showLog": onRow(({ parts }) => parts.log.show()),

  "ledgerLens.openJobLink": onRow(({ commands }, link: JobLink) => commands.openJobLink(link), {
    titleOf: "ledgerLens.checkJob",
    failsWith: "verification",
  }),
  // Of the walkthrough.
  "ledgerLens.showExample": onRow(({ commands }) => commands.showExample()),
  // What a click on a row does.
  "ledgerLens.openSubmittedFile": ofRow(
    ({ parts, commands }, { row: { record, submittedFile } }: JobNode) =>
      record && submittedFile && commands.openSubmittedFile(parts, record, submittedFile),
    { titleOf: "ledgerLens.showJobDetails" },
  ),
  "ledgerLens.showDeployment": onDeployment(
    ({ parts, commands }, deployment) => commands.showDeployment(parts, deployment),
    { titleOf: "ledgerLens.showJobDetails" },
  ),
  "ledgerLens.showJobDetails": ofRow(({ commands }, { row }: JobNode) => commands.showPage(row)),
  // The same of one that failed, which is a step of the walkthrough.
  "ledgerLens.showFailure": ofRow(({ commands }, { row }: JobNode) => commands.showPage(row), {
    titleOf: "ledgerLens.showJobDetails",
  }),
  "ledgerLens.openJobInExplorer": onJob(({ commands }, record) => commands.openChainExplorer(record)),
  "ledgerLens.showInLedger": ofRow(({ commands }, { row }: JobNode) => {
    const { chainId, address } = row.record ?? row.deployment ?? row.localResult ?? {};
    return (
      chainId !== undefined &&
      address !== undefined &&
      commands.showInLedger({ kind: "address", id: address, chainId })
    );
  }),
  "ledgerLens.openJobAtService": onJob(({ parts, commands }, record) =>
    commands.openJobAtService(parts, record),
  ),
  "ledgerLens.copyJobLink": onJob(({ parts, commands }, record) => commands.copyJobLink(parts, record)),
  // What a row of a cause offers, each kind by its own name.
  "ledgerLens.takeCauseAction": onAction(),
  "ledgerLens.verifyCauseImplementation": onAction(),
  "ledgerLens.chooseCauseContract": onAction(),
  // Of the job that the cause is of, too.
  "ledgerLens.checkCauseAddress": onAction(FAILS_WITH_SERVICE, "check address"),
  "ledgerLens.showCauseErrors": onAction({}),
  "ledgerLens.showCauseDifference": onAction({}),
  "ledgerLens.findCauseCommit": onAction({}),
  "ledgerLens.retryCause": onAction(),
  "ledgerLens.showBytecodeDifference": onJob(({ parts, commands }, record) =>
    commands.showDifference(parts, record),
  ),
  "ledgerLens.retryJob": onJob(
    ({ parts, commands }, record) => commands.retryJob(parts, record),
    FAILS_WITH_SERVICE,
  ),
  "ledgerLens.checkThisJob": onJob(({ parts }, { id }) => parts.jobs.check(id), FAILS_WITH_SERVICE),
  "ledgerLens.stopWaiting": onJob(({ parts }, { id }) => parts.jobs.stopWaiting(id)),
  "ledgerLens.removeJob": onJob(({ parts }, { id }) => parts.jobs.store.remove(id)),

  "ledgerLens.verifyDeployment": onDeployment(
    ({ parts, commands }, deployment) => commands.verifyDeployment(parts, deployment),
    FAILS_WITH_SERVICE,
  ),
  // Of a submission, too, that the service can't take.
  "ledgerLens.verifyDeploymentLocally": ofRow(
    ({ parts, commands }, { row: { deployment, record } }: JobNode) =>
      deployment
        ? commands.verifyDeploymentLocally(parts, deployment)
        : record && commands.verifyJobLocally(parts, record),
  ),
  "ledgerLens.chooseAnotherChain": onJob(
    ({ parts, commands }, record) => commands.chooseAnotherChain(parts, record),
    FAILS_WITH_SERVICE,
  ),
  // What a message after a deployment gives.
  "ledgerLens.verifyRecorded": onRow(
    ({ parts, commands }, recorded: RecordedVerification) => commands.verifyRecorded(parts, recorded),
    { ...FAILS_WITH_SERVICE, titleOf: "ledgerLens.verifyContract" },
  ),
  "ledgerLens.openDeploymentInExplorer": onDeployment(({ commands }, deployment) =>
    commands.openChainExplorer(deployment),
  ),
  "ledgerLens.openDeploymentAtService": onDeployment(({ parts, commands }, deployment) =>
    commands.openDeploymentAtService(parts, deployment),
  ),
  "ledgerLens.openDeploymentRecord": onDeployment(({ commands }, deployment) =>
    commands.openDeploymentRecord(deployment),
  ),

  "ledgerLens.publishLocalResult": ofRow(
    ({ parts, commands }, { row: { localResult } }: JobNode) =>
      localResult &&
      commands.verifyContract(parts, {
        contract: `${localResult.path}:${localResult.contractName}`,
        chainId: localResult.chainId,
        address: localResult.address,
      }),
    FAILS_WITH_SERVICE,
  ),
  "ledgerLens.findSettingsOfRow": ofRow(({ parts, commands }, { row: { record, localResult } }: JobNode) => {
    const { path, contractName } = record?.submission ?? localResult ?? {};
    const { chainId, address } = record ?? localResult ?? {};
    // A similarity search has no sources.
    return (
      path !== undefined &&
      commands.findSettings(parts, { contract: `${path}:${contractName}`, chainId, address })
    );
  }),
  "ledgerLens.removeLocalResult": ofRow(
    ({ parts }, { row: { localResult } }: JobNode) => localResult && parts.localResults.remove(localResult),
  ),

  "ledgerLens.openUnreadableJob": onUnreadable(({ parts }, unreadable) =>
    parts.jobDocuments.showUnreadable(unreadable),
  ),
  "ledgerLens.removeUnreadableJob": onUnreadable(({ parts }, { key }) =>
    parts.jobs.store.removeUnreadable(key),
  ),

  "ledgerLens.openVerificationLink": ofRow(({ commands }, { row }: JobNode) => commands.openLink(row)),
  "ledgerLens.copyVerificationValue": ofRow(({ commands }, { row }: JobNode) => commands.copyAddress(row)),
  "ledgerLens.copyVerificationFact": ofRow(({ commands }, { row }: JobNode) => commands.copyValue(row)),
};

type Traits = Omit<Command<VerificationSubject>, "call">;

function onJob(
  work: (subject: VerificationSubject, record: JobRecord, row: VerificationRow) => unknown,
  traits?: Traits,
): Command<VerificationSubject> {
  return ofRow((subject, { row }: JobNode) => row.record && work(subject, row.record, row), traits);
}

/**
 * Does what a row, or a button that stands for one, offers.
 *
 * @param kind what the row of a job offers, of all that its causes do
 */
function onAction(traits: Traits = FAILS_WITH_SERVICE, kind?: Action["kind"]): Command<VerificationSubject> {
  return ofRow(({ parts, commands }, { row }: JobNode) => {
    const { record, localResult } = row;
    const action = row.action ?? record?.explanation?.causes.find((one) => one.action?.kind === kind)?.action;
    if (action && record) return commands.takeAction(parts, record, action);
    return action && localResult && commands.takeLocalAction(parts, localResult, action);
  }, traits);
}

/** Of a deployment that a record of the project tells of. */
function onDeployment(
  work: (subject: VerificationSubject, deployment: FoundDeployment) => unknown,
  traits?: Traits,
): Command<VerificationSubject> {
  return ofRow((subject, { row }: JobNode) => row.deployment && work(subject, row.deployment), traits);
}

/** Of something stored that can't be read. */
function onUnreadable(
  work: (subject: VerificationSubject, unreadable: UnreadableJob) => unknown,
): Command<VerificationSubject> {
  return ofRow((subject, { row }: JobNode) => row.unreadable && work(subject, row.unreadable));
}
