import { mendingSetting, type MendableError } from "../ui/mendingSetting.ts";

/** The setting that can mend an error of what the ledger was asked. */
export function ledgerSettingFor(error: MendableError): string | undefined {
  return mendingSetting(error, "ledgerLens.ledgerUrl");
}
