import { t } from "@vscode/l10n";
import { createHash } from "node:crypto";
import { LedgerLensError } from "../errors.ts";
import { keysInAddress, mayBeKey, shownHost } from "./shownAddress.ts";

/** Stands behind the `#` of what is kept for an address with a key; no address of a service has a part behind a `#`. */
const MARK = /#without-key-[0-9a-f]{16}$/;

/**
 * An address as it is written to disk: as it is, or, where it may hold a key, without that and with a mark that tells it
 * from others. `https://node.example.com/…/verify#without-key-0f1e2d3c4b5a6978`
 */
export function keptAddress(address: string): string {
  const url = URL.parse(address);
  if (!url || MARK.test(address) || keysInAddress(address).length === 0) return address;
  const path = url.pathname.split("/").map((segment) => (mayBeKey(segment) ? "…" : segment));
  const mark = createHash("sha256").update(address).digest("hex").slice(0, 16);
  return `${url.origin}${path.join("/")}#without-key-${mark}`;
}

/**
 * The address that something was kept for.
 *
 * @param kept what {@link keptAddress} answered, or a whole address
 * @param known addresses of the settings, in the form in which they were kept
 * @throws LedgerLensError `key_missing` where none of them is the one
 */
export function wholeAddress(kept: string, known: readonly string[]): string {
  if (!MARK.test(kept)) return kept;
  const whole = known.find((address) => keptAddress(address) === kept);
  if (whole !== undefined) return whole;
  throw new LedgerLensError(
    "key_missing",
    t`The address at ${shownHost(kept)} that this was agreed for held a key and is not in the settings any more. Set ledgerLens.verificationUrl to it again.`,
  );
}
