import { shown } from "../text/shownText.ts";
import type { ViewRow } from "./viewRow.ts";

/** The row that stands for one that can't be drawn: the fault of one row is that row's alone. */
export function faultRow(id: string, fault: unknown): ViewRow {
  return {
    id,
    label: shown`This row can't be shown`,
    description: shown`the log says why`,
    tooltip: [
      shown`Ledger Lens could not draw this row. The log has the reason (command Ledger Lens: Show Log).`,
    ],
    icon: "warning",
    color: "warning",
    context: "fault",
    fault,
  };
}

/** A row for each item; an item whose row can't be made gets a {@link faultRow} of the same id. */
export function rowsOf<Item, Row extends ViewRow>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  draw: (item: Item) => Row,
): (Row | ViewRow)[] {
  return items.map((item) => {
    try {
      return draw(item);
    } catch (error) {
      return faultRow(idOf(item), error);
    }
  });
}
