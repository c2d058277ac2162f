import { t } from "@vscode/l10n";
import { flag, ifReadable, listOf, mapped, matching, object, oneOf, readAs, text } from "../json/shape.ts";

/** What can be opened: a token, a transaction, a schedule, an account or contract, or the list of schedules. */
export type ItemKind = "token" | "transaction" | "schedule" | "account" | "schedules";

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
  return readAs(openedItems, memory.get(NAME)) ?? [];
}

const word = text(200);

const openedItems = listOf(
  mapped(
    object({
      kind: oneOf("token", "transaction", "schedule", "account", "schedules"),
      networkId: matching(/^.{1,500}$/s, () => t`a text that is not empty`),
      canonical: word,
      timestamp: ifReadable(matching(/^.{1,500}$/s, () => t`a text that is not empty`)),
      pinned: ifReadable(flag),
      label: ifReadable(matching(/^.{1,500}$/s, () => t`a text that is not empty`)),
      description: ifReadable(text(1_000)),
    }),
    ({ pinned = false, label, description = "", ...item }): OpenedItem => ({
      ...item,
      pinned,
      label: label ?? item.canonical,
      description,
    }),
  ),
);

/** Keeps the list, pinned items first and the newest first among the others, as many as are worth keeping. */
export async function writeOpenedItems(memory: ItemMemory, items: readonly OpenedItem[]): Promise<void> {
  await memory.update(NAME, items);
}

/** One's own list, and the one that all windows share. */
interface SharedItems<T> {
  readonly own: readonly T[];
  /** The shared list as this window read or wrote it last. */
  readonly before: ReadonlyMap<string, OpenedItem>;
  /** The shared list as it is. */
  readonly now: readonly OpenedItem[];
  /** Whether this window works with an item, so that it stays although another one removed it. */
  readonly isInUse: (item: T) => boolean;
  /** What was removed here, and stays out of sight although another window still has it. */
  readonly removed: ReadonlySet<string>;
  /** An item that another window opened. */
  readonly taken: (item: OpenedItem) => T;
}

/**
 * One's own list with what other windows opened, removed, pinned and unpinned since then, and what is only theirs: windows
 * without a folder, and those of one workspace, keep one list, and the one that writes last writes for all.
 */
export function withOthersItems<T extends OpenedItem>({
  own,
  before,
  now,
  isInUse,
  removed,
  taken,
}: SharedItems<T>): { readonly items: T[]; readonly theirs: OpenedItem[] } {
  const shared = new Map(now.map((item) => [itemId(item), item]));
  const mine = own.flatMap((item): T[] => {
    const id = itemId(item);
    const other = shared.get(id);
    if (!other) return before.has(id) && !isInUse(item) ? [] : [item];
    return [other.pinned === (before.get(id) ?? item).pinned ? item : { ...item, pinned: other.pinned }];
  });
  const known = new Set(own.map(itemId));
  const others = now.filter((item) => !known.has(itemId(item)) && !before.has(itemId(item)));
  const opened = others.filter((item) => !removed.has(itemId(item)));
  return {
    // What was opened here last stays at the top.
    items: withoutOldest([...mine.slice(0, 1), ...opened.map(taken), ...mine.slice(1)]),
    theirs: others.filter((item) => removed.has(itemId(item))),
  };
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
