import * as vscode from "vscode";
import { world } from "./world.ts";

// Before any suite: the addresses of this run, which no settings file could know.
before(async () => {
  const { service, ledger, statusPage, chainId, rpcUrl } = world();
  const configuration = vscode.workspace.getConfiguration("ledgerLens");
  await configuration.update("verificationUrl", service, vscode.ConfigurationTarget.Global);
  await configuration.update("ledgerUrl", ledger, vscode.ConfigurationTarget.Global);
  await configuration.update("ledgerChainId", chainId, vscode.ConfigurationTarget.Global);
  await configuration.update("statusUrl", statusPage, vscode.ConfigurationTarget.Global);
  // Records are written by several suites; the one of the offers says otherwise.
  await configuration.update("offerVerification", "never", vscode.ConfigurationTarget.Global);
  await configuration.update("rpcUrls", { [chainId]: rpcUrl }, vscode.ConfigurationTarget.Global);
});
