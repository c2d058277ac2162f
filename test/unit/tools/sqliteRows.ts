import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { eachSqliteRow, type SqliteRow } from "../../../src/core/tools/moccasin/sqliteTable.ts";

/** All rows of a table of an SQLite database, read at once. */
export function sqliteRows(database: Uint8Array, table: string): SqliteRow[] {
  const rows: SqliteRow[] = [];
  atOnce(eachSqliteRow(database, table, (row) => rows.push(row)));
  return rows;
}
