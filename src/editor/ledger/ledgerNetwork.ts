import * as vscode from "vscode";
import { networkAt, selectableNetwork, type LedgerNetwork } from "../../core/ledger/references/network.ts";
import { settings } from "../settings.ts";

/**
 * The network that is chosen.
 *
 * @throws LedgerLensError `invalid_url`
 */
export function chosenNetwork(): LedgerNetwork {
  const network = networkAt(settings.ledgerUrl);
  const chainId = network.chainId ?? settings.ledgerChainId;
  return { ...network, ...(chainId !== undefined && { chainId }) };
}

/**
 * Switches to a public network, in the settings where the choice was made before, else in the user's.
 *
 * @throws LedgerLensError `invalid_parameter` for a name that is no public network
 */
export async function useNetwork(id: string): Promise<void> {
  const { ledgerUrl } = selectableNetwork(id);
  const configuration = vscode.workspace.getConfiguration("ledgerLens");
  const set = configuration.inspect("ledgerUrl");
  // The settings of a folder that is not trusted do not count, so a choice there would have no effect.
  const isInWorkspace = set?.workspaceValue !== undefined && vscode.workspace.isTrusted;
  await configuration.update(
    "ledgerUrl",
    ledgerUrl,
    isInWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global,
  );
}
