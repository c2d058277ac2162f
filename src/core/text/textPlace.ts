/** A place in a text; both zero-based, characters in UTF-16 units, as editors count. */
export interface TextPlace {
  readonly line: number;
  readonly character: number;
}

/** What ends a line for an editor: LF, CR or both. */
export const LINE_END = /\r\n?|\n/g;

const LF = 10;
const CR = 13;

/** Turns UTF-16 offsets of a text into places. */
export function placesIn(text: string): (offset: number) => TextPlace {
  let lineStarts: number[] | undefined;
  return (offset) => {
    lineStarts ??= [0, ...[...text.matchAll(LINE_END)].map(({ index, 0: end }) => index + end.length)];
    let low = 0;
    let high = lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: offset - (lineStarts[low] ?? 0) };
  };
}

/** The one-based number of the line of a UTF-16 offset. */
export function lineNumberOf(text: string, offset: number): number {
  return 1 + lineEndsBetween(text, 0, offset);
}

/** How many lines end in a part of a text, by UTF-16 offsets; CR and LF together end one, in the part that has the LF. */
export function lineEndsBetween(text: string, from: number, until: number): number {
  let ends = 0;
  for (let at = from; at < until; at++) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) ends++;
  }
  return ends;
}
