import type { NodeHealth, ServiceHealth } from "./serviceHealth.ts";
import type { StatusSummary } from "./statusSummary.ts";

/** So many polls in a row without an answer make what is shown stale. */
const STALE_AFTER_MISSES = 3;

/** Everything that is known of the services; what the view and the status bar are made from. */
export interface StatusState {
  /** Host of the status page. */
  readonly host: string;
  /** As it was last answered or confirmed. */
  readonly summary: StatusSummary | undefined;
  /** When that was; milliseconds since the epoch. */
  readonly confirmedAt: number | undefined;
  /** Polls of the page in a row that brought no answer. */
  readonly misses: number;
  /** Why the last poll brought none. */
  readonly miss: { readonly code: string; readonly message: string; readonly at: number } | undefined;
  /** No service at all can be reached: the fault is on this side, and no service is said to be out. */
  readonly offline: boolean;
  readonly checking: boolean;
  readonly verification: ServiceHealth;
  readonly ledger: ServiceHealth;
  /** The nodes of chains that were asked in this session, the one that was asked last first. */
  readonly nodes: readonly NodeHealth[];
}

/** Whether what is shown may no longer be so. */
export function isStale(state: Pick<StatusState, "misses" | "miss">): boolean {
  return state.misses >= STALE_AFTER_MISSES || isOtherForm(state);
}

/** Whether the page last answered something that is no summary: what it knows can't be told, however well it sounds. */
export function isOtherForm({ miss }: Pick<StatusState, "miss">): boolean {
  return miss?.code === "wrong_shape";
}
