import { chainIdShape } from "../core/chains/chainIdShape.ts";
import * as vscode from "vscode";
import { useChainNames } from "../core/chains/chainNames.ts";
import { listOf, object, readAs, text } from "../core/json/shape.ts";
import { networksOfSettings } from "./configuredNetworks.ts";
import { storedValue } from "./storedValue.ts";

const namedChains = listOf(object({ chainId: chainIdShape, name: text(500) }));

/**
 * Has chains called as the person's settings do, and as services listed them in any session.
 *
 * @param memory of all windows
 */
export function nameChains(memory: vscode.Memento): vscode.Disposable {
  const kept = storedValue(memory, "chainNames");
  let own: ReadonlyMap<string, string> | undefined;
  useChainNames({
    own: (chainId) => (own ??= ownNames()).get(chainId),
    kept: readAs(namedChains, kept.get()) ?? [],
    keep: (names) => void kept.set(names),
  });
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration("ledgerLens.networks")) own = undefined;
  });
}

/** The first network of a chain names it. */
function ownNames(): ReadonlyMap<string, string> {
  return new Map(
    networksOfSettings()
      .flatMap(({ chainId, name }) => (chainId === undefined ? [] : [[chainId, name] as const]))
      .reverse(),
  );
}
