import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { filterActions, type FilteredActions } from "../../core/ledger/actions/actionFilter.ts";
import type { ActionNames } from "../../core/ledger/actions/actionNames.ts";
import { actionRow, reasonRow } from "../../core/ledger/actions/actionRows.ts";
import { searchWords } from "../../core/ledger/actions/actionSearch.ts";
import { childrenOf, failingPath, NONE } from "../../core/ledger/actions/actionTree.ts";
import { outcomePositions } from "../../core/ledger/transactions/transactionOutcome.ts";
import type { ContractAction } from "../../core/ledger/actions/contractAction.ts";
import { counted } from "../../core/text/counted.ts";
import { inTheirPlaces } from "../../core/ledger/itemPlaces.ts";
import { limitWords } from "../../core/http/rateLimits.ts";
import {
  contentRow,
  pagingRow,
  problemRow,
  waitingChanges,
  waitingWords,
} from "../../core/ledger/itemRows.ts";
import { pagesOf, type ContentOf, type LedgerItem, type LedgerItems } from "../../core/ledger/ledgerItems.ts";
import { MENDING_CONTEXTS, type LedgerRow } from "../../core/rows/ledgerRow.ts";
import type { LedgerNetwork } from "../../core/ledger/references/network.ts";
import type { Drawing } from "../ui/drawnRows.ts";
import { emptyItem, rowItem } from "../ui/rowItem.ts";
import { describeView } from "../ui/viewTexts.ts";
import type { LateTree } from "../ui/lateTree.ts";
import { ledgerMending } from "./ledgerSetting.ts";
import { fact, type LedgerNode } from "./ledgerTree.ts";
import type { RowTree } from "../ui/rowTree.ts";
import { foreign, foreignSentence, joined, shown } from "../../core/text/shownText.ts";

/** More siblings than this are put into groups, so that neither the view nor a reader drowns. */
const GROUP_SIZE = 100;
/** Loading that ends within this time changes no row: a row that changes has all those below it created anew. */
const BUSY_AFTER_MS = 1_000;
/** Names that are found within this time are there when their row is created. */
const NAMED_WITHIN_MS = 250;
/** How many names are looked up at once. */
const NAMING_AT_ONCE = 6;

type Actions = ContentOf<"transaction">;

/** The `ledgerLens.ledger` view: what was opened on the chosen network. */
export class LedgerView implements vscode.Disposable {
  readonly #items: LedgerItems;
  readonly #network: () => LedgerNetwork;
  readonly #tree: RowTree<LedgerNode>;
  readonly #disposables: readonly { dispose(): unknown }[];
  readonly #filters = new Map<string, string>();
  readonly #filtered = new WeakMap<object, { readonly key: string; readonly shown: FilteredActions }>();
  readonly #toName = new Map<string, LedgerNode>();
  /** The items by their id, as they stand in the view. */
  #places: readonly string[] = [];
  /** Items that came back with their network. */
  #folded: ReadonlySet<string> = new Set();
  #networkId: string | undefined;
  /** Items that have been loading for a while. */
  readonly #busy = new Set<string>();
  readonly #busyTimers = new Map<string, NodeJS.Timeout>();
  #naming = 0;
  /** Called when no name is being looked up. */
  readonly #onNamed = new Set<() => void>();
  #hidesStatic = false;

  /** @param onVisible is called when the view is shown */
  constructor(
    items: LedgerItems,
    network: () => LedgerNetwork,
    late: LateTree<LedgerNode>,
    onVisible: () => void,
  ) {
    this.#items = items;
    this.#network = network;
    this.#tree = late.tree;
    this.#disposables = [
      { dispose: items.onChange((id) => this.#changed(id)) },
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("ledgerLens.ledgerUrl")) this.#networkChanged();
      }),
    ];
    late.fill({
      childrenOf: (node) => this.#childrenOf(node),
      draw: (node) => this.#draw(node),
      renew: renewNode,
      visibilityChanged: (isVisible) => {
        if (isVisible) onVisible();
      },
    });
    this.#networkChanged();
  }

  /** Whether static calls are left out. */
  get hidesStatic(): boolean {
    return this.#hidesStatic;
  }

  set hidesStatic(hides: boolean) {
    this.#hidesStatic = hides;
    void vscode.commands.executeCommand("setContext", "ledgerLens.hidesStaticCalls", hides);
    this.#tree.changed();
  }

  /** The text that the actions of an item are filtered by; empty for none. */
  filterOf(itemId: string): string {
    return this.#filters.get(itemId) ?? "";
  }

  /** Filters the actions of an item by what they say, whole, which is looked up before. */
  async filter(itemId: string, text: string): Promise<void> {
    if (text !== "") await this.nameAll(itemId);
    if (text === "") this.#filters.delete(itemId);
    else this.#filters.set(itemId, text);
    this.#changed(itemId);
  }

  /** Names every action of an item, so that all of them can be searched or copied. */
  async nameAll(itemId: string, signal?: AbortSignal): Promise<void> {
    const content = this.#items.get(itemId)?.content;
    if (content?.kind !== "transaction") return;
    for (const one of content.actions.tree.actions) await content.namer.name(one, signal);
  }

  /** Which actions are shown; everything where nothing is filtered. */
  shownActions(itemId: string, { actions: { tree }, namer }: Actions): FilteredActions | undefined {
    const text = this.filterOf(itemId);
    if (text === "" && !this.#hidesStatic) return undefined;
    const key = `${this.#hidesStatic} ${text}`;
    const known = this.#filtered.get(tree);
    if (known?.key === key) return known.shown;
    const shown = filterActions(tree, { text, hideStatic: this.#hidesStatic }, (at) =>
      searchWords(tree, at, namesOf({ tree, namer }, at)),
    );
    this.#filtered.set(tree, { key, shown });
    return shown;
  }

  /** What is known by name of the action of a node. */
  namesOf(node: LedgerNode): ActionNames | undefined {
    const content = this.#items.get(node.itemId)?.content;
    const action = this.actionOf(node);
    return content?.kind === "transaction" && action ? content.namer.known(action) : undefined;
  }

  /** The action of a node, or the one that a node tells something of. */
  actionOf(node: LedgerNode): ContractAction | undefined {
    const content = this.#items.get(node.itemId)?.content;
    const at = node.type === "action" ? node.at : node.parent?.type === "action" ? node.parent.at : undefined;
    return content?.kind === "transaction" && at !== undefined ? content.actions.tree.actions[at] : undefined;
  }

  /** What the call of a row opens. */
  openingOf(node: LedgerNode): LedgerRow["opens"] {
    const content = this.#items.get(node.itemId)?.content;
    if (node.type !== "action" || content?.kind !== "transaction") return undefined;
    return actionRow(content.actions.tree, node.at, this.namesOf(node)).opens;
  }

  /** Shows an item, open. */
  async reveal(itemId: string, { focus }: { readonly focus: boolean }): Promise<void> {
    // Another network may have been chosen meanwhile, whose rows are others.
    const isThere = () => this.#items.visible().some(({ id }) => id === itemId);
    await this.#tree.reveal(() => (isThere() ? this.#rootNode(itemId) : undefined), {
      select: true,
      focus,
      expand: true,
    });
  }

  /** Opens the way to where a transaction failed, without moving the selection. */
  async revealOrigin(itemId: string): Promise<void> {
    const content = this.#items.get(itemId)?.content;
    if (content?.kind !== "transaction" || !this.#tree.view.visible) return;
    const origin = failingPath(content.actions.tree).at(-1);
    if (origin === undefined) return;
    const node = this.#actionNode(itemId, content, origin);
    await this.#tree.reveal(() => node, { select: false, focus: false, expand: true });
  }

  dispose(): void {
    this.#toName.clear();
    for (const end of this.#onNamed) end();
    for (const timer of this.#busyTimers.values()) clearTimeout(timer);
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #childrenOf(node: LedgerNode | undefined): LedgerNode[] | Promise<LedgerNode[]> {
    if (!node) {
      // What is wrong with the network's address stands above the rows.
      if (this.#tree.view.message) return [];
      return this.#inTheirPlaces().map(({ id }) => this.#rootNode(id));
    }
    if (node.type === "item") return this.#childrenOfItem(node);
    if (node.type === "fact") return facts(node, node.row.children ?? []);
    const item = this.#items.get(node.itemId);
    if (item?.content?.kind !== "transaction") return [];
    if (node.type === "group")
      return this.#namedSoon(
        node.positions.map((at) => action(node, at)),
        item.content,
      );
    return this.#namedSoon(this.#childrenOfAction(node, node.at, item.content), item.content);
  }

  /**
   * The items, each where it was: one that is opened again is shown and selected where it stands, for the list of the
   * roots can't change without all rows being created anew.
   */
  #inTheirPlaces(): LedgerItem[] {
    const places = inTheirPlaces(this.#items.visible(), this.#places);
    this.#places = places.map(({ id }) => id);
    return places;
  }

  #draw(node: LedgerNode): Drawing<vscode.TreeItem> {
    const item = this.#items.get(node.itemId);
    switch (node.type) {
      case "item":
        return item ? this.#itemDrawing(node, item) : { item: emptyItem() };
      case "fact":
        return { item: factItem(node, node.row), changesAt: node.row.changesAt };
      case "group":
        return { item: groupItem(node, node.positions, item?.content) };
      case "action":
        return { item: this.#actionItem(node, node.at, item) };
    }
  }

  #actionItem(node: LedgerNode, at: number, item: LedgerItem | undefined): vscode.TreeItem {
    if (item?.content?.kind !== "transaction") return emptyItem();
    const { actions, namer } = item.content;
    const { tree } = actions;
    const names = namesOf({ tree, namer }, at);
    if (!names) this.#lookUpName(node);
    const path = failingPath(tree);
    const row = actionRow(tree, at, names, path, (one) => namer.known(one));
    const hasChildren = (tree.firstChild[at] ?? NONE) !== NONE || path.at(-1) === at;
    const drawn = rowItem(row, node.id, hasChildren);
    // A click on a call unfolds what it called; where that is nothing, it does what the menu offers.
    return hasChildren ? withOpenMenu(drawn, row) : openedByClick(drawn, node, row);
  }

  async #childrenOfItem(node: LedgerNode): Promise<LedgerNode[]> {
    const before = this.#items.get(node.itemId);
    // A remembered item is loaded when its row is opened.
    if (before && !before.content && !before.problem && !before.loading) {
      await this.#items.refresh(node.itemId).catch(() => undefined);
    }
    const item = this.#items.get(node.itemId);
    if (!item) return [];
    const { content, problem } = item;
    const end = [
      ...(problem && !item.loading ? [problemRow(problem.message, ledgerMending(problem))] : []),
      ...[pagingRow(item, pagesOf(content), Date.now())].filter((row) => row !== undefined),
    ];
    if (content?.kind !== "transaction") {
      this.#items.lookIntoSchedules(item.id);
      const rows = content ? (contentRow(item.canonical, content, Date.now()).children ?? []) : [];
      return facts(node, [...rows, ...end]);
    }
    const { tree } = content.actions;
    if (tree.actions.length === 0)
      return facts(node, [...(contentRow(item.canonical, content, Date.now()).children ?? []), ...end]);
    const shown = this.shownActions(item.id, content);
    const roots = tree.roots.filter((at) => !shown || shown.visible[at] === 1);
    return [
      ...facts(node, this.#filterRows(item.id, content, shown)),
      ...(await this.#namedSoon(grouped(node, roots), content)),
      ...facts(node, end),
    ];
  }

  #childrenOfAction(node: LedgerNode, at: number, content: Actions): LedgerNode[] {
    const { tree } = content.actions;
    const shown = this.shownActions(node.itemId, content);
    const children = childrenOf(tree, at).filter((child) => !shown || shown.visible[child] === 1);
    return [
      ...grouped(node, children),
      ...(failingPath(tree).at(-1) === at ? facts(node, [reasonRow(tree, at, this.namesOf(node))]) : []),
    ];
  }

  /** The node of an action, through its callers and their groups. */
  #actionNode(itemId: string, content: Actions, at: number): LedgerNode | undefined {
    const { tree } = content.actions;
    const above = tree.parent[at] ?? NONE;
    const parent = above === NONE ? this.#rootNode(itemId) : this.#actionNode(itemId, content, above);
    if (!parent) return undefined;
    const shown = this.shownActions(itemId, content);
    const siblings = (above === NONE ? [...tree.roots] : childrenOf(tree, above)).filter(
      (one) => !shown || shown.visible[one] === 1,
    );
    for (const node of grouped(parent, siblings)) {
      if (node.type === "action" && node.at === at) return node;
      if (node.type === "group" && node.positions.includes(at)) return action(node, at);
    }
    return undefined;
  }

  #filterRows(itemId: string, { actions }: Actions, filtered: FilteredActions | undefined): LedgerRow[] {
    if (!filtered) return [];
    const text = this.filterOf(itemId);
    const all = actions.tree.actions.length;
    const hidden = all - filtered.visible.reduce((sum, one) => sum + one, 0);
    return [
      ...(text === ""
        ? []
        : [
            {
              id: "filter",
              label: shown`Filtered by “${text}”`,
              description: shown`${filtered.matches.toLocaleString("en-US")} of ${counted(all, "action")}`,
              icon: "filter",
              context: "filter",
            },
          ]),
      ...(this.#hidesStatic && text === ""
        ? [
            {
              id: "static",
              label: shown`Static calls are hidden`,
              description: shown`${counted(hidden, "action")}`,
              icon: "eye-closed",
              context: "static",
            },
          ]
        : []),
    ];
  }

  #itemDrawing(node: LedgerNode, item: LedgerItem): Drawing<vscode.TreeItem> {
    const { content, loading, problem } = item;
    const now = Date.now();
    const row: LedgerRow = content
      ? contentRow(item.canonical, content, now)
      : {
          id: item.id,
          label: foreignSentence(item.label),
          description: foreignSentence(item.description),
          icon: ICONS[item.kind],
          context: item.kind,
        };
    const network = this.#network();
    const drawnRow: LedgerRow = {
      ...row,
      // What was opened now is open; what is remembered is loaded, and what came back with its network drawn, when
      // the row is unfolded.
      expanded: !this.#folded.has(item.id) && (content !== undefined || loading !== undefined),
      ...(loading &&
        !content && { description: waitingWords(loading, now) ?? shown`loading`, icon: "sync~spin" }),
      ...(problem &&
        !content && {
          description: foreignSentence(problem.message),
          icon: "warning",
          color: "warning" as const,
        }),
    };
    const { waiting } = item;
    const mending = problem && !content ? ledgerMending(problem) : undefined;
    const limit = loading ? undefined : limitWords(waiting, now);
    const words = joined(
      [limit ?? shown``, drawnRow.description ?? shown``, item.pinned ? shown`pinned` : shown``],
      " · ",
    );
    const drawn = rowItem({ ...drawnRow, description: words }, item.id, true);
    drawn.contextValue = [
      "item",
      drawn.contextValue,
      item.pinned ? "pinned" : "unpinned",
      ...(content ? ["loaded"] : []),
      ...(mending === undefined ? [] : [MENDING_CONTEXTS[mending]]),
      ...(loading && (!content || this.#busy.has(item.id)) ? ["busy"] : []),
      ...(network.explorerUrl !== undefined && item.kind !== "schedules" ? ["explorable"] : []),
    ].join(" ");
    if (item.kind === "transaction")
      drawn.command = { command: "ledgerLens.openTransactionPage", title: t`Open Page`, arguments: [node] };
    return {
      item: drawn,
      changesAt: { ...row, ...waitingChanges(loading ?? (limit && waiting), now) }.changesAt,
    };
  }

  #rootNode(itemId: string): LedgerNode {
    return this.#tree.known(itemId) ?? { type: "item", id: itemId, itemId, parent: undefined };
  }

  /** Waits a little for the names of actions: a row without its name is created a second time when that is found. */
  async #namedSoon(nodes: LedgerNode[], { actions: { tree }, namer }: Actions): Promise<LedgerNode[]> {
    const unnamed = nodes.filter(
      (node) =>
        node.type === "action" &&
        (!namesOf({ tree, namer }, node.at) || namer.wantsToken(tree.actions[node.at] ?? {})),
    );
    if (unnamed.length === 0) return nodes;
    for (const node of unnamed) this.#lookUpName(node);
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#onNamed.delete(end);
        resolve();
      };
      const timer = setTimeout(end, NAMED_WITHIN_MS);
      this.#onNamed.add(end);
    });
    return nodes;
  }

  #lookUpName(node: LedgerNode): void {
    this.#toName.set(node.id, node);
    while (this.#naming < NAMING_AT_ONCE && this.#toName.size > 0) void this.#nameNext();
  }

  async #nameNext(): Promise<void> {
    const [node] = this.#toName.values();
    if (node?.type !== "action") return;
    this.#toName.delete(node.id);
    this.#naming++;
    try {
      const content = this.#items.get(node.itemId)?.content;
      const found = content?.kind === "transaction" ? content.actions.tree.actions[node.at] : undefined;
      if (found && content?.kind === "transaction") {
        await this.#items.telling(node.itemId, () => content.namer.name(found));
        this.#tree.redraw(node);
        // The head says where it failed, by the same name.
        const head = this.#tree.known(node.itemId);
        if (head && outcomePositions(content.actions.tree).includes(node.at)) this.#tree.redraw(head);
        // It is in sight: its token is worth a question.
        if (await this.#items.telling(node.itemId, () => content.namer.lookUpTokens([found])))
          this.#tree.redraw(node);
      }
    } catch {
      // Only a cancelled request ends here: the row stays as it is.
    } finally {
      this.#naming--;
    }
    if (this.#toName.size > 0) void this.#nameNext();
    else if (this.#naming === 0) for (const end of this.#onNamed) end();
  }

  /** An item changed, or the list of them. */
  #changed(itemId: string | undefined): void {
    if (itemId !== undefined) this.#watchLoading(itemId);
    const known = itemId === undefined ? undefined : this.#tree.known(itemId);
    // Of an item that the editor has not got yet, only the list can tell.
    this.#tree.changed(known);
  }

  /** Says that an item is being loaded again once that takes long enough to be told, and to be stopped. */
  #watchLoading(itemId: string): void {
    if (!this.#items.get(itemId)?.loading) {
      clearTimeout(this.#busyTimers.get(itemId));
      this.#busyTimers.delete(itemId);
      this.#busy.delete(itemId);
    } else if (!this.#busyTimers.has(itemId)) {
      const timer = setTimeout(() => {
        this.#busy.add(itemId);
        this.#tree.changed(this.#tree.known(itemId));
      }, BUSY_AFTER_MS);
      this.#busyTimers.set(itemId, timer);
    }
  }

  #networkChanged(): void {
    try {
      const { id, name } = this.#network();
      if (this.#networkId !== undefined && this.#networkId !== id) {
        this.#folded = new Set(this.#items.visible().map((item) => item.id));
        this.#tree.replaced();
      }
      this.#networkId = id;
      describeView(this.#tree.view, { description: foreign(name), message: shown`` });
    } catch (error) {
      describeView(this.#tree.view, {
        description: shown``,
        message: foreignSentence((error as Error).message),
      });
    }
    this.#tree.changed();
  }
}

function renewNode(known: LedgerNode, now: LedgerNode): void {
  if (known.type === "fact" && now.type === "fact") known.row = now.row;
  if (known.type === "group" && now.type === "group") known.positions = now.positions;
}

const ICONS = {
  token: "symbol-misc",
  transaction: "list-tree",
  schedule: "watch",
  account: "account",
  schedules: "watch",
} as const;

function namesOf(
  {
    tree,
    namer,
  }: { readonly tree: { readonly actions: readonly ContractAction[] }; readonly namer: Actions["namer"] },
  at: number,
): ActionNames | undefined {
  const found = tree.actions[at];
  return found && namer.known(found);
}

function facts(parent: LedgerNode, rows: readonly LedgerRow[]): LedgerNode[] {
  return rows.map((row) => fact(row, parent));
}

function action(parent: LedgerNode, at: number): LedgerNode {
  // The position alone would do, were it not for the same action shown in a group.
  return { type: "action", id: `${parent.itemId}/action/${at}`, itemId: parent.itemId, parent, at };
}

function grouped(parent: LedgerNode, positions: readonly number[]): LedgerNode[] {
  if (positions.length <= GROUP_SIZE) return positions.map((at) => action(parent, at));
  const groups: LedgerNode[] = [];
  for (let start = 0; start < positions.length; start += GROUP_SIZE) {
    const part = positions.slice(start, start + GROUP_SIZE);
    groups.push({
      type: "group",
      id: `${parent.id}/from/${start}`,
      itemId: parent.itemId,
      parent,
      positions: part,
    });
  }
  return groups;
}

function groupItem(
  node: LedgerNode,
  positions: readonly number[],
  content: LedgerItem["content"],
): vscode.TreeItem {
  const path = content?.kind === "transaction" ? failingPath(content.actions.tree) : [];
  const isFailed = positions.some((at) => path.includes(at));
  const first = (positions[0] ?? 0) + 1;
  const last = (positions.at(-1) ?? 0) + 1;
  return rowItem(
    {
      id: node.id,
      label: shown`Actions ${first.toLocaleString("en-US")} to ${last.toLocaleString("en-US")}`,
      description: shown`${counted(positions.length, "call")}`,
      icon: isFailed ? "error" : "folder",
      ...(isFailed && { color: "error" as const, expanded: true }),
      context: "group",
    },
    node.id,
    true,
  );
}

/** Has the menu of a row offer to open what it names. */
function withOpenMenu(item: vscode.TreeItem, { opens }: LedgerRow): vscode.TreeItem {
  if (opens !== undefined) item.contextValue = `${item.contextValue ?? ""} opens`;
  return item;
}

/** Has a click on a row open what it names, beside its menu. */
function openedByClick(item: vscode.TreeItem, node: LedgerNode, row: LedgerRow): vscode.TreeItem {
  if (row.opens !== undefined)
    item.command = { command: "ledgerLens.openLedgerRow", title: t`Open`, arguments: [node] };
  return withOpenMenu(item, row);
}

function factItem(node: LedgerNode, row: LedgerRow): vscode.TreeItem {
  const item = openedByClick(rowItem(row, node.id, (row.children ?? []).length > 0), node, row);
  if (row.context?.startsWith("problem"))
    item.command = { command: "ledgerLens.refreshLedgerItem", title: t`Try Again`, arguments: [node] };
  if (row.context === "loadMore") {
    item.command = { command: "ledgerLens.loadMore", title: t`Load More`, arguments: [node] };
  }
  return item;
}
