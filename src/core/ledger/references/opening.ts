import type { LedgerRow } from "../../rows/ledgerRow.ts";
import { openable } from "./entityId.ts";

/**
 * What makes a row open what an id or an address names; nothing for any other text.
 *
 * @param kind `entity` where only the ledger tells what it is
 */
export function opening(
  kind: NonNullable<LedgerRow["opens"]>["kind"],
  canonical: string | undefined,
): Pick<LedgerRow, "opens"> {
  const opened = openable(canonical);
  return opened === undefined ? {} : { opens: { kind, canonical: opened } };
}
