import type { ShownText } from "../text/shownText.ts";

/** A row of a tree view, ready to be drawn. */
export interface ViewRow {
  /** Unique among its siblings and stable across refreshes, so that the tree stays open. */
  readonly id: string;
  /** What stands in front. */
  readonly label: ShownText;
  /** The label before it was shortened, for screen readers. */
  readonly wholeLabel?: ShownText;
  /** What follows dimmed. */
  readonly description?: ShownText;
  /** Plain lines, never Markdown. */
  readonly tooltip?: readonly ShownText[];
  /** A codicon's name, without `$(…)`. */
  readonly icon?: string;
  readonly color?: "error" | "warning" | "passed";
  /** For `viewItem` conditions of menus, words separated by dots. */
  readonly context?: string;
  readonly expanded?: boolean;
  readonly children?: readonly ViewRow[];
  /**
   * When its words change because time passes, in milliseconds since the epoch; never too late, maybe too early. Absent
   * where they don't.
   */
  readonly changesAt?: number;
  /** Why the row could not be drawn; this one stands for it. */
  readonly fault?: unknown;
  /** What *Copy Value* copies: exact, and as it came. */
  readonly copyText?: string;
}
