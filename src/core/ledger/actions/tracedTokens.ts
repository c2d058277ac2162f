import { bytesOfHex, readableText } from "../../evm/hex.ts";
import { buildActionTree, NONE } from "./actionTree.ts";
import { calledAddress, hexDigits, operationOf, outcomeOf, type ContractAction } from "./contractAction.ts";
import { systemContractAt } from "./systemContracts.ts";
import { MAX_DECIMALS, type TokenUnits } from "../tokens/tokenUnits.ts";

/** Selectors of `decimals()` and `symbol()`. */
export const DECIMALS = "313ce567";
export const SYMBOL = "95d89b41";
const MAX_SYMBOL_BYTES = 32;

/** The standard of tokens of which a contract shows itself to be. */
type TokenStandard = "ERC-20" | "ERC-721";

/** Functions that tokens of one standard have and those of the other have not, by their selectors. */
const FUNCTIONS_OF: ReadonlyMap<string, TokenStandard> = new Map([
  // allowance(address,address)
  ["dd62ed3e", "ERC-20"],
  // ownerOf, tokenURI, getApproved, tokenOfOwnerByIndex
  ["6352211e", "ERC-721"],
  ["c87b56dd", "ERC-721"],
  ["081812fc", "ERC-721"],
  ["2f745c59", "ERC-721"],
]);
/** safeTransferFrom, which returns nothing; `onERC721Received` is called by the token. */
const SAFE_TRANSFERS: ReadonlySet<string> = new Set(["42842e0e", "b88d4fde"]);
const ON_RECEIVED = "150b7a02";
/** What both standards have, with a result in ERC-20 alone: approve and transferFrom. */
const SHARED: ReadonlySet<string> = new Set(["095ea7b3", "23b872dd"]);

/** Functions of ERC-20 whose call shows a contract that may be such a token. */
const ERC20_FUNCTIONS: ReadonlySet<string> = new Set([
  // transfer, transferFrom, approve, allowance, balanceOf, totalSupply
  "a9059cbb",
  "23b872dd",
  "095ea7b3",
  "dd62ed3e",
  "70a08231",
  "18160ddd",
]);

/** Transfer(address,address,uint256) and Approval(address,address,uint256). */
const SHARED_EVENTS: ReadonlySet<string> = new Set([
  "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
  "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925",
]);

/** What contracts answered within a transaction; one that answered differently is not known. */
export class TracedTokens {
  readonly #standards = new Map<string, TokenStandard | "both">();
  /** Contracts whose answer of nothing made their caller revert. */
  readonly #unanswered = new Set<string>();
  readonly #decimals = new Map<string, string>();
  readonly #symbols = new Map<string, string>();
  readonly #ambiguous = new Set<string>();
  readonly #units = new Map<string, TokenUnits>();
  /** Contracts that calls or events show as ERC-20 tokens. */
  readonly #shown = new Set<string>();

  /** Learns from calls that were answered, `decimals()` and `symbol()` above all, and from those that were not. */
  learn(actions: readonly ContractAction[]): void {
    for (const action of actions) this.#learnStandard(action);
    this.#learnUnanswered(actions);
    for (const action of actions) this.#learnShown(action);
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

  /**
   * The standard of the token that a call is of, by what else it was asked; where nothing tells, one that answered with nothing
   * and whose caller then reverted without data had been taken for an ERC-20 token: what is compiled to expect a `bool` does so.
   */
  standardOf(action: ContractAction): TokenStandard | undefined {
    const address = tokenMeant(action);
    if (address === undefined) return undefined;
    const known = this.#standards.get(address);
    if (known !== undefined) return known === "both" ? undefined : known;
    return this.#unanswered.has(address) ? "ERC-20" : undefined;
  }

  /** Learns from an event that both standards have: a serial number is indexed, an amount is not. */
  learnLog(address: string | undefined, topics: readonly string[]): void {
    if (!SHARED_EVENTS.has(topics[0]?.toLowerCase() ?? "")) return;
    if (topics.length === 4) this.#add(address?.toLowerCase(), "ERC-721");
    if (topics.length !== 3 || address === undefined) return;
    this.#add(address.toLowerCase(), "ERC-20");
    this.#shown.add(address.toLowerCase());
  }

  /** Contracts that calls or events show as ERC-20 tokens, in lower case, in the order in which they come. */
  shownAsErc20(): string[] {
    return [...this.#shown].filter((address) => this.#standards.get(address) !== "ERC-721");
  }

  /** Learns what a contract said when it was asked; what it said in the transaction itself counts more. */
  learnAsked(address: string, units: TokenUnits): void {
    if (this.#units.has(address) || this.#decimals.has(address)) return;
    this.#units.set(address, units);
    this.#add(address, "ERC-20");
  }

  #learnShown(action: ContractAction): void {
    const selector = typeof action.input === "string" ? action.input.slice(2, 10).toLowerCase() : "";
    const address = ERC20_FUNCTIONS.has(selector) ? tokenCalled(action) : undefined;
    if (address !== undefined && !systemContractAt(address)) this.#shown.add(address);
  }

  #learnStandard(action: ContractAction): void {
    const selector = typeof action.input === "string" ? action.input.slice(2, 10).toLowerCase() : "";
    const isSafe = SAFE_TRANSFERS.has(selector);
    const isReceived = selector === ON_RECEIVED;
    const standard = isSafe || isReceived ? "ERC-721" : FUNCTIONS_OF.get(selector);
    if (standard === undefined || outcomeOf(action) !== "succeeded") return;
    if (!isSafe && hexDigits(action.result_data).length < 64) return;
    this.#add(isReceived ? addressIn(action.from) : tokenMeant(action), standard);
  }

  #add(address: string | undefined, standard: TokenStandard): void {
    if (address === undefined) return;
    const known = this.#standards.get(address) ?? standard;
    this.#standards.set(address, known === standard ? standard : "both");
  }

  #learnUnanswered(actions: readonly ContractAction[]): void {
    const isShared = (action: ContractAction) =>
      typeof action.input === "string" &&
      SHARED.has(action.input.slice(2, 10).toLowerCase()) &&
      outcomeOf(action) === "succeeded" &&
      hexDigits(action.result_data) === "";
    // Few transactions have any, and nesting ten thousand actions takes its time.
    if (!actions.some(isShared)) return;
    const tree = buildActionTree(actions);
    for (const [at, action] of tree.actions.entries()) {
      const caller = tree.actions[tree.parent[at] ?? NONE];
      if (
        caller?.result_data_type === "REVERT_REASON" &&
        hexDigits(caller.result_data) === "" &&
        tree.nextSibling[at] === NONE &&
        isShared(action)
      )
        this.#unanswered.add(tokenMeant(action) ?? "");
    }
  }

  #update(address: string): void {
    const decimals = decimalsIn(this.#said(DECIMALS, address));
    const symbol = symbolIn(this.#said(SYMBOL, address));
    // The same object as long as it says the same: what is made of it is kept.
    const before = this.#units.get(address);
    if (before && before.decimals === decimals && before.symbol === symbol) return;
    // A token without decimals may count serial numbers, and its amounts are whole as they are.
    if (decimals === undefined || decimals === 0) this.#units.delete(address);
    else {
      this.#units.set(address, { decimals, ...(symbol !== undefined && { symbol }) });
      this.#add(address, "ERC-20");
    }
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

/** The contract whose token a call is of: the one in whose place the code of another runs, as behind a proxy. */
function tokenMeant(action: ContractAction): string | undefined {
  const isDelegated = ["delegate", "callcode"].includes(operationOf(action));
  return isDelegated ? addressIn(action.from) : calledAddress(action);
}

function addressIn(value: unknown): string | undefined {
  return typeof value === "string" ? value.toLowerCase() : undefined;
}

/** What `decimals()` answered: hex without `0x`. */
export function decimalsIn(answer: string): number | undefined {
  if (answer.length !== 64) return undefined;
  const decimals = BigInt(`0x${answer}`);
  return decimals <= MAX_DECIMALS ? Number(decimals) : undefined;
}

/** What `symbol()` answered, hex without `0x`: the only text, where it is one word. */
export function symbolIn(answer: string): string | undefined {
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
