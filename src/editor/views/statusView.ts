import * as vscode from "vscode";
import type { StatusMonitor } from "../../core/status/statusMonitor.ts";
import type { StatusRow } from "../../core/status/statusRow.ts";
import { statusRows } from "../../core/status/statusRows.ts";
import { settings } from "../settings.ts";
import { rowItem } from "../ui/rowItem.ts";

/** Ages and countdowns are drawn again so often. */
const REDRAW_MS = 30_000;

/** A row with its place in the view. */
export interface StatusNode {
  /** Unique in the view. */
  readonly id: string;
  readonly row: StatusRow;
  readonly parent: StatusNode | undefined;
}

/** The `ledgerLens.status` view: the status page, and the health of the services in use. */
export class StatusView implements vscode.TreeDataProvider<StatusNode>, vscode.Disposable {
  readonly #monitor: StatusMonitor;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<StatusNode>;
  readonly #disposables: readonly { dispose(): unknown }[];
  readonly #onVisible: () => void;
  #release: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param onVisible is called when somebody looks at the view */
  constructor(monitor: StatusMonitor, onVisible: () => void) {
    this.#monitor = monitor;
    this.#onVisible = onVisible;
    this.#view = vscode.window.createTreeView("ledgerLens.status", {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    this.#disposables = [
      this.#changed,
      this.#view,
      { dispose: monitor.onChange(() => this.#changed.fire(undefined)) },
      this.#view.onDidChangeVisibility(() => this.#visibilityChanged()),
    ];
    this.#visibilityChanged();
  }

  get onDidChangeTreeData(): vscode.Event<undefined> {
    return this.#changed.event;
  }

  getChildren(node?: StatusNode): StatusNode[] {
    const rows = node
      ? (node.row.children ?? [])
      : statusRows(this.#monitor.state, settings.watch, { now: Date.now() });
    return rows.map((row) => ({ id: `${node?.id ?? ""}/${row.id}`, row, parent: node }));
  }

  getParent(node: StatusNode): StatusNode | undefined {
    return node.parent;
  }

  getTreeItem({ id, row }: StatusNode): vscode.TreeItem {
    const item = rowItem(row, id, (row.children ?? []).length > 0);
    if (row.url !== undefined) item.contextValue = `${item.contextValue ?? ""} web`;
    return item;
  }

  /** Shows the view, and the page's verdict in it. */
  async reveal(): Promise<void> {
    await vscode.commands.executeCommand("ledgerLens.status.focus");
  }

  dispose(): void {
    this.#release?.();
    clearInterval(this.#timer);
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #visibilityChanged(): void {
    clearInterval(this.#timer);
    this.#release?.();
    this.#release = undefined;
    if (!this.#view.visible) return;
    this.#release = this.#monitor.use();
    this.#timer = setInterval(() => this.#changed.fire(undefined), REDRAW_MS);
    this.#timer.unref();
    this.#onVisible();
  }
}
