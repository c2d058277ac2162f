import type { ViewRow } from "../viewRow.ts";
/** A row of the status view, ready to be drawn. */
export interface StatusRow extends ViewRow {
  readonly children?: readonly StatusRow[];
  /** A page on the web, http or https. */
  readonly url?: string;
}

/** The beginning of a text, with `…` where something was cut off; no character is cut in two. */
export function shortened(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(characters - 1));
  return `${text.slice(0, isHalf ? characters - 1 : characters).trimEnd()}…`;
}
