/** What auxdata is made of. */
export type CborValue =
  number | boolean | string | Uint8Array | readonly CborValue[] | ReadonlyMap<string, CborValue>;

const MAX_DEPTH = 4;

/**
 * Decodes the one CBOR item (RFC 8949) that fills the bytes from `start` to `end`, in the subset that compilers
 * write: unsigned integers, byte and text strings, arrays, maps with text keys, booleans, definite lengths.
 *
 * @returns `undefined` for anything else, an item that is shorter or longer among it.
 */
export function decodeCbor(bytes: Uint8Array, start: number, end: number): CborValue | undefined {
  const reader = new CborReader(bytes, start, end);
  const value = reader.item(0);
  return reader.position === end ? value : undefined;
}

class CborReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  position: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.#end = Math.min(end, bytes.length);
    this.position = start;
  }

  item(depth: number): CborValue | undefined {
    if (this.position >= this.#end || depth > MAX_DEPTH) return undefined;
    const head = this.#bytes[this.position++] ?? 0;
    const major = head >> 5;
    if (major === 7) return head === 0xf4 ? false : head === 0xf5 ? true : undefined;
    const size = this.#argument(head & 0x1f);
    if (size === undefined) return undefined;
    switch (major) {
      case 0:
        return size;
      case 2:
        return this.#take(size);
      case 3:
        return this.#text(size);
      case 4:
        return this.#array(size, depth);
      case 5:
        return this.#map(size, depth);
      default:
        return undefined;
    }
  }

  #argument(info: number): number | undefined {
    if (info < 24) return info;
    const width = info === 24 ? 1 : info === 25 ? 2 : info === 26 ? 4 : 0;
    const raw = width > 0 ? this.#take(width) : undefined;
    return raw?.reduce((value, byte) => value * 256 + byte, 0);
  }

  #take(size: number): Uint8Array | undefined {
    if (this.position + size > this.#end) return undefined;
    this.position += size;
    return this.#bytes.subarray(this.position - size, this.position);
  }

  #text(size: number): string | undefined {
    const raw = this.#take(size);
    try {
      return raw && new TextDecoder("utf-8", { fatal: true }).decode(raw);
    } catch {
      return undefined;
    }
  }

  #array(size: number, depth: number): CborValue[] | undefined {
    const items: CborValue[] = [];
    for (let at = 0; at < size; at++) {
      const item = this.item(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }

  #map(size: number, depth: number): Map<string, CborValue> | undefined {
    const map = new Map<string, CborValue>();
    for (let at = 0; at < size; at++) {
      const key = this.item(depth + 1);
      const value = this.item(depth + 1);
      if (typeof key !== "string" || value === undefined || map.has(key)) return undefined;
      map.set(key, value);
    }
    return map;
  }
}
