import { buildActionTree, nestedActions, type ActionTree, type NestedAction } from "./actionTree.ts";
import type { ContractAction } from "./contractAction.ts";
import type { LedgerPages } from "../requests/ledgerPages.ts";
import type { LedgerNetwork } from "../references/network.ts";
import { isCancellation } from "../../errors.ts";
import type { TransactionRecord } from "../transactions/transactionRecord.ts";

/** What `showTransactionActions` resolves to. */
export interface TransactionActionsRecord {
  /** In order of execution, as they came; integers beyond 2^53 are decimal strings. */
  readonly actions: readonly ContractAction[];
  readonly tree: readonly NestedAction[];
  /** Whether the ledger has no more. */
  readonly complete: boolean;
}

/** The contract actions of a transaction, as far as they are loaded. */
export class TransactionActions {
  /** The form in which the ledger was asked: `0.0.5-s-n`, or `0x` and 64 hex digits. */
  readonly canonical: string;
  readonly pages: LedgerPages;
  /** Its id, where that had to be looked up: `0.0.5-s-n`, which its children have, too. */
  readonly transactionId: string | undefined;
  /** Whether only those of some indexes were asked for: then all that there are of these are not all of its actions. */
  readonly isFiltered: boolean;
  /** What the ledger says beside the actions, as far as it was asked for. */
  record: TransactionRecord | undefined;
  readonly #moment: string | undefined;
  readonly #answers = new Map<string, Promise<unknown>>();
  #tree: ActionTree | undefined;
  #treeItems = -1;

  constructor(
    canonical: string,
    pages: LedgerPages,
    {
      moment,
      transactionId,
      isFiltered = false,
    }: {
      readonly moment?: string | undefined;
      readonly transactionId?: string | undefined;
      readonly isFiltered?: boolean;
    },
  ) {
    this.canonical = canonical;
    this.pages = pages;
    this.#moment = moment;
    this.transactionId = transactionId;
    this.isFiltered = isFiltered;
  }

  /** When it was executed, as a consensus timestamp, where that is known. */
  get executedAt(): string | undefined {
    return this.#moment ?? this.record?.execution?.timestamp;
  }

  /** What a question about it is answered, which its row and its page ask alike: once, unless that failed. */
  answer(question: string, ask: () => Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
    const before = this.#answers.get(question);
    if (before)
      return before.catch((error: unknown) => {
        // Who asked first may have left.
        if (isCancellation(error) && signal?.aborted !== true) return this.answer(question, ask, signal);
        throw error;
      });
    const answer = ask();
    this.#answers.set(question, answer);
    answer.catch(() => this.#answers.delete(question));
    return answer;
  }

  get network(): LedgerNetwork {
    return this.pages.network;
  }

  get complete(): boolean {
    return this.pages.complete;
  }

  /** The nesting of what is loaded; built again when more has come, so positions hold until then. */
  get tree(): ActionTree {
    const { items } = this.pages;
    if (!this.#tree || this.#treeItems !== items.length) {
      this.#tree = buildActionTree(items);
      this.#treeItems = items.length;
    }
    return this.#tree;
  }

  /** For automation. */
  toRecord(): TransactionActionsRecord {
    const { tree, complete } = this;
    return { actions: tree.actions, tree: nestedActions(tree), complete };
  }
}
