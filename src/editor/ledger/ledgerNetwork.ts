import * as vscode from "vscode";
import { networkAt, selectableNetwork, type LedgerNetwork } from "../../core/ledger/references/network.ts";
import { baseAddress } from "../../core/http/joinedAddress.ts";
import { configuredNetworks } from "../configuredNetworks.ts";
import { settings } from "../settings.ts";

/**
 * The network that is chosen.
 *
 * @throws LedgerLensError `invalid_url`
 */
export function chosenNetwork(): LedgerNetwork {
  const network = networkAt(settings.ledgerUrl, configuredNetworks());
  const chainId = network.chainId ?? settings.ledgerChainId;
  return { ...network, ...(chainId !== undefined && { chainId }) };
}

/**
 * Switches to a public network or an own one, in the settings where the choice was made before, else in the user's. The
 * verification service of an own network comes and goes with it.
 *
 * @param id of a public network, or the name of an own one
 * @throws LedgerLensError `invalid_parameter` for a name that is none of these
 */
export async function useNetwork(id: string): Promise<void> {
  const own = configuredNetworks();
  const { ledgerUrl } = selectableNetwork(id, own);
  const verificationUrl = own.find(({ name }) => name === id)?.verificationUrl;
  if (verificationUrl !== undefined) await update("verificationUrl", verificationUrl);
  else if (isOfOwnNetwork(settings.verificationUrl)) await update("verificationUrl", undefined);
  await update("ledgerUrl", ledgerUrl);
}

function isOfOwnNetwork(url: string): boolean {
  return configuredNetworks().some(
    ({ verificationUrl }) =>
      verificationUrl !== undefined && baseAddress(verificationUrl) === baseAddress(url),
  );
}

async function update(name: string, value: string | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("ledgerLens");
  const set = configuration.inspect(name);
  // The settings of a folder that is not trusted do not count, so a choice there would have no effect.
  const isInWorkspace = set?.workspaceValue !== undefined && vscode.workspace.isTrusted;
  await configuration.update(
    name,
    value,
    isInWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global,
  );
}
