import * as vscode from "vscode";
import { useConfiguredChains } from "../core/chains/localChains.ts";
import { entriesOf, readAs, text } from "../core/json/shape.ts";
import { chosenNetwork } from "./chosenNetwork.ts";
import { configuredNetworks } from "./configuredNetworks.ts";
import { settings } from "./settings.ts";

/** Nodes as a person wrote them; what is no address is none. */
const nodesOfSettings = entriesOf(text());

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
    nodes: readAs(nodesOfSettings, settings.rpcUrls) ?? new Map<string, string>(),
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
