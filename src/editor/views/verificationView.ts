import * as vscode from "vscode";
import type { DeploymentStates } from "../../core/verification/deploymentStates.ts";
import { isGivenUp } from "../../core/verification/jobFollower.ts";
import { isFinished } from "../../core/verification/jobRecord.ts";
import type { VerificationJobs } from "../../core/verification/verificationJobs.ts";
import {
  jobFacts,
  verificationRows,
  type VerificationRow,
} from "../../core/verification/verificationRows.ts";
import type { WorkspaceKnowledge } from "../workspaceKnowledge.ts";
import { rowItem } from "../ui/rowItem.ts";

/** How long a job has been running is drawn again so often. */
const REDRAW_MS = 5_000;

/** A row with its place in the view. */
interface VerificationNode {
  /** Unique in the view. */
  readonly id: string;
  readonly row: VerificationRow;
}

/** The `ledgerLens.verification` view: the deployments that records tell of, and the jobs of this workspace. */
export class VerificationView implements vscode.TreeDataProvider<VerificationNode>, vscode.Disposable {
  readonly #jobs: VerificationJobs;
  readonly #workspace: WorkspaceKnowledge;
  readonly #states: DeploymentStates;
  readonly #onVisible: () => void;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<VerificationNode>;
  readonly #disposables: readonly { dispose(): unknown }[];
  #asking = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** @param onVisible is called when somebody looks at the view */
  constructor(
    jobs: VerificationJobs,
    workspace: WorkspaceKnowledge,
    states: DeploymentStates,
    onVisible: () => void,
  ) {
    this.#jobs = jobs;
    this.#workspace = workspace;
    this.#states = states;
    this.#onVisible = onVisible;
    const redraw = () => this.#changed.fire(undefined);
    this.#view = vscode.window.createTreeView("ledgerLens.verification", {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    this.#disposables = [
      this.#changed,
      this.#view,
      { dispose: jobs.store.onChange(redraw) },
      { dispose: states.onChange(redraw) },
      workspace.onChanged(redraw),
      this.#view.onDidChangeVisibility(() => this.#visibilityChanged()),
    ];
    this.#visibilityChanged();
  }

  get onDidChangeTreeData(): vscode.Event<undefined> {
    return this.#changed.event;
  }

  async getChildren(node?: VerificationNode): Promise<VerificationNode[]> {
    const rows = node ? childrenOf(node.row) : await this.#rows();
    return rows.map((row) => ({ id: `${node?.id ?? ""}/${row.id}`, row }));
  }

  getTreeItem({ id, row }: VerificationNode): vscode.TreeItem {
    return rowItem(row, id, row.isJob === true || (row.children?.length ?? 0) > 0);
  }

  /** Asks the service again what it has on record. */
  refresh(): void {
    this.#states.forget();
    this.#changed.fire(undefined);
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#asking.abort();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #rows(): Promise<VerificationRow[]> {
    const { store } = this.#jobs;
    const [deployments] = await Promise.all([this.#workspace.deployments(), store.load()]);
    const records = store.all();
    if (this.#view.visible) {
      const open = deployments.filter((one) => this.#states.of(one, records) === undefined);
      if (open.length > 0) void this.#states.ask(open, this.#asking.signal);
    }
    if (records.length === 0 && deployments.length === 0) await this.#tellWhetherThereAreContracts();
    return verificationRows({
      records,
      deployments,
      stateOf: (deployment) => this.#states.of(deployment, records),
      isWaitedFor: (id) => this.#jobs.isWaitedFor(id),
      now: Date.now(),
    });
  }

  /** The empty view says another sentence where there is nothing to verify. */
  async #tellWhetherThereAreContracts(): Promise<void> {
    const contracts = await this.#workspace.index.contracts().catch(() => []);
    await vscode.commands.executeCommand("setContext", "ledgerLens.hasNoContracts", contracts.length === 0);
  }

  #visibilityChanged(): void {
    clearInterval(this.#timer);
    this.#asking.abort();
    if (!this.#view.visible) return;
    this.#asking = new AbortController();
    this.#onVisible();
    this.#changed.fire(undefined);
    this.#timer = setInterval(() => {
      const now = Date.now();
      if (this.#jobs.store.all().some((record) => !isFinished(record) && !isGivenUp(record, now)))
        this.#changed.fire(undefined);
    }, REDRAW_MS);
  }
}

function childrenOf(row: VerificationRow): readonly VerificationRow[] {
  return row.isJob && row.record ? jobFacts(row.record) : (row.children ?? []);
}
