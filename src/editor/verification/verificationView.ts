import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { contractFileOf } from "../../core/jobs/contractFile.ts";
import { recordStatus, type JobRecord } from "../../core/jobs/jobRecord.ts";
import { toMatch } from "../../core/service/job.ts";
import { EditedFiles, isInOpenFolder } from "./editedFiles.ts";
import type { DeploymentStates } from "../../core/jobs/deploymentStates.ts";
import type { LocalResults } from "../../core/jobs/localResults.ts";
import type { VerificationJobs } from "../../core/jobs/verificationJobs.ts";
import {
  jobFacts,
  olderJobRows,
  verificationRows,
  type VerificationPicture,
  type VerificationRow,
} from "../../core/jobs/verificationRows.ts";
import { submittedFileRows } from "../../core/jobs/submittedFileRows.ts";
import { isInside } from "../../core/files/fileReader.ts";
import type { KnownDeployments, WatchedWorkspace } from "../watchedWorkspace.ts";
import { foldersWithHistory } from "../workTrees.ts";
import { isChosenChain, onChosenNetwork } from "../chosenNetwork.ts";
import { rowItem } from "../ui/rowItem.ts";
import type { Log } from "../ui/log.ts";
import type { LateTree } from "../ui/lateTree.ts";
import type { RowTree } from "../ui/rowTree.ts";
import { nodesOf, renewNode } from "../ui/viewNode.ts";
import type { Deployment } from "../../core/service/submissionRequest.ts";
import type { VerificationParts } from "./verificationParts.ts";
import type { VerificationNode } from "./verificationTree.ts";

/** Every job that comes or goes draws the whole list that it is in: so it is a short one. */
const NEWEST_JOBS = 20;

/** What the view shows. */
type ViewParts = Pick<
  VerificationParts,
  "jobs" | "service" | "workspace" | "deploymentStates" | "localResults" | "log"
>;

/** The `ledgerLens.verification` view: the deployments that records tell of, and the jobs of this workspace. */
export class VerificationView implements vscode.Disposable {
  readonly #jobs: VerificationJobs;
  readonly #workspace: WatchedWorkspace;
  readonly #service: ViewParts["service"];
  readonly #states: DeploymentStates;
  readonly #localResults: LocalResults;
  readonly #onVisible: () => void;
  readonly #tree: RowTree<VerificationNode>;
  readonly #log: Pick<Log, "error">;
  readonly #disposables: readonly { dispose(): unknown }[];
  #asking = new AbortController();
  #hasNoContracts: boolean | undefined;
  readonly #edited: EditedFiles;
  /** The open folders that have a history. */
  #withHistory: readonly string[] = [];

  /** @param onVisible is called when the view is shown */
  constructor(
    { jobs, service, workspace, deploymentStates: states, localResults, log }: ViewParts,
    late: LateTree<VerificationNode>,
    onVisible: () => void,
  ) {
    this.#log = log;
    this.#jobs = jobs;
    this.#service = service;
    this.#workspace = workspace;
    this.#states = states;
    this.#localResults = localResults;
    this.#onVisible = onVisible;
    this.#tree = late.tree;
    this.#edited = new EditedFiles(jobs.store);
    const redraw = () => this.#tree.changed();
    this.#disposables = [
      { dispose: jobs.store.onChange(redraw) },
      { dispose: states.onChange(redraw) },
      { dispose: localResults.onChange(redraw) },
      workspace.onChanged(redraw),
      onChosenNetwork(redraw),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (jobs.store.all().some(({ submission }) => submission?.path === uri.path)) redraw();
      }),
    ];
    late.fill({
      childrenOf: async (node) => nodesOf(await this.#read(node?.row), node),
      draw: (node) => ({ item: drawnItem(node), changesAt: node.row.changesAt }),
      renew: renewNode,
      visibilityChanged: (isVisible) => this.#visibilityChanged(isVisible),
    });
  }

  /** Asks the service again what it has on record. */
  refresh(): void {
    this.#states.forget();
    this.#tree.changed();
  }

  dispose(): void {
    this.#asking.abort();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #read(above: VerificationRow | undefined): Promise<readonly VerificationRow[]> {
    if (above?.hasFiles && above.record) {
      const { record } = above;
      return submittedFileRows(record, await this.#jobs.store.files(record.id));
    }
    if (above?.olderJobs) return olderJobRows(above.olderJobs, this.#picture({ found: [] }));
    if (above?.isJob && above.record)
      return jobFacts(above.record, Date.now(), this.#hasHistory(above.record.submission?.path ?? ""));
    if (above) return above.children ?? [];
    const { store } = this.#jobs;
    const [known, withHistory] = await Promise.all([
      this.#workspace.deployments(),
      foldersWithHistory(),
      store.load(),
    ]);
    this.#withHistory = withHistory;
    const { found: deployments } = known;
    const picture = this.#picture(known);
    if (this.#tree.view.visible) {
      const open = deployments.filter(
        (one) => picture.stateOf(one) === undefined && !this.#states.isOutOfReach(one),
      );
      if (open.length > 0) void this.#states.ask(open, this.#asking.signal);
      void this.#lookForEdits(picture.records);
      void this.#lookForPublic(deployments);
    }
    if (picture.records.length === 0 && picture.unreadable?.length === 0 && deployments.length === 0)
      await this.#tellWhetherThereAreContracts();
    return verificationRows(picture);
  }

  /** Of a chain with a node of this machine the service's list may say that it is a public one; without a list it is private. */
  async #lookForPublic(deployments: readonly Pick<Deployment, "chainId">[]): Promise<void> {
    const chainIds = deployments.map(({ chainId }) => chainId);
    const isPublic = await this.#jobs.chainSupport
      .learnPublic(this.#service(), chainIds, this.#asking.signal)
      .catch(() => false);
    if (isPublic) this.#tree.changed();
  }

  /** What takes reading is told by a second drawing. */
  async #lookForEdits(records: readonly JobRecord[]): Promise<void> {
    const verified = records.filter((record) => toMatch(recordStatus(record))).slice(0, NEWEST_JOBS);
    if (await this.#edited.look(verified)) this.#tree.changed();
  }

  #hasHistory(path: string): boolean {
    return this.#withHistory.some((folder) => isInside(path, folder));
  }

  #picture({ found, unreadable, fault }: KnownDeployments): VerificationPicture {
    const records = this.#jobs.store.all();
    return {
      records,
      deployments: found,
      unreadableRecords: unreadable,
      deploymentsFault: fault,
      unreadable: this.#jobs.store.unreadable(),
      problem: this.#jobs.store.problem,
      localResults: this.#localResults.all(),
      stateOf: (deployment) => this.#states.of(deployment, records),
      jobsHere: (all) => this.#states.jobsHere(all),
      isOutOfReach: (deployment) => this.#states.isOutOfReach(deployment),
      isEdited: (record) => this.#edited.has(record),
      hasFile: (record) => isInOpenFolder(contractFileOf(record)?.path ?? ""),
      isInLedger: isChosenChain,
      hasHistory: (path) => this.#hasHistory(path),
      isWaitedFor: (id) => this.#jobs.isWaitedFor(id),
      newestJobs: NEWEST_JOBS,
      now: Date.now(),
    };
  }

  /** The empty view says another sentence where there is nothing to verify. */
  async #tellWhetherThereAreContracts(): Promise<void> {
    const contracts = await this.#workspace.index.contracts().catch(() => []);
    const hasNone = contracts.length === 0;
    if (hasNone === this.#hasNoContracts) return;
    this.#hasNoContracts = hasNone;
    await vscode.commands.executeCommand("setContext", "ledgerLens.hasNoContracts", hasNone);
  }

  #visibilityChanged(isVisible: boolean): void {
    this.#asking.abort();
    if (!isVisible) return;
    this.#asking = new AbortController();
    this.#onVisible();
    // Another window may have changed the jobs.
    this.#jobs.store.refresh().catch((error: unknown) => this.#log.error(String(error)));
    this.#tree.changed();
  }
}

/** What a row holds is unfolded at its arrow. */
function drawnItem(node: VerificationNode): vscode.TreeItem {
  const { id, row } = node;
  const item = rowItem(row, id, hasChildren(row));
  const command = commandOf(row);
  if (command !== undefined) item.command = { ...command, arguments: [node] };
  return item;
}

/**
 * What a click on a row does, or Enter: a click submits nothing. What tells of a job or a result opens its page, where the
 * buttons are.
 */
function commandOf(row: VerificationRow): Pick<vscode.Command, "command" | "title"> | undefined {
  if (row.fault !== undefined) return undefined;
  if (LOGGED.has(row.id)) return { command: "ledgerLens.showLog", title: t`Show Log` };
  if (row.submittedFile) return { command: "ledgerLens.openSubmittedFile", title: t`Open` };
  if (row.unreadable) return { command: "ledgerLens.openUnreadableJob", title: t`Open` };
  if (row.deployment) return { command: "ledgerLens.showDeployment", title: t`Open` };
  if (!row.record && !row.localResult) return undefined;
  return {
    command: hasFailed(row) ? "ledgerLens.showFailure" : "ledgerLens.showJobDetails",
    title: t`Show Details`,
  };
}

function hasFailed({ record, localResult }: VerificationRow): boolean {
  return record ? recordStatus(record) === "failed" : localResult?.verdict === "mismatch";
}

/** Rows of troubles that the log has more of. */
const LOGGED: ReadonlySet<string> = new Set(["unreadable records", "storage problem"]);

function hasChildren({ isJob, olderJobs, hasFiles, children }: VerificationRow): boolean {
  return isJob === true || olderJobs !== undefined || hasFiles === true || (children?.length ?? 0) > 0;
}
