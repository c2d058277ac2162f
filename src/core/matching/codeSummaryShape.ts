import type { LabelledText } from "../text/labelledText.ts";
import type { ShownText } from "../text/shownText.ts";

/**
 * What a part of a code is of, as far as two codes differ there: `arguments` are those of the constructor, behind a creation
 * code, and `unknown` is what lies behind the placeholder of a library, where the recompiled code breaks off.
 */
export type PartKind = "same" | "code" | "immutable" | "arguments" | "address" | "metadata" | "unknown";

/** A part of a code's map. */
export interface MapCell {
  readonly kind: PartKind;
  /** How much of it differs, from 0 to 1. */
  readonly share: number;
}

/** A code from its first byte to its last, in parts of the same size. */
export interface CodeMap {
  readonly bytes: number;
  readonly cells: readonly MapCell[];
}

/** A stretch of the code that differs. */
export interface DifferingPlace {
  /** Of the first byte that differs in the deployed code, or where the recompiled one has more than it. */
  readonly offset: number;
  /** How many bytes of the deployed code differ there: of a word that is compared as one, those alone that do. */
  readonly deployedBytes: number;
  /** The same of the recompiled code. */
  readonly compiledBytes: number;
  /**
   * What stands there in each code, from the first byte that differs to the last: 0x-prefixed hex, `0x` for nothing. Absent
   * where one has more than {@link MAX_VALUE_BYTES}, or the bytes are equal, as those of a jump that leads elsewhere are.
   */
  readonly values?: { readonly deployed: string; readonly compiled: string };
}

/** A place with more bytes has no value that a person would compare. */
export const MAX_VALUE_BYTES = 32;

/** How two codes differ, as a person would sum it up. */
export interface CodeSummary {
  /** "4,812 bytes, 212 differ in 9 places" */
  readonly figure: ShownText;
  readonly deployed: CodeMap;
  readonly compiled: CodeMap;
  /** The values that differ, what the deployment wrote into the code, the metadata. */
  readonly facts: readonly LabelledText[];
  /** The first of the places that differ. */
  readonly places: readonly DifferingPlace[];
  readonly placeCount: number;
}
