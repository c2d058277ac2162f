import type { CallRow } from "../../core/ledger/transactions/pageModel.ts";

/** Which calls are shown. */
interface CallChoice {
  /** Shown where it occurs in what a row says, in any case of letters; everything where empty. */
  readonly filter: string;
  /** Positions of the calls that say it elsewhere than in their rows; missing until that is known. */
  readonly found?: ReadonlySet<number> | undefined;
  readonly hidesStatic: boolean;
  /** Positions of the calls whose calls are folded away. */
  readonly folded: ReadonlySet<number>;
}

/** A call that is shown. */
export interface VisibleCall {
  readonly row: CallRow;
  /** Whether calls of it could be shown, and whether they are. */
  readonly fold: "open" | "folded" | "none";
}

/**
 * The calls that are shown, in order. A filter keeps the callers of what it finds; a failed call is left out by a filter
 * only, and never because it is static.
 */
export function visibleCalls(rows: readonly CallRow[], choice: CallChoice): VisibleCall[] {
  const wanted = searchedText(choice.filter);
  const isShown = new Uint8Array(rows.length);
  const hasShown = new Uint8Array(rows.length);
  // From the last to the first: what a row calls is known before the row itself.
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at];
    if (!row) continue;
    const isHidden = choice.hidesStatic && row.isStatic === true && row.outcome !== "failed";
    const isMatch =
      !isHidden &&
      (wanted === "" || choice.found?.has(at) === true || wordsOf(row).toLowerCase().includes(wanted));
    if (!isMatch && hasShown[at] !== 1) continue;
    isShown[at] = 1;
    if (row.parent >= 0) hasShown[row.parent] = 1;
  }
  const isAway = new Uint8Array(rows.length);
  const shown: VisibleCall[] = [];
  for (const [at, row] of rows.entries()) {
    const { parent } = row;
    isAway[at] = parent >= 0 && (isAway[parent] === 1 || choice.folded.has(parent)) ? 1 : 0;
    if (isShown[at] !== 1 || isAway[at] === 1) continue;
    shown.push({ row, fold: hasShown[at] !== 1 ? "none" : choice.folded.has(at) ? "folded" : "open" });
  }
  return shown;
}

/** What is looked for where this is typed. */
export function searchedText(typed: string): string {
  return typed.trim().toLowerCase();
}

/** The line of a call among those that are shown; where it is not, that of the nearest of its callers that is, or the first. */
export function lineOfCall(shown: readonly VisibleCall[], rows: readonly CallRow[], at: number): number {
  for (let one = rows[at]; one; one = rows[one.parent]) {
    const line = placeAmong(shown, one.at);
    if (shown[line]?.row === one) return line;
  }
  return 0;
}

/** How many of the calls, which are in order, come before one. It is asked for at each piece that is loaded: no list is made. */
function placeAmong(shown: readonly VisibleCall[], at: number): number {
  let [from, to] = [0, shown.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((shown[middle]?.row.at ?? at) < at) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Everything that a row says. */
export function wordsOf({ operation, contract, name, args, result, value, failure }: CallRow): string {
  const callee = name === undefined ? contract : `${contract}.${name}`;
  const call = (name ?? args) === undefined ? callee : `${callee}(${args ?? ""})`;
  return [operation, call, result, value, failure].filter((part) => part !== undefined).join(" ");
}

/** The branches that went well, each by its topmost call: what is left open leads to a failure. */
export function successfulBranches(rows: readonly CallRow[]): Set<number> {
  const leads = new Uint8Array(rows.length);
  const calls = new Uint8Array(rows.length);
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at];
    if (!row) continue;
    if (row.outcome !== "succeeded" || row.failure !== undefined) leads[at] = 1;
    if (row.parent < 0) continue;
    calls[row.parent] = 1;
    if (leads[at] === 1) leads[row.parent] = 1;
  }
  return new Set(rows.flatMap(({ at }) => (calls[at] === 1 && leads[at] !== 1 ? [at] : [])));
}
