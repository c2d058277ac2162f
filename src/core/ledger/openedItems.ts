import { isRecord, textField } from "./looseFields.ts";

/** What can be opened: a token, a transaction, a schedule, or the list of schedules. */
export type ItemKind = "token" | "transaction" | "schedule" | "schedules";

/** What an opened item is, enough to load it again. */
export interface ItemKey {
  readonly kind: ItemKind;
  /** Of {@link LedgerNetwork.id}. */
  readonly networkId: string;
  /** The form in which the ledger is asked; for schedules the creator's id, or nothing for all. */
  readonly canonical: string;
  /** For a token as of a time: the query with its operator. */
  readonly timestamp?: string;
}

/** An opened item as it is remembered. */
export interface OpenedItem extends ItemKey {
  readonly pinned: boolean;
  /** What its row said last; shown until it is loaded again. */
  readonly label: string;
  readonly description: string;
}

/** Where the list is kept between two runs; VS Code's `Memento` is one. */
export interface ItemMemory {
  get(name: string): unknown;
  update(name: string, value: unknown): PromiseLike<void>;
}

const NAME = "ledgerItems";

/** How many items that are not pinned are remembered for each network. */
const MAX_RECENT = 15;

/** One text for one item. */
export function itemId({ kind, networkId, canonical, timestamp }: ItemKey): string {
  return `${networkId}/${kind}/${canonical}${timestamp === undefined ? "" : `@${timestamp}`}`;
}

/** Reads the list; what is no item (an older or newer version wrote it) is left out. */
export function readOpenedItems(memory: ItemMemory): OpenedItem[] {
  const kept = memory.get(NAME);
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((one: unknown) => {
    if (!isRecord(one)) return [];
    const kind = ITEM_KINDS.find((known) => known === one["kind"]);
    const networkId = textField(one, "networkId");
    const { canonical } = one;
    if (kind === undefined || networkId === undefined || typeof canonical !== "string") return [];
    const timestamp = textField(one, "timestamp");
    return [
      {
        kind,
        networkId,
        canonical,
        ...(timestamp !== undefined && { timestamp }),
        pinned: one["pinned"] === true,
        label: textField(one, "label") ?? canonical,
        description: textField(one, "description") ?? "",
      },
    ];
  });
}

const ITEM_KINDS: readonly ItemKind[] = ["token", "transaction", "schedule", "schedules"];

/** Keeps the list, pinned items first and the newest first among the others, as many as are worth keeping. */
export async function writeOpenedItems(memory: ItemMemory, items: readonly OpenedItem[]): Promise<void> {
  await memory.update(NAME, items);
}

/** Without the oldest of those that are not pinned, for each network on its own. */
export function withoutOldest<T extends { readonly networkId: string; readonly pinned: boolean }>(
  items: readonly T[],
): T[] {
  const recent = new Map<string, number>();
  return items.filter(({ networkId, pinned }) => {
    if (pinned) return true;
    const count = (recent.get(networkId) ?? 0) + 1;
    recent.set(networkId, count);
    return count <= MAX_RECENT;
  });
}
