import * as vscode from "vscode";
import { JsonRpc } from "../../core/chains/jsonRpc.ts";
import { systemClock } from "../../core/concurrency/clock.ts";
import type { JsonClient } from "../../core/http/jsonClient.ts";
import { wholeAddress } from "../../core/http/keptAddress.ts";
import { DeploymentStates } from "../../core/jobs/deploymentStates.ts";
import { JobFollower } from "../../core/jobs/jobFollower.ts";
import type { JobStore } from "../../core/jobs/jobStore.ts";
import { PublishConsent } from "../../core/jobs/publishConsent.ts";
import { VerificationJobs } from "../../core/jobs/verificationJobs.ts";
import type { VerificationRow } from "../../core/jobs/verificationRows.ts";
import { object, readAs, text } from "../../core/json/shape.ts";
import { knownCompilers, refreshCompilerLists } from "../../core/languages/compilerLists.ts";
import type { LedgerService } from "../../core/ledger/ledgerService.ts";
import { publicNetworks } from "../../core/ledger/references/network.ts";
import type { ChainSupport } from "../../core/service/chainSupport.ts";
import { serviceAddress } from "../../core/service/serviceAddress.ts";
import { VerificationService } from "../../core/service/verificationService.ts";
import { shown } from "../../core/text/shownText.ts";
import { configuredNetworks } from "../configuredNetworks.ts";
import { late } from "../late.ts";
import type { Own } from "../ownedParts.ts";
import { ownNode } from "../ownNode.ts";
import { settings } from "../settings.ts";
import type { JobLink } from "../uriLinks.ts";
import { storedValue } from "../storedValue.ts";
import type { Log } from "../ui/log.ts";
import type { LateDocuments } from "../ui/lateDocuments.ts";
import type { LateLenses } from "../ui/lateLenses.ts";
import type { LateTree } from "../ui/lateTree.ts";
import { copyText } from "../ui/clipboard.ts";
import { showMessage } from "../ui/notifications.ts";
import type { ReadOnlyDocuments } from "../ui/readOnlyDocuments.ts";
import type { WatchedWorkspace } from "../watchedWorkspace.ts";
import { showDifference, takeAction, takeLocalAction } from "./causeActions.ts";
import { checkJob } from "./checkJob.ts";
import { explainFailure } from "./explainFailure.ts";
import { ConfigurationAnswers } from "./configurationAnswers.ts";
import { CompilerDiagnostics } from "./diagnostics.ts";
import { contractOfFile } from "./contractOfFile.ts";
import { createSample } from "./createSample.ts";
import { exportCompilerInput } from "./exportCompilerInput.ts";
import { findSettings } from "./findSettings.ts";
import { tellOutcome } from "./followJob.ts";
import {
  openDeploymentAtService,
  openDeploymentRecord,
  showDeployment,
  verifyDeployment,
  verifyDeploymentLocally,
} from "./foundDeployment.ts";
import { chooseAnotherChain, verifyJobLocally } from "./jobElsewhere.ts";
import { JobDocuments } from "./jobDocuments.ts";
import { JobFiles } from "./jobFiles.ts";
import { copyJobLink, openChainExplorer, openJobAtService, showInLedger } from "./jobLinks.ts";
import { copyTable } from "./copyTable.ts";
import { jobOfLink } from "./jobOfLink.ts";
import { compareContract, compareWithWorkspace, openVerifiedSource } from "./openVerifiedSource.ts";
import { predictMatch } from "./predictMatch.ts";
import { showChangesSince } from "./commitChanges.ts";
import { findDeployedCommit } from "./findDeployedCommit.ts";
import { verifyLocally } from "./verifyLocally.ts";
import { manageCompilers } from "./manageCompilers.ts";
import { LocalVerification } from "./localVerification.ts";
import { LocalResults } from "../../core/jobs/localResults.ts";
import { refreshCompilerList } from "./refreshCompilerList.ts";
import { retryJob } from "./retryJob.ts";
import { openSubmittedFile } from "./submittedFile.ts";
import type { ChainParts, CompilerListParts, VerificationParts } from "./verificationParts.ts";
import type { VerificationPages } from "./verificationPages.ts";
import type { VerificationNode } from "./verificationTree.ts";
import { VerificationView } from "./verificationView.ts";
import { verifyAllDeployments } from "./verifyAllDeployments.ts";
import { verifyBySimilarity } from "./verifyBySimilarity.ts";
import { VerifyCodeLens } from "./verifyCodeLens.ts";
import { verifyRecorded } from "./verifyRecorded.ts";
import { submitAfterReview, verifyContract } from "./verifyContract.ts";

/** What verification is built of. */
interface VerificationNeeds {
  readonly own: Own;
  readonly http: JsonClient;
  /** For the verification service. */
  readonly client: Pick<JsonClient, "request">;
  /** For the nodes of a chain. */
  readonly nodeClient: (chainId: string) => Pick<JsonClient, "request">;
  readonly log: Log;
  readonly store: JobStore;
  readonly workspace: WatchedWorkspace;
  readonly documents: ReadOnlyDocuments;
  readonly tree: LateTree<VerificationNode>;
  readonly jobDocuments: LateDocuments;
  readonly lenses: LateLenses;
  /** State of this workspace. */
  readonly memory: vscode.Memento;
  /** State of all windows. */
  readonly globalMemory: vscode.Memento;
  /** Where files of this workspace are kept, or of all where no folder is open. */
  readonly storage: vscode.Uri;
  /** Where files of all windows are kept. */
  readonly globalStorage: vscode.Uri;
  /** What a ledger knows of the contract at an address. */
  readonly ledgerContract: LedgerService["contract"];
  /** Called when the view is shown. */
  onVisible(): void;
  readonly extension: vscode.Uri;
  /** Called with a page when it is shown or hidden. */
  shows(page: object, isVisible: boolean): void;
}

/** What a page keeps of itself. */
const keptPage = object({ key: text(20_000) });

/** Verification: what submits contracts and follows the jobs, and what shows them. */
export class VerificationSubject {
  readonly parts: VerificationParts & CompilerListParts;
  readonly view: VerificationView;
  readonly #pages: () => Promise<VerificationPages>;
  /** What its commands do. */
  readonly commands = {
    openVerifiedSource,
    compareContract,
    compareWithWorkspace,
    verifyContract,
    submitAfterReview,
    contractOfFile,
    verifyBySimilarity,
    checkJob,
    explainFailure,
    exportCompilerInput,
    createSample,
    verifyAllDeployments,
    predictMatch,
    verifyLocally,
    findSettings,
    findDeployedCommit,
    showChangesSince,
    copyTable,
    manageCompilers,
    refreshCompilerList,
    askBeforePublishing,
    openChainExplorer,
    openJobAtService,
    showInLedger,
    copyJobLink,
    takeAction,
    takeLocalAction,
    showDifference,
    retryJob,
    verifyDeployment,
    verifyRecorded,
    verifyDeploymentLocally,
    verifyJobLocally,
    chooseAnotherChain,
    openDeploymentAtService,
    openDeploymentRecord,
    showDeployment,
    openSubmittedFile,
    openLink,
    copyAddress,
    copyValue,
    showPage: (row: VerificationRow) => this.#showPage(row),
    showExample: async () => {
      (await this.#pages()).showExample();
    },
    openJobLink: async (link: JobLink) => {
      const [pages, record] = await Promise.all([this.#pages(), jobOfLink(this.parts, link)]);
      pages.showJob(record);
    },
  };

  constructor(needs: VerificationNeeds) {
    const { own, http, log, store, workspace, documents, memory } = needs;
    const service = (kept?: string) => {
      const configured = settings.verificationUrl;
      const known = () =>
        [configured, ...configuredNetworks().flatMap((one) => one.verificationUrl ?? [])].map(serviceAddress);
      return new VerificationService(
        needs.client,
        kept === undefined ? configured : wholeAddress(kept, known()),
      );
    };
    const random = Math.random;
    const newId = () => crypto.randomUUID();
    const jobs = new VerificationJobs({ store, service, clock: systemClock, random, newId });
    const follower = own(
      new JobFollower({
        jobs,
        clock: systemClock,
        random,
        isSomebodyThere: () => vscode.window.state.focused,
        onFinished: (record) => void tellOutcome(this.parts, record),
      }),
    );
    own(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        follower.wake();
        // Another window may have changed the jobs; before they are read once there is nothing to refresh.
        if (focused && store.isLoaded) store.refresh().catch((error: unknown) => log.error(String(error)));
      }),
    );
    const deploymentStates = new DeploymentStates(service);
    const compilerLists = storedValue(needs.globalMemory, "compilerLists");
    const compilers = () => knownCompilers(compilerLists);
    this.#pages = late(async () => {
      const { VerificationPages } = await import("./verificationPages.ts");
      return own(
        new VerificationPages(this.parts, needs.extension, (page, isVisible) => needs.shows(page, isVisible)),
      );
    });
    this.parts = {
      pages: this.#pages,
      ...chainParts(needs, service, jobs.chainSupport),
      log,
      service,
      jobs,
      follower,
      workspace,
      documents,
      memory,
      deploymentStates,
      diagnostics: own(new CompilerDiagnostics(store, deploymentStates)),
      jobDocuments: own(new JobDocuments(store, needs.jobDocuments)),
      consent: new PublishConsent(storedValue(memory, "publishConsent")),
      compilers,
      local: own(
        new LocalVerification({ http, folder: needs.globalStorage, memory: needs.globalMemory, compilers }),
      ),
      localResults: new LocalResults(
        storedValue(memory, "localResults"),
        new JobFiles(needs.storage, "localResults"),
      ),
      configurationAnswers: new ConfigurationAnswers(),
      refreshCompilers: (signal) =>
        refreshCompilerLists(http, compilerLists, settings.compilerListUrls, signal),
    };
    own(new VerifyCodeLens(store, workspace, deploymentStates, needs.lenses));
    this.view = own(
      new VerificationView(this.parts, needs.tree, () => {
        follower.start();
        needs.onVisible();
      }),
    );
  }

  /** Fills a page that the editor brings back; one that nothing is known of is closed. */
  async restorePage(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { key } = readAs(keptPage, state) ?? {};
    if (key === undefined) panel.dispose();
    else (await this.#pages()).restore(key, panel);
  }

  /** Shows the page of a row's job, or of its result of this machine. */
  async #showPage({ record, deployment, localResult }: VerificationRow): Promise<void> {
    const pages = await this.#pages();
    const job =
      record ??
      (deployment && this.parts.deploymentStates.newestJob(deployment, this.parts.jobs.store.all()));
    if (job) pages.showJob(job);
    else if (localResult) pages.showLocal(localResult);
  }
}

/** The nodes of chains: the user's own, those that the service lists, and for the code also the ledger. */
function chainParts(
  { nodeClient, ledgerContract }: Pick<VerificationNeeds, "nodeClient" | "ledgerContract">,
  service: VerificationParts["service"],
  support: ChainSupport,
): ChainParts {
  const node = (chainId: string) => ownNode(nodeClient(chainId), chainId);
  const listedNode = async (chainId: string, signal?: AbortSignal) => {
    const url = await support.listedNode(service(), chainId, signal);
    return url === undefined ? undefined : new JsonRpc(nodeClient(chainId), url);
  };
  return {
    node,
    chainsNow: (signal) => support.chains(service(), signal, { isLookedFor: true }),
    anyNode: async (chainId, signal) => node(chainId) ?? listedNode(chainId, signal),
    codeReaders: [
      async ({ chainId, address }, signal) => node(chainId)?.code(address, signal),
      async ({ chainId, address }, signal) => {
        const network = publicNetworks.find((one) => one.chainId === chainId);
        if (!network) return undefined;
        const found = await ledgerContract(address, network, signal);
        return found ? found.runtimeCode : "0x";
      },
      async ({ chainId, address }, signal) => (await listedNode(chainId, signal))?.code(address, signal),
    ],
  };
}

/** `ledgerLens.askBeforePublishing` `{}`: forgets for this workspace where a person agreed beforehand to what is published. */
async function askBeforePublishing({ consent }: Pick<VerificationParts, "consent">): Promise<void> {
  await consent.withdraw();
  void showMessage("information", shown`Ledger Lens asks in this workspace before anything is published.`);
}

async function openLink({ copyText }: VerificationRow): Promise<void> {
  if (copyText !== undefined) await vscode.env.openExternal(vscode.Uri.parse(copyText, true));
}

async function copyAddress({ copyText: address }: VerificationRow): Promise<void> {
  if (address !== undefined) await copyText(address, shown`Address copied`);
}

async function copyValue({ copyText: value }: VerificationRow): Promise<void> {
  if (value !== undefined) await copyText(value, shown`Value copied`);
}
