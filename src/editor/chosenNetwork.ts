import * as vscode from "vscode";
import { chainIdOf } from "../core/chainId.ts";
import { networkAt, type LedgerNetwork } from "../core/ledger/references/network.ts";
import { configuredNetworks } from "./configuredNetworks.ts";
import { settings } from "./settings.ts";

/**
 * The network that is chosen.
 *
 * @throws LedgerLensError `invalid_url`
 */
export function chosenNetwork(): LedgerNetwork {
  const network = networkAt(settings.ledgerUrl, configuredNetworks());
  const chainId = network.chainId ?? chainIdOf(settings.ledgerChainId);
  return { ...network, ...(chainId !== undefined && { chainId }) };
}

/** Whether the ledger of the chosen network is that of a chain; an address that can't be read is of none. */
export function isChosenChain(chainId: string): boolean {
  try {
    return chosenNetwork().chainId === chainId;
  } catch {
    return false;
  }
}

/** Tells that another network may be chosen, or that its chain may be another one. */
export function onChosenNetwork(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (
      ["ledgerUrl", "ledgerChainId", "networks"].some((one) =>
        change.affectsConfiguration(`ledgerLens.${one}`),
      )
    )
      listener();
  });
}
