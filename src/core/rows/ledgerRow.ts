import type { ViewRow } from "./viewRow.ts";
import { withShortIds } from "../text/inBrief.ts";
import { beginning, foreign, foreignLine, foreignWhole, type ShownText } from "../text/shownText.ts";

/** A row of the ledger view, ready to be drawn. */
export interface LedgerRow extends ViewRow {
  /** The description before it was cut to fit. */
  readonly fullDescription?: ShownText;
  readonly children?: readonly LedgerRow[];
  /** An id that can be opened as an item of its own. */
  readonly opens?: {
    readonly kind: "token" | "schedule" | "transaction" | "account" | "contract" | "entity";
    readonly canonical: string;
  };
}

/** What can mend what loading an item failed with: a setting, or the key that its server wants in a header. */
export type Mending = "setting" | "key";

/** What the rows of what can be mended say of themselves to menus. */
export const MENDING_CONTEXTS: Readonly<Record<Mending, string>> = { setting: "mendable", key: "keyless" };

/** How much of a text fits into a row. */
export const ROW_CHARACTERS = 120;

/** A text of others as far as it fits into a row. */
export function rowText(text: string): ShownText {
  return foreign(text, ROW_CHARACTERS);
}

/** A text of others as a row's label: of one that is cut, the hover and what is read aloud have more. */
export function rowLabel(text: string): Pick<LedgerRow, "label" | "wholeLabel" | "tooltip"> {
  const [label, whole] = [rowText(text), foreignLine(text)];
  return { label, ...(whole !== label && { wholeLabel: whole, tooltip: [whole] }) };
}

/**
 * A row that states one thing; a long one is cut and its ids are shortened, and the tooltip has more.
 *
 * @param shortened the value with its ids shortened, where only their place tells that they are ids
 */
export function factRow(
  id: string,
  label: string,
  value: string,
  copyText?: string,
  shortened = withShortIds(foreignWhole(value)),
): LedgerRow {
  const text = foreignWhole(value);
  const short = beginning(foreignWhole(shortened), ROW_CHARACTERS);
  return {
    id,
    label: beginning(foreign(label), ROW_CHARACTERS),
    description: short,
    ...(short !== text && { fullDescription: text, tooltip: [foreignLine(text)] }),
    ...(copyText !== undefined && { copyText }),
    context: "fact",
  };
}
