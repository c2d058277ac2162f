import { faultRow } from "../../core/rows/faultRow.ts";
import type { ViewRow } from "../../core/rows/viewRow.ts";
import type { RowNode, RowSource } from "./drawnRows.ts";

/** What a view does about rows that can't be made. */
interface RowGuard<Node extends RowNode, Item> {
  /** A row that stands below another one, or among the roots, for those that can't be made. */
  standIn(row: ViewRow, under: Node | undefined): Node;
  /** How a row looks that stands for one that can't be drawn. */
  drawStandIn(row: ViewRow, id: string): Item;
  /** Why a row stands for another one; `undefined` for any other. */
  faultOf(node: Node): unknown;
  /** Told of each such row, however often it is drawn. */
  tell(id: string, fault: unknown): void;
}

/** The rows of a source, where the fault of a row is that row's alone: all others are there, and drawn. */
export function guardedRows<Node extends RowNode, Item>(
  source: RowSource<Node, Item>,
  guard: RowGuard<Node, Item>,
): RowSource<Node, Item> {
  const instead = (under: Node | undefined, fault: unknown) => {
    const node = guard.standIn(faultRow("fault", fault), under);
    guard.tell(node.id, fault);
    return [node];
  };
  return {
    renew: (known, now) => source.renew(known, now),
    childrenOf(under) {
      try {
        const rows = source.childrenOf(under);
        return rows instanceof Promise ? rows.catch((fault: unknown) => instead(under, fault)) : rows;
      } catch (fault) {
        return instead(under, fault);
      }
    },
    draw(node) {
      try {
        const fault = guard.faultOf(node);
        if (fault !== undefined) guard.tell(node.id, fault);
        return source.draw(node);
      } catch (fault) {
        guard.tell(node.id, fault);
        return { item: guard.drawStandIn(faultRow(node.id, fault), node.id) };
      }
    },
  };
}

/** Writes the faults of a view's rows into the log, each row's once. */
export function faultLog(
  log: { error(said: string): void },
  view: string,
): (id: string, fault: unknown) => void {
  const told = new Set<string>();
  return (id, fault) => {
    if (told.has(id)) return;
    told.add(id);
    const reason = String(fault instanceof Error ? fault.stack : fault);
    log.error(`The row "${id}" of the ${view} view can't be drawn: ${reason}`);
  };
}
