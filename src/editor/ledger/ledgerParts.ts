import type { LedgerItems } from "../../core/ledger/ledgerItems.ts";
import type { LedgerService } from "../../core/ledger/ledgerService.ts";
import type { LedgerNetwork } from "../../core/ledger/references/network.ts";
import type { Log } from "../ui/log.ts";
import type { ReadOnlyDocuments } from "../ui/readOnlyDocuments.ts";
import type { NetworkSwitch } from "./networkSwitch.ts";
import type { LedgerView } from "./ledgerView.ts";

/** The network that is asked. */
export interface NetworkParts {
  /**
   * The chosen network.
   *
   * @throws LedgerLensError `invalid_url`
   */
  readonly network: () => LedgerNetwork;
}

/** What can switch to another one. */
export interface SwitchParts extends NetworkParts {
  readonly networks: Pick<NetworkSwitch, "use" | "changesService" | "places">;
}

/** What was opened on it, and the view that shows it. */
export interface ItemParts {
  readonly items: LedgerItems;
  readonly view: LedgerView;
}

/** What asks for something on the ledger. */
export interface ReferenceParts extends SwitchParts, Pick<ItemParts, "items"> {}

/** What shows the ledger. */
export interface LedgerParts extends SwitchParts, ItemParts {
  readonly log: Log;
  readonly service: LedgerService;
  readonly documents: ReadOnlyDocuments;
  /** The pages of transactions, loaded when the first one is opened; `show` opens that of an item, `close` closes it. */
  readonly pages: () => Promise<{
    show(itemId: string, options: { readonly focus: boolean }): void;
    close(itemId: string): void;
  }>;
}
