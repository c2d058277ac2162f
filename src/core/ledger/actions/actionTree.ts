import { isSameAddress } from "../../evm/address.ts";
import { calledAddress, operationOf, outcomeOf, type ContractAction } from "./contractAction.ts";
import { integerText } from "../../text/exactDecimal.ts";

/** No action. */
export const NONE = -1;

/**
 * The nesting of contract actions. Positions are places in {@link actions}, which is in order of execution;
 * links between them are typed arrays, so 10,000 actions cost four allocations and no recursion.
 */
export interface ActionTree {
  /** In order of execution. */
  readonly actions: readonly ContractAction[];
  /** Position of the parent, or {@link NONE}. */
  readonly parent: Int32Array;
  readonly firstChild: Int32Array;
  readonly nextSibling: Int32Array;
  /** Positions of the actions without a parent. */
  readonly roots: readonly number[];
}

/**
 * Nests actions: the parent is the nearest earlier action (by index) with a smaller depth. Pages in any order, gaps,
 * jumps of depth and several roots are fine. An action that came twice, the same in every field, counts once;
 * actions that merely share an index are all kept. One without an index stays behind the one that it came after,
 * and one without a depth beside it.
 */
export function buildActionTree(received: readonly ContractAction[]): ActionTree {
  const actions = inOrderOfExecution(received);
  const count = actions.length;
  const parent = new Int32Array(count).fill(NONE);
  const firstChild = new Int32Array(count).fill(NONE);
  const nextSibling = new Int32Array(count).fill(NONE);
  const lastChild = new Int32Array(count).fill(NONE);
  const roots: number[] = [];
  // The actions that may still get children, with depths that strictly rise.
  const open: number[] = [];
  const depths: number[] = [];
  let depth = 0;
  for (const [at, action] of actions.entries()) {
    depth = depthOf(action) ?? depth;
    while ((depths.at(-1) ?? -Infinity) >= depth) {
      depths.pop();
      open.pop();
    }
    const above = open.at(-1);
    if (above === undefined) {
      roots.push(at);
    } else {
      parent[at] = above;
      const before = lastChild[above] ?? NONE;
      if (before === NONE) firstChild[above] = at;
      else nextSibling[before] = at;
      lastChild[above] = at;
    }
    open.push(at);
    depths.push(depth);
  }
  return { actions, parent, firstChild, nextSibling, roots };
}

/** Positions of the children of an action. */
export function childrenOf(tree: ActionTree, at: number): number[] {
  const children: number[] = [];
  for (let child = tree.firstChild[at] ?? NONE; child !== NONE; child = tree.nextSibling[child] ?? NONE)
    children.push(child);
  return children;
}

/**
 * Gas that an action used itself, without its children: `gas_used` counts theirs too. `undefined` when a figure
 * is missing or the children used more than the whole, as in records that were put together by hand.
 */
export function ownGas(tree: ActionTree, at: number): string | undefined {
  const used = integerText(tree.actions[at]?.gas_used);
  if (used === undefined) return undefined;
  let own = BigInt(used);
  for (let child = tree.firstChild[at] ?? NONE; child !== NONE; child = tree.nextSibling[child] ?? NONE) {
    const part = integerText(tree.actions[child]?.gas_used);
    if (part === undefined) return undefined;
    own -= BigInt(part);
  }
  return own < 0n ? undefined : String(own);
}

/**
 * The way from a failed root to where the failure began; empty when no root failed.
 *
 * A failed child passed its failure on when its parent failed too and either gave the same reason or did nothing
 * afterwards. A failed child whose failure was caught, so that the parent went on, is no part of it. An action whose
 * outcome was not recorded counts as failed when the last thing it did failed, but never as the place where that began.
 */
export function failingPath(tree: ActionTree): number[] {
  const passed = passedFailures(tree);
  const root =
    tree.roots.findLast((at) => isFailed(tree, at)) ??
    tree.roots.findLast((at) => (passed[at] ?? NONE) !== NONE);
  const path: number[] = [];
  for (let at = root ?? NONE; at !== NONE; at = passed[at] ?? NONE) path.push(at);
  return path;
}

/** Whether the caller of a failed action went on; false where there is no caller, or its outcome was not recorded. */
export function isCaught(tree: ActionTree, at: number): boolean {
  const parent = tree.parent[at] ?? NONE;
  if (parent === NONE) return false;
  const outcome = outcomeOf(tree.actions[parent] ?? {});
  return outcome === "succeeded" || (outcome === "failed" && passedFailures(tree)[parent] !== at);
}

/**
 * The call of a failed action whose failure it passed on without a reason of its own; {@link NONE} for an action that gave
 * another reason, or whose failure began in it.
 */
export function passedOnFrom(tree: ActionTree, at: number): number {
  const from = passedFailures(tree)[at] ?? NONE;
  if (from === NONE || !isFailed(tree, at)) return NONE;
  const { result_data: data } = tree.actions[at] ?? {};
  const hasReason = typeof data === "string" ? data.length > 2 : data !== null && data !== undefined;
  return !hasReason || tree.actions[from]?.result_data === data ? from : NONE;
}

const passedFailuresOf = new WeakMap<ActionTree, Int32Array>();

/** For each action the child whose failure became its own, or {@link NONE}; found once for a tree. */
function passedFailures(tree: ActionTree): Int32Array {
  const known = passedFailuresOf.get(tree);
  if (known) return known;
  const passed = new Int32Array(tree.actions.length).fill(NONE);
  // From the last to the first: children come behind their parents.
  for (let at = passed.length - 1; at >= 0; at--) {
    const action = tree.actions[at] ?? {};
    const outcome = outcomeOf(action);
    if (outcome === "succeeded") continue;
    const { result_data: data } = action;
    const hasReason = typeof data === "string" && data.length > 2;
    const isSame = (child: number) =>
      outcome === "failed" && hasReason && tree.actions[child]?.result_data === data;
    let [same, last] = [NONE, NONE];
    for (let child = tree.firstChild[at] ?? NONE; child !== NONE;) {
      const next = tree.nextSibling[child] ?? NONE;
      const hasFailed = isFailed(tree, child) || (passed[child] ?? NONE) !== NONE;
      if (hasFailed && isSame(child)) same = child;
      if (hasFailed && next === NONE) last = child;
      child = next;
    }
    // A reason that was kept and given again is that of the call it came from, whatever failed after it.
    passed[at] = same === NONE ? last : same;
  }
  passedFailuresOf.set(tree, passed);
  return passed;
}

function isFailed(tree: ActionTree, at: number): boolean {
  const action = tree.actions[at];
  return action !== undefined && outcomeOf(action) === "failed";
}

/** A tree as plain objects. */
export interface NestedAction {
  /** Place in the list of all actions that goes with it. */
  readonly position: number;
  readonly children: NestedAction[];
}

/** Deeper than the network nests calls; what would go deeper is listed at this level. */
const MAX_NESTING = 1024;

/** The nesting as plain objects for automation; built without recursion and at most 1,024 levels deep. */
export function nestedActions(tree: ActionTree): NestedAction[] {
  const nodes: NestedAction[] = tree.actions.map((_action, position) => ({ position, children: [] }));
  const level = new Int32Array(nodes.length);
  const roots: NestedAction[] = [];
  // Where children of an action are listed; below the last level, its own parent's list.
  const lists: NestedAction[][] = [];
  for (const [at, node] of nodes.entries()) {
    const above = tree.parent[at] ?? NONE;
    level[at] = above === NONE ? 0 : (level[above] ?? 0) + 1;
    const list = above === NONE ? roots : (lists[above] ?? roots);
    list.push(node);
    lists.push((level[at] ?? 0) < MAX_NESTING ? node.children : list);
  }
  return roots;
}

function depthOf({ call_depth }: ContractAction): number | undefined {
  if (typeof call_depth === "number") return Number.isNaN(call_depth) ? undefined : call_depth;
  const digits = integerText(call_depth);
  return digits === undefined ? undefined : Number(digits);
}

function indexOf({ index }: ContractAction): number | undefined {
  if (typeof index === "number") return index;
  const digits = integerText(index);
  return digits === undefined ? undefined : Number(digits);
}

function inOrderOfExecution(received: readonly ContractAction[]): readonly ContractAction[] {
  if (isStrictlyAscending(received)) return received;
  const list = isDescending(received) ? received.toReversed() : received;
  const keys = new Float64Array(list.length);
  let key = -Infinity;
  for (const [at, action] of list.entries()) {
    key = indexOf(action) ?? key;
    keys[at] = key;
  }
  const places = Array.from(list.keys()).sort((one, other) => {
    const [left = 0, right = 0] = [keys[one], keys[other]];
    // Not a difference: both may be infinite. Equal keys keep the order in which they came.
    return left < right ? -1 : left > right ? 1 : one - other;
  });
  return withoutRepetitions(places.map((place) => list[place]).filter((action) => action !== undefined));
}

function isStrictlyAscending(actions: readonly ContractAction[]): boolean {
  let last = -Infinity;
  for (const { index } of actions) {
    if (typeof index !== "number" || index <= last) return false;
    last = index;
  }
  return true;
}

/** Whether the list came newest first: most neighbours fall. */
function isDescending(actions: readonly ContractAction[]): boolean {
  let balance = 0;
  let last: number | undefined;
  for (const action of actions) {
    const index = indexOf(action);
    if (index === undefined) continue;
    if (last !== undefined) balance += Math.sign(index - last);
    last = index;
  }
  return balance < 0;
}

function withoutRepetitions(sorted: readonly ContractAction[]): ContractAction[] {
  const kept: ContractAction[] = [];
  let index: number | undefined;
  let group: ContractAction[] = [];
  let texts: Set<string> | undefined;
  for (const action of sorted) {
    const own = indexOf(action);
    if (own === undefined || own !== index) {
      [index, group, texts] = [own, [action], undefined];
      kept.push(action);
      continue;
    }
    texts ??= new Set(group.map((one) => textToCompare(one)).filter((text) => text !== undefined));
    const text = textToCompare(action);
    if (text !== undefined && texts.has(text)) continue;
    if (text !== undefined) texts.add(text);
    kept.push(action);
  }
  return kept;
}

/** `undefined` for an action that is nested too deeply to be compared, which then counts as one of its own. */
function textToCompare(action: ContractAction): string | undefined {
  try {
    return JSON.stringify(action);
  } catch {
    return undefined;
  }
}

/**
 * The addresses whose code ran in the storage of a contract, in lower case: what a proxy handed its calls to.
 *
 * @param contract by its id or its address: ledgers name it by either
 */
export function delegatesOf(
  { actions }: ActionTree,
  { id, address }: { readonly id: string | undefined; readonly address: string },
): string[] {
  const delegates = actions.filter(
    ({ caller, from, ...action }) =>
      operationOf(action) === "delegate" &&
      ((id !== undefined && caller === id) || (typeof from === "string" && isSameAddress(from, address))),
  );
  return [...new Set(delegates.flatMap((action) => calledAddress(action) ?? []))];
}
