import type { Memento, Uri, WebviewPanel } from "vscode";
import { isLedgerOutOfReach } from "../../core/chains/privateChains.ts";
import { LedgerLensError, type HeaderKey } from "../../core/errors.ts";
import type { JsonClient } from "../../core/http/jsonClient.ts";
import type { JobStore } from "../../core/jobs/jobStore.ts";
import { recordedContract } from "../../core/jobs/recordedContract.ts";
import type { VerifiedState } from "../../core/ledger/accounts/accountRows.ts";
import { ActionNamer } from "../../core/ledger/actions/actionNames.ts";
import { contentRow } from "../../core/ledger/itemRows.ts";
import { LedgerItems } from "../../core/ledger/ledgerItems.ts";
import { LedgerService } from "../../core/ledger/ledgerService.ts";
import { NamesAtCreatedAddress } from "../../core/ledger/names/createdAddress.ts";
import { LedgerContracts } from "../../core/ledger/names/ledgerContracts.ts";
import type { NameScope, NameSource } from "../../core/ledger/names/nameSource.ts";
import { SignatureNames } from "../../core/ledger/names/signatureNames.ts";
import { ifReadable, numberFrom, object, readAs, text } from "../../core/json/shape.ts";
import { StandardNames } from "../../core/ledger/names/standardNames.ts";
import { TokenContracts } from "../../core/ledger/names/tokenContracts.ts";
import { VerifiedNames } from "../../core/ledger/names/verifiedNames.ts";
import { WorkspaceNames } from "../../core/ledger/names/workspaceNames.ts";
import { toMatch } from "../../core/service/job.ts";
import { VerificationService } from "../../core/service/verificationService.ts";
import type { LedgerNetwork } from "../../core/ledger/references/network.ts";
import { chosenNetwork } from "../chosenNetwork.ts";
import { late } from "../late.ts";
import type { Own } from "../ownedParts.ts";
import { settings } from "../settings.ts";
import type { LateTree } from "../ui/lateTree.ts";
import type { Log } from "../ui/log.ts";
import type { ReadOnlyDocuments } from "../ui/readOnlyDocuments.ts";
import type { WatchedWorkspace } from "../watchedWorkspace.ts";
import { addressLookUp, type AddressLookUp } from "./addressLookUp.ts";
import { findInLedger } from "./findInLedger.ts";
import type { NetworkKeys } from "../networkKeys.ts";
import { NetworkSwitch } from "./networkSwitch.ts";
import type { ItemParts, LedgerParts } from "./ledgerParts.ts";
import {
  compareWithNow,
  copyActions,
  copyValue,
  askActionFilter,
  goToSource,
  loadMore,
  openItemInExplorer,
  enterLedgerKey,
  openLedgerSetting,
  openRow,
  openSourceOf,
  openTransactionPage,
  showRawJson,
  showTokenAsOf,
  verifyContractOf,
} from "./ledgerRows.ts";
import type { LedgerNode } from "./ledgerTree.ts";
import { LedgerView } from "./ledgerView.ts";
import { openLedgerLink } from "./openLedgerLink.ts";
import { askForKey, selectNetwork } from "./selectNetwork.ts";
import { showSchedule } from "./showSchedule.ts";
import { showSchedules } from "./showSchedules.ts";
import { showToken } from "./showToken.ts";
import { showTransactionActions } from "./showTransactionActions.ts";
import type { TransactionPages } from "./transactionPages.ts";

/** What the ledger is built of. */
interface LedgerNeeds {
  readonly own: Own;
  readonly http: JsonClient;
  /** The same for the ledger itself, whose health is watched by its answers. */
  readonly client: Pick<JsonClient, "request">;
  readonly log: Log;
  readonly memory: Memento;
  /** State of this workspace, which has the chains that were chosen for verifications. */
  readonly workspaceMemory: Memento;
  /** State of all windows. */
  readonly globalMemory: Memento;
  readonly documents: ReadOnlyDocuments;
  /** Where the extension lies. */
  readonly extension: Uri;
  /** The keys of own networks. */
  readonly keys: () => Promise<NetworkKeys>;
  readonly tree: LateTree<LedgerNode>;
  /** Where the names of contracts are looked for first. */
  readonly workspace: WatchedWorkspace;
  readonly jobs: JobStore;
  explained(error: LedgerLensError): LedgerLensError;
  /** Called when the view is shown. */
  onVisible(): void;
  /** Called with a page when it is shown or hidden. */
  shows(page: object, isVisible: boolean): void;
}

/** The ledger: what asks it, keeps what was opened, and shows it. */
export class LedgerSubject {
  readonly parts: LedgerParts;
  /** What hovers say of addresses. */
  readonly addresses: AddressLookUp;
  readonly #pages: () => Promise<TransactionPages>;
  readonly #keys: LedgerNeeds["keys"];
  /** What its commands do. */
  readonly commands = {
    showToken,
    showTransactionActions,
    showSchedules,
    showSchedule,
    selectNetwork: (parts: LedgerParts, args: Readonly<Record<string, unknown>>) =>
      selectNetwork({ ...parts, keys: this.#keys }, args),
    enterKey: (key: HeaderKey) => askForKey(this.#keys, key),
    findInLedger,
    openLedgerLink,
    refreshLedger,
    loadMore,
    openItemInExplorer,
    enterLedgerKey,
    openLedgerSetting,
    openRow,
    openTransactionPage,
    showRawJson,
    copyActions,
    copyValue,
    askActionFilter,
    compareWithNow,
    showTokenAsOf,
    verifyContractOf,
    openSourceOf,
    goToSource,
  };

  constructor(needs: LedgerNeeds) {
    const { own, client, log, memory, documents } = needs;
    const network = chosenNetwork;
    this.#keys = needs.keys;
    const service = new LedgerService({ client, network, onLimited: (ms) => items.limited(ms) });
    const sources = nameSources(needs, service);
    const tokenContracts = new TokenContracts(service);
    const items: LedgerItems = own(
      new LedgerItems({
        service,
        network,
        memory,
        namer: (of) =>
          new ActionNamer(
            of,
            sources,
            (at, ids, signal) => service.denominations(at, ids, signal),
            (scope) => tokenContracts.at(scope),
          ),
        titleOf: (canonical, content) => contentRow(canonical, content, Date.now()),
        verified: (address, ledger) => verifiedState(needs.http, address, ledger),
        explained: (error) => needs.explained(error),
      }),
    );
    const view = own(new LedgerView(items, network, needs.tree, () => needs.onVisible()));
    this.#pages = late(async () => {
      const { TransactionPages } = await import("./transactionPages.ts");
      return own(
        new TransactionPages(this.parts, needs.extension, (page, isVisible) => needs.shows(page, isVisible)),
      );
    });
    this.addresses = addressLookUp(service, needs.http, {
      network,
      workspace: needs.workspace,
      jobs: needs.jobs,
      memory: needs.workspaceMemory,
    });
    const networks = new NetworkSwitch(needs.globalMemory, needs.workspaceMemory);
    this.parts = { log, service, items, view, documents, network, networks, pages: this.#pages };
  }

  /** Fills a page of a transaction that the editor brings back; one that nothing is known of is closed. */
  async restorePage(panel: WebviewPanel, state: unknown): Promise<void> {
    const { itemId, loaded } = readAs(keptPage, state) ?? {};
    if (itemId === undefined) panel.dispose();
    else (await this.#pages()).restore(itemId, panel, loaded);
  }
}

/** Whether a contract of a ledger is verified at the service that is set. */
async function verifiedState(
  http: JsonClient,
  address: string,
  ledger: LedgerNetwork,
): Promise<VerifiedState> {
  const { chainId } = ledger;
  const service = new VerificationService(http, settings.verificationUrl);
  if (chainId === undefined) return "unknown";
  if (isLedgerOutOfReach(ledger, service.host)) return "unseen";
  try {
    const contract = await service.contract({ chainId, address });
    return toMatch(contract?.match) ?? "none";
  } catch (error) {
    if (error instanceof LedgerLensError) return "unknown";
    throw error;
  }
}

/** What a page keeps of itself. */
const keptPage = object({ itemId: text(1_000), loaded: ifReadable(numberFrom(0, 1e6)) });

/** Who knows names, in the order of trust. */
function nameSources({ http, workspace, jobs }: LedgerNeeds, service: LedgerService): NameSource[] {
  const contracts = new LedgerContracts(service);
  const contractAt = (scope: NameScope) => contracts.at(scope);
  return [
    new WorkspaceNames({
      get index() {
        return workspace.index;
      },
      deployedCode: async (scope) => (await contractAt(scope))?.runtimeCode,
      recordedContract: async (scope) => {
        const address = (await contractAt(scope))?.address ?? scope.address ?? "";
        return recordedContract(jobs, scope.network.chainId ?? "", address);
      },
    }),
    new NamesAtCreatedAddress(new VerifiedNames({ http, url: () => settings.verificationUrl }), contractAt),
    new StandardNames(),
    new SignatureNames({
      http,
      url: () => settings.signatureUrl,
      isEnabled: () => settings.signatureLookup,
    }),
  ];
}

/** Everything that is loaded, again; a failure stands at its item. */
async function refreshLedger({ items }: Pick<ItemParts, "items">): Promise<void> {
  const loaded = items.visible().filter(({ content, problem }) => content !== undefined || problem);
  await Promise.allSettled(loaded.map(({ id }) => items.refresh(id)));
}
