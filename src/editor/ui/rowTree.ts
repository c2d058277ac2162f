import * as vscode from "vscode";
import type { ViewRow } from "../../core/rows/viewRow.ts";
import { DrawnRows, type RowNode, type RowSource } from "./drawnRows.ts";
import { guardedRows } from "./guardedRows.ts";
import { Reminder } from "./reminder.ts";
import { isSameItem, rowItem } from "./rowItem.ts";

/** Changes that come in a burst are drawn together. */
const SETTLE_MS = 100;
/** Timers can't wait longer than a good three weeks; a day is enough. */
const LONGEST_MS = 86_400_000;

/** So many rows are created (about 220 bytes each, which the editor keeps) before a view is worth building anew. */
const MANY_ROWS = 500;
/** So often a row is revealed before it counts as one that the editor does not find. */
const MAX_REVEALS = 4;

type RevealOptions = NonNullable<Parameters<vscode.TreeView<unknown>["reveal"]>[1]>;

/** How a view behaves. */
export interface TreeOptions<Node extends RowNode> {
  /** Words that tell a time are drawn again no sooner than that after they were. */
  readonly timesEveryMs: number;
  /** Called for a row that can't be drawn, each time that it is. */
  onFault(id: string, fault: unknown): void;
  /** A row of the view with what it says, below another one or among the roots. */
  nodeOf(row: ViewRow, under: Node | undefined): Node;
  /** Why a row stands for one that can't be drawn; `undefined` for any other. */
  faultOf(node: Node): unknown;
  /** Called when the view is shown, and when it is hidden. */
  onVisibility(isVisible: boolean): void;
}

/**
 * A tree view that draws what changed and no more: the rows that look otherwise, the list that has other rows, and times
 * when their words change. While it is hidden nothing is drawn; it catches up when it is shown.
 */
export class RowTree<Node extends RowNode> implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #id: string;
  readonly #source: RowSource<Node, vscode.TreeItem>;
  #view: vscode.TreeView<Node>;
  #ofView: readonly vscode.Disposable[] = [];
  #drawn: DrawnRows<Node, vscode.TreeItem>;
  #created = 0;
  readonly #options: TreeOptions<Node>;
  readonly #changed = new vscode.EventEmitter<Node | Node[] | undefined>();
  /** What may have changed since it was compared; `undefined` among it stands for everything. */
  readonly #due = new Set<Node | undefined>();
  readonly #dueAlone = new Set<Node>();
  #settling: NodeJS.Timeout | undefined;
  #times: NodeJS.Timeout | undefined;
  #timesAt = Infinity;
  #comparing: Promise<void> | undefined;
  /**
   * The editor loses a refresh that comes while it takes over another list: it waits for the answer to the question that
   * it has already asked (`AsyncDataTree.doGetChildren`), while its extension host throws that answer away.
   */
  readonly #reminder = new Reminder(
    () => this.#drawn.isAwaiting,
    () => this.#drawn.isAnswering,
    () => this.#tellAll(),
  );
  #isDisposed = false;

  constructor(id: string, source: RowSource<Node, vscode.TreeItem>, options: TreeOptions<Node>) {
    this.#id = id;
    this.#source = guardedRows(source, {
      standIn: (row, under) => options.nodeOf(row, under),
      drawStandIn: (row, id) => rowItem(row, id, false),
      faultOf: (node) => options.faultOf(node),
      tell: (at, fault) => options.onFault(at, fault),
    });
    this.#options = options;
    this.#drawn = this.#nothingDrawn();
    this.#view = this.#createView();
  }

  /** The view as the editor has it now. */
  get view(): vscode.TreeView<Node> {
    return this.#view;
  }

  get onDidChangeTreeData(): vscode.Event<Node | Node[] | undefined> {
    return this.#changed.event;
  }

  async getChildren(node?: Node): Promise<Node[]> {
    const drawn = this.#drawn;
    const children = [...(await drawn.children(node))];
    if (drawn.isLost(node)) this.changed(node);
    if (this.#isWatched) this.#reminder.taken();
    return children;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    this.#created++;
    const item = this.#drawn.item(node);
    this.#scheduleTimes();
    return item;
  }

  getParent(node: Node): Node | undefined {
    return node.parent as Node | undefined;
  }

  /** The row with an id, as the editor knows it. */
  known(id: string): Node | undefined {
    return this.#drawn.known(id);
  }

  /** Something may have changed in or below a row, or anywhere. */
  changed(node?: Node): void {
    this.#due.add(node);
    this.#settle(SETTLE_MS);
  }

  /** A row may look otherwise; what is below it is as before. */
  redraw(node: Node): void {
    this.#dueAlone.add(node);
    this.#settle(SETTLE_MS);
  }

  /**
   * A command was called with something, which may be a row of this view: draws that anew, though nothing of it changed. With
   * the row the editor takes its hover away, which else lies over the question that the command asks.
   */
  drawAgain(argument: unknown): void {
    const { id } = (argument ?? {}) as Partial<RowNode>;
    const node = typeof id === "string" ? this.known(id) : undefined;
    if (node === undefined || node !== argument || !this.#drawn.told(node)) return;
    this.#changed.fire(node);
    this.#watch();
  }

  /** Tells the editor of everything that changed, also while the view is hidden: before a row is revealed. */
  async caughtUp(): Promise<void> {
    this.#clearSettling();
    // What is being compared may have begun before the change; what comes later is told later.
    await this.#comparing;
    this.#comparing ??= this.#compare().finally(() => {
      this.#comparing = undefined;
    });
    await this.#comparing;
  }

  /**
   * Scrolls to a row, as it is when it is revealed. The editor does not find a row while it takes over another list:
   * then the row is revealed again.
   *
   * @throws the editor's error, when it does not find the row for longer
   */
  async reveal(nodeNow: () => Node | undefined, options: RevealOptions): Promise<void> {
    for (let left = MAX_REVEALS - 1; ; left--) {
      await this.caughtUp();
      const node = nodeNow();
      if (!node) return;
      try {
        await this.#view.reveal(this.known(node.id) ?? node, options);
        return;
      } catch (error) {
        if (left === 0 || this.#isDisposed) throw error;
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      }
    }
  }

  /** Every row goes and others come. */
  replaced(): void {
    if (this.#created < MANY_ROWS || this.#isDisposed) this.changed();
    else this.#buildAnew();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#stop();
    for (const disposable of [this.#changed, this.#view, ...this.#ofView]) disposable.dispose();
  }

  #nothingDrawn(): DrawnRows<Node, vscode.TreeItem> {
    return new DrawnRows(this.#source, isSameItem);
  }

  /** Has the editor create every row, which it does where the list of the roots is another one. */
  #drawAnew(): void {
    if (this.#created >= MANY_ROWS) this.#buildAnew();
    else this.#tellAll();
  }

  #tellAll(): void {
    this.#drawn.begun();
    this.#changed.fire(undefined);
    this.#watch();
  }

  get #isWatched(): boolean {
    return !this.#isDisposed && this.view.visible;
  }

  #watch(): void {
    if (this.#isWatched) this.#reminder.watch();
  }

  /**
   * The editor keeps something of each row that a view ever created until the view ends: after very many rows the view
   * is built anew, at a moment at which the editor creates all rows anyway. It takes the rows of the new view for those
   * of the old one by their ids: what is unfolded and selected stays so.
   */
  #buildAnew(): void {
    const { title, description, message, badge } = this.#view;
    const old = [this.#view, ...this.#ofView];
    this.#created = 0;
    this.#drawn = this.#nothingDrawn();
    // First the new one: the editor takes it for the old one's successor, and the view never stands empty.
    this.#view = this.#createView();
    Object.assign(this.#view, { title, description, message, badge });
    for (const disposable of old) disposable.dispose();
    // What is revealed waits until the editor has the rows.
    this.#tellAll();
  }

  #createView(): vscode.TreeView<Node> {
    const view = vscode.window.createTreeView(this.#id, { treeDataProvider: this, showCollapseAll: true });
    let wasShown = false;
    this.#ofView = [
      view.onDidCollapseElement(({ element }) => this.#drawn.fold(element, true)),
      view.onDidExpandElement(({ element }) => {
        this.#drawn.fold(element, false);
        this.changed(element);
      }),
      view.onDidChangeVisibility(({ visible }) => {
        if (visible) {
          // The editor gives the rows of a view that was folded no height until two seconds after it is unfolded first, or
          // until it is told what stands above them (`CustomTreeView.activate` and `updateMessage` of its treeView.ts).
          if (!wasShown) Object.assign(view, { message: view.message });
          wasShown = true;
          this.#settle(0);
          this.#watch();
        } else this.#stop();
        this.#options.onVisibility(visible);
      }),
    ];
    return view;
  }

  #settle(milliseconds: number): void {
    if (this.#isDisposed || !this.view.visible || this.#due.size + this.#dueAlone.size === 0) return;
    this.#settling ??= setTimeout(() => void this.caughtUp(), milliseconds);
  }

  async #compare(): Promise<void> {
    try {
      const due = this.#due.has(undefined) ? [undefined] : [...this.#due];
      const alone = [...this.#dueAlone];
      this.#due.clear();
      this.#dueAlone.clear();
      const changed = new Set<Node>();
      for (const node of due) {
        const found = await this.#drawn.changes(node);
        if (this.#isDisposed) return;
        if (found === "roots") {
          this.#drawAnew();
          break;
        }
        for (const one of found) changed.add(one);
      }
      for (const one of this.#drawn.redrawn(alone)) changed.add(one);
      if (changed.size > 0) this.#changed.fire([...changed]);
      this.#watch();
    } catch {
      // The editor asks again, and shows what is wrong.
      this.#tellAll();
    }
    this.#scheduleTimes();
  }

  #scheduleTimes(): void {
    const at = this.#drawn.nextChange;
    if (at === this.#timesAt || this.#isDisposed || !this.view.visible) return;
    clearTimeout(this.#times);
    this.#times = undefined;
    this.#timesAt = at;
    if (at === Infinity) return;
    // No unref: what Node keeps of a timer that is no reason to stay awake outlives its being cleared, by up to a day here.
    const wait = Math.min(Math.max(at - Date.now(), this.#options.timesEveryMs), LONGEST_MS);
    this.#times = setTimeout(() => {
      this.#timesAt = Infinity;
      this.changed();
    }, wait);
  }

  #clearSettling(): void {
    clearTimeout(this.#settling);
    this.#settling = undefined;
  }

  /** What is due stays due; nothing is drawn until the view is shown. */
  #stop(): void {
    this.#clearSettling();
    this.#reminder.stop();
    clearTimeout(this.#times);
    this.#times = undefined;
    this.#timesAt = Infinity;
    // What time has changed by then.
    if (!this.#isDisposed) this.#due.add(undefined);
  }
}
