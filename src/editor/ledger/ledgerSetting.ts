import type { Mending } from "../../core/rows/ledgerRow.ts";
import { mendingSetting, type MendableError } from "../ui/mendingSetting.ts";

/** The setting that can mend an error of what the ledger was asked. */
export function ledgerSettingFor(error: MendableError): string | undefined {
  return mendingSetting(error, "ledgerLens.ledgerUrl");
}

/** What can mend it. */
export function ledgerMending(error: MendableError): Mending | undefined {
  if (error.key !== undefined) return "key";
  return ledgerSettingFor(error) === undefined ? undefined : "setting";
}
