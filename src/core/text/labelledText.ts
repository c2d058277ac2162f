import type { ShownText } from "./shownText.ts";

/** A label and what stands behind it. */
export interface LabelledText {
  readonly label: ShownText;
  readonly value: ShownText;
  /** The whole value, for a hover and a copy. */
  readonly whole?: ShownText;
  /** What it names, where that can be opened: an id of the ledger, or an address with `0x`. */
  readonly opens?: string;
}
