import { foreignWhole } from "./shownText.ts";

/**
 * What Markdown reads as more than text, what divides the cells of a table and what makes links of addresses (GitHub
 * Flavored Markdown, 4.10, 6.1 and 6.9).
 */
const MARKS = /[\\`*_[\]<>|~&@]|:(?=\/\/)|(?<=\bwww)\./gi;

/** A text as one line of Markdown that reads as it is: nothing in it ends a cell, or becomes a link or a tag. */
export function markdownText(text: string): string {
  return foreignWhole(text).trim().replace(MARKS, "\\$&");
}

/** A name or an id as code; as text where its own characters would end it. */
export function markdownCode(text: string): string {
  const whole = foreignWhole(text).trim();
  return whole === "" || /[\\`|]/.test(whole) ? markdownText(whole) : `\`${whole}\``;
}

/**
 * A table of cells that are Markdown already.
 *
 * @param rows each with as many cells as there are titles
 */
export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [titles, titles.map(() => "---"), ...rows].map((cells) => `${line(cells)}\n`).join("");
}
