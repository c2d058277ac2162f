import { systemClock } from "../../concurrency/clock.ts";
import type { LedgerContract, LedgerService } from "../ledgerService.ts";
import type { NameScope } from "./nameSource.ts";
import { SharedAnswers } from "./sharedAnswers.ts";

const MAX_CONTRACTS = 500;

/** The ledger's records of the contracts that actions name, each asked for once. */
export class LedgerContracts {
  readonly #service: Pick<LedgerService, "contract">;
  readonly #answers: SharedAnswers<LedgerContract | undefined>;

  constructor(service: Pick<LedgerService, "contract">) {
    this.#service = service;
    this.#answers = new SharedAnswers({ clock: systemClock, maxAnswers: MAX_CONTRACTS });
  }

  /** `undefined` where the ledger has none, or can't be asked. */
  at({ network, address, signal }: NameScope): Promise<LedgerContract | undefined> {
    if (address === undefined) return Promise.resolve(undefined);
    return this.#answers.get(network.ledgerUrl, address, signal, () =>
      this.#service.contract(address, network),
    );
  }
}
