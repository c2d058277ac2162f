/** Where something is defined. */
export interface DefinitionPlace {
  /** Absolute path. */
  readonly path: string;
  /** Zero-based. */
  readonly line: number;
  /** Zero-based, in UTF-16 units. */
  readonly character: number;
}

/** Turns UTF-16 offsets of a text into places; lines end as editors end them, with LF, CR LF or CR. */
export function placeFinder(path: string, text: string): (offset: number) => DefinitionPlace {
  let lineStarts: number[] | undefined;
  return (offset) => {
    lineStarts ??= [0, ...[...text.matchAll(/\r\n?|\n/g)].map(({ index, 0: end }) => index + end.length)];
    let low = 0;
    let high = lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { path, line: low, character: offset - (lineStarts[low] ?? 0) };
  };
}
