import { foreignWhole, type ShownText } from "./shownText.ts";

/** A label and what stands behind it. */
export interface LabelledText {
  readonly label: ShownText;
  readonly value: ShownText;
  /** The whole value, for a hover and a copy. */
  readonly whole?: ShownText;
  /** What it names, where that can be opened: an id of the ledger, or an address or a transaction hash with `0x`. */
  readonly opens?: string;
}

/** A line of text, with a label where what stands behind it can be opened. */
export type TextLine = ShownText | LabelledText;

/** "To: 0.0.5", or the line itself where it has no label. */
export function lineText(line: TextLine): ShownText {
  return typeof line === "string" ? line : foreignWhole(`${line.label}: ${line.whole ?? line.value}`);
}
