import { inPool } from "../../concurrency/inPool.ts";
import { isCancellation } from "../../errors.ts";
import type { ActionNamer } from "../actions/actionNames.ts";
import type { TransactionActions } from "../actions/transactionActions.ts";
import type { LedgerService } from "../ledgerService.ts";
import type { Denominations } from "../tokens/token.ts";
import { balancesOf } from "./balances.ts";
import type { StorageLayouts } from "./stateRows.ts";
import { findStorageLayouts } from "./storageLayouts.ts";
import type { LogNames } from "./transactionPage.ts";
import type { TransactionRecord } from "./transactionRecord.ts";

const LOGS_AT_ONCE = 8;

interface BesideNeeds {
  readonly service: Pick<LedgerService, "transactionRecord" | "denominations">;
  readonly actions: TransactionActions;
  readonly namer: Pick<ActionNamer, "event" | "storageLayout">;
  /** Called when the record is there. */
  readonly recordCame: () => void;
  /** Called whenever anything more is known. */
  readonly changed: () => void;
  /** Called with why a part can't be had. */
  readonly failed: (error: unknown) => void;
}

/**
 * What there is to know of a transaction beside its contract actions: the record, and then the names of its logs, of its
 * storage and of its tokens, each by itself: a service that does not answer keeps back what is its own, and nothing else.
 */
export class BesideActions {
  readonly #needs: BesideNeeds;
  readonly #events = new Map<number, LogNames>();
  record: TransactionRecord | undefined;
  denominations: Denominations | undefined;
  layouts: StorageLayouts | undefined;

  constructor(needs: BesideNeeds) {
    this.#needs = needs;
  }

  /** What the logs are, by their position, as far as they are named. */
  get events(): ReadonlyMap<number, LogNames> {
    return this.#events;
  }

  /** Looks for all of it, once. Rejects never; what can't be had is missing. */
  async lookUp(signal: AbortSignal): Promise<void> {
    const { service, actions, recordCame, changed } = this.#needs;
    await this.#part(signal, async () => {
      this.record = await service.transactionRecord(actions, signal);
      changed();
      recordCame();
    });
    if (!this.record) return;
    await Promise.all([
      this.nameLogs(signal),
      this.#part(signal, () => this.#nameState(signal)),
      this.#part(signal, () => this.#nameTokens(signal)),
    ]);
  }

  /** Names the logs, those that were named before anew: more may be known of their tokens by now. */
  async nameLogs(signal: AbortSignal): Promise<void> {
    const logs = this.record?.execution?.logs ?? [];
    await this.#part(signal, async () => {
      await inPool([...logs.entries()], LOGS_AT_ONCE, async ([at, log]) => {
        this.#events.set(at, await this.#needs.namer.event(log, signal));
        this.#needs.changed();
      });
    });
  }

  #nameState(signal: AbortSignal): Promise<void> {
    const { actions, namer, changed } = this.#needs;
    return findStorageLayouts(
      actions.tree,
      this.record?.execution,
      (address) => namer.storageLayout(address, signal),
      (layouts) => {
        this.layouts = layouts;
        changed();
      },
    );
  }

  async #nameTokens(signal: AbortSignal): Promise<void> {
    const transaction = this.record?.transaction;
    if (!transaction) return;
    const { assets, nfts } = balancesOf(transaction);
    const tokens = [...assets, ...nfts].flatMap(({ tokenId }) => tokenId ?? []);
    if (tokens.length === 0) return;
    const { service, actions, changed } = this.#needs;
    this.denominations = await service.denominations(actions.network, [...new Set(tokens)], signal);
    changed();
  }

  async #part(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isCancellation(error) && !signal.aborted) this.#needs.failed(error);
    }
  }
}
