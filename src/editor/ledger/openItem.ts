import type { ContentOf, ItemRequest } from "../../core/ledger/ledgerItems.ts";
import { stopSignal } from "../ui/asking.ts";
import type { ItemParts } from "./ledgerParts.ts";

/**
 * Opens something of the ledger.
 *
 * @param options.isShown whether its row is shown, which a program does not ask for
 */
export async function openItem<Request extends ItemRequest>(
  { items, view }: ItemParts,
  request: Request,
  { isShown }: { readonly isShown: boolean },
): Promise<ContentOf<Request["kind"]>> {
  const { item, content } = await items.open(request, stopSignal());
  if (isShown) await view.reveal(item.id, { focus: true });
  return content;
}
