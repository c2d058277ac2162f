import type { StatusMonitor } from "../../core/status/statusMonitor.ts";
import type { StatusView } from "./statusView.ts";

/** What tells how the services are. */
export interface StatusParts {
  readonly monitor: StatusMonitor;
  readonly view: Pick<StatusView, "reveal">;
}
