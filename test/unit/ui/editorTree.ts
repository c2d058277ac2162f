import type { DrawnRows, RowNode } from "../../../src/editor/ui/drawnRows.ts";

/**
 * What VS Code's extension host keeps of a tree view (extHostTreeViews.ts): every row that it asks for is created, the
 * rows below one that it is told of are forgotten, and those below an unfolded one are asked for again.
 */
export class EditorTree<Node extends RowNode, Item> {
  readonly #rows: DrawnRows<Node, Item>;
  readonly #isUnfolded: (node: Node) => boolean;
  readonly #children = new Map<Node | undefined, readonly Node[]>();
  readonly #items = new Map<Node, Item>();
  /** Rows that were created since it was last set to 0. */
  created = 0;

  constructor(rows: DrawnRows<Node, Item>, isUnfolded: (node: Node) => boolean) {
    this.#rows = rows;
    this.#isUnfolded = isUnfolded;
  }

  async show(): Promise<void> {
    await this.#ask(undefined);
  }

  /** Has the rows compared and draws what it is told of. */
  async refresh(of?: Node): Promise<void> {
    const changed = await this.#rows.changes(of);
    if (changed === "roots") {
      this.#children.clear();
      this.#items.clear();
      await this.#ask(undefined);
    } else {
      await this.draw(changed);
    }
  }

  async draw(nodes: readonly Node[]): Promise<void> {
    for (const node of nodes) {
      // It ignores rows that it does not have.
      if (!this.#items.has(node)) continue;
      this.#create(node);
      this.#forgetBelow(node);
      if (this.#isUnfolded(node)) await this.#ask(node);
    }
  }

  async unfold(node: Node): Promise<void> {
    this.#rows.fold(node, false);
    if (this.#children.has(node)) await this.refresh(node);
    else await this.#ask(node);
  }

  /** Finds a row by its own object, or by its id if it was given another object (`_resolveTreeNode` there). */
  reveal(node: Node): void {
    if (!this.#items.has(node)) this.#rows.item(node);
  }

  /** What stands on the screen, a line for a row. */
  async lines(words: (item: Item) => string, of?: Node, depth = 0): Promise<string[]> {
    const lines: string[] = [];
    for (const node of this.#children.get(of) ?? []) {
      const item = this.#items.get(node);
      if (item === undefined) throw new Error(`${node.id} was never created.`);
      lines.push("  ".repeat(depth) + words(item), ...(await this.lines(words, node, depth + 1)));
    }
    return lines;
  }

  async #ask(of: Node | undefined): Promise<void> {
    const children = await this.#rows.children(of);
    this.#children.set(of, children);
    for (const child of children) this.#create(child);
    for (const child of children) if (this.#isUnfolded(child)) await this.#ask(child);
  }

  #create(node: Node): void {
    this.#items.set(node, this.#rows.item(node));
    this.created++;
  }

  #forgetBelow(node: Node): void {
    for (const child of this.#children.get(node) ?? []) {
      this.#items.delete(child);
      this.#forgetBelow(child);
    }
    this.#children.delete(node);
  }
}
