import type { CallRow } from "../../core/ledger/transactions/pageModel.ts";

/** A call as a bar of the flame graph; `from` and `width` are parts of the whole, 0 to 1. */
export interface FlameBar {
  readonly row: CallRow;
  readonly level: number;
  readonly from: number;
  readonly width: number;
}

/** More than any gas, and so little that sums of it stay numbers. */
const MAX_DRAWN_GAS = 1e200;

/** Gas as it is drawn, by its digits; exactness is for the numbers. */
export function drawnGas(gas: string | undefined): number {
  return gas === undefined ? 0 : Math.min(Math.max(0, Number(gas)), MAX_DRAWN_GAS);
}

/**
 * The bars of calls: each as wide as the gas that it used, the calls of it side by side above it, in order. Where calls
 * say that they used more than their caller, they are drawn smaller by the same part, so that none stands beyond it.
 *
 * @param root position of the call that fills the width; all calls without it
 * @param least width under which a bar is not drawn, and so no bar above it
 */
export function flameBars(rows: readonly CallRow[], root: number | undefined, least: number): FlameBar[] {
  const children = new Map<number, CallRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings) siblings.push(row);
    else children.set(row.parent, [row]);
  }
  const top = root === undefined ? (children.get(-1) ?? []) : rows.slice(root, root + 1);
  const bars: FlameBar[] = [];
  const todo: { calls: readonly CallRow[]; level: number; from: number; width: number; gas: number }[] = [
    { calls: top, level: 0, from: 0, width: 1, gas: top.reduce((sum, row) => sum + drawnGas(row.gas), 0) },
  ];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const sum = next.calls.reduce((total, row) => total + drawnGas(row.gas), 0);
    const whole = Math.max(next.gas, sum);
    if (whole === 0) continue;
    let { from } = next;
    for (const row of next.calls) {
      const width = (drawnGas(row.gas) / whole) * next.width;
      if (width >= least) {
        bars.push({ row, level: next.level, from, width });
        const calls = children.get(row.at) ?? [];
        if (calls.length > 0)
          todo.push({ calls, level: next.level + 1, from, width, gas: drawnGas(row.gas) });
      }
      from += width;
    }
  }
  return bars;
}

/** A color for each contract, the first `count` of the list all different. */
export function colorsOf(contracts: readonly string[], count: number): ReadonlyMap<string, number> {
  return new Map(contracts.map((contract, at) => [contract, at % count]));
}
