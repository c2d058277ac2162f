import { t } from "@vscode/l10n";
import { LedgerLensError, withRemedy, type Remedy } from "../../core/errors.ts";
import { networkAt, publicNetworks, selectableNetwork } from "../../core/ledger/references/network.ts";
import type { OwnNetwork } from "../../core/ledger/references/ownNetworks.ts";
import type { KnownNetworks } from "../knownNetworks.ts";

/**
 * A network that can be chosen, as it stood in the settings when it was shown: what is chosen is this one, whatever its name
 * stands for meanwhile.
 */
export interface NetworkChoice extends Omit<OwnNetwork, "headerName"> {
  /** What programs and links call it: the id of a public network, or the name of an own one. */
  readonly id: string;
  /** The header in which its services want a key. */
  readonly headerName?: string;
  /** Whether the open workspace brings it along. */
  readonly isOfWorkspace: boolean;
}

const CHECK_NETWORKS: Remedy = { setting: "ledgerLens.networks" };

/** Does what fails for a network that is not in the settings. */
export function checkingNetworks<T>(find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw error instanceof LedgerLensError ? withRemedy(error, CHECK_NETWORKS) : error;
  }
}

/** All that can be chosen: the public networks, then the own ones in the order of the settings. */
export function networkChoices({ own, areOfWorkspace }: KnownNetworks): readonly NetworkChoice[] {
  return [
    ...publicNetworks.map(({ id, name, ledgerUrl, chainId }) => ({
      id,
      name,
      ledgerUrl,
      ...(chainId !== undefined && { chainId }),
      isOfWorkspace: false,
    })),
    ...own.map((one) => ({ ...one, id: one.name, isOfWorkspace: areOfWorkspace(one) })),
  ];
}

/**
 * The network that a program or a link means by a name.
 *
 * @throws LedgerLensError `invalid_parameter` for a name that is none of a network's, of a network that is left out, or of
 * more than one
 */
export function choiceNamed(known: KnownNetworks, id: string): NetworkChoice {
  const [choice, ...others] = networkChoices(known).filter((one) => one.id === id);
  if (others.length > 0)
    throw new LedgerLensError(
      "invalid_parameter",
      t`More than one network of ledgerLens.networks is called "${id}". Rename one of them, or choose it with "Ledger Lens: Select Network…".`,
      { remedy: CHECK_NETWORKS },
    );
  if (choice) return choice;
  if (known.leftOut.includes(id))
    throw new LedgerLensError("invalid_parameter", leftOutNetworkWords(id), { remedy: CHECK_NETWORKS });
  return checkingNetworks(() => {
    // It has the sentence for a name that is none.
    selectableNetwork(id, known.own);
    throw new Error("A network that can be selected can be chosen.");
  });
}

/** The network from which something was loaded; `undefined` where none is set up any more, or more than one may be it. */
export function choiceOfId(known: KnownNetworks, networkId: string): NetworkChoice | undefined {
  const [choice, ...others] = networkChoices(known).filter(
    ({ ledgerUrl }) => networkAt(ledgerUrl, known.own).id === networkId,
  );
  return others.length === 0 ? choice : undefined;
}

/** Why a network of the settings can't be chosen. */
export function leftOutNetworkWords(name: string): string {
  return t`The network "${name}" of ledgerLens.networks is left out, since its name can be taken for that of a public network. Rename it.`;
}
