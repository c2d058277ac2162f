import type { ViewRow } from "../rows/viewRow.ts";
/** A row of the status view, ready to be drawn. */
export interface StatusRow extends ViewRow {
  readonly children?: readonly StatusRow[];
  /** A page on the web, http or https. */
  readonly url?: string;
}
