import { isCancellation } from "../../core/errors.ts";
import type { ActionQuery } from "../../core/ledger/actions/actionQuery.ts";
import type { TransactionActionsRecord } from "../../core/ledger/actions/transactionActions.ts";
import { stopSignal } from "../ui/asking.ts";
import { askSteps } from "../ui/multiStep.ts";
import { optionalNumber, optionalText, optionalTextOrNumber } from "../ui/arguments.ts";
import { askLedgerReference, textOfChoice } from "./ledgerReferenceStep.ts";
import { shown } from "../../core/text/shownText.ts";
import type { ItemParts, LedgerParts, ReferenceParts } from "./ledgerParts.ts";

/** What opens the actions of a transaction. */
type ActionParts = ItemParts & Pick<LedgerParts, "log" | "pages">;

/**
 * `ledgerLens.showTransactionActions` `{transaction, index?, limit?, order?}`: the contract actions of a transaction
 * and their nesting. A `limit` asks for one page of that size; without it, up to 1,100 actions are loaded.
 */
export async function showTransactionActions(
  parts: ActionParts & ReferenceParts,
  args: Readonly<Record<string, unknown>>,
): Promise<TransactionActionsRecord> {
  const query = queryOf(args);
  const state = { transaction: optionalText(args, "transaction") };
  const isAsked = state.transaction === undefined;
  await askSteps(shown`Show Contract Actions`, state, [
    {
      argument: "transaction",
      isKnown: ({ transaction }) => transaction !== undefined,
      ask: async (_state, frame) => {
        const chosen = await askLedgerReference(parts, frame, {
          placeholder: shown`Which transaction? Its id, hash, consensus timestamp or link`,
          kinds: ["transaction"],
          wanted: "transaction",
        });
        state.transaction = await textOfChoice(parts, chosen);
      },
    },
  ]);
  return openActions(parts, state.transaction ?? "", query, { isShown: isAsked });
}

/**
 * Opens the actions of a transaction: the first page of them is shown before the others are loaded.
 *
 * @param options.isShown whether its page and its row are shown, which a program does not ask for
 */
export async function openActions(
  { items, view, pages, log }: ActionParts,
  transaction: string,
  query: ActionQuery,
  { isShown }: { readonly isShown: boolean },
): Promise<TransactionActionsRecord> {
  const request = { kind: "transaction", transaction, query, isEntered: isShown } as const;
  const id = items.idOf(request);
  const stop = stopSignal();
  const opening = items.open(request, stop);
  // While the ledger is asked the page is drawn, which takes as long.
  const opened = isShown ? pages() : undefined;
  const shownPage = opened?.then((all) => all.show(id, { focus: true }));
  const { content } = await opening.catch(async (error: unknown) => {
    // What turned out not to exist has no page.
    if (!items.get(id)) (await opened)?.close(id);
    throw error;
  });
  await shownPage;
  if (isShown) await view.reveal(id, { focus: false });
  if (query.limit === undefined) {
    try {
      await items.more(id, stop);
    } catch (error) {
      // The first page is there; the view says what is missing and how to go on.
      if (!isCancellation(error)) log.warn(`Contract actions: ${(error as Error).message}`);
    }
  }
  if (isShown) await view.revealOrigin(id);
  return content.actions.toRecord();
}

function queryOf(args: Readonly<Record<string, unknown>>): ActionQuery {
  const index = optionalTextOrNumber(args, "index");
  const limit = optionalNumber(args, "limit");
  const order = optionalText(args, "order");
  return {
    ...(index !== undefined && { index }),
    ...(limit !== undefined && { limit }),
    // The service says what is wrong with any other order.
    ...(order !== undefined && { order: order as "asc" | "desc" }),
  };
}
