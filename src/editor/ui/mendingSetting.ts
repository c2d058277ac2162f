import { codeMeaning, type LedgerLensError } from "../../core/errors.ts";

/** An error, of which the sentence is not read: parts of it may be the words of a server or a file. */
export type MendableError = Pick<LedgerLensError, "code"> &
  Partial<Pick<LedgerLensError, "message" | "setting" | "key" | "remedy">>;

/**
 * The setting that can mend an error.
 *
 * @param addressSetting the one of the address that is asked, unless the error says that it is of another
 */
export function mendingSetting(
  { code, setting, key, remedy }: MendableError,
  addressSetting: string | undefined,
): string | undefined {
  // It stands in no setting.
  if (key !== undefined) return undefined;
  const meaning = codeMeaning(code);
  const ofAddress = meaning?.isOfAddress ? (setting ?? addressSetting) : undefined;
  return remedy?.setting ?? meaning?.setting ?? ofAddress;
}

/** Whether the same may succeed the next time. */
export function mayPass({ code, remedy }: MendableError): boolean {
  return remedy?.mayPass ?? codeMeaning(code)?.mayPass ?? false;
}
