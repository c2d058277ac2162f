import { t } from "@vscode/l10n";
import { CONTRACT_ENDINGS } from "./core/languages/language.ts";
import * as vscode from "vscode";
import { late } from "./editor/late.ts";
import { addressHover } from "./editor/ledger/addressHover.ts";
import { LEDGER_COMMANDS } from "./editor/ledger/ledgerCommands.ts";
import { ledgerTree } from "./editor/ledger/ledgerTree.ts";
import { OwnedParts } from "./editor/ownedParts.ts";
import { networkSettings } from "./editor/settings.ts";
import { STATUS_COMMANDS } from "./editor/status/statusCommands.ts";
import { StatusEntry } from "./editor/status/statusEntry.ts";
import { statusTree } from "./editor/status/statusTree.ts";
import { runAction } from "./editor/ui/action.ts";
import { askedAt } from "./editor/ui/asking.ts";
import {
  commandTitles,
  registerCommands,
  Walkthrough,
  walkthroughSteps,
  type CommandRunner,
} from "./editor/ui/commands.ts";
import { LateDocuments } from "./editor/ui/lateDocuments.ts";
import { registerTools } from "./editor/ui/languageModelTools.ts";
import { LateLenses } from "./editor/ui/lateLenses.ts";
import { Log } from "./editor/ui/log.ts";
import { ReadOnlyDocuments } from "./editor/ui/readOnlyDocuments.ts";
import { DeploymentWatcher } from "./editor/verification/deploymentWatcher.ts";
import { VERIFICATION_COMMANDS } from "./editor/verification/verificationCommands.ts";
import { verificationTree } from "./editor/verification/verificationTree.ts";

/**
 * Where the subjects meet. What the editor has to know is registered at once; each subject is loaded when its view is
 * seen, one of its commands runs, or another subject needs it.
 */
export class Container implements vscode.Disposable {
  readonly #parts = new OwnedParts();

  constructor(context: vscode.ExtensionContext) {
    const own: OwnedParts["own"] = (part) => this.#parts.own(part);
    const { workspaceState, globalState } = context;
    const storage = context.storageUri ?? context.globalStorageUri;
    const manifest = context.extension.packageJSON as {
      readonly version: string;
      readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
    };
    const log = own(new Log("Ledger Lens"));
    const documents = own(new ReadOnlyDocuments());

    const keys = late(async () => {
      const { NetworkKeys } = await import("./editor/networkKeys.ts");
      return new NetworkKeys(context.secrets);
    });
    const http = late(async () => {
      const { JsonClient } = await import("./core/http/jsonClient.ts");
      const client = new JsonClient({
        askedAt,
        network: networkSettings,
        keyFor: async (url) => (await keys()).keyFor(url),
        userAgent: `ledger-lens/${manifest.version}`,
        log: (line) => log.debug(line),
      });
      own({ dispose: () => client.dispose() });
      return client;
    });
    const ofWorkspace = late(async () => {
      const { sharedParts } = await import("./sharedParts.ts");
      return sharedParts(own, log, storage, globalState);
    });
    // A window without a folder has no state of its own that is certain to be found again.
    const itemMemory = vscode.workspace.workspaceFolders ? workspaceState : globalState;
    const status = late(async () => {
      const [{ StatusSubject }, client] = await Promise.all([
        import("./editor/status/statusSubject.ts"),
        http(),
      ]);
      return new StatusSubject({
        own,
        http: client,
        tree: ofStatus,
        entry,
        memory: globalState,
        use: { items: itemMemory, chains: workspaceState },
      });
    });
    const ledger = late(async () => {
      const [{ LedgerSubject }, client, watching, { workspace, store }] = await Promise.all([
        import("./editor/ledger/ledgerSubject.ts"),
        http(),
        status(),
        ofWorkspace(),
      ]);
      return new LedgerSubject({
        own,
        http: client,
        client: watching.observedLedger,
        keys,
        log,
        memory: itemMemory,
        workspaceMemory: workspaceState,
        globalMemory: globalState,
        documents,
        extension: context.extensionUri,
        tree: ofLedger,
        workspace,
        jobs: store,
        explained: (error) => watching.explained("ledger", error),
        onVisible: () => entry.begin(),
        shows: (page, isVisible) => entry.work.shows(page, isVisible),
      });
    });
    const verification = late(async () => {
      const [{ VerificationSubject }, client, watching, { workspace, store }] = await Promise.all([
        import("./editor/verification/verificationSubject.ts"),
        http(),
        status(),
        ofWorkspace(),
      ]);
      return new VerificationSubject({
        own,
        http: client,
        client: watching.alarming,
        nodeClient: (chainId) => watching.observedNode(chainId),
        log,
        store,
        workspace,
        documents,
        tree: ofVerification,
        jobDocuments,
        lenses,
        memory: workspaceState,
        globalMemory: globalState,
        storage,
        globalStorage: context.globalStorageUri,
        ledgerContract: async (address, network, signal) =>
          (await ledger()).parts.service.contract(address, network, signal),
        onVisible: () => entry.begin(),
        extension: context.extensionUri,
        shows: (page, isVisible) => entry.work.shows(page, isVisible),
      });
    });

    const began = Date.now();
    const offers = late(async () => {
      const [{ DeploymentOffers }, { OfferedDeployments }, { workspace, store }] = await Promise.all([
        import("./editor/verification/deploymentOffers.ts"),
        import("./editor/verification/offeredDeployments.ts"),
        ofWorkspace(),
      ]);
      const folder = vscode.Uri.joinPath(context.globalStorageUri, "offered").fsPath;
      return own(
        new DeploymentOffers({
          workspace,
          store,
          log,
          since: began,
          offered: new OfferedDeployments(folder),
        }),
      );
    });

    const entry: StatusEntry = own(new StatusEntry(status));
    const ofStatus = statusTree(log, status);
    own(ofStatus.tree);
    const ofLedger = ledgerTree(log, ledger);
    own(ofLedger.tree);
    const ofVerification = verificationTree(log, verification);
    own(ofVerification.tree);
    const walkthrough = new Walkthrough(walkthroughSteps(manifest), globalState);
    ofStatus.followVisibility((isVisible) => {
      if (isVisible) walkthrough.end("status");
    });
    for (const view of [ofStatus, ofLedger, ofVerification])
      view.followVisibility((isVisible) => entry.work.shows(view, isVisible));
    own(
      vscode.window.registerWebviewPanelSerializer("ledgerLens.transaction", {
        deserializeWebviewPanel: async (panel, state) => (await ledger()).restorePage(panel, state),
      }),
    );
    own(
      vscode.window.registerWebviewPanelSerializer("ledgerLens.verification", {
        deserializeWebviewPanel: async (panel, state) => (await verification()).restorePage(panel, state),
      }),
    );
    own(
      vscode.commands.registerCommand("ledgerLens.openLink", async (uri: vscode.Uri) => {
        const { readUriLink } = await import("./editor/uriLinks.ts");
        await runAction(log, t`Open Link`, { interactive: true }, async () => {
          const link = readUriLink(uri);
          const command = link.kind === "job" ? "ledgerLens.openJobLink" : "ledgerLens.openLedgerLink";
          await vscode.commands.executeCommand(command, link);
        });
      }),
    );
    own(
      vscode.window.registerUriHandler({
        handleUri: (uri) => void vscode.commands.executeCommand("ledgerLens.openLink", uri),
      }),
    );
    const jobDocuments: LateDocuments = own(new LateDocuments("ledger-lens-job", verification));
    const lenses: LateLenses = own(
      new LateLenses({ scheme: "file", pattern: `**/*.{${CONTRACT_ENDINGS.join(",")}}` }, verification),
    );
    own(new DeploymentWatcher(offers));
    own(addressHover(async () => (await ledger()).addresses));
    const runner: CommandRunner = {
      log,
      titles: commandTitles(manifest),
      walkthrough,
      begin: (argument) => {
        entry.commandRan();
        for (const { tree } of [ofStatus, ofLedger, ofVerification]) tree.drawAgain(argument);
      },
      explained: async (service, error) => (await status()).explained(service, error),
    };
    own(registerCommands(STATUS_COMMANDS, status, runner));
    own(registerCommands(LEDGER_COMMANDS, ledger, runner));
    own(registerCommands(VERIFICATION_COMMANDS, verification, runner));
    own(
      registerTools(
        manifest.contributes.languageModelTools.map(({ name }) => name),
        async () => {
          const [{ AGENT_TOOLS }] = await Promise.all([
            import("./editor/agents/agentTools.ts"),
            // What they ask a person names chains, before a command runs.
            ofWorkspace(),
          ]);
          return AGENT_TOOLS;
        },
      ),
    );
  }

  dispose(): void {
    void this.end();
  }

  /** Takes the parts down, the last one first; done when their connections are closed. */
  async end(): Promise<void> {
    await this.#parts.end();
  }
}
