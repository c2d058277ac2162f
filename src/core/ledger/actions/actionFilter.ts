import { isHardFailure } from "./actionFailure.ts";
import { NONE, type ActionTree } from "./actionTree.ts";
import { isStatic } from "./contractAction.ts";

interface ActionFilter {
  /** Shown where it occurs, in any case of letters; everything where empty. */
  readonly text?: string;
  /** Whether static calls are left out; failed ones never are. */
  readonly hideStatic?: boolean;
}

/** Which actions of a tree are shown. */
export interface FilteredActions {
  /** 1 for a position that is shown: it matches, or something below it does. */
  readonly visible: Uint8Array;
  /** How many match by themselves. */
  readonly matches: number;
}

/**
 * Filters a tree; the callers of what matches stay, so that the tree keeps its shape. A failed action is left out
 * only by a text that does not occur in it.
 *
 * @param wordsOf what an action says; searched beside its fields
 */
export function filterActions(
  tree: ActionTree,
  { text = "", hideStatic = false }: ActionFilter,
  wordsOf: (at: number) => string,
): FilteredActions {
  const wanted = text.trim().toLowerCase();
  const visible = new Uint8Array(tree.actions.length);
  let matches = 0;
  // From the last to the first: an action's own result is known before its callers.
  for (let at = tree.actions.length - 1; at >= 0; at--) {
    const action = tree.actions[at];
    if (!action) continue;
    const isHidden = hideStatic && isStatic(action) && !isHardFailure(action);
    const isMatch = !isHidden && (wanted === "" || searchable(action, wordsOf(at)).includes(wanted));
    if (isMatch) matches++;
    if (isMatch || visible[at] === 1) {
      visible[at] = 1;
      const parent = tree.parent[at] ?? NONE;
      if (parent !== NONE) visible[parent] = 1;
    }
  }
  return { visible, matches };
}

/** What a text is looked for in, in lower case: what an action says in words, and what it came with. */
export function searchable(action: object, words: string): string {
  const fields = Object.values(action).filter(
    (value) => typeof value === "string" || typeof value === "number",
  );
  return `${words}\n${fields.join("\n")}`.toLowerCase();
}
