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
  /** Whether an answer was lost that the editor was given for its children. */
  isLost: boolean;
}

/** A question of the editor for a list, by which two at the same time are told apart. */
interface Question {
  /** Whether it was asked while another one for the same list was not answered. */
  readonly overlaps: boolean;
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
  /** Unfolded rows whose children the editor had and will ask for again, and has not yet. */
  readonly #unlisted = new Set<Drawn<Node, Item>>();
  /** The newest question for each list, by the row above it, as long as it is not answered. */
  readonly #questions = new Map<string | undefined, Question>();
  #areRootsLost = false;
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

  /**
   * Whether the editor was told of something, or given rows, and has not asked yet for the drawings, or for the lists
   * below those that are unfolded.
   */
  get isAwaiting(): boolean {
    return this.#awaited.size + this.#unlisted.size > 0;
  }

  /** Whether the editor waits for rows that it asked for. */
  get isAnswering(): boolean {
    return this.#questions.size > 0;
  }

  /**
   * Whether the list below a row, or of the roots, has to be told again: the editor asks twice at the same time where a
   * row is revealed while its list is drawn, drops the first of the two answers, and takes it for an empty list
   * (`_childrenFetchTokens` of extHostTreeViews.ts).
   */
  isLost(of: Node | undefined): boolean {
    return of ? (this.#byId.get(of.id)?.isLost ?? false) : this.#areRootsLost;
  }

  /** The editor is told to ask for everything again. */
  begun(): void {
    this.#awaited.clear();
    this.#unlisted.clear();
    this.#awaited.add(undefined);
    this.#areRootsAsked = false;
    this.#areRootsLost = false;
  }

  /** The rows below one, for the editor, which forgets at the same time what it knew of the rows below these. */
  async children(of: Node | undefined): Promise<readonly Node[]> {
    const asked = of && this.#byId.get(of.id);
    if (asked) this.#unlisted.delete(asked);
    const { answer: fresh, isLost } = await this.#answered(of);
    const under = of && this.#byId.get(of.id);
    // The row went while the list was made: what was below it is drawn no more.
    if (of && !under) return fresh;
    const before = of ? (under?.children ?? []) : this.#roots;
    const children = fresh.map((node) => this.#adopted(node, under));
    const kept = new Set(children);
    for (const child of before) if (!kept.has(child)) this.#forget(child);
    for (const child of children) {
      this.#forgetAwaited(child);
      child.item = undefined;
      child.isLost = false;
      this.#awaited.add(child);
      this.#expectList(child);
    }
    if (!of) this.#awaited.delete(undefined);
    if (under) {
      under.children = children;
      under.isAsked = true;
      under.isLost ||= isLost;
    } else if (!of) {
      this.#roots = children;
      this.#areRootsAsked = true;
      this.#areRootsLost ||= isLost;
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
    if (!drawn) return;
    drawn.isFolded = isFolded;
    if (isFolded) this.#forgetUnlisted(drawn);
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
    if (!this.#renewed(known, fresh) || this.#areRootsLost) {
      this.begun();
      return "roots";
    }
    for (const child of known) await this.#compare(child, changed, turns);
    return changed;
  }

  /**
   * The editor is told of a row, whether it looks otherwise or not.
   *
   * @returns whether it is to be told: not of a row that it asks for anyway, nor of one whose list is unfolded, which it would
   * create anew
   */
  told(node: Node): boolean {
    const drawn = this.#byId.get(node.id);
    if (drawn?.item === undefined || !this.#isInList(drawn)) return false;
    if (drawn.children.length > 0 && !drawn.isFolded) return false;
    this.#tell(drawn);
    return true;
  }

  /** Which of these rows look otherwise now; what is below them is left alone. */
  redrawn(nodes: Iterable<Node>): Node[] {
    const changed: Node[] = [];
    for (const { id } of nodes) {
      const drawn = this.#byId.get(id);
      if (drawn && this.#isInList(drawn) && this.#isRedrawn(drawn)) changed.push(drawn.node);
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
    if (!this.#renewed(known, fresh) || drawn.isLost) {
      this.#tell(drawn);
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
    this.#tell(drawn);
    return true;
  }

  /** The editor is told of a row: it asks for its drawing and, where it is unfolded, for the rows below it. */
  #tell(drawn: Drawn<Node, Item>): void {
    this.#awaited.add(drawn);
    drawn.isLost = false;
    this.#expectList(drawn);
  }

  /** The editor forgets the rows below one, and asks for them again if it had them and the row is unfolded. */
  #expectList(drawn: Drawn<Node, Item>): void {
    if (drawn.isAsked && !drawn.isFolded) this.#unlisted.add(drawn);
    drawn.isAsked = false;
  }

  /**
   * Whether the editor has a row in a list that it will not ask for again: of a row in another one, what it is told may
   * be lost with the list (`MainThreadTreeViews.$refresh` finds the row that is about to be replaced).
   */
  #isInList({ under }: Drawn<Node, Item>): boolean {
    return under ? under.isAsked && this.#isInList(under) : this.#areRootsAsked;
  }

  /** The rows below one as they are, and whether the editor may have lost them by asking twice at the same time. */
  async #answered(of: Node | undefined): Promise<{ answer: readonly Node[]; isLost: boolean }> {
    const key = of?.id;
    const question: Question = { overlaps: this.#questions.has(key) };
    this.#questions.set(key, question);
    try {
      const answer = await this.#source.childrenOf(of);
      return { answer, isLost: question.overlaps && this.#questions.get(key) === question };
    } finally {
      if (this.#questions.get(key) === question) this.#questions.delete(key);
    }
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
    const drawn: Drawn<Node, Item> = {
      ...{ node, under, item: undefined, children: [] },
      ...{ isAsked: false, isFolded: false, isLost: false },
    };
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

  /** What is below a folded row is asked for when that is unfolded. */
  #forgetUnlisted(drawn: Drawn<Node, Item>): void {
    this.#unlisted.delete(drawn);
    if (this.#unlisted.size > 0) for (const child of drawn.children) this.#forgetUnlisted(child);
  }

  #forget(drawn: Drawn<Node, Item>): void {
    this.#awaited.delete(drawn);
    this.#unlisted.delete(drawn);
    if (this.#byId.get(drawn.node.id) === drawn) this.#byId.delete(drawn.node.id);
    for (const child of drawn.children) this.#forget(child);
  }

  #draw(node: Node): Item {
    const { item, changesAt = Infinity } = this.#source.draw(node);
    this.#nextChange = Math.min(this.#nextChange, changesAt);
    return item;
  }
}
