import type { DecodedCall, DecodedValue } from "../../evm/abiDecoding.ts";
import { unitsText, type NamedToken, type TokenUnits } from "../tokens/tokenUnits.ts";

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
