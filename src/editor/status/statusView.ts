import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { StatusMonitor } from "../../core/status/statusMonitor.ts";
import { statusRows } from "../../core/status/statusRows.ts";
import { rowItem } from "../ui/rowItem.ts";
import type { LateTree } from "../ui/lateTree.ts";
import type { StatusNode } from "./statusTree.ts";
import { nodesOf, renewNode } from "../ui/viewNode.ts";
import { watchChoice } from "./watchChoice.ts";

/** The `ledgerLens.status` view: the status page, and the health of the services in use. */
export class StatusView implements vscode.Disposable {
  readonly #monitor: StatusMonitor;
  readonly #stop: () => void;
  readonly #onVisible: () => void;
  #release: (() => void) | undefined;

  /**
   * @param onVisible is called when the view is shown
   * @param isHederaUsed whether the page, which is Hedera's, tells of something that is used here
   */
  constructor(
    monitor: StatusMonitor,
    late: LateTree<StatusNode>,
    { onVisible, isHederaUsed }: { readonly onVisible: () => void; readonly isHederaUsed: () => boolean },
  ) {
    const { tree } = late;
    this.#monitor = monitor;
    this.#onVisible = onVisible;
    this.#stop = monitor.onChange(() => tree.changed());
    late.fill({
      childrenOf: (node) => {
        if (node) return nodesOf(node.row.children ?? [], node);
        const moment = { now: Date.now() };
        const rows = statusRows(monitor.state, watchChoice(), moment, { isHederaUsed: isHederaUsed() });
        return nodesOf(rows, undefined);
      },
      draw: (node) => ({ item: statusItem(node), changesAt: node.row.changesAt }),
      renew: renewNode,
      visibilityChanged: (isVisible) => this.#visibilityChanged(isVisible),
    });
  }

  /** Shows the view, and the page's verdict in it. */
  async reveal(): Promise<void> {
    await vscode.commands.executeCommand("ledgerLens.status.focus");
  }

  dispose(): void {
    this.#release?.();
    this.#stop();
  }

  #visibilityChanged(isVisible: boolean): void {
    this.#release?.();
    this.#release = undefined;
    if (!isVisible) return;
    this.#release = this.#monitor.use();
    this.#onVisible();
  }
}

function statusItem(node: StatusNode): vscode.TreeItem {
  const { id, row } = node;
  const item = rowItem(row, id, (row.children ?? []).length > 0);
  if (row.url !== undefined) {
    item.contextValue = `${item.contextValue ?? ""} web`;
    // What holds others is unfolded by a click.
    if ((row.children ?? []).length === 0)
      item.command = { command: "ledgerLens.openStatusRow", title: t`Open`, arguments: [node] };
  }
  return item;
}
