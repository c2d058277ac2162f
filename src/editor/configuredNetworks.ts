import { LOCAL_NODE, ownNetworks, type OwnNetwork } from "../core/ledger/references/ownNetworks.ts";
import { settings } from "./settings.ts";

/** The networks beside the public ones: a local node, unless the user set it up otherwise, and those of the settings. */
export function configuredNetworks(): readonly OwnNetwork[] {
  const own = ownNetworks(settings.networks);
  const isReplaced = own.some(
    ({ name, ledgerUrl }) => name === LOCAL_NODE.name || ledgerUrl === LOCAL_NODE.ledgerUrl,
  );
  return isReplaced ? own : [LOCAL_NODE, ...own];
}
