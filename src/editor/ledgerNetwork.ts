import * as vscode from "vscode";
import { selectNetwork } from "../core/ledger/network.ts";

/**
 * Switches to a public network, in the settings where the choice was made before, else in the user's.
 *
 * @throws LedgerLensError `invalid_parameter` for a name that is no public network
 */
export async function useNetwork(id: string): Promise<void> {
  const { ledgerUrl } = selectNetwork(id);
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
