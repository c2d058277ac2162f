import { systemClock, type Clock } from "../../concurrency/clock.ts";
import { isAddress } from "../../evm/address.ts";
import { DECIMALS, decimalsIn, SYMBOL, symbolIn } from "../actions/tracedTokens.ts";
import type { TokenUnits } from "../tokens/tokenUnits.ts";
import type { LedgerService } from "../ledgerService.ts";
import type { NameScope } from "./nameSource.ts";
import { SharedAnswers } from "./sharedAnswers.ts";

const MAX_CONTRACTS = 500;
/** Tokens have 18 or fewer, and those that count shares of shares 36; by more each amount would be a row of zeros. */
const MAX_ASKED_DECIMALS = 36;

/**
 * What token contracts say of themselves: their decimals and their symbols, each contract asked once through the ledger from
 * which its transaction came. Where a ledger can't be asked, it is left alone for a while.
 */
export class TokenContracts {
  readonly #service: Pick<LedgerService, "callContract">;
  readonly #answers: SharedAnswers<TokenUnits | undefined>;

  constructor(service: Pick<LedgerService, "callContract">, clock: Clock = systemClock) {
    this.#service = service;
    this.#answers = new SharedAnswers({ clock, maxAnswers: MAX_CONTRACTS });
  }

  /** `undefined` where it is no token with fractions, or can't be asked. Only cancellation rejects. */
  at({ network, address, signal }: NameScope): Promise<TokenUnits | undefined> {
    if (address === undefined || !isAddress(address)) return Promise.resolve(undefined);
    return this.#answers.get(network.ledgerUrl, address, signal, async () => {
      const ask = async (selector: string) =>
        (await this.#service.callContract(address, `0x${selector}`, network))?.slice(2).toLowerCase() ?? "";
      const decimals = decimalsIn(await ask(DECIMALS));
      // One without decimals may count serial numbers.
      if (decimals === undefined || decimals === 0 || decimals > MAX_ASKED_DECIMALS) return undefined;
      const symbol = symbolIn(await ask(SYMBOL));
      return { decimals, ...(symbol !== undefined && { symbol }) };
    });
  }
}
