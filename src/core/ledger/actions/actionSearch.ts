import { searchable } from "./actionFilter.ts";
import type { ActionNames } from "./actionNames.ts";
import { actionLine, actionWords } from "./actionRows.ts";
import type { ActionTree } from "./actionTree.ts";
import type { ContractAction } from "./contractAction.ts";

/** So many actions are looked through at once, between which other work has its turn. */
const ACTIONS_AT_ONCE = 200;

/**
 * Everything in words by which an action is found beside its fields: what its row says, what a copy says, which shortens
 * nothing, and what was decoded as it is, since a row and a copy say an address by the id that it is made of.
 */
export function searchWords(tree: ActionTree, at: number, names: ActionNames | undefined): string {
  const { call, results = [], error, redirectedTo = "" } = names ?? {};
  const values = [...(call?.values ?? []), ...results, ...(error?.values ?? [])];
  return [
    actionLine(actionWords(tree, at, names)),
    actionLine(actionWords(tree, at, names, "whole")),
    redirectedTo,
    ...values.map(({ text }) => text),
  ].join("\n");
}

/**
 * The positions of the actions in which a text is found, in order and some at a time; such a part may be empty.
 *
 * @param text in any case of letters
 */
export function* foundActions(
  tree: ActionTree,
  text: string,
  namesOf: (action: ContractAction) => ActionNames | undefined,
): Generator<readonly number[]> {
  const wanted = text.trim().toLowerCase();
  let found: number[] = [];
  for (const [at, action] of tree.actions.entries()) {
    if (searchable(action, searchWords(tree, at, namesOf(action))).includes(wanted)) found.push(at);
    if ((at + 1) % ACTIONS_AT_ONCE !== 0) continue;
    yield found;
    found = [];
  }
  yield found;
}
