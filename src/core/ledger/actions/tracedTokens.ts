import { bytesOfHex, readableText } from "../../evm/hex.ts";
import { calledAddress, hexDigits, operationOf, outcomeOf, type ContractAction } from "./contractAction.ts";
import type { TokenUnits } from "./tokenAmounts.ts";

const DECIMALS = "313ce567";
const SYMBOL = "95d89b41";
/** No number of 32 bytes has more digits. */
const MAX_DECIMALS = 77;
const MAX_SYMBOL_BYTES = 32;

/** What contracts answered within a transaction; one that answered differently is not known. */
export class TracedTokens {
  readonly #decimals = new Map<string, string>();
  readonly #symbols = new Map<string, string>();
  readonly #ambiguous = new Set<string>();
  readonly #units = new Map<string, TokenUnits>();

  /** Learns from calls of `decimals()` and `symbol()` that were answered. */
  learn(actions: readonly ContractAction[]): void {
    for (const action of actions) {
      // Of a transaction's calls few are so short, and others may have megabytes.
      if (typeof action.input !== "string" || action.input.length !== 10) continue;
      const input = hexDigits(action.input);
      if (input !== DECIMALS && input !== SYMBOL) continue;
      const address = tokenCalled(action);
      if (address === undefined || outcomeOf(action) !== "succeeded") continue;
      const answers = input === DECIMALS ? this.#decimals : this.#symbols;
      const answer = hexDigits(action.result_data);
      if ((answers.get(address) ?? answer) !== answer) this.#ambiguous.add(`${input} ${address}`);
      answers.set(address, answer);
      this.#update(address);
    }
  }

  /** What the amounts of an ERC-20 token are shown in; `undefined` where it did not say, or has no fractions. */
  at(address: string | undefined): TokenUnits | undefined {
    return this.#units.get(address ?? "");
  }

  #update(address: string): void {
    const decimals = decimalsIn(this.#said(DECIMALS, address));
    const symbol = symbolIn(this.#said(SYMBOL, address));
    // The same object as long as it says the same: what is made of it is kept.
    const before = this.#units.get(address);
    if (before && before.decimals === decimals && before.symbol === symbol) return;
    // A token without decimals may count serial numbers, and its amounts are whole as they are.
    if (decimals === undefined || decimals === 0) this.#units.delete(address);
    else this.#units.set(address, { decimals, ...(symbol !== undefined && { symbol }) });
  }

  #said(selector: string, address: string): string {
    if (this.#ambiguous.has(`${selector} ${address}`)) return "";
    return (selector === DECIMALS ? this.#decimals : this.#symbols).get(address) ?? "";
  }
}

/** The contract that a call is answered by and for; one whose code runs in the place of another is no token there. */
export function tokenCalled(action: ContractAction): string | undefined {
  const operation = operationOf(action);
  return operation === "call" || operation === "static" ? calledAddress(action) : undefined;
}

function decimalsIn(answer: string): number | undefined {
  if (answer.length !== 64) return undefined;
  const decimals = BigInt(`0x${answer}`);
  return decimals <= MAX_DECIMALS ? Number(decimals) : undefined;
}

/** The only text that was returned, where it is one word. */
function symbolIn(answer: string): string | undefined {
  if (answer.length !== 192 || BigInt(`0x${answer.slice(0, 64)}`) !== 32n) return undefined;
  const length = BigInt(`0x${answer.slice(64, 128)}`);
  if (length > MAX_SYMBOL_BYTES) return undefined;
  const bytes = bytesOfHex(answer.slice(128, 128 + 2 * Number(length)));
  const text = bytes && readableText(bytes);
  // Anything else would be read as part of the amount, or of what stands around it: digits alone as a part of the number, and
  // "e18" as its exponent.
  return text !== undefined &&
    /^(?!e\d+$)(?=.*[\p{L}\p{Sc}])[\p{L}\p{N}\p{Sc}][\p{L}\p{N}\p{Sc}._+-]*$/iu.test(text)
    ? text
    : undefined;
}
