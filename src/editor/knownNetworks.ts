import { likeness, passesForAnother } from "../core/text/shownText.ts";
import { publicNetworks } from "../core/ledger/references/network.ts";
import { LOCAL_NODE, ownNetworks, type OwnNetwork } from "../core/ledger/references/ownNetworks.ts";

/** The networks beside the public ones. */
export interface KnownNetworks {
  /** A local node, unless the settings have it otherwise, and those of the settings. */
  readonly own: readonly OwnNetwork[];
  /** Names of those that can't be chosen, since people, programs and links would take them for public ones. */
  readonly leftOut: readonly string[];
  /** Whether the open workspace brings one of them along. */
  readonly areOfWorkspace: (one: OwnNetwork) => boolean;
}

/** What public networks are called in lists, by programs and links, and by the hosts of their mirror nodes. */
const PUBLIC_NAMES: ReadonlySet<string> = new Set(
  publicNetworks
    .flatMap(({ id, name, ledgerUrl }) => [id, name, `${id}-public`, new URL(ledgerUrl).host])
    .map(likeness),
);

/**
 * Reads the networks of the settings.
 *
 * @param setting `ledgerLens.networks` as it was written
 * @param isOfWorkspace whether it is the workspace that says so
 */
export function knownNetworks(setting: unknown, isOfWorkspace: boolean): KnownNetworks {
  const read = ownNetworks(setting);
  const isLeftOut = ({ name }: OwnNetwork) => passesForAnother(name, (like) => PUBLIC_NAMES.has(like));
  const own = read.filter((one) => !isLeftOut(one));
  const isReplaced = own.some(
    ({ name, ledgerUrl }) => name === LOCAL_NODE.name || ledgerUrl === LOCAL_NODE.ledgerUrl,
  );
  return {
    own: isReplaced ? own : [LOCAL_NODE, ...own],
    leftOut: read.filter(isLeftOut).map(({ name }) => name),
    areOfWorkspace: (one) => isOfWorkspace && one !== LOCAL_NODE,
  };
}
