import type * as vscode from "vscode";
import type { RowNode, RowSource } from "./drawnRows.ts";
import { RowTree, type TreeOptions } from "./rowTree.ts";

/** The rows of a view. */
interface ViewRows<Node extends RowNode> extends RowSource<Node, vscode.TreeItem> {
  /** Called when the view is shown, and when it is hidden. */
  visibilityChanged(isVisible: boolean): void;
}

/** A tree view that is there at once; what its rows come from is loaded when it is seen first. */
export class LateTree<Node extends RowNode> {
  readonly tree: RowTree<Node>;
  readonly #load: () => Promise<unknown>;
  #rows: ViewRows<Node> | undefined;
  readonly #followers: ((isVisible: boolean) => void)[] = [];

  /** @param load leads to {@link fill} */
  constructor(id: string, load: () => Promise<unknown>, options: Omit<TreeOptions<Node>, "onVisibility">) {
    this.#load = load;
    this.tree = new RowTree<Node>(
      id,
      {
        childrenOf: (node) => this.#rows?.childrenOf(node) ?? this.#loadedChildrenOf(node),
        draw: (node) => this.#filled().draw(node),
        renew: (known, now) => this.#rows?.renew(known, now),
      },
      { ...options, onVisibility: (isVisible) => this.#visibilityChanged(isVisible) },
    );
    this.#visibilityChanged(this.tree.view.visible);
  }

  /** Gives the view its rows. */
  fill(rows: ViewRows<Node>): void {
    this.#rows = rows;
    rows.visibilityChanged(this.tree.view.visible);
  }

  async #loadedChildrenOf(node: Node | undefined): Promise<readonly Node[]> {
    await this.#load();
    return this.#filled().childrenOf(node);
  }

  /** @param follow is called now, and each time that the view is shown or hidden */
  followVisibility(follow: (isVisible: boolean) => void): void {
    this.#followers.push(follow);
    follow(this.tree.view.visible);
  }

  #filled(): ViewRows<Node> {
    if (!this.#rows) throw new Error("The rows of this view are not loaded.");
    return this.#rows;
  }

  #visibilityChanged(isVisible: boolean): void {
    for (const follow of this.#followers) follow(isVisible);
    if (this.#rows) this.#rows.visibilityChanged(isVisible);
    // What can't be loaded stands in the view in place of its rows.
    else if (isVisible) this.#load().catch(() => undefined);
  }
}
