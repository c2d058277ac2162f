import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The database as titanoboa makes it, with these rows. */
export function boaDatabase(rows: readonly Record<string, string | number | null>[]): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), "ledger-lens-"));
  const path = join(folder, "d.db");
  const database = new DatabaseSync(path);
  database.exec(
    "CREATE TABLE IF NOT EXISTS deployments(deployment_id integer primary key autoincrement, session_id text, contract_address text, contract_name text, filename text, rpc text, deployer text, tx_hash text, broadcast_ts real, tx_dict text, receipt_dict text, source_code text, abi text);",
  );
  database.exec("BEGIN");
  for (const row of rows) {
    const names = Object.keys(row);
    database
      .prepare(`INSERT INTO deployments(${names.join()}) VALUES(${names.map(() => "?").join()})`)
      .run(...Object.values(row));
  }
  database.exec("COMMIT");
  database.close();
  const bytes = new Uint8Array(readFileSync(path));
  rmSync(folder, { recursive: true });
  return bytes;
}
