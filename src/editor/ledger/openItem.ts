import type { Parts } from "../../container.ts";
import type { ContentOf, ItemRequest } from "../../core/ledger/ledgerItems.ts";

/** Opens something of the ledger and shows it in the view. */
export async function openItem<Request extends ItemRequest>(
  { ledger }: Parts,
  request: Request,
  { focus }: { readonly focus: boolean },
): Promise<ContentOf<Request["kind"]>> {
  const { item, content } = await ledger.items.open(request);
  await ledger.view.reveal(item.id, { focus });
  return content;
}
