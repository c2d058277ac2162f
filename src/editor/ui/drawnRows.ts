import { Turns } from "../../core/concurrency/turns.ts";

/** A row's own object: the same one for as long as the row is there, with what it says now. */
export interface RowNode {
  /** Unique in the view. */
  readonly id: string;
  readonly parent: RowNode | undefined;
}

/** A row as it looks now. */
export interface Drawing<Item> {
  readonly item: Item;
  /** When its words change because time passes: milliseconds since the epoch. */
  readonly changesAt?: number | undefined;
}

/** Where rows come from. */
export interface RowSource<Node extends RowNode, Item> {
  /** The rows below one, or the roots, as they are now. Their objects may be new each time; their ids are not. */
  childrenOf(node: Node | undefined): readonly Node[] | Promise<readonly Node[]>;
  draw(node: Node): Drawing<Item>;
  /** Gives the object that a row has what the row says now. */
  renew(known: Node, now: Node): void;
}

/** A row as the editor has it. */
interface Drawn<Node extends RowNode, Item> {
  readonly node: Node;
  readonly under: Drawn<Node, Item> | undefined;
  /** As the editor was told; absent until it asks. */
  item: Item | undefined;
  children: readonly Drawn<Node, Item>[];
  /** Whether the editor has the children; it forgets them with every change above them, and asks again. */
  isAsked: boolean;
  isFolded: boolean;
}

/**
 * What the editor has drawn of a tree of rows, and which rows differ from it. The editor keeps something of every row
 * that it ever created (about 170 bytes in its extension host), and it creates every row below one that it is told of:
 * so the deepest rows that changed are told, and no others.
 */
export class DrawnRows<Node extends RowNode, Item> {
  readonly #source: RowSource<Node, Item>;
  readonly #byId = new Map<string, Drawn<Node, Item>>();
  #roots: readonly Drawn<Node, Item>[] = [];
  #areRootsAsked = false;
  /** What the editor has to ask for and has not yet: the drawing of a row, or (`undefined`) the roots. */
  readonly #awaited = new Set<Drawn<Node, Item> | undefined>();
  readonly #isSame: (one: Item, other: Item) => boolean;
  #nextChange = Infinity;

  /** @param isSame whether two drawings of a row can't be told apart */
  constructor(source: RowSource<Node, Item>, isSame: (one: Item, other: Item) => boolean) {
    this.#source = source;
    this.#isSame = isSame;
  }

  /** The earliest moment at which time alone changes what a drawn row says; `Infinity` where no row tells a time. */
  get nextChange(): number {
    return this.#nextChange;
  }

  /** Whether the editor was told of something, or given rows, and has not asked for the drawings yet. */
  get isAwaiting(): boolean {
    return this.#awaited.size > 0;
  }

  /** The editor is told to ask for everything again. */
  begun(): void {
    this.#awaited.clear();
    this.#awaited.add(undefined);
    this.#areRootsAsked = false;
  }

  /** The rows below one, for the editor, which forgets at the same time what it knew of the rows below these. */
  async children(of: Node | undefined): Promise<readonly Node[]> {
    const fresh = await this.#source.childrenOf(of);
    const under = of && this.#byId.get(of.id);
    const before = of ? (under?.children ?? []) : this.#roots;
    const children = fresh.map((node) => this.#adopted(node, under));
    const kept = new Set(children);
    for (const child of before) if (!kept.has(child)) this.#forget(child);
    for (const child of children) {
      this.#forgetAwaited(child);
      child.item = undefined;
      child.isAsked = false;
      this.#awaited.add(child);
    }
    if (!of) this.#awaited.delete(undefined);
    if (under) {
      under.children = children;
      under.isAsked = true;
    } else if (!of) {
      this.#roots = children;
      this.#areRootsAsked = true;
    }
    return children.map(({ node }) => node);
  }

  /**
   * A row, for the editor. It draws only objects that it was given as children; of another one for the same row, which
   * a row may be revealed by, it takes the id and nothing else.
   */
  item(node: Node): Item {
    const item = this.#draw(node);
    const drawn = this.#byId.get(node.id);
    if (drawn?.node === node) {
      drawn.item = item;
      this.#forgetAwaited(drawn);
    }
    return item;
  }

  /** The rows below a folded one are not seen: they are looked at again when it is unfolded. */
  fold(node: Node, isFolded: boolean): void {
    const drawn = this.#byId.get(node.id);
    if (drawn) drawn.isFolded = isFolded;
  }

  /** The object that the editor knows for a row. */
  known(id: string): Node | undefined {
    return this.#byId.get(id)?.node;
  }

  /**
   * Which rows the editor has to draw again: those whose own drawing differs, and those whose list of children does.
   * `"roots"` stands for the list of the roots, and with it for everything.
   *
   * @param of the row below which something may have changed; everywhere by default
   */
  async changes(of?: Node): Promise<"roots" | Node[]> {
    const changed: Node[] = [];
    const turns = new Turns();
    if (of) {
      const drawn = this.#byId.get(of.id);
      if (drawn) await this.#compare(drawn, changed, turns);
      return changed;
    }
    if (!this.#areRootsAsked) return changed;
    const known = this.#roots;
    const fresh = await this.#source.childrenOf(undefined);
    // The editor asked in the meantime: it has the newest.
    if (this.#roots !== known) return changed;
    this.#nextChange = Infinity;
    if (!this.#renewed(known, fresh)) {
      this.begun();
      return "roots";
    }
    for (const child of known) await this.#compare(child, changed, turns);
    return changed;
  }

  /** Which of these rows look otherwise now; what is below them is left alone. */
  redrawn(nodes: Iterable<Node>): Node[] {
    const changed: Node[] = [];
    for (const { id } of nodes) {
      const drawn = this.#byId.get(id);
      if (drawn && this.#isRedrawn(drawn)) changed.push(drawn.node);
    }
    return changed;
  }

  async #compare(drawn: Drawn<Node, Item>, changed: Node[], turns: Turns): Promise<void> {
    if (turns.isOver) await turns.next();
    if (this.#isRedrawn(drawn)) {
      changed.push(drawn.node);
      return;
    }
    const known = drawn.children;
    if (!drawn.isAsked || drawn.isFolded) return;
    const fresh = await this.#source.childrenOf(drawn.node);
    if (drawn.children !== known) return;
    if (!this.#renewed(known, fresh)) {
      drawn.isAsked = false;
      this.#awaited.add(drawn);
      changed.push(drawn.node);
      return;
    }
    for (const child of known) await this.#compare(child, changed, turns);
  }

  #isRedrawn(drawn: Drawn<Node, Item>): boolean {
    // Where the editor has not asked yet, it will.
    if (drawn.item === undefined) return false;
    const item = this.#draw(drawn.node);
    if (this.#isSame(drawn.item, item)) return false;
    drawn.item = item;
    drawn.isAsked = false;
    this.#awaited.add(drawn);
    return true;
  }

  /** Gives known rows what they say now; false where the list is another one. */
  #renewed(known: readonly Drawn<Node, Item>[], fresh: readonly Node[]): boolean {
    if (known.length !== fresh.length || known.some(({ node }, at) => node.id !== fresh[at]?.id))
      return false;
    for (const [at, { node }] of known.entries()) this.#renew(node, fresh[at] ?? node);
    return true;
  }

  #adopted(node: Node, under: Drawn<Node, Item> | undefined): Drawn<Node, Item> {
    const known = this.#byId.get(node.id);
    if (known && known.under === under) {
      this.#renew(known.node, node);
      return known;
    }
    const drawn = { node, under, item: undefined, children: [], isAsked: false, isFolded: false };
    this.#byId.set(node.id, drawn);
    return drawn;
  }

  #renew(known: Node, now: Node): void {
    if (known !== now) this.#source.renew(known, now);
  }

  /** With a row that it asks for, the editor forgets what it was to ask for below it. */
  #forgetAwaited(drawn: Drawn<Node, Item>): void {
    this.#awaited.delete(drawn);
    if (this.#awaited.size > 0) for (const child of drawn.children) this.#forgetAwaited(child);
  }

  #forget(drawn: Drawn<Node, Item>): void {
    this.#awaited.delete(drawn);
    if (this.#byId.get(drawn.node.id) === drawn) this.#byId.delete(drawn.node.id);
    for (const child of drawn.children) this.#forget(child);
  }

  #draw(node: Node): Item {
    const { item, changesAt = Infinity } = this.#source.draw(node);
    this.#nextChange = Math.min(this.#nextChange, changesAt);
    return item;
  }
}
