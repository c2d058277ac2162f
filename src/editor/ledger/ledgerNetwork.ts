import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import { keysInAddress } from "../../core/http/shownAddress.ts";
import { selectableNetwork } from "../../core/ledger/references/network.ts";
import { baseAddress } from "../../core/http/joinedAddress.ts";
import { configuredNetworks } from "../configuredNetworks.ts";
import { settings } from "../settings.ts";

/**
 * Switches to a public network or an own one, in the settings where the choice was made before, else in the user's. The
 * verification service of an own network comes and goes with it.
 *
 * @param id of a public network, or the name of an own one
 * @throws LedgerLensError `invalid_parameter` for a name that is none of these, `key_in_address` where a key would be
 * written into the workspace
 */
export async function useNetwork(id: string): Promise<void> {
  const own = configuredNetworks();
  const { ledgerUrl } = selectableNetwork(id, own);
  const verificationUrl = own.find(({ name }) => name === id)?.verificationUrl;
  checkNoKeyForOthers("ledgerUrl", ledgerUrl);
  checkNoKeyForOthers("verificationUrl", verificationUrl);
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

async function update(name: "ledgerUrl" | "verificationUrl", value: string | undefined): Promise<void> {
  await vscode.workspace
    .getConfiguration("ledgerLens")
    .update(
      name,
      value,
      isSetInWorkspace(name) ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global,
    );
}

/** The settings of a folder that is not trusted do not count, so a choice there would have no effect. */
function isSetInWorkspace(name: string): boolean {
  const set = vscode.workspace.getConfiguration("ledgerLens").inspect(name);
  return set?.workspaceValue !== undefined && vscode.workspace.isTrusted;
}

/** The settings of a workspace lie in its folder, from where others get them. */
function checkNoKeyForOthers(name: string, address: string | undefined): void {
  if (address === undefined || keysInAddress(address).length === 0 || !isSetInWorkspace(name)) return;
  throw new LedgerLensError(
    "key_in_address",
    t`The network was not chosen: its address may hold a key, and this workspace's settings, which others may read, say where to ask. Remove ledgerLens.${name} from them first.`,
  );
}
