const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Bytes as lower-case hex without `0x`. */
export function toHex(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let hex = "";
  for (let at = start; at < end; at++) hex += DIGITS[bytes[at] ?? 0] ?? "";
  return hex;
}

/**
 * The bytes of a bytecode, with or without `0x`. What follows the first character that is no hexadecimal
 * digit, such as a library's placeholder, is left out, as the public service does when it stores a code.
 */
export function codeBytes(code: string | null | undefined): Uint8Array {
  const digits = /^(?:0x)?((?:[0-9a-f]{2})*)/i.exec(code ?? "")?.[1] ?? "";
  const bytes = new Uint8Array(digits.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

/** The bytes of a bytecode, placeholders of libraries as the zeros that solc leaves elsewhere. */
export function unlinkedCodeBytes(code: string): Uint8Array {
  return codeBytes(code.replace(/^0x/i, "").replace(/__.{36}__/g, "0".repeat(40)));
}

/** Where a sequence of bytes first occurs at or after `from`, or -1. */
export function indexOfBytes(bytes: Uint8Array, wanted: Uint8Array, from = 0): number {
  outer: for (let at = from; at <= bytes.length - wanted.length; at++) {
    for (let offset = 0; offset < wanted.length; offset++)
      if (bytes[at + offset] !== wanted[offset]) continue outer;
    return at;
  }
  return -1;
}
