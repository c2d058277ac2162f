/**
 * A row of the status view, ready to be drawn. Everything in it is plain text; what came from a server has gone
 * through `visibleText`.
 */
export interface StatusRow {
  /** Unique among its siblings and stable across refreshes, so that the tree stays open. */
  readonly id: string;
  readonly label: string;
  /** What follows dimmed. */
  readonly description?: string;
  /** Plain lines, never Markdown. */
  readonly tooltip?: readonly string[];
  /** A codicon's name, without `$(…)`. */
  readonly icon?: string;
  readonly color?: "error" | "warning";
  /** For `viewItem` conditions of menus, words separated by dots. */
  readonly context?: string;
  readonly expanded?: boolean;
  readonly children?: readonly StatusRow[];
  /** What *Copy* copies, as it came. */
  readonly copyText?: string;
  /** A page on the web, http or https. */
  readonly url?: string;
}

/** The beginning of a text, with `…` where something was cut off; no character is cut in two. */
export function shortened(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(characters - 1));
  return `${text.slice(0, isHalf ? characters - 1 : characters).trimEnd()}…`;
}
