import type { ContentOf, ItemRequest } from "../../core/ledger/ledgerItems.ts";
import type { ItemParts } from "./ledgerParts.ts";

/** Opens something of the ledger and shows it in the view. */
export async function openItem<Request extends ItemRequest>(
  { items, view }: ItemParts,
  request: Request,
  { focus }: { readonly focus: boolean },
): Promise<ContentOf<Request["kind"]>> {
  const { item, content } = await items.open(request);
  await view.reveal(item.id, { focus });
  return content;
}
