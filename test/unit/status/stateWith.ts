import type { ServiceHealth } from "../../../src/core/status/serviceHealth.ts";
import type { StatusState } from "../../../src/core/status/statusState.ts";
import type { StatusSummary } from "../../../src/core/status/statusSummary.ts";

function unmeasured(service: "verification" | "ledger"): ServiceHealth {
  return {
    service,
    host: "127.0.0.1",
    state: "unchecked",
    latencyMs: undefined,
    checkedAt: undefined,
    misses: 0,
    lastError: undefined,
  };
}

/** A state in which this summary was just read. */
export function stateWith(summary: StatusSummary, confirmedAt: number): StatusState {
  return {
    host: "status.example",
    summary,
    confirmedAt,
    misses: 0,
    miss: undefined,
    offline: false,
    checking: false,
    verification: unmeasured("verification"),
    ledger: unmeasured("ledger"),
    nodes: [],
  };
}
