import { t } from "@vscode/l10n";
import { counted } from "../../text/counted.ts";
import { groupDigits, scaleDown } from "../../text/exactDecimal.ts";
import { foreign, foreignWhole } from "../../text/shownText.ts";

/** No number of 32 bytes has more digits; with more decimals each amount would be a row of zeros. */
export const MAX_DECIMALS = 77;

/** What amounts of a token are shown in. */
export interface TokenUnits {
  readonly decimals: number;
  readonly symbol?: string;
}

/** A token by its record. */
export interface NamedToken extends TokenUnits {
  /** `shard.realm.num` */
  readonly id: string;
}

/** The network's tokens have at most 100 bytes. */
const MAX_SYMBOL_CHARACTERS = 100;
/** What stands in symbols, but for marks that divide the arguments of a call from each other and from what is around them. */
const SYMBOL = /^[\p{L}\p{M}\p{N}\p{Sc}\p{So}\p{Extended_Pictographic}\ufe0f ._+\-/&<>|#!*^~[\]]+$/u;
/** A first word that is none of a number: digits alone would be read as a part of it, and "e18" as its exponent. */
const UNIT = /^(?!\d*e[+-]?\d+(?: |$))[^ .+\-/]*?[\p{L}\p{Sc}\p{So}\p{Extended_Pictographic}]/iu;

/** A token's symbol as it may stand behind an amount; `undefined` for one that would be read as something else there. */
export function unitSymbol(said: string | undefined): string | undefined {
  const symbol = foreign(said?.trim() ?? "", MAX_SYMBOL_CHARACTERS);
  return SYMBOL.test(symbol) && UNIT.test(symbol) ? symbol : undefined;
}

/**
 * Smallest units in units of their token: "10.0 SMC". One without a symbol is told by its id, and where that is not known
 * either, as with a contract that was called, as "10.0 tokens": no amount stands without a unit.
 */
export function unitsText(
  smallest: string,
  { decimals, symbol, id }: TokenUnits & Partial<NamedToken>,
): string {
  const amount = groupDigits(scaleDown(smallest, decimals));
  const units = decimals > 0 && !amount.includes(".") ? `${amount}.0` : amount;
  const unit = symbol ?? id;
  if (unit !== undefined) return `${units} ${foreignWhole(unit)}`;
  return decimals === 0 ? counted(amount, "token") : t`${units} tokens`;
}
