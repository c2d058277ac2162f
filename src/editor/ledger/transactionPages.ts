import { t } from "@vscode/l10n";
import { setImmediate } from "node:timers/promises";
import * as vscode from "vscode";
import { isCancellation, LedgerLensError, ledgerLensError } from "../../core/errors.ts";
import { actionAsText, actionInFull } from "../../core/ledger/actions/actionRows.ts";
import { actionAsJson } from "../../core/ledger/actions/actionText.ts";
import { foundActions } from "../../core/ledger/actions/actionSearch.ts";
import { failingPath } from "../../core/ledger/actions/actionTree.ts";
import { definedOnly } from "../../core/json/looseData.ts";
import { parseLedgerReference } from "../../core/ledger/references/ledgerReference.ts";
import { networkOfId, otherNetworkWords } from "../../core/ledger/references/network.ts";
import { waitingWords } from "../../core/ledger/itemRows.ts";
import type { ContentOf, LedgerItem } from "../../core/ledger/ledgerItems.ts";
import { BesideActions } from "../../core/ledger/transactions/besideActions.ts";
import type { PageNews, PageRequest, TransactionPage } from "../../core/ledger/transactions/pageModel.ts";
import { pageAsJson, pageAsText } from "../../core/ledger/transactions/pageCopies.ts";
import { pageRequest } from "../../core/ledger/transactions/pageRequest.ts";
import { functionNames } from "../../core/ledger/transactions/gasSums.ts";
import { speedscopeProfile } from "../../core/ledger/transactions/speedscope.ts";
import { CallNews } from "../../core/ledger/transactions/callNews.ts";
import {
  calledIn,
  pageTree,
  transactionPage,
  type TransactionPageParts,
} from "../../core/ledger/transactions/transactionPage.ts";
import { transactionTabTitle, type TransactionTab } from "../../core/ledger/transactions/transactionTab.ts";
import { Countdown } from "../../core/http/countdown.ts";
import { tellingOfLimits, type LimitWait } from "../../core/concurrency/toldLimits.ts";
import { limitWords } from "../../core/http/rateLimits.ts";
import { foreignSentence, shown, type ShownText } from "../../core/text/shownText.ts";
import { configuredNetworks, readNetworks } from "../configuredNetworks.ts";
import { enterKey, openSetting } from "../ui/action.ts";
import { withAsking } from "../ui/asking.ts";
import { OpenPages } from "../ui/openPages.ts";
import { openPagePanel, Page, type PageKind } from "../ui/page.ts";
import { askWhereToSave, saveFile } from "../ui/saveFile.ts";
import { copyText } from "../ui/clipboard.ts";
import { openCallSource } from "./callSource.ts";
import { openInExplorer, openReference } from "./findInLedger.ts";
import { choiceOfId } from "./networkChoice.ts";
import { switchIfAgreed } from "./switchIfAgreed.ts";
import { ledgerMending, ledgerSettingFor } from "./ledgerSetting.ts";
import type { LedgerParts } from "./ledgerParts.ts";
import { capitalised } from "../../core/text/capitalised.ts";

/** The page of a transaction. */
export const TRANSACTION_PAGE: PageKind = { type: "ledgerLens.transaction", file: "transaction" };

/** Names that are found within this time are told together. */
const TELL_NAMES_EVERY_MS = 100;
/** A list that grows is told anew no more often. */
const TELL_EVERY_MS = 250;
/** A countdown is told every second. */
const COUNTDOWN_MS = 1_000;

type Transaction = ContentOf<"transaction">;

/** The pages of transactions, one for each. */
export class TransactionPages implements vscode.Disposable {
  readonly #pages: OpenPages<OpenPage>;
  readonly #endListening: () => void;
  readonly #onSettings: vscode.Disposable;
  /** How many calls there were of the items whose pages came back. */
  readonly #loadedBefore = new Map<string, number>();

  /** @param shows is told of every page when it is shown or hidden */
  constructor(parts: LedgerParts, extension: vscode.Uri, shows: (page: object, isVisible: boolean) => void) {
    this.#pages = new OpenPages(
      (itemId, panel) =>
        new OpenPage(parts, itemId, panel, extension, {
          retitle: () => this.#retitle(),
          ...definedOnly({ loadedBefore: this.#loadedBefore.get(itemId) }),
        }),
      shows,
    );
    this.#endListening = parts.items.onChange((id) => {
      for (const [itemId, page] of this.#pages) if (id === undefined || id === itemId) page.changed();
    });
    this.#onSettings = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("ledgerLens.ledgerUrl"))
        for (const [, page] of this.#pages) page.networkChanged();
    });
  }

  /** Shows the page of an item, a new one where none is open. */
  show(itemId: string, options: { readonly focus: boolean }): void {
    this.#pages.show(itemId, (focus) => openPagePanel(TRANSACTION_PAGE, shown`Transaction`, focus), options);
    this.#retitle();
  }

  /** Gives the tabs their names: what one is called depends on which others are open. */
  #retitle(): void {
    const pages = [...this.#pages].map(([, { page, tab }]) => ({ page, tab }));
    const open = pages.map(({ tab }) => tab).filter((tab) => tab !== undefined);
    for (const { page, tab } of pages)
      page.retitle(tab ? transactionTabTitle(tab, open) : shown`Transaction`);
  }

  /** Closes the page of an item, where one is open. */
  close(itemId: string): void {
    this.#pages.close(itemId);
  }

  /**
   * Fills a page that the editor brings back after the window was loaded anew.
   *
   * @param loaded how many calls it had
   */
  restore(itemId: string, panel: vscode.WebviewPanel, loaded = 0): void {
    this.#loadedBefore.set(itemId, loaded);
    this.#pages.fill(itemId, panel);
  }

  dispose(): void {
    this.#endListening();
    this.#onSettings.dispose();
    this.#pages.dispose();
  }
}

/** What was asked for beside the actions of a content. */
interface AskedRecord {
  readonly content: Transaction;
  readonly beside: BesideActions;
}

/** A page that is open. */
class OpenPage {
  readonly #parts: LedgerParts;
  readonly #itemId: string;
  readonly page: Page<PageRequest, PageNews>;
  readonly #closed = new AbortController();
  readonly #loadedBefore: number;
  readonly #retitle: () => void;
  /** How it ended, as it was told last. */
  #outcome: TransactionPage["outcome"] | undefined;
  #asked: AskedRecord | undefined;
  #isReady = false;
  #isVisible = false;
  #timer: NodeJS.Timeout | undefined;
  #countdown: NodeJS.Timeout | undefined;
  /** Who is waited for because it limits requests, while what is asked beside the actions is looked for. */
  #limit: LimitWait | undefined;
  readonly #limits = new Countdown((wait) => {
    this.#limit = wait;
    this.#tellState();
    return wait.resumesAt > Date.now();
  });
  #naming: AbortController | undefined;
  #calls = new CallNews();
  /** It was to be loaded while another network than its own was chosen, which is told until that is its own. */
  #isOfOtherNetwork = false;
  /** What failed last. */
  #failure: LedgerLensError | undefined;

  /** @param options.retitle is called when what its tab tells is another */
  constructor(
    parts: LedgerParts,
    itemId: string,
    panel: vscode.WebviewPanel,
    extension: vscode.Uri,
    { retitle, loadedBefore = 0 }: { readonly retitle: () => void; readonly loadedBefore?: number },
  ) {
    this.#loadedBefore = loadedBefore;
    this.#retitle = retitle;
    this.#parts = parts;
    this.#itemId = itemId;
    this.page = new Page(
      panel,
      extension,
      TRANSACTION_PAGE,
      pageRequest,
      (request) => void this.#handle(request),
    );
    this.page.onVisibility((isVisible) => (this.#isVisible = isVisible));
    this.page.onClosed(() => {
      this.#closed.abort();
      this.#naming?.abort();
      clearTimeout(this.#timer);
      clearTimeout(this.#countdown);
      this.#limits.end();
      retitle();
    });
  }

  /** What its tab tells; missing where the item is not in the list any more, and where it is closed. */
  get tab(): TransactionTab | undefined {
    const item = this.#item;
    if (!item || this.#closed.signal.aborted) return undefined;
    const { canonical, networkId } = item;
    const networkName = networkOfId(networkId, configuredNetworks())?.name ?? networkId;
    return { canonical, networkName, ...definedOnly({ outcome: this.#outcome }) };
  }

  /** Does what the page is waiting for, and tells it of a service that limits requests. */
  #counted<T>(work: () => Promise<T>): Promise<T> {
    return tellingOfLimits((limit) => this.#limits.begin(limit), work);
  }

  /** The item is another one now: more of it was loaded, or loading it failed. */
  changed(): void {
    if (!this.#isReady || this.#closed.signal.aborted) return;
    // What is waited for is told at once.
    if (this.#asked === undefined && this.#content) {
      this.#tell();
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tell();
    }, TELL_EVERY_MS);
  }

  /** Another network is chosen: what waited for its own is loaded. */
  networkChanged(): void {
    if (!this.#isReady || !this.#isOfOtherNetwork) return;
    void this.#handle({ type: "refresh" });
  }

  get #item(): LedgerItem | undefined {
    return this.#parts.items.get(this.#itemId);
  }

  get #content(): Transaction | undefined {
    const content = this.#item?.content;
    return content?.kind === "transaction" ? content : undefined;
  }

  /** Tells the page what is being done, and what went wrong. */
  #tellState(): void {
    const item = this.#item;
    const doing = waitingWords(item?.loading, Date.now()) ?? limitWords(this.#limit, Date.now());
    clearTimeout(this.#countdown);
    if (item?.loading?.resumesAt !== undefined && doing)
      this.#countdown = setTimeout(() => this.#tellState(), COUNTDOWN_MS);
    this.page.tell({
      type: "state",
      loading: item?.loading !== undefined,
      ...(doing && { doing: shown`${capitalised(doing)}…` }),
      ...(item === undefined && {
        problem: shown`This transaction is no longer in the list. Find it in the ledger again.`,
      }),
      ...(item?.problem && this.#problemNews(item.problem)),
      ...(item && this.#isOfOtherNetwork && this.#otherNetwork(item)),
    });
  }

  /** Why something failed, and what can mend it, which the page then offers. */
  #problemNews(error: LedgerLensError) {
    this.#failure = error;
    return { problem: foreignSentence(error.message), ...definedOnly({ mending: ledgerMending(error) }) };
  }

  #otherNetwork({ networkId }: LedgerItem) {
    const own = networkOfId(networkId, configuredNetworks());
    return {
      problem: otherNetworkWords(own?.name ?? networkId, this.#parts.network().name),
      isOfOtherNetwork: true as const,
    };
  }

  /** Loads it, where its network is the chosen one; else the page says which one that is. */
  async #load(): Promise<void> {
    const item = this.#item;
    this.#isOfOtherNetwork = item !== undefined && item.networkId !== this.#parts.network().id;
    this.#tellState();
    if (!this.#isOfOtherNetwork)
      await this.#parts.items.refresh(this.#itemId, { atLeast: this.#loadedBefore });
  }

  /** Chooses the network of this transaction again; one that is not set up any more is asked for. */
  async #changeNetwork(): Promise<void> {
    const of = choiceOfId(readNetworks(), this.#item?.networkId ?? "");
    const { network, networks } = this.#parts;
    if (!of) await vscode.commands.executeCommand("ledgerLens.selectNetwork");
    else if (!networks.changesService(of)) await networks.use(of);
    else
      await switchIfAgreed(this.#parts, of, {
        title: shown`Change Network`,
        placeholder: shown`This is of ${of.name}, and Ledger Lens shows ${network().name}`,
        switches: shown`The transaction is loaded there`,
        stays: shown`The transaction is not loaded`,
      });
  }

  /** Tells the page everything that is known now, and looks for what is not. */
  #tell(): void {
    this.#tellState();
    const content = this.#content;
    if (!content) {
      this.#retitle();
      return;
    }
    if (this.#asked?.content !== content) {
      const beside = this.#besideActions(content);
      this.#asked = { content, beside };
      void this.#counted(() => beside.lookUp(this.#closed.signal));
    }
    const asked = this.#asked;
    if (this.#isVisible) void this.#counted(() => this.#askContracts(asked));
    const parts = this.#partsOf(content);
    const page = transactionPage(parts);
    this.#outcome = page.outcome;
    this.#retitle();
    this.page.tell({
      type: "page",
      itemId: this.#itemId,
      page: {
        ...page,
        ...(content.actions.network.explorerUrl !== undefined && { hasExplorer: true }),
      },
    });
    void this.#counted(() => this.#tellCalls(parts, content));
  }

  #partsOf({ actions, namer }: Transaction): TransactionPageParts {
    const { record, denominations, events, layouts } = this.#asked?.beside ?? {};
    return {
      canonical: actions.canonical,
      networkName: actions.network.name,
      tree: actions.tree,
      complete: actions.complete,
      isFiltered: actions.isFiltered,
      namesOf: (action) => namer.known(action),
      unitsOf: (address) => namer.unitsAt(address),
      toldContracts: namer.toldContracts,
      now: Date.now(),
      ...(record && { record }),
      ...(denominations && { denominations }),
      ...(events && { events }),
      ...(layouts && { layouts }),
    };
  }

  /** What there is to know beside the actions, all of it once. */
  #besideActions({ actions, namer }: Transaction): BesideActions {
    const { service, log, items } = this.#parts;
    return new BesideActions({
      service,
      actions,
      namer,
      recordCame: () => items.recordCame(this.#itemId),
      changed: () => this.changed(),
      failed: (error) => log.warn(`Transaction: ${ledgerLensError(error).message}`),
    });
  }

  /** Asks token contracts what they are, those that are new among the actions and the logs, while the page is seen. */
  async #askContracts({ content, beside }: AskedRecord): Promise<void> {
    const { signal } = this.#closed;
    const logs = beside.record?.execution?.logs ?? [];
    const isNew = await content.namer.lookUpContracts(logs, signal).catch(() => false);
    if (!isNew || signal.aborted) return;
    // The page is told by it, too.
    this.#parts.items.unitsCame(this.#itemId);
    await beside.nameLogs(signal);
  }

  /**
   * Tells the calls that the page does not have yet, then names those without names in their order and tells what is
   * found in parts, and in the end everything that counts on names.
   */
  async #tellCalls(parts: TransactionPageParts, { namer }: Transaction): Promise<void> {
    this.#naming?.abort();
    const naming = new AbortController();
    this.#naming = naming;
    const tree = pageTree(parts);
    const calls = this.#calls;
    for (const rows of calls.changed(tree, parts.namesOf)) {
      this.page.tell({ type: "calls", calls: rows });
      await setImmediate();
      // A newer list tells and names its own.
      if (this.#naming !== naming) return;
    }
    let found: number[] = [];
    let toldAt = performance.now();
    let hasFound = false;
    const tell = () => {
      for (const rows of calls.changed(tree, parts.namesOf, found))
        this.page.tell({ type: "calls", calls: rows });
      found = [];
      toldAt = performance.now();
    };
    for (const [at, action] of tree.actions.entries()) {
      if (namer.known(action)) continue;
      try {
        await namer.name(action, naming.signal);
      } catch {
        return;
      }
      if (this.#naming !== naming) return;
      hasFound = true;
      found.push(at);
      if (performance.now() - toldAt > TELL_NAMES_EVERY_MS) tell();
    }
    tell();
    const hasTokens = await namer.lookUpTokens(tree.actions, naming.signal).catch(() => false);
    // The head and the sums are said by names, too.
    if (hasFound || hasTokens) this.changed();
  }

  /** Shows what an id or an address names, on the network of this transaction. */
  async #open(canonical: string): Promise<void> {
    const chosen = this.#parts.network();
    if (this.#content && this.#content.actions.network.id !== chosen.id)
      throw new LedgerLensError(
        "other_network",
        t`${canonical} is on ${this.#content.actions.network.name}, while ${chosen.name} is chosen. Switch the network and open it again.`,
      );
    const reference = parseLedgerReference(canonical, chosen);
    if (!("error" in reference)) await openReference(this.#parts, canonical, reference);
  }

  async #handle(request: PageRequest): Promise<void> {
    try {
      await this.#answer(request);
    } catch (error) {
      if (isCancellation(error)) return;
      const known = ledgerLensError(error);
      this.#parts.log.warn(`Transaction: ${known.message}`);
      this.page.tell({ type: "state", loading: false, ...this.#problemNews(known) });
    }
  }

  async #answer(request: PageRequest): Promise<void> {
    const { items } = this.#parts;
    if (request.type === "ready") {
      this.#isReady = true;
      // A page that was hidden is drawn anew and has forgotten everything.
      this.#calls = new CallNews();
      this.#tell();
      const item = this.#item;
      // One that was brought back, or that is remembered, is loaded when its page is seen.
      if (item && !item.content && !item.loading && !item.problem) await this.#load();
      return;
    }
    if (request.type === "refresh") {
      await withAsking(true, () => this.#load());
      return;
    }
    if (request.type === "changeNetwork") {
      await this.#changeNetwork();
      return;
    }
    if (request.type === "openSettings") {
      const setting = this.#failure && ledgerSettingFor(this.#failure);
      if (setting !== undefined) await openSetting(setting);
      return;
    }
    if (request.type === "enterKey") {
      const key = this.#failure?.key;
      if (key) await enterKey(key, () => withAsking(true, () => this.#load()));
      return;
    }
    const content = this.#content;
    if (!content) return;
    const { actions, namer } = content;
    const parts = this.#partsOf(content);
    const tree = pageTree(parts);
    switch (request.type) {
      case "loadMore":
        await items.more(this.#itemId);
        return;
      case "openExplorer":
        // Of the network that it came from, which need not be the chosen one any more.
        await openInExplorer(
          { network: () => actions.network },
          { kind: "transaction", canonical: actions.canonical },
        );
        return;
      case "open":
        await this.#open(request.canonical);
        return;
      case "describe": {
        const action = tree.actions[request.at];
        if (!action) return;
        const names = await namer.name(action, this.#closed.signal);
        this.page.tell({
          type: "description",
          at: request.at,
          lines: actionInFull(tree, request.at, names),
        });
        return;
      }
      case "search":
        await this.#search(request.text, parts);
        return;
      case "goToSource": {
        const action = tree.actions[request.at] ?? {};
        const isOrigin = failingPath(tree).at(-1) === request.at;
        await openCallSource(action, namer.known(action), { isOrigin });
        return;
      }
      case "copyCall":
      case "copyCallJson": {
        const action = tree.actions[request.at];
        if (!action) return;
        const names = await namer.name(action, this.#closed.signal);
        if (request.type === "copyCall")
          await this.#copy(actionAsText(tree, request.at, names), shown`Call copied`);
        else await this.#copy(actionAsJson(tree, request.at, names), shown`Call copied as JSON`);
        return;
      }
      case "copyText":
        await this.#copy(pageAsText(parts), shown`Transaction copied`);
        return;
      case "copyJson":
        await this.#copy(pageAsJson(parts), shown`Transaction copied as JSON`);
        return;
      case "exportSpeedscope": {
        const name = shown`Transaction ${actions.canonical}`;
        const nameOf = functionNames(tree, calledIn(tree, parts.namesOf));
        const target = await askWhereToSave(shown`Export for Speedscope`, `${name}.speedscope.json`, [
          "Speedscope",
          "json",
        ]);
        await saveFile(target, speedscopeProfile(tree, name, nameOf));
        await vscode.window.showTextDocument(target);
      }
    }
  }

  /** Tells in which calls a text is found, by the names that are known. */
  async #search(text: string, parts: TransactionPageParts): Promise<void> {
    const calls: number[] = [];
    for (const some of foundActions(pageTree(parts), text, parts.namesOf)) {
      for (const at of some) calls.push(at);
      await setImmediate();
      if (this.#closed.signal.aborted) return;
    }
    this.page.tell({ type: "found", text, calls });
  }

  async #copy(text: string, words: ShownText): Promise<void> {
    this.page.tell({ type: "told", words: await copyText(text, words) });
  }
}
