import { LOCAL_NODE, type OwnNetwork } from "../core/ledger/references/ownNetworks.ts";
import { knownNetworks, type KnownNetworks } from "./knownNetworks.ts";
import { settings } from "./settings.ts";

/** The networks beside the public ones: a local node, unless the user set it up otherwise, and those of the settings. */
export function configuredNetworks(): readonly OwnNetwork[] {
  return readNetworks().own;
}

/** Those of the settings alone: none has the name of a public one. */
export function networksOfSettings(): readonly OwnNetwork[] {
  return configuredNetworks().filter((one) => one !== LOCAL_NODE);
}

/** All, with those that are left out, and with where they come from. */
export function readNetworks(): KnownNetworks {
  return knownNetworks(settings.networks, settings.networksAreOfWorkspace);
}
