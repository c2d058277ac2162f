import { networkAt } from "../../core/ledger/references/network.ts";
import type { WatchChoice } from "../../core/status/statusWatch.ts";
import { settings } from "../settings.ts";

/** Which components are watched. */
export function watchChoice(): WatchChoice {
  return { names: settings.watchedComponents, networkId: networkIdAt(settings.ledgerUrl) };
}

/** The network's id; an address that can't be read is of no network. */
function networkIdAt(ledgerUrl: string): string {
  try {
    return networkAt(ledgerUrl).id;
  } catch {
    return "";
  }
}
