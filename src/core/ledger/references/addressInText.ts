/** An address in a line of text, and where it stands. */
interface PlacedAddress {
  /** `0x` and 40 digits, in the case in which they were written. */
  readonly address: string;
  /** UTF-16 offsets into the line; the end is behind it. */
  readonly start: number;
  readonly end: number;
}

/** `0x` and 40 digits, with a sign between each two digits. */
const LONGEST = 42 + 39;
/**
 * Not a part of a longer number or name, such as a hash. Single underscores may divide the digits: to Solidity such a number
 * is an address all the same, whose checksum is taken without them.
 */
const ADDRESS = /(?<![\w$])0x[0-9a-fA-F](?:_?[0-9a-fA-F]){39}(?![\w$])/g;

/** The address that stands at an offset of a line, however long the line is. */
export function addressAt(line: string, offset: number): PlacedAddress | undefined {
  // One character more on each side, which tells a longer number.
  const from = Math.max(0, offset - LONGEST - 1);
  for (const { 0: written, index } of line.slice(from, offset + LONGEST + 1).matchAll(ADDRESS)) {
    const start = from + index;
    const end = start + written.length;
    if (start <= offset && offset <= end) return { address: written.replaceAll("_", ""), start, end };
  }
  return undefined;
}
