import { publicNetworkOf } from "../../core/ledger/references/network.ts";
import type { WatchChoice } from "../../core/status/statusWatch.ts";
import { chosenNetwork } from "../chosenNetwork.ts";
import { settings } from "../settings.ts";

/** Which components are watched. */
export function watchChoice(): WatchChoice {
  return { names: settings.watchedComponents, networkId: networkId() };
}

/** The id of the public network that is in use, at whatever address, or of any other; an address that can't be read is of none. */
function networkId(): string {
  try {
    const network = chosenNetwork();
    return publicNetworkOf(network)?.id ?? network.id;
  } catch {
    return "";
  }
}
