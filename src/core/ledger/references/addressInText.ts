/** An address in a line of text, and where it stands. */
interface PlacedAddress {
  /** As it was written, with `0x`. */
  readonly address: string;
  /** UTF-16 offsets into the line; the end is behind it. */
  readonly start: number;
  readonly end: number;
}

/** `0x` and 40 digits. */
const LENGTH = 42;
/** Not a part of a longer number or name, such as a hash. */
const ADDRESS = /(?<![\w$])0x[0-9a-fA-F]{40}(?![\w$])/g;

/** The address that stands at an offset of a line, however long the line is. */
export function addressAt(line: string, offset: number): PlacedAddress | undefined {
  // One character more on each side, which tells a longer number.
  const from = Math.max(0, offset - LENGTH - 1);
  for (const { 0: address, index } of line.slice(from, offset + LENGTH + 1).matchAll(ADDRESS)) {
    const start = from + index;
    if (start <= offset && offset <= start + LENGTH) return { address, start, end: start + LENGTH };
  }
  return undefined;
}
