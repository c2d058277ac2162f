import type { Pieces } from "../../concurrency/turns.ts";

/** A row of a table: values by the names of the columns. Blobs are bytes, large integers `bigint`. */
export type SqliteRow = Readonly<Record<string, unknown>>;

const TABLE_LEAF = 0x0d;
const TABLE_INTERIOR = 0x05;
const FILE_HEADER_BYTES = 100;
/** Of the table of tables. */
const SCHEMA_COLUMNS = 5;

/** What the format allows (section 1.3 of its description). */
const PAGE_SIZES: readonly number[] = [512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536];
const LEAST_USABLE_BYTES = 480;
/** More than a table of any tool has; those behind them are not read. */
const MAX_COLUMNS = 200;
/** Far longer than the text of a table of so many columns. */
const MAX_SQL_CHARACTERS = 100_000;
/** So many rows are read before a pause may be made. */
const ROWS_OF_A_PIECE = 64;

/**
 * Reads a table from the bytes of an SQLite database (https://www.sqlite.org/fileformat2.html), in pieces, and hands over
 * its rows one by one, so that no more of them is kept than is wanted. Reads only what is in the main file: what still waits
 * in a write-ahead log is not seen. What is no database or has no such table has no rows; of a damaged one those up to the
 * damage are read. One whose rows come to more than a file of that size can hold is damaged.
 */
export function* eachSqliteRow(
  database: Uint8Array,
  table: string,
  visit: (row: SqliteRow) => void,
): Pieces<void> {
  if (!isSqlite(database) || database.length < FILE_HEADER_BYTES) return;
  const file = new SqliteFile(database);
  let entry: Row | undefined;
  yield* file.eachRow(1, SCHEMA_COLUMNS, (row) => {
    if (row.values[0] === "table" && row.values[1] === table) entry ??= row;
  });
  const [, , , page, sql] = entry?.values ?? [];
  const root = Number(page);
  if (typeof sql !== "string" || sql.length > MAX_SQL_CHARACTERS || !Number.isInteger(root) || root < 1)
    return;
  const columns = columnsOf(sql).slice(0, MAX_COLUMNS);
  yield* file.eachRow(root, columns.length, ({ id, values }) => {
    visit(
      Object.fromEntries(
        // An integer primary key is not in the record but is the row's own number.
        columns.map(({ name, isRowId }, at) => [
          name,
          isRowId && values[at] === null ? id : (values[at] ?? null),
        ]),
      ),
    );
  });
}

/** Whether bytes are an SQLite database; a file without any is one without tables. */
export function isSqlite(bytes: Uint8Array): boolean {
  return bytes.length === 0 || new TextDecoder().decode(bytes.subarray(0, 15)) === "SQLite format 3";
}

interface Row {
  readonly id: number;
  readonly values: readonly unknown[];
}

class SqliteFile {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #pageSize: number;
  readonly #usable: number;
  /** A damaged file can name a page twice, or one piece of content in many cells. */
  readonly #seenPages = new Set<number>();
  #payloadBytes = 0;
  #values = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const size = this.#view.getUint16(16);
    this.#pageSize = size === 1 ? 65_536 : size;
    this.#usable = this.#pageSize - (bytes[20] ?? 0);
  }

  *eachRow(rootPage: number, columns: number, visit: (row: Row) => void): Pieces<void> {
    if (!PAGE_SIZES.includes(this.#pageSize) || this.#usable < LEAST_USABLE_BYTES) return;
    // Not by recursion: a damaged tree can be as deep as the file has pages. The last one is the next.
    const pages = [rootPage];
    let read = 0;
    try {
      for (let page = pages.pop(); page !== undefined; page = pages.pop()) {
        const { children, cells } = this.#page(page);
        for (const child of children.reverse()) pages.push(child);
        for (const at of cells) {
          if (++read % ROWS_OF_A_PIECE === 0) yield;
          // Each value has a byte of its own at least, and each row has one without any.
          this.#values += Math.max(1, columns);
          if (this.#values > this.#bytes.length) throw new RangeError("there are more values than bytes");
          visit(this.#leafCell(at));
        }
        if (cells.length === 0) yield;
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }

  /** The pages below a page, or where its cells begin if it has none below. */
  #page(page: number): { readonly children: number[]; readonly cells: readonly number[] } {
    if (this.#seenPages.has(page)) throw new RangeError("a page is in the tree twice");
    this.#seenPages.add(page);
    const start = (page - 1) * this.#pageSize;
    const header = start + (page === 1 ? FILE_HEADER_BYTES : 0);
    const kind = this.#view.getUint8(header);
    if (kind !== TABLE_LEAF && kind !== TABLE_INTERIOR) return { children: [], cells: [] };
    const count = this.#view.getUint16(header + 3);
    const pointers = header + (kind === TABLE_INTERIOR ? 12 : 8);
    if (pointers + 2 * count > start + this.#pageSize) throw new RangeError("there are more cells than fit");
    const cells = Array.from(
      { length: count },
      (_, cell) => start + this.#view.getUint16(pointers + 2 * cell),
    );
    if (new Set(cells).size < count) throw new RangeError("a cell is in a page twice");
    if (kind === TABLE_LEAF) return { children: [], cells };
    const children = cells.map((at) => this.#view.getUint32(at));
    return { children: [...children, this.#view.getUint32(header + 8)], cells: [] };
  }

  #leafCell(at: number): Row {
    const [size, afterSize] = this.#varint(this.#bytes, at);
    const [id, body] = this.#varint(this.#bytes, afterSize);
    return { id, values: this.#record(this.#payload(body, size)) };
  }

  /** The bytes of a cell, which go on in overflow pages when they are too many for theirs. */
  #payload(at: number, size: number): Uint8Array {
    if (size < 0) throw new RangeError("the content has less than no bytes");
    this.#payloadBytes += size;
    if (this.#payloadBytes > this.#bytes.length) throw new RangeError("the content is larger than the file");
    const largest = this.#usable - 35;
    if (size <= largest) return this.#bytes.subarray(at, at + size);
    const least = Math.floor(((this.#usable - 12) * 32) / 255) - 23;
    const rest = least + ((size - least) % (this.#usable - 4));
    const local = rest <= largest ? rest : least;
    const payload = new Uint8Array(size);
    payload.set(this.#bytes.subarray(at, at + local));
    let filled = local;
    for (let next = this.#view.getUint32(at + local); next !== 0 && filled < size;) {
      const page = (next - 1) * this.#pageSize;
      const part = Math.min(this.#usable - 4, size - filled);
      payload.set(this.#bytes.subarray(page + 4, page + 4 + part), filled);
      filled += part;
      next = this.#view.getUint32(page);
    }
    return payload;
  }

  #record(payload: Uint8Array): unknown[] {
    const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
    const [headerSize, first] = this.#varint(payload, 0);
    const values: unknown[] = [];
    let at = headerSize;
    for (let next = first; next < headerSize;) {
      const [type, after] = this.#varint(payload, next);
      next = after;
      const [value, size] = serialValue(payload, view, at, type);
      values.push(value);
      at += size;
    }
    return values;
  }

  #varint(bytes: Uint8Array, start: number): [value: number, end: number] {
    let value = 0n;
    for (let at = start; at < start + 9; at++) {
      const byte = bytes[at];
      if (byte === undefined) throw new RangeError("a number goes on behind the end");
      if (at === start + 8) return [Number(BigInt.asIntN(64, (value << 8n) | BigInt(byte))), at + 1];
      value = (value << 7n) | BigInt(byte & 0x7f);
      if (byte < 0x80) return [Number(value), at + 1];
    }
    throw new RangeError("a number is too long");
  }
}

const UTF8 = new TextDecoder();

/** A value by its serial type, and how many bytes it takes. */
function serialValue(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  type: number,
): [value: unknown, size: number] {
  switch (type) {
    case 0:
      return [null, 0];
    case 1:
      return [view.getInt8(at), 1];
    case 2:
      return [view.getInt16(at), 2];
    case 3:
      return [(view.getInt8(at) << 16) | view.getUint16(at + 1), 3];
    case 4:
      return [view.getInt32(at), 4];
    case 5:
      return [view.getInt16(at) * 2 ** 32 + view.getUint32(at + 2), 6];
    case 6: {
      const value = view.getBigInt64(at);
      return [Number.isSafeInteger(Number(value)) ? Number(value) : value, 8];
    }
    case 7:
      return [view.getFloat64(at), 8];
    case 8:
    case 9:
      return [type - 8, 0];
    default: {
      if (type < 12) throw new RangeError("there is no such type");
      const size = Math.floor((type - (type % 2 === 0 ? 12 : 13)) / 2);
      const content = bytes.subarray(at, at + size);
      return [type % 2 === 0 ? content : UTF8.decode(content), size];
    }
  }
}

/** The columns of `CREATE TABLE …(…)`, in order. */
function columnsOf(sql: string): { name: string; isRowId: boolean }[] {
  const body = sql.slice(sql.indexOf("(") + 1, sql.lastIndexOf(")"));
  return splitAtCommas(body).flatMap((definition) => {
    const [, quoted, plain] = /^\s*(?:["'`[]([^"'`\]]+)["'`\]]|([A-Za-z_]\w*))/.exec(definition) ?? [];
    const name = quoted ?? plain;
    if (name === undefined || (plain && /^(?:constraint|primary|unique|check|foreign)$/i.test(plain)))
      return [];
    return [{ name, isRowId: /\binteger\s+primary\s+key\b/i.test(definition) }];
  });
}

function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (character === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
