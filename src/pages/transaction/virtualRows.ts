/** Rows that are drawn above and below what is seen. */
const SPARE_ROWS = 8;

/** What is seen of a list: the first line, and how many lines there can be, those seen in part included. */
export interface SeenLines {
  readonly line: number;
  readonly lines: number;
}

/** A row that is drawn. */
export interface VirtualRow<One> {
  /** Of the element that shows it: 0 to the most rows that are drawn, without that. */
  readonly place: number;
  readonly line: number;
  readonly one: One;
}

/** What was drawn before. */
export interface DrawnBefore<One> {
  readonly shown: readonly One[];
  readonly places: number;
  readonly first: number;
  /** By so many lines the places are turned. */
  readonly shift: number;
  /** The line in each place. */
  readonly lines: ReadonlyMap<number, number>;
}

/**
 * The rows to draw of a list of which a part is seen, in order, and spare ones above and below. There are always as many
 * places as there can be rows: scrolling fills those that are there, and makes no others.
 *
 * What is scrolled by less than is drawn moves some of the elements to the other end, since elements stand in the order of
 * their lines, as they are read aloud. Where nothing that was drawn stays, each is filled where it stands: the seen ones at
 * once, the spare ones when no such jump has followed for a frame. Until then they show what they did, far from what is seen.
 */
export function virtualRows<One>(
  shown: readonly One[],
  seen: SeenLines,
  before: DrawnBefore<One> | undefined,
): { readonly rows: readonly VirtualRow<One>[]; readonly now: DrawnBefore<One>; readonly hasOld: boolean } {
  const places = seen.lines + 2 * SPARE_ROWS;
  const first = Math.max(0, Math.min(seen.line - SPARE_ROWS, shown.length - places));
  const last = Math.min(shown.length, first + places);
  const known = before?.places === places ? before : undefined;
  const isJump = known !== undefined && Math.abs(first - known.first) >= places;
  const shift = (known?.shift ?? 0) + (isJump ? first - known.first : 0);
  const old = isJump && known.shown === shown ? known.lines : undefined;
  const lines = new Map<number, number>();
  const rows: VirtualRow<One>[] = [];
  let hasOld = false;
  for (let line = first; line < last; line++) {
    const place = (((line - shift) % places) + places) % places;
    const isSpare = line < seen.line || line >= seen.line + seen.lines;
    const stays = isSpare ? old?.get(place) : undefined;
    // What is to be drawn in another place cannot stay: there would be two of it.
    const drawn = stays === undefined || (stays >= first && stays < last) ? line : stays;
    const one = shown[drawn];
    if (one === undefined) continue;
    hasOld ||= drawn !== line;
    lines.set(place, drawn);
    rows.push({ place, line: drawn, one });
  }
  return { rows, now: { shown, places, first, shift, lines }, hasOld };
}
