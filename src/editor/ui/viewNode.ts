import type { ViewRow } from "../../core/rows/viewRow.ts";
import type { RowNode } from "./drawnRows.ts";

/** A row with its place in a view whose rows hold those below them. */
export interface ViewNode<Row extends ViewRow> extends RowNode {
  /** What it says now. */
  row: Row;
  readonly parent: ViewNode<Row> | undefined;
}

/** The rows below one, or the roots, each with its place. */
export function nodesOf<Row extends ViewRow>(
  rows: readonly Row[],
  parent: ViewNode<Row> | undefined,
): ViewNode<Row>[] {
  return rows.map((row) => nodeOf(row, parent));
}

/** A row with its place. */
export function nodeOf<Row extends ViewRow>(row: Row, parent: ViewNode<Row> | undefined): ViewNode<Row> {
  return { id: `${parent?.id ?? ""}/${row.id}`, row, parent };
}

/** Gives the object that a row has what the row says now. */
export function renewNode<Row extends ViewRow>(known: ViewNode<Row>, now: ViewNode<Row>): void {
  known.row = now.row;
}
