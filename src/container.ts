import { Log } from "./editor/ui/log.ts";
import * as vscode from "vscode";
import type { LedgerLensError } from "./core/errors.ts";
import { systemClock } from "./core/concurrency/clock.ts";
import { JsonClient } from "./core/http/jsonClient.ts";
import { ActionNamer } from "./core/ledger/actions/actionNames.ts";
import { contentRow } from "./core/ledger/itemRows.ts";
import { LedgerItems } from "./core/ledger/ledgerItems.ts";
import { LedgerService } from "./core/ledger/ledgerService.ts";
import type { NameScope, NameSource } from "./core/ledger/names/nameSource.ts";
import { publicNetworks, type LedgerNetwork } from "./core/ledger/references/network.ts";
import { NamesAtCreatedAddress } from "./core/ledger/names/createdAddress.ts";
import { LedgerContracts } from "./core/ledger/names/ledgerContracts.ts";
import { SignatureNames } from "./core/ledger/names/signatureNames.ts";
import { VerifiedNames } from "./core/ledger/names/verifiedNames.ts";
import { WorkspaceNames } from "./core/ledger/names/workspaceNames.ts";
import { PublishConsent } from "./core/jobs/publishConsent.ts";
import {
  knownCompilers,
  refreshCompilerLists,
  type CompilerListRefresh,
  type CompilerLists,
} from "./core/languages/compilerLists.ts";
import { DeploymentStates } from "./core/jobs/deploymentStates.ts";
import { JobFollower } from "./core/jobs/jobFollower.ts";
import type { CodeReader } from "./core/chains/deployedCode.ts";
import { recordedContract } from "./core/jobs/recordedContract.ts";
import { JobStore } from "./core/jobs/jobStore.ts";
import { JsonRpc } from "./core/chains/jsonRpc.ts";
import { VerificationJobs } from "./core/jobs/verificationJobs.ts";
import { VerificationService } from "./core/service/verificationService.ts";
import { tellOutcome } from "./editor/verification/followJob.ts";
import type { MeasuredService } from "./core/status/serviceHealth.ts";
import { explainByStatus, explainedError } from "./core/status/statusExplanation.ts";
import { StatusMonitor } from "./core/status/statusMonitor.ts";
import { registerCommands } from "./editor/register.ts";
import { ConfigurationAnswers } from "./editor/verification/configurationQuestion.ts";
import { CompilerDiagnostics } from "./editor/verification/diagnostics.ts";
import { JobDocuments } from "./editor/verification/jobDocuments.ts";
import { chosenNetwork } from "./editor/ledger/ledgerNetwork.ts";
import { WorkspaceKnowledge } from "./editor/workspaceKnowledge.ts";
import { JobFiles } from "./editor/verification/jobFiles.ts";
import { LedgerDocuments } from "./editor/ledger/ledgerDocuments.ts";
import { networkSettings, settings } from "./editor/settings.ts";
import { StatusBar } from "./editor/status/statusBar.ts";
import { showNotice } from "./editor/status/statusNotice.ts";
import { StatusView } from "./editor/status/statusView.ts";
import { VerifyCodeLens } from "./editor/verification/verifyCodeLens.ts";
import { LedgerView } from "./editor/ledger/ledgerView.ts";
import { VerificationView } from "./editor/verification/verificationView.ts";
import { ownValue } from "./core/json/ownValue.ts";

/** What shows the ledger. */
export interface LedgerParts {
  readonly service: LedgerService;
  readonly items: LedgerItems;
  readonly view: LedgerView;
  readonly documents: LedgerDocuments;
  /** The chosen network. */
  network(): LedgerNetwork;
}

/** What tells how the services are. */
export interface StatusParts {
  readonly monitor: StatusMonitor;
  readonly view: StatusView;
  readonly bar: StatusBar;
  /** An error of a service with what the status page knows of its reason. */
  explained(service: MeasuredService, error: LedgerLensError): LedgerLensError;
}

/** The parts that commands and views work with. */
export interface Parts {
  readonly log: Log;
  readonly jobs: VerificationJobs;
  /** Looks after jobs that no command waits for. */
  readonly follower: JobFollower;
  readonly jobDocuments: JobDocuments;
  readonly verificationView: VerificationView;
  /** What the service has on record for deployments that were found. */
  readonly deploymentStates: DeploymentStates;
  readonly diagnostics: CompilerDiagnostics;
  readonly workspace: WorkspaceKnowledge;
  readonly memory: vscode.Memento;
  /** Where nobody has to be asked before sources are published. */
  readonly consent: PublishConsent;
  /** The compilers that are known. */
  readonly compilers: () => CompilerLists;
  /** What was said in this session where a configuration computes it. */
  readonly configurationAnswers: ConfigurationAnswers;
  /** Fetches the lists of compilers, for a person who asked for it. */
  refreshCompilers(signal?: AbortSignal): Promise<CompilerListRefresh>;
  readonly ledger: LedgerParts;
  readonly status: StatusParts;
  /** The verification service at an address, the configured one by default. */
  service(url?: string): VerificationService;
  /** Who may have the code at an address, the user's own node first. */
  readonly codeReaders: readonly CodeReader[];
  /** The node of a chain, where `ledgerLens.rpcUrls` names one. */
  node(chainId: string): JsonRpc | undefined;
  /** The node of a chain: the user's own, else one that the verification service lists. */
  anyNode(chainId: string, signal?: AbortSignal): Promise<JsonRpc | undefined>;
}

/** Where the parts meet: it builds them in order and takes them down. */
export class Container implements vscode.Disposable {
  readonly #disposables: vscode.Disposable[] = [];

  constructor(context: vscode.ExtensionContext) {
    const { version } = context.extension.packageJSON as { version: string };
    const log = this.#own(new Log("Ledger Lens"));
    const http = new JsonClient({
      network: networkSettings,
      userAgent: `ledger-lens/${version}`,
      log: (line) => log.debug(line),
    });
    this.#own({ dispose: () => http.dispose() });
    const service = (url = settings.verificationUrl) => new VerificationService(http, url);
    const jobs = new VerificationJobs({
      store: new JobStore(new JobFiles(context.storageUri ?? context.globalStorageUri)),
      service,
      clock: systemClock,
      random: Math.random,
      newId: () => crypto.randomUUID(),
    });
    const follower = this.#own(
      new JobFollower({
        jobs,
        clock: systemClock,
        random: Math.random,
        isSomebodyThere: () => vscode.window.state.focused,
        onFinished: (record) => void tellOutcome(parts, record),
      }),
    );
    this.#own(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        follower.wake();
        // Another window may have changed the jobs; before they are read once there is nothing to refresh.
        if (focused && jobs.store.isLoaded)
          jobs.store.refresh().catch((error: unknown) => log.error(String(error)));
      }),
    );
    const status = this.#status(http, context, log);
    const workspace = this.#own(new WorkspaceKnowledge(log));
    const ledger = this.#ledger(http, context, log, status, jobs.store, workspace);
    const nobody = Promise.resolve(undefined);
    const node = (chainId: string) => {
      const url = ownValue(settings.rpcUrls, chainId);
      return url ? new JsonRpc(http, url) : undefined;
    };
    const listedNode = async (chainId: string, signal?: AbortSignal) => {
      const listed = (await service().chains(signal)).find((chain) => chain.chainId === chainId);
      const url = listed?.rpc.find((one) => /^https?:\/\//.test(one) && !one.includes("{"));
      return url === undefined ? undefined : new JsonRpc(http, url);
    };
    const deploymentStates = new DeploymentStates(service);
    const compilerLists = stored(context.globalState, "compilerLists");
    const parts: Parts = {
      log,
      deploymentStates,
      verificationView: this.#own(
        new VerificationView(jobs, workspace, deploymentStates, log, () => {
          follower.start();
          status.bar.begin();
        }),
      ),
      jobs,
      follower,
      diagnostics: this.#own(new CompilerDiagnostics(jobs.store)),
      jobDocuments: this.#own(new JobDocuments(jobs.store)),
      memory: context.workspaceState,
      consent: new PublishConsent(stored(context.workspaceState, "publishConsent")),
      compilers: () => knownCompilers(compilerLists),
      configurationAnswers: new ConfigurationAnswers(),
      refreshCompilers: (signal) =>
        refreshCompilerLists(http, compilerLists, settings.compilerListUrls, signal),
      ledger,
      status,
      workspace,
      service,
      codeReaders: [
        ({ chainId, address }, signal) => node(chainId)?.code(address, signal) ?? nobody,
        async ({ chainId, address }, signal) => {
          const network = publicNetworks.find((one) => one.chainId === chainId);
          if (!network) return undefined;
          const found = await ledger.service.contract(address, network, signal);
          return found ? found.runtimeCode : "0x";
        },
        async ({ chainId, address }, signal) => (await listedNode(chainId, signal))?.code(address, signal),
      ],
      node,
      anyNode: async (chainId, signal) => node(chainId) ?? listedNode(chainId, signal),
    };
    this.#own(new VerifyCodeLens(jobs.store, workspace, deploymentStates));
    this.#own(registerCommands(parts));
  }

  /** Who knows names, in the order of trust. */
  #nameSources(
    http: JsonClient,
    service: LedgerService,
    store: JobStore,
    knowledge: WorkspaceKnowledge,
  ): NameSource[] {
    const contracts = new LedgerContracts(service);
    const contractAt = (scope: NameScope) => contracts.at(scope);
    return [
      new WorkspaceNames({
        get index() {
          return knowledge.index;
        },
        deployedCode: async (scope) => (await contractAt(scope))?.runtimeCode,
        recordedContract: async (scope) => {
          const address = (await contractAt(scope))?.address ?? scope.address ?? "";
          return recordedContract(store, scope.network.chainId ?? "", address);
        },
      }),
      new NamesAtCreatedAddress(new VerifiedNames({ http, url: () => settings.verificationUrl }), contractAt),
      new SignatureNames({
        http,
        url: () => settings.signatureUrl,
        isEnabled: () => settings.signatureLookup,
      }),
    ];
  }

  #ledger(
    http: JsonClient,
    context: vscode.ExtensionContext,
    log: Log,
    status: StatusParts,
    store: JobStore,
    workspace: WorkspaceKnowledge,
  ): LedgerParts {
    const network = chosenNetwork;
    const service = new LedgerService({ client: observed(http, status.monitor), network });
    const sources = this.#nameSources(http, service, store, workspace);
    const items = new LedgerItems({
      service,
      network,
      // A window without a folder has no state of its own that is certain to be found again.
      memory: vscode.workspace.workspaceFolders ? context.workspaceState : context.globalState,
      namer: (of) => new ActionNamer(of, sources),
      titleOf: (canonical, content) => contentRow(canonical, content, Date.now()),
      explained: (error) => status.explained("ledger", error),
    });
    this.#own(items);
    const view = this.#own(new LedgerView(items, network, log, () => status.bar.begin()));
    return {
      service,
      items,
      view,
      documents: this.#own(new LedgerDocuments()),
      network,
    };
  }

  #status(http: JsonClient, context: vscode.ExtensionContext, log: Log): StatusParts {
    const monitor: StatusMonitor = this.#own(
      new StatusMonitor({
        client: http,
        clock: systemClock,
        random: Math.random,
        focused: vscode.window.state.focused,
        storage: stored(context.globalState, "statusNotices"),
        settings: () => ({
          ...settings.watch,
          statusUrl: settings.statusUrl,
          verificationUrl: settings.verificationUrl,
          ledgerUrl: settings.ledgerUrl,
          pollSeconds: settings.statusPollSeconds,
          notices: settings.notices.isOn,
          quietHours: settings.notices.quietHours,
        }),
        onNotice: (notice) => void showNotice(notice, monitor.memory),
      }),
    );
    this.#own(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        monitor.focused = focused;
      }),
    );
    this.#own(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("ledgerLens")) monitor.settingsChanged();
      }),
    );
    const bar = this.#own(new StatusBar(monitor));
    return {
      monitor,
      bar,
      view: this.#own(new StatusView(monitor, log, () => bar.begin())),
      explained: (service, error) =>
        explainedError(error, () =>
          explainByStatus(service, settings.watch.networkId, monitor.known, { now: Date.now() }),
        ),
    };
  }

  dispose(): void {
    void this.end();
  }

  /** Takes the parts down in reverse order; done when their connections are closed. A second time there is nothing left to do. */
  async end(): Promise<void> {
    const parts = this.#disposables.splice(0).reverse();
    await Promise.all(parts.map((part) => part.dispose() as unknown));
  }

  #own<T extends vscode.Disposable>(part: T): T {
    this.#disposables.push(part);
    return part;
  }
}

/** A value that the editor keeps under a name. */
function stored(memento: vscode.Memento, name: string) {
  return {
    get: () => memento.get<unknown>(name),
    set: (value: unknown) => memento.update(name, value),
  };
}

/** The client of the ledger, whose answers tell the status how it is. */
function observed(http: JsonClient, monitor: StatusMonitor): Pick<JsonClient, "request"> {
  return {
    async request(request) {
      try {
        const response = await http.request(request);
        monitor.heard("ledger", { latencyMs: response.durationMs });
        return response;
      } catch (error) {
        monitor.heard("ledger", { error });
        throw error;
      }
    },
  };
}
