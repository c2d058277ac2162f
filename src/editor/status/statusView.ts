import * as vscode from "vscode";
import type { StatusMonitor } from "../../core/status/statusMonitor.ts";
import type { StatusRow } from "../../core/status/statusRow.ts";
import { statusRows } from "../../core/status/statusRows.ts";
import { settings } from "../settings.ts";
import { rowItem } from "../ui/rowItem.ts";
import type { Log } from "../ui/log.ts";
import { faultLog } from "../ui/guardedRows.ts";
import { RowTree } from "../ui/rowTree.ts";
import { nodeOf, nodesOf, renewNode, type ViewNode } from "../ui/viewNode.ts";

/** Ages and countdowns are drawn again no sooner. */
const TIMES_EVERY_MS = 30_000;

/** A row with its place in the view. */
export type StatusNode = ViewNode<StatusRow>;

/** The `ledgerLens.status` view: the status page, and the health of the services in use. */
export class StatusView implements vscode.Disposable {
  readonly #monitor: StatusMonitor;
  readonly #tree: RowTree<StatusNode>;
  readonly #disposables: readonly { dispose(): unknown }[];
  readonly #onVisible: () => void;
  #release: (() => void) | undefined;

  /** @param onVisible is called when the view is shown */
  constructor(monitor: StatusMonitor, log: Pick<Log, "error">, onVisible: () => void) {
    this.#monitor = monitor;
    this.#onVisible = onVisible;
    this.#tree = new RowTree<StatusNode>(
      "ledgerLens.status",
      {
        childrenOf: (node) => nodesOf(node ? (node.row.children ?? []) : this.#rows(), node),
        draw: (node) => ({ item: statusItem(node), changesAt: node.row.changesAt }),
        renew: renewNode,
      },
      {
        timesEveryMs: TIMES_EVERY_MS,
        onVisibility: (isVisible) => this.#visibilityChanged(isVisible),
        onFault: faultLog(log, "Service Status"),
        nodeOf,
        faultOf: ({ row }) => row.fault,
      },
    );
    this.#disposables = [this.#tree, { dispose: monitor.onChange(() => this.#tree.changed()) }];
    this.#visibilityChanged(this.#tree.view.visible);
  }

  /** Shows the view, and the page's verdict in it. */
  async reveal(): Promise<void> {
    await vscode.commands.executeCommand("ledgerLens.status.focus");
  }

  dispose(): void {
    this.#release?.();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #rows(): StatusRow[] {
    return statusRows(this.#monitor.state, settings.watch, { now: Date.now() });
  }

  #visibilityChanged(isVisible: boolean): void {
    this.#release?.();
    this.#release = undefined;
    if (!isVisible) return;
    this.#release = this.#monitor.use();
    this.#onVisible();
  }
}

function statusItem({ id, row }: StatusNode): vscode.TreeItem {
  const item = rowItem(row, id, (row.children ?? []).length > 0);
  if (row.url !== undefined) item.contextValue = `${item.contextValue ?? ""} web`;
  return item;
}
