/** A row of a table: values by the names of the columns. Blobs are bytes, large integers `bigint`. */
type SqliteRow = Readonly<Record<string, unknown>>;

const TABLE_LEAF = 0x0d;
const TABLE_INTERIOR = 0x05;
const FILE_HEADER_BYTES = 100;

/**
 * Reads all rows of a table from the bytes of an SQLite database (https://www.sqlite.org/fileformat2.html). Reads
 * only what is in the main file: what still waits in a write-ahead log is not seen.
 *
 * @returns No rows for what is no database or has no such table; rows up to the damage of a damaged one.
 */
export function readSqliteTable(database: Uint8Array, table: string): SqliteRow[] {
  if (!isSqlite(database) || database.length < FILE_HEADER_BYTES) return [];
  const file = new SqliteFile(database);
  const schema = file.rows(1);
  const entry = schema.find(({ values }) => values[0] === "table" && values[1] === table);
  const root = Number(entry?.values[3]);
  if (!entry || !Number.isInteger(root) || root < 1) return [];
  const columns = columnsOf(String(entry.values[4]));
  return file.rows(root).map(({ id, values }) =>
    Object.fromEntries(
      // An integer primary key is not in the record but is the row's own number.
      columns.map(({ name, isRowId }, at) => [
        name,
        isRowId && values[at] === null ? id : (values[at] ?? null),
      ]),
    ),
  );
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

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const size = this.#view.getUint16(16);
    this.#pageSize = size === 1 ? 65_536 : size;
    this.#usable = this.#pageSize - (bytes[20] ?? 0);
  }

  rows(rootPage: number): Row[] {
    const rows: Row[] = [];
    try {
      this.#collect(rootPage, rows);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    return rows;
  }

  #collect(page: number, rows: Row[]): void {
    if (this.#seenPages.has(page)) throw new RangeError("a page is in the tree twice");
    this.#seenPages.add(page);
    const start = (page - 1) * this.#pageSize;
    const header = start + (page === 1 ? FILE_HEADER_BYTES : 0);
    const kind = this.#view.getUint8(header);
    const cells = this.#view.getUint16(header + 3);
    const pointers = header + (kind === TABLE_INTERIOR ? 12 : 8);
    for (let cell = 0; cell < cells; cell++) {
      const at = start + this.#view.getUint16(pointers + 2 * cell);
      if (kind === TABLE_LEAF) rows.push(this.#leafCell(at));
      else if (kind === TABLE_INTERIOR) this.#collect(this.#view.getUint32(at), rows);
    }
    if (kind === TABLE_INTERIOR) this.#collect(this.#view.getUint32(header + 8), rows);
  }

  #leafCell(at: number): Row {
    const [size, afterSize] = this.#varint(this.#bytes, at);
    const [id, body] = this.#varint(this.#bytes, afterSize);
    return { id, values: this.#record(this.#payload(body, size)) };
  }

  /** The bytes of a cell, which go on in overflow pages when they are too many for theirs. */
  #payload(at: number, size: number): Uint8Array {
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
      const size = Math.floor((type - (type % 2 === 0 ? 12 : 13)) / 2);
      const content = bytes.subarray(at, at + size);
      return [type % 2 === 0 ? content : new TextDecoder().decode(content), size];
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
