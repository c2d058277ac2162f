import { t } from "@vscode/l10n";
import { counted } from "../../text/counted.ts";
import { unitsText, type TokenUnits } from "./tokenUnits.ts";
import { nameWith } from "../transactions/nameWith.ts";

/** "SMC (0.0.456858)", or the id of a token whose symbol is not known. */
export function tokenName(tokenId: string, { symbol }: Partial<TokenUnits> = {}): string {
  return symbol === undefined ? tokenId : nameWith(symbol, tokenId);
}

/**
 * An NFT by its collection: "ART (0.0.7777) #12".
 *
 * @param collection what is known of it
 */
export function nftName(
  tokenId: string,
  serial: string,
  collection: Partial<TokenUnits> | undefined,
): string {
  return `${tokenName(tokenId, collection)} #${serial}`;
}

/** An amount of a token of the network: "10.0 SMC", "4,200 0.0.456858", or smallest units where its decimals are not known. */
export function amountOfToken(smallest: string, tokenId: string, known: TokenUnits | undefined): string {
  return known
    ? unitsText(smallest, { ...known, id: tokenId })
    : t`${counted(smallest, "smallest unit")} of ${tokenId}`;
}
