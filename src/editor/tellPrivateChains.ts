import * as vscode from "vscode";
import { useConfiguredChains } from "../core/chains/privateChains.ts";
import { chosenNetwork } from "./chosenNetwork.ts";
import { configuredNetworks } from "./configuredNetworks.ts";
import { ownNodes } from "./ownNode.ts";

/** Has it known from the settings which chains are private, so that no public service is told of them. */
export function tellPrivateChains(): vscode.Disposable {
  let read: ReturnType<typeof configuredChains> | undefined;
  useConfiguredChains(() => (read ??= configuredChains()));
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration("ledgerLens")) read = undefined;
  });
}

function configuredChains() {
  return {
    ledgers: [...configuredNetworks(), ...chosen()],
    nodes: new Map(Object.entries(ownNodes())),
  };
}

/** An address that can't be read is no network's. */
function chosen(): readonly ReturnType<typeof chosenNetwork>[] {
  try {
    return [chosenNetwork()];
  } catch {
    return [];
  }
}
