import { buildActionTree, nestedActions, type ActionTree, type NestedAction } from "./actionTree.ts";
import type { ContractAction } from "./contractAction.ts";
import type { LedgerPages } from "../requests/ledgerPages.ts";
import type { LedgerNetwork } from "../references/network.ts";
import type { ContractExecution } from "../transactions/transactionRecord.ts";

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
  /** When it was executed, as a consensus timestamp, where that is known. */
  readonly executedAt: string | undefined;
  /** Its result, where that had to be asked for. */
  readonly execution: ContractExecution | undefined;
  #tree: ActionTree | undefined;
  #treeItems = -1;

  constructor(
    canonical: string,
    pages: LedgerPages,
    {
      moment,
      execution,
    }: { readonly moment?: string | undefined; readonly execution?: ContractExecution | undefined },
  ) {
    this.canonical = canonical;
    this.pages = pages;
    this.executedAt = moment ?? execution?.timestamp;
    this.execution = execution;
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
