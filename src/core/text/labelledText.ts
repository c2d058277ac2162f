import type { ShownText } from "./shownText.ts";

/** A label and what stands behind it. */
export interface LabelledText {
  readonly label: ShownText;
  readonly value: ShownText;
  /** The whole value, for a hover and a copy. */
  readonly whole?: ShownText;
}
