import type { DecodedValue } from "../../evm/abiDecoding.ts";
import { groupDigits, scaleDown } from "../../text/exactDecimal.ts";
import { foreignWhole } from "../../text/shownText.ts";

/** A token by its record. */
export interface NamedToken {
  /** `shard.realm.num` */
  readonly id: string;
  readonly decimals: number;
  readonly symbol?: string;
}

/** A decoded value, and what it is in units of the token that it counts. */
export interface NamedValue extends DecodedValue {
  /** "10.0 SMC" */
  readonly amount?: string;
}

/** Smallest units in units of their token: "10.0 SMC", without a symbol where it has none. */
export function unitsText(smallest: string, { decimals, symbol }: Omit<NamedToken, "id">): string {
  const amount = groupDigits(scaleDown(smallest, decimals));
  const units = decimals > 0 && !amount.includes(".") ? `${amount}.0` : amount;
  return symbol === undefined ? units : `${units} ${foreignWhole(symbol)}`;
}

/** The arguments of a call to a token, or of an event of it. */
export function argumentsInUnits(values: readonly NamedValue[], token: NamedToken): readonly NamedValue[] {
  return inUnits(values, token, (name) => isAmount(name, token));
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
  return inUnits(results, token, (name) => counts || isAmount(name, token));
}

/** What the errors of ERC-20 (ERC-6093) count in smallest units. */
const ERROR_AMOUNTS: ReadonlySet<string> = new Set(["allowance", "balance", "needed"]);

/** @param error its name */
export function errorInUnits(
  values: readonly NamedValue[],
  error: string,
  token: NamedToken,
): readonly NamedValue[] {
  return error.startsWith("ERC20")
    ? inUnits(values, token, (name) => name !== undefined && ERROR_AMOUNTS.has(name))
    : values;
}

/** Whether a number counts smallest units of the token; one without decimals may have serial numbers in that place. */
function isAmount(name: string | undefined, { decimals }: NamedToken): boolean {
  return name === "amount" || name === "value" || (name === "amountOrId" && decimals > 0);
}

function inUnits(
  values: readonly NamedValue[],
  token: NamedToken,
  counts: (name: string | undefined) => boolean,
): readonly NamedValue[] {
  return values.map((value) =>
    /^u?int\d*$/.test(value.type) && counts(value.name)
      ? { ...value, amount: unitsText(value.text, token) }
      : value,
  );
}
