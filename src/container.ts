import * as vscode from "vscode";
import { JsonClient } from "./core/http/jsonClient.ts";
import { JobStore } from "./core/jobs/jobStore.ts";
import { publicNetworks } from "./core/ledger/references/network.ts";
import { LEDGER_COMMANDS } from "./editor/ledger/ledgerCommands.ts";
import { LedgerSubject } from "./editor/ledger/ledgerSubject.ts";
import { OwnedParts } from "./editor/ownedParts.ts";
import { networkSettings } from "./editor/settings.ts";
import { STATUS_COMMANDS } from "./editor/status/statusCommands.ts";
import { StatusSubject } from "./editor/status/statusSubject.ts";
import { commandTitles, registerCommands, type CommandRunner } from "./editor/ui/commands.ts";
import { Log } from "./editor/ui/log.ts";
import { ReadOnlyDocuments } from "./editor/ui/readOnlyDocuments.ts";
import { JobFiles } from "./editor/verification/jobFiles.ts";
import { VERIFICATION_COMMANDS } from "./editor/verification/verificationCommands.ts";
import { VerificationSubject } from "./editor/verification/verificationSubject.ts";
import { WorkspaceKnowledge } from "./editor/workspaceKnowledge.ts";

/** Where the subjects meet: it builds them in order and takes them down. */
export class Container implements vscode.Disposable {
  readonly #parts = new OwnedParts();

  constructor(context: vscode.ExtensionContext) {
    const own: OwnedParts["own"] = (part) => this.#parts.own(part);
    const { workspaceState, globalState } = context;
    const manifest = context.extension.packageJSON as { readonly version: string };
    const log = own(new Log("Ledger Lens"));
    const documents = own(new ReadOnlyDocuments());
    const http = new JsonClient({
      network: networkSettings,
      userAgent: `ledger-lens/${manifest.version}`,
      log: (line) => log.debug(line),
    });
    own({ dispose: () => http.dispose() });
    const store = new JobStore(new JobFiles(context.storageUri ?? context.globalStorageUri));
    const workspace = own(new WorkspaceKnowledge(log));
    const status = new StatusSubject({ own, http, log, memory: globalState });
    const onVisible = () => status.bar.begin();
    const ledger = new LedgerSubject({
      own,
      http,
      client: status.observed("ledger"),
      log,
      // A window without a folder has no state of its own that is certain to be found again.
      memory: vscode.workspace.workspaceFolders ? workspaceState : globalState,
      documents,
      workspace,
      jobs: store,
      explained: (error) => status.explained("ledger", error),
      onVisible,
    });
    const verification = new VerificationSubject({
      own,
      http,
      log,
      store,
      workspace,
      documents,
      memory: workspaceState,
      globalMemory: globalState,
      ledgerCode: async ({ chainId, address }, signal) => {
        const network = publicNetworks.find((one) => one.chainId === chainId);
        if (!network) return undefined;
        const found = await ledger.parts.service.contract(address, network, signal);
        return found ? found.runtimeCode : "0x";
      },
      onVisible,
    });
    const runner: CommandRunner = {
      log,
      titles: commandTitles(manifest),
      begin: onVisible,
      explained: (service, error) => status.explained(service, error),
    };
    own(registerCommands(STATUS_COMMANDS, () => status, runner));
    own(registerCommands(LEDGER_COMMANDS, () => ledger, runner));
    own(registerCommands(VERIFICATION_COMMANDS, () => verification, runner));
  }

  dispose(): void {
    void this.end();
  }

  /** Takes the parts down in reverse order; done when their connections are closed. */
  async end(): Promise<void> {
    await this.#parts.end();
  }
}
