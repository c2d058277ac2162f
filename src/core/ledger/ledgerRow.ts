import type { ViewRow } from "../viewRow.ts";

/** A row of the ledger view, ready to be drawn. */
export interface LedgerRow extends ViewRow {
  /** The description before it was cut to fit. */
  readonly fullDescription?: string;
  readonly children?: readonly LedgerRow[];
  /** An id that can be opened as an item of its own. */
  readonly opens?: {
    readonly kind: "token" | "schedule" | "transaction" | "account" | "contract";
    readonly canonical: string;
  };
}

/** How much of a text fits into a row. */
export const ROW_CHARACTERS = 120;
/** How much of a text fits into a line of a tooltip. */
export const TOOLTIP_CHARACTERS = 4000;

/** The beginning of a text, with `…` where something was cut off; no character is cut in two. */
export function beginning(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(characters - 1));
  return `${text.slice(0, isHalf ? characters - 1 : characters)}…`;
}

/** A row that states one thing; a long one is cut, and has more in the tooltip. */
export function factRow(id: string, label: string, text: string, copyText?: string): LedgerRow {
  const isLong = text.length > ROW_CHARACTERS;
  return {
    id,
    label: beginning(label, ROW_CHARACTERS),
    description: beginning(text, ROW_CHARACTERS),
    ...(isLong && { fullDescription: text, tooltip: [beginning(text, TOOLTIP_CHARACTERS)] }),
    ...(copyText !== undefined && { copyText }),
    context: "fact",
  };
}
