import { t } from "@vscode/l10n";
import type { HeaderKey } from "../errors.ts";

/** Whether a status says that a key is missing, wrong or lacks a right (RFC 9110, sections 15.5.2 and 15.5.4). */
export function refusesKey(status: number | undefined): boolean {
  return status === 401 || status === 403;
}

/**
 * Why a server that {@link refusesKey} may have refused, as it goes on behind a colon.
 *
 * @param hadKey whether a key went along with the request
 */
export function keyReason(status: number | undefined, hadKey: boolean): string {
  if (status === 401) return t`the API key is missing or wrong`;
  return hadKey
    ? t`the API key is wrong or lacks the right to it`
    : t`an API key is missing, or a proxy or firewall on the way refuses`;
}

/**
 * What to do about a key that a server refused, as a sentence without its full stop.
 *
 * @param setting has the address, in which the key stands where the server wants none in a header
 */
export function keyAdvice(key: Pick<HeaderKey, "headerName"> | undefined, setting: string): string {
  return key === undefined
    ? t`Check the API key in ${setting}`
    : t`Run "Ledger Lens: Select Network…" and enter the key for ${key.headerName} again`;
}
