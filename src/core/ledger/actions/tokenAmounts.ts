import { t } from "@vscode/l10n";
import type { DecodedCall, DecodedValue } from "../../evm/abiDecoding.ts";
import { groupDigits, scaleDown } from "../../text/exactDecimal.ts";
import { foreign, foreignWhole } from "../../text/shownText.ts";
import { counted } from "../../text/counted.ts";

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

/** A decoded value, and what is known of it. */
export interface NamedValue extends DecodedValue {
  /** What it is in units of the token that it counts: "10.0 SMC" */
  readonly amount?: string;
  /** What a number stands for: "unlimited", "SUCCESS" */
  readonly meaning?: string;
  /** The calls that its bytes are, by where those begin in its text. */
  readonly calls?: ReadonlyMap<number, PackedCall>;
}

/** A call within an argument: one of those that a multicall makes. */
export interface PackedCall {
  readonly name: string;
  readonly values: readonly NamedValue[];
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

/** The arguments of a call to a token, or of an event of it. */
export function argumentsInUnits(values: readonly NamedValue[], token: NamedToken): readonly NamedValue[] {
  return inUnits(values, token, ({ name }) => isAmount(name, token));
}

/** Functions of a token whose result counts smallest units. */
const AMOUNT_RESULTS: ReadonlySet<string> = new Set(["balanceOf", "allowance", "totalSupply"]);

/** @param called the function's name */
export function resultsInUnits(
  results: readonly NamedValue[],
  called: string | undefined,
  token: NamedToken,
): readonly NamedValue[] {
  const counts = AMOUNT_RESULTS.has(called ?? "");
  return inUnits(
    results,
    token,
    ({ name }) => name !== "responseCode" && (counts || name === "newTotalSupply" || isAmount(name, token)),
  );
}

/** What the errors of ERC-20 (ERC-6093) count in smallest units. */
const ERROR_AMOUNTS: ReadonlySet<string> = new Set(["allowance", "balance", "needed"]);

/** @param error its name */
export function errorInUnits(
  values: readonly NamedValue[],
  error: string,
  token: TokenUnits,
): readonly NamedValue[] {
  return error.startsWith("ERC20")
    ? inUnits(values, token, ({ name }) => name !== undefined && ERROR_AMOUNTS.has(name))
    : values;
}

/** Whether a number counts smallest units of the token; one without decimals may have serial numbers in that place. */
function isAmount(name: string | undefined, { decimals }: TokenUnits): boolean {
  return name === "amount" || name === "value" || (name === "amountOrId" && decimals > 0);
}

function inUnits(
  values: readonly NamedValue[],
  token: TokenUnits,
  counts: (value: NamedValue) => boolean,
): readonly NamedValue[] {
  return values.map((value) =>
    /^u?int\d*$/.test(value.type) && counts(value)
      ? { ...value, amount: unitsText(value.text, token) }
      : value,
  );
}

/** Where the functions and events of ERC-20 have their amount, which every contract calls differently. */
const ERC20_AMOUNTS: ReadonlyMap<string, number> = new Map([
  ["transfer(address,uint256)", 1],
  ["approve(address,uint256)", 1],
  ["transferFrom(address,address,uint256)", 2],
  ["Transfer(address,address,uint256)", 2],
  ["Approval(address,address,uint256)", 2],
]);

/** Functions of ERC-20 whose only result is an amount. */
const ERC20_AMOUNT_RESULTS: ReadonlySet<string> = new Set([
  "balanceOf(address)",
  "allowance(address,address)",
  "totalSupply()",
]);

/** Whether a function or an event of ERC-20 has an amount among its arguments or as its result. */
export function countsUnits(signature: string): boolean {
  return ERC20_AMOUNTS.has(signature) || ERC20_AMOUNT_RESULTS.has(signature);
}

/** A serial number stands where ERC-20 has the amount: `tokenId`, `_id`, `amountOrId`. */
const SERIAL = /(?:^|_)ids?_?$|I[dD]s?_?$/;

/** The arguments of a call to a contract that said its decimals, or of an event of it, where they are those of ERC-20. */
export function erc20ArgumentsInUnits(
  { signature, values }: Pick<DecodedCall, "signature"> & { readonly values: readonly NamedValue[] },
  token: TokenUnits,
): readonly NamedValue[] {
  const amount = values[ERC20_AMOUNTS.get(signature) ?? -1];
  if (!amount || SERIAL.test(amount.name ?? "")) return values;
  return inUnits(values, token, (value) => value === amount);
}

/** @param signature of the function that was called */
export function erc20ResultsInUnits(
  results: readonly NamedValue[],
  signature: string,
  token: TokenUnits,
): readonly NamedValue[] {
  return ERC20_AMOUNT_RESULTS.has(signature) && results.length === 1
    ? inUnits(results, token, () => true)
    : results;
}
