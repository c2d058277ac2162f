/**
 * How deep data may be nested. `JSON.parse` knows no limit, while code that walks a value or writes it again, to JSON or to
 * another thread, takes room on the stack for every level. A syntax tree in an artifact has some hundreds.
 */
export const MAX_LEVELS = 2_000;

const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/**
 * True when a text of JSON may have more than `most` values: a byte of text can take thirty of memory, and a process
 * that runs out of memory on one thread ends on all. Counts in texts too, which makes it a bound.
 */
export function hasMoreParts(bytes: Uint8Array, most: number): boolean {
  return countParts(bytes, 0, bytes.length) > most;
}

/** At least as many as the values between two places in a text of JSON; see {@link hasMoreParts}. */
export function countParts(bytes: Uint8Array, from: number, to: number): number {
  let parts = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) parts++;
  }
  return parts;
}

/** True when a value has objects or arrays in more than `most` levels; takes no room on the stack itself. */
export function isDeeper(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    const below: unknown[] = [];
    for (const one of level) {
      if (typeof one !== "object" || one === null) continue;
      if (Array.isArray(one)) {
        for (const item of one as unknown[]) if (typeof item === "object" && item !== null) below.push(item);
      } else {
        for (const item of Object.values(one) as unknown[]) {
          if (typeof item === "object" && item !== null) below.push(item);
        }
      }
    }
    level = below;
  }
  return false;
}
