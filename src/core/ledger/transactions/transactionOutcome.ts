import { foreignSentence, foreignWhole, shown, type ShownText } from "../../text/shownText.ts";
import type { ActionNames } from "../actions/actionNames.ts";
import { actionWords, isNowhere, ownWordsAt, pathHeadline, remarkBelow } from "../actions/actionRows.ts";
import type { WordForm } from "../actions/addressText.ts";
import { failingPath, type ActionTree } from "../actions/actionTree.ts";
import { outcomeOf, type ContractAction } from "../actions/contractAction.ts";
import { codeInFull, codeWords, isSuccessCode } from "../actions/responseCodes.ts";
import { kindWords } from "../schedules/kindWords.ts";
import type { TransactionPage } from "./pageModel.ts";
import type { TransactionRecord } from "./transactionRecord.ts";

/** What the outcome of a transaction is told by. */
interface OutcomeParts {
  /** Its calls, as its page shows them. */
  readonly tree: ActionTree;
  /** Whether these are all of its calls. */
  readonly complete: boolean;
  readonly namesOf: (action: ContractAction) => ActionNames | undefined;
  readonly record?: TransactionRecord | undefined;
  /** It was just sent: more may come of it. */
  readonly isFresh: boolean;
}

/** How a transaction ended, in words that its row, its tab and its page share. */
export function transactionOutcome(
  { tree, complete, namesOf, record, isFresh }: OutcomeParts,
  form: WordForm = "short",
): Pick<TransactionPage, "outcome" | "headline"> {
  const { execution, transaction } = record ?? {};
  const path = failingPath(tree);
  const result = execution?.result ?? transaction?.result;
  const hasFailed = result !== undefined && !isSuccessCode(result);
  // A call in the middle may have failed and been caught: only the first one says what came of all of them.
  if (path.length > 0 && (hasFailed || isFromStart(tree, complete)))
    return { outcome: "failed", headline: pathHeadline(tree, path, namesOf, form) };
  if (hasFailed) {
    const why = form === "short" ? codeWords(result) : codeInFull(result);
    return { outcome: "failed", headline: shown`Failed: ${why}` };
  }
  if (result !== undefined || hasSucceeded(tree, complete)) {
    const [root] = isFromStart(tree, complete) ? tree.roots : [];
    if (root !== undefined && !isNowhere(tree.actions[root] ?? {}))
      return { outcome: "succeeded", headline: successHeadline(tree, root, namesOf, form) };
    const kind = transaction?.name;
    return {
      outcome: "succeeded",
      headline: kind === undefined ? shown`Succeeded` : shown`Succeeded: ${kindWords(kind)}`,
    };
  }
  const mayCome = !record || isFresh;
  return {
    outcome: "unknown",
    headline: mayCome ? shown`Outcome not known yet` : shown`Outcome not recorded`,
  };
}

/** The calls by whose names an outcome is told. */
export function outcomePositions(tree: ActionTree): readonly number[] {
  const path = failingPath(tree);
  const origin = path.at(-1);
  if (origin === undefined) return tree.roots.slice(0, 1);
  const caller = ownWordsAt(tree, path);
  return [...(caller === undefined ? [] : [caller]), origin, ...remarkBelow(tree, origin)];
}

/** Whether the first call is there: what is loaded may be the middle of a list, or its end. */
function isFromStart(tree: ActionTree, complete: boolean): boolean {
  return complete || tree.roots.every((at) => tree.actions[at]?.call_depth === 0);
}

function hasSucceeded(tree: ActionTree, complete: boolean): boolean {
  const isWell = tree.roots.every((at) => outcomeOf(tree.actions[at] ?? {}) === "succeeded");
  return isWell && tree.roots.length > 0 && isFromStart(tree, complete);
}

/** "Succeeded: Router.swapExact" */
function successHeadline(
  tree: ActionTree,
  root: number,
  namesOf: OutcomeParts["namesOf"],
  form: WordForm,
): ShownText {
  const { callee } = actionWords(tree, root, namesOf(tree.actions[root] ?? {}), form);
  return shown`Succeeded: ${form === "short" ? foreignSentence(callee) : foreignWhole(callee)}`;
}
