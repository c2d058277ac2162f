import * as vscode from "vscode";
import type { Parts } from "../container.ts";
import { LedgerLensError } from "../core/errors.ts";
import { runAction } from "./ui/action.ts";
import type { FoundDeployment } from "../core/workspace/workspaceDeployments.ts";
import type { UnreadableJob } from "../core/jobs/jobFolder.ts";
import type { JobRecord } from "../core/jobs/jobRecord.ts";
import type { VerificationRow } from "../core/jobs/verificationRows.ts";
import { showDifference, takeAction } from "./verification/causeActions.ts";
import { checkJob } from "./verification/checkJob.ts";
import { exportCompilerInput } from "./verification/exportCompilerInput.ts";
import { findInLedger } from "./ledger/findInLedger.ts";
import { copyJobLink, openJobInExplorer } from "./verification/jobLinks.ts";
import { LEDGER_ROW_COMMANDS } from "./ledger/ledgerRows.ts";
import { predictMatch } from "./verification/predictMatch.ts";
import { refreshCompilerList } from "./verification/refreshCompilerList.ts";
import { retryJob } from "./verification/retryJob.ts";
import { selectNetwork } from "./ledger/selectNetwork.ts";
import { showSchedule } from "./ledger/showSchedule.ts";
import { showSchedules } from "./ledger/showSchedules.ts";
import { openStatus, showStatus, STATUS_ROW_COMMANDS, statusNotices } from "./status/showStatus.ts";
import { showToken } from "./ledger/showToken.ts";
import { showTransactionActions } from "./ledger/showTransactionActions.ts";
import { verifyAllDeployments } from "./verification/verifyAllDeployments.ts";
import { verifyBySimilarity } from "./verification/verifyBySimilarity.ts";
import { verifyContract } from "./verification/verifyContract.ts";
import { showMessage } from "./ui/notifications.ts";
import {
  openDeploymentInExplorer,
  openDeploymentRecord,
  verifyDeployment,
} from "./verification/foundDeployment.ts";
import { shown } from "../core/text/shownText.ts";

/** A command that a person calls without, and others with, an argument object. */
type Command = (parts: Parts, args: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** Commands of the palette; their argument objects are part of the product's contract. */
const COMMANDS: Readonly<Record<string, readonly [title: string, command: Command]>> = {
  "ledgerLens.verifyContract": ["Verify Contract", verifyContract],
  "ledgerLens.verifyBySimilarity": ["Verify by Similarity", verifyBySimilarity],
  "ledgerLens.checkJob": ["Check Verification Job", checkJob],
  "ledgerLens.exportCompilerInput": ["Export Compiler Input", exportCompilerInput],
  "ledgerLens.verifyAllDeployments": ["Verify All Deployments", verifyAllDeployments],
  "ledgerLens.predictMatch": ["Predict Match", predictMatch],
  "ledgerLens.refreshCompilerList": ["Refresh Compiler List", refreshCompilerList],
  "ledgerLens.askBeforePublishing": ["Ask Again Before Publishing", askBeforePublishing],
  "ledgerLens.showToken": ["Show Token", showToken],
  "ledgerLens.showTransactionActions": ["Show Contract Actions", showTransactionActions],
  "ledgerLens.showSchedules": ["Show Schedules", showSchedules],
  "ledgerLens.showSchedule": ["Show Schedule", showSchedule],
  "ledgerLens.selectNetwork": ["Select Network", selectNetwork],
  "ledgerLens.showStatus": ["Show Service Status", showStatus],
};

/** A row of the verification view, or a lens that stands for one. */
interface JobNode {
  readonly row: VerificationRow;
}

/** Commands of a job's row, or of what is known of a job. */
const JOB_ROW_COMMANDS: Readonly<
  Record<
    string,
    readonly [title: string, command: (parts: Parts, record: JobRecord, row: VerificationRow) => unknown]
  >
> = {
  "ledgerLens.showJobDetails": ["Show Details", ({ jobDocuments }, record) => jobDocuments.show(record)],
  "ledgerLens.openJobInExplorer": ["Open in Explorer", openJobInExplorer],
  "ledgerLens.copyJobLink": ["Copy Link", copyJobLink],
  "ledgerLens.takeCauseAction": [
    "Do What the Row Says",
    (parts, record, { action }) => action && takeAction(parts, record, action),
  ],
  "ledgerLens.showBytecodeDifference": ["Show Bytecode Difference", showDifference],
  "ledgerLens.retryJob": ["Try Again", retryJob],
  "ledgerLens.checkThisJob": ["Check Again", ({ jobs }, record) => jobs.check(record.id)],
  "ledgerLens.stopWaiting": ["Cancel Waiting", ({ jobs }, record) => jobs.stopWaiting(record.id)],
  "ledgerLens.removeJob": ["Remove from List", ({ jobs }, record) => jobs.store.remove(record.id)],
};

/** Commands of the row of a deployment that a record tells of. */
const DEPLOYMENT_ROW_COMMANDS: Readonly<
  Record<string, readonly [title: string, command: (parts: Parts, deployment: FoundDeployment) => unknown]>
> = {
  "ledgerLens.verifyDeployment": ["Verify Contract", verifyDeployment],
  "ledgerLens.openDeploymentInExplorer": ["Open in Explorer", openDeploymentInExplorer],
  "ledgerLens.openDeploymentRecord": ["Open Record", openDeploymentRecord],
};

/** Commands of the row of something stored that can't be read. */
const UNREADABLE_ROW_COMMANDS: Readonly<
  Record<string, readonly [title: string, command: (parts: Parts, unreadable: UnreadableJob) => unknown]>
> = {
  "ledgerLens.openUnreadableJob": [
    "Open Stored Job",
    ({ jobDocuments }, unreadable) => jobDocuments.showUnreadable(unreadable),
  ],
  "ledgerLens.removeUnreadableJob": [
    "Remove Stored Job",
    ({ jobs }, { key }) => jobs.store.removeUnreadable(key),
  ],
};

/** Commands of views as a whole. */
const VIEW_COMMANDS: Readonly<Record<string, readonly [title: string, command: (parts: Parts) => unknown]>> =
  {
    "ledgerLens.refreshVerification": ["Refresh", refreshVerification],
    "ledgerLens.showLog": ["Show Log", ({ log }) => log.show()],
    "ledgerLens.findInLedger": ["Find in Ledger", findInLedger],
    "ledgerLens.openStatus": ["Open Service Status", openStatus],
    "ledgerLens.refreshStatus": ["Refresh", ({ status }) => status.monitor.refresh()],
    "ledgerLens.statusNotices": ["Notices of Service Status", statusNotices],
    "ledgerLens.refreshLedger": ["Refresh", refreshLedger],
    "ledgerLens.hideStaticCalls": ["Hide Static Calls", ({ ledger }) => (ledger.view.hidesStatic = true)],
    "ledgerLens.showStaticCalls": ["Show Static Calls", ({ ledger }) => (ledger.view.hidesStatic = false)],
  };

/** Commands that fail with the verification service. */
const OF_VERIFICATION = [
  "verifyContract",
  "retryJob",
  "verifyAllDeployments",
  "takeCauseAction",
  "verifyBySimilarity",
  "verifyDeployment",
  "checkJob",
  "checkThisJob",
  "refreshVerification",
].map((name) => `ledgerLens.${name}`);

/** Registers every command of the manifest. */
export function registerCommands(parts: Parts): vscode.Disposable {
  const { log, status } = parts;
  const run = <T>(id: string, title: string, interactive: boolean, work: () => T | Promise<T>) => {
    status.bar.begin();
    return runAction(log, title, { interactive }, async () => {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof LedgerLensError) || !OF_VERIFICATION.includes(id)) throw error;
        throw status.explained("verification", error);
      }
    });
  };
  const register = vscode.commands.registerCommand;
  const registerRows = (
    commands: Readonly<
      Record<string, readonly [title: string, command: (parts: Parts, row: never) => unknown]>
    >,
  ) =>
    Object.entries(commands).map(([id, [title, command]]) =>
      register(id, (row: never) => run(id, title, true, () => command(parts, row))),
    );
  return vscode.Disposable.from(
    ...Object.entries(COMMANDS).map(([id, [title, command]]) =>
      register(id, (argument: unknown) => {
        // A menu hands over a file or a row, which nobody meant as arguments.
        const isFromMenu = argument instanceof vscode.Uri || (isRecord(argument) && "row" in argument);
        const args = isRecord(argument) && !isFromMenu ? argument : undefined;
        return run(id, title, args === undefined, () => command(parts, args ?? {}));
      }),
    ),
    ...Object.entries(JOB_ROW_COMMANDS).map(([id, [title, command]]) =>
      register(id, ({ row }: JobNode) =>
        run(id, title, true, () => row.record && command(parts, row.record, row)),
      ),
    ),
    ...Object.entries(DEPLOYMENT_ROW_COMMANDS).map(([id, [title, command]]) =>
      register(id, ({ row }: JobNode) =>
        run(id, title, true, () => row.deployment && command(parts, row.deployment)),
      ),
    ),
    ...Object.entries(UNREADABLE_ROW_COMMANDS).map(([id, [title, command]]) =>
      register(id, ({ row }: JobNode) =>
        run(id, title, true, () => row.unreadable && command(parts, row.unreadable)),
      ),
    ),
    register("ledgerLens.openVerificationLink", ({ row }: JobNode) =>
      row.copyText === undefined ? undefined : vscode.env.openExternal(vscode.Uri.parse(row.copyText, true)),
    ),
    register("ledgerLens.copyVerificationValue", ({ row }: JobNode) =>
      vscode.env.clipboard.writeText(row.copyText ?? row.description ?? row.label),
    ),
    register("ledgerLens.verifyThis", (args: Readonly<Record<string, unknown>>) =>
      run("ledgerLens.verifyContract", "Verify Contract", true, () => verifyContract(parts, args)),
    ),
    ...registerRows(LEDGER_ROW_COMMANDS),
    ...registerRows(STATUS_ROW_COMMANDS),
    ...registerRows(VIEW_COMMANDS),
  );
}

/** Forgets for this workspace where nobody has to be asked before sources are published. */
async function askBeforePublishing({ consent }: Parts): Promise<void> {
  await consent.withdraw();
  void showMessage("information", shown`Ledger Lens asks in this workspace before anything is published.`);
}

/** Asks for every job that is not finished, and about the deployments that are not verified. */
async function refreshVerification({ jobs, verificationView }: Parts): Promise<void> {
  verificationView.refresh();
  await jobs.checkOpen();
}

/** Everything that is loaded, again; a failure stands at its item. */
async function refreshLedger({ ledger }: Parts): Promise<void> {
  const loaded = ledger.items.visible().filter(({ content, problem }) => content !== undefined || problem);
  await Promise.allSettled(loaded.map(({ id }) => ledger.items.refresh(id)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
