import { t } from "@vscode/l10n";
import { systemClock, type Clock } from "../concurrency/clock.ts";
import { withJointSignal } from "../concurrency/jointSignal.ts";
import { definedOnly } from "../json/looseData.ts";
import { withShortIds } from "../text/inBrief.ts";
import { isCancellation, LedgerLensError } from "../errors.ts";
import { tellingOfLimits, type LimitWait } from "../concurrency/toldLimits.ts";
import type { ActionNamer, ActionNames } from "./actions/actionNames.ts";
import type { ContractAction } from "./actions/contractAction.ts";
import type { ActionQuery } from "./actions/actionQuery.ts";
import { shortTransaction } from "./actions/actionRows.ts";
import type { LedgerService, LoadedSchedule, ScheduleList, ScheduleQuery } from "./ledgerService.ts";
import { networkOfId, otherNetworkWords, type LedgerNetwork } from "./references/network.ts";
import {
  itemId,
  readOpenedItems,
  withOthersItems,
  withoutOldest,
  writeOpenedItems,
  type ItemKey,
  type ItemMemory,
  type OpenedItem,
} from "./openedItems.ts";
import { accountCall, callsOf, shownTokens, type VerifiedState } from "./accounts/accountRows.ts";
import type { Denominations, Token } from "./tokens/token.ts";
import type { LedgerAccount } from "./accounts/account.ts";
import { lacksSigners } from "./schedules/schedule.ts";
import { ScheduleFindings } from "./schedules/scheduleFindings.ts";
import { movedTokens, scheduledAction, type ScheduleFinding } from "./schedules/scheduleRows.ts";
import type { LedgerPages } from "./requests/ledgerPages.ts";
import { NotImportedYet } from "./requests/ledgerError.ts";
import { patienceMs } from "./requests/justSent.ts";
import { checkTimestampQuery } from "./references/timestamp.ts";
import type { TransactionActions } from "./actions/transactionActions.ts";
import { outcomePositions } from "./transactions/transactionOutcome.ts";
import { pageTree } from "./transactions/transactionPage.ts";

/** Asks whether a contract of a ledger is verified; what can't be told is `unknown`. */
type VerifiedLookUp = (address: string, ledger: LedgerNetwork) => Promise<VerifiedState>;

/** Between two looks for a transaction that the mirror node does not know yet. */
const ASK_AGAIN_MS = 2_000;
/** How many actions are loaded before the user has to ask for more. */
const ACTIONS_AT_ONCE = 1000;

/** What was asked for, in any form that people have. */
export type ItemRequest =
  | { readonly kind: "token"; readonly tokenId: string; readonly timestamp?: string | undefined }
  | {
      readonly kind: "transaction";
      readonly transaction: string;
      readonly query?: ActionQuery;
      /** A person gave it, and may have just sent it. */
      readonly isEntered?: boolean;
    }
  | { readonly kind: "schedule"; readonly scheduleId: string }
  | { readonly kind: "account"; readonly account: string }
  | { readonly kind: "schedules"; readonly query?: ScheduleQuery };

/** What was loaded of an item. */
export type ItemContent =
  | { readonly kind: "token"; readonly token: Token }
  | { readonly kind: "transaction"; readonly actions: TransactionActions; readonly namer: ActionNamer }
  | ({ readonly kind: "schedule"; readonly loaded: LoadedSchedule } & ScheduleFinding)
  | {
      readonly kind: "account";
      readonly account: LedgerAccount;
      readonly namer: ActionNamer;
      /** Missing until it is known, and for what is no contract. */
      readonly verified?: VerifiedState;
      /** Of the tokens that its row tells; missing until they are known. */
      readonly denominations?: Denominations;
    }
  | { readonly kind: "schedules"; readonly list: ScheduleList; readonly findings: ScheduleFindings };

/** The content of a request's kind. */
export type ContentOf<Kind extends ItemContent["kind"]> = Extract<ItemContent, { kind: Kind }>;

/** An item of the ledger view, and how far it is. */
export interface LedgerItem extends ItemKey {
  readonly id: string;
  readonly pinned: boolean;
  /** What its row says, or said when it was loaded last. */
  readonly label: string;
  readonly description: string;
  readonly content?: ItemContent;
  /** How many entries were loaded when last told; only while it loads. */
  readonly loading?: {
    readonly entries: number;
    /** The mirror node does not know it yet, and is asked again. */
    readonly isAwaited?: true;
    /** The ledger limits requests: when it is asked again, in milliseconds since the epoch. */
    readonly resumesAt?: number;
  };
  /** Who limits requests while what belongs to it is looked for: names, tokens, keys. */
  readonly waiting?: LimitWait;
  /** Why the last attempt failed; what was loaded before is still there. */
  readonly problem?: LedgerLensError;
}

interface RowTitle {
  readonly label: string;
  readonly description?: string;
}

type Change = { -readonly [Name in keyof LedgerItem]?: LedgerItem[Name] | undefined };

/**
 * The items that were opened: pinned ones and recent ones, kept for the next run. Those of other networks
 * stay in the list and out of sight until their network is chosen again.
 */
export class LedgerItems {
  readonly #service: LedgerService;
  readonly #network: () => LedgerNetwork;
  readonly #memory: ItemMemory;
  readonly #namer: (network: LedgerNetwork) => ActionNamer;
  /** What an item's row says, to be remembered. */
  readonly #titleOf: (canonical: string, content: ItemContent) => RowTitle;
  readonly #clock: Clock;
  readonly #verified: VerifiedLookUp | undefined;
  readonly #explained: (error: LedgerLensError) => LedgerLensError;
  readonly #listeners = new Set<(id: string | undefined) => void>();
  readonly #aborts = new Map<string, AbortController>();
  /** Items that were never loaded: what turns out not to exist leaves no row. */
  readonly #tentative = new Set<string>();
  readonly #lastQueries = new Map<string, ItemRequest>();
  #items: LedgerItem[] | undefined;
  /** What was removed here; see {@link withOthersItems}. */
  readonly #removed = new Set<string>();
  /** What the memory held when it was read or written last. */
  #before: ReadonlyMap<string, OpenedItem> = new Map();

  constructor(options: {
    readonly service: LedgerService;
    readonly network: () => LedgerNetwork;
    readonly memory: ItemMemory;
    readonly namer: (network: LedgerNetwork) => ActionNamer;
    readonly titleOf: (canonical: string, content: ItemContent) => RowTitle;
    /** Asks whether a contract is verified; without it that is not said. */
    readonly verified?: VerifiedLookUp;
    readonly clock?: Clock;
    /** Adds to an error what else is known of its reason. */
    readonly explained?: (error: LedgerLensError) => LedgerLensError;
  }) {
    this.#service = options.service;
    this.#network = options.network;
    this.#memory = options.memory;
    this.#namer = options.namer;
    this.#titleOf = options.titleOf;
    this.#verified = options.verified;
    this.#clock = options.clock ?? systemClock;
    this.#explained = options.explained ?? ((error) => error);
  }

  /** Tells of changes: the id of the item that changed, or nothing when the list did. */
  onChange(listener: (id: string | undefined) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The items of the chosen network: pinned ones, then the newest. */
  visible(): LedgerItem[] {
    const { id } = this.#network();
    const own = this.#all().filter(({ networkId }) => networkId === id);
    return [...own.filter(({ pinned }) => pinned), ...own.filter(({ pinned }) => !pinned)];
  }

  get(id: string): LedgerItem | undefined {
    return this.#all().find((item) => item.id === id);
  }

  /**
   * The id that the item of a request has, or will have when it is opened.
   *
   * @throws LedgerLensError `invalid_parameter` for what names nothing
   */
  idOf(request: ItemRequest): string {
    return itemId(this.#keyOf(request));
  }

  /**
   * Opens something: it is put at the top, and loaded; of what comes in pages the first one, {@link more} loads others.
   *
   * @param stop ends it as {@link stop} does
   * @throws what the service throws; an item that could not be loaded because of the network stays, so that it can be tried again
   */
  async open<Request extends ItemRequest>(
    request: Request,
    stop?: AbortSignal,
  ): Promise<{ readonly item: LedgerItem; readonly content: ContentOf<Request["kind"]> }> {
    const key = this.#keyOf(request);
    const id = itemId(key);
    const before = this.get(id);
    const item: LedgerItem = before ?? { ...key, id, pinned: false, label: titleOf(key), description: "" };
    this.#items = withoutOldest([item, ...this.#all().filter((one) => one.id !== id)]);
    if (!before) this.#tentative.add(id);
    this.#removed.delete(id);
    this.#lastQueries.set(id, request);
    for (const known of this.#lastQueries.keys()) if (!this.get(known)) this.#lastQueries.delete(known);
    this.#tell(undefined);
    try {
      const content = await this.#load(id, request, 0, stop);
      return { item: this.get(id) ?? item, content: content as ContentOf<Request["kind"]> };
    } catch (error) {
      // A later request for the same item decides for itself.
      const isOver = this.get(id)?.loading === undefined;
      if (this.#tentative.has(id) && isOver && !canBeTriedAgain(error)) this.remove(id);
      throw error;
    }
  }

  /**
   * Loads an item again, or for the first time in this run; of a transaction as many actions as were there. Its failure is
   * kept with it and thrown.
   *
   * @param options.atLeast how many actions are loaded, where there are so many
   * @throws LedgerLensError `other_network` for an item of another network than the chosen one, which is not asked
   */
  async refresh(id: string, { atLeast = 0 }: { readonly atLeast?: number } = {}): Promise<void> {
    const item = this.get(id);
    if (!item) return;
    const chosen = this.#network();
    if (item.networkId !== chosen.id)
      throw new LedgerLensError(
        "other_network",
        otherNetworkWords(networkOfId(item.networkId)?.name ?? item.networkId, chosen.name),
      );
    const { content } = item;
    const before = content?.kind === "transaction" ? content.actions.pages.items.length : 0;
    await this.#load(id, this.#lastQueries.get(id) ?? requestOf(item), Math.max(before, atLeast));
  }

  /** Loads more, page by page: up to 1,000 actions, or a page of schedules. */
  async more(id: string, stop?: AbortSignal): Promise<void> {
    const item = this.get(id);
    const pages = item && pagesOf(item.content);
    if (!pages || pages.complete) return;
    await this.#working(
      id,
      async (signal) => {
        // A page of schedules is more than a screen; a tree of actions is of use only when it is whole.
        const step = item.kind === "schedules" ? 1 : ACTIONS_AT_ONCE;
        await this.#loadUpTo(id, pages, pages.items.length + step, signal);
      },
      stop,
    );
    await this.#retitle(id);
  }

  async #loadUpTo(id: string, pages: LedgerPages, atMost: number, signal: AbortSignal): Promise<void> {
    await pages.loadAll({
      signal,
      atMost,
      onProgress: ({ loaded }) => {
        if (!signal.aborted) this.#change(id, { loading: { entries: loaded } });
      },
    });
  }

  /** The ledger limits requests, which is told at once of everything that is being loaded. */
  limited(milliseconds: number): void {
    const resumesAt = this.#clock.now() + milliseconds;
    for (const { id, loading } of this.#all())
      if (loading) this.#change(id, { loading: { ...loading, resumesAt } });
  }

  /** Looks for something that belongs to an item, which says so when a service limits requests. */
  telling<T>(id: string, work: () => T): T {
    return tellingOfLimits(({ service, ms }) => {
      const resumesAt = this.#clock.now() + ms;
      // Of several requests the one that waits longest says when all is there.
      if ((this.get(id)?.waiting?.resumesAt ?? 0) < resumesAt)
        this.#change(id, { waiting: { service, resumesAt } });
    }, work);
  }

  /** More is known of how a transaction ended: its record was asked for, for its page. */
  recordCame(id: string): void {
    void this.#retitle(id).catch(nothingIfCancelled);
  }

  /** More is known of what its amounts are counted in: its rows are told anew. */
  unitsCame(id: string): void {
    this.recordCame(id);
    this.#tell(id);
  }

  /** Ends what is being loaded; what came so far stays. */
  stop(id: string): void {
    this.#aborts.get(id)?.abort();
  }

  setPinned(id: string, pinned: boolean): void {
    this.#change(id, { pinned });
    this.#keep();
    this.#tell(undefined);
  }

  remove(id: string): void {
    const item = this.get(id);
    if (item) this.#end(item);
    this.#removed.add(id);
    this.#items = this.#all().filter((item) => item.id !== id);
    this.#keep();
    this.#tell(undefined);
  }

  dispose(): void {
    for (const item of this.#all()) this.#endFindings(item);
    for (const abort of this.#aborts.values()) abort.abort();
    this.#listeners.clear();
  }

  async #load(id: string, request: ItemRequest, atLeast = 0, stop?: AbortSignal): Promise<ItemContent> {
    return this.#working(
      id,
      async (signal) => {
        const content = await this.#fetch(id, request, signal);
        const pages = pagesOf(content);
        const isMissing = () => pages && !pages.complete && pages.items.length < atLeast;
        // What is seen stays until as much of it is there again.
        if (pages && isMissing() && this.get(id)?.content) await this.#loadUpTo(id, pages, atLeast, signal);
        // What was asked for since then is newer.
        if (signal.aborted) throw cancelled();
        this.#tentative.delete(id);
        this.#change(id, { content, ...this.#title(id, content) });
        this.#keep();
        if (pages && isMissing()) await this.#loadUpTo(id, pages, atLeast, signal);
        // The end of the run cancels what it asks for.
        void this.#retitle(id).catch(nothingIfCancelled);
        return content;
      },
      stop,
    );
  }

  async #fetch(id: string, request: ItemRequest, signal: AbortSignal): Promise<ItemContent> {
    const service = this.#service;
    switch (request.kind) {
      case "token": {
        const { timestamp } = request;
        const token = await service.token(request.tokenId, {
          signal,
          ...(timestamp !== undefined && { timestamp }),
        });
        return { kind: "token", token };
      }
      case "transaction": {
        const ask = () => {
          // Another network is another ledger: there it may be another transaction.
          if (this.get(id)?.networkId !== this.#network().id) throw cancelled();
          return service.actions(request.transaction, request.query, signal);
        };
        const actions = await this.#onceImported(id, request.isEntered ?? false, ask, signal);
        const namer = this.#namer(actions.network);
        namer.learnTokens(actions.tree.actions);
        return { kind: "transaction", actions, namer };
      }
      case "schedule": {
        const loaded = await service.schedule(request.scheduleId, signal);
        // The schedule itself is there: its result is a second question.
        const result = await service.scheduleResult(loaded.schedule, signal).catch(nothingUnlessCancelled);
        return { kind: "schedule", loaded, ...(result && { result }) };
      }
      case "account": {
        const account = await service.account(request.account, signal);
        return { kind: "account", account, namer: this.#namer(account.network) };
      }
      case "schedules": {
        const list = await service.schedules(request.query, signal);
        return { kind: "schedules", list, findings: this.#findings(id, list.pages.network) };
      }
    }
  }

  #endFindings(item: LedgerItem | undefined): void {
    if (item?.content?.kind === "schedules") item.content.findings.stop();
  }

  #findings(id: string, network: LedgerNetwork): ScheduleFindings {
    const service = this.#service;
    const before = this.get(id)?.content;
    const known = before?.kind === "schedules" ? before.findings : undefined;
    this.#endFindings(this.get(id));
    const namer = this.#namer(network);
    return new ScheduleFindings(
      {
        state: (schedule) => service.stateOf(schedule),
        result: (schedule, signal) => service.scheduleResult(schedule, signal).catch(nothingUnlessCancelled),
        signers: (schedule, keyOf) => service.signers(schedule, keyOf),
        call: (action, signal) => namedWithTokens(namer, action, signal),
        denominations: (tokens, signal) => service.denominations(network, tokens, signal),
        keyOf: (holder, signal) => service.heldKey(holder, network, signal),
        isWanted: () => this.#network().id === network.id,
        onFound: () => this.#tell(id),
      },
      known,
    );
  }

  /** Looks into the schedules of a list that is seen: what became of them, what they call, and who has not signed. */
  lookIntoSchedules(id: string): void {
    const content = this.get(id)?.content;
    if (content?.kind === "schedules") this.telling(id, () => content.findings.look(content.list.schedules));
  }

  /**
   * Asks again, for a while, for a transaction that the mirror node does not know yet because it was just sent.
   *
   * @throws NotImportedYet where it did not come
   */
  async #onceImported<T>(
    id: string,
    isEntered: boolean,
    ask: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const canonical = this.get(id)?.canonical ?? "";
    const patience = patienceMs(canonical, this.#clock.now(), isEntered);
    const until = this.#clock.now() + patience;
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const isUnknown = error instanceof LedgerLensError && error.code === "not_found";
        if (!isUnknown || patience === 0) throw error;
        if (this.#clock.now() + ASK_AGAIN_MS > until)
          throw new NotImportedYet(canonical, this.#network(), error);
        this.#change(id, { loading: { entries: 0, isAwaited: true } });
        await this.#clock.sleep(ASK_AGAIN_MS, signal).catch(() => {
          throw cancelled();
        });
      }
    }
  }

  /** Runs one piece of work on an item; a new one ends the one before. */
  async #working<T>(
    id: string,
    work: (signal: AbortSignal) => Promise<T>,
    stop: AbortSignal | undefined,
  ): Promise<T> {
    this.stop(id);
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    const isLatest = () => this.#aborts.get(id) === abort;
    const entries = pagesOf(this.get(id)?.content)?.items.length ?? 0;
    this.#change(id, { loading: { entries }, problem: undefined, waiting: undefined });
    try {
      return await withJointSignal([abort.signal, stop], async (signal) => {
        const result = await work(signal);
        if (signal.aborted) throw cancelled();
        return result;
      });
    } catch (error) {
      if (!(error instanceof LedgerLensError) || isCancellation(error)) throw error;
      const problem = this.#explained(error);
      if (isLatest()) this.#change(id, { problem });
      throw problem;
    } finally {
      if (isLatest()) {
        this.#aborts.delete(id);
        this.#change(id, { loading: undefined });
      }
    }
  }

  /** Says anew what a transaction is when more of it is there: where it failed, by name, and how many actions it has. */
  #retitle(id: string): Promise<void> {
    return this.telling(id, () => this.#explain(id));
  }

  async #explain(id: string): Promise<void> {
    const content = this.get(id)?.content;
    if (content?.kind === "schedule") {
      await this.#explainSchedule(id, content);
      return;
    }
    if (content?.kind === "account") {
      await this.#nameAccount(id, content);
      return;
    }
    if (content?.kind !== "transaction") return;
    const { actions, namer } = content;
    namer.learnTokens(actions.tree.actions);
    // Without actions, the result is what tells how it ended.
    if (actions.complete && actions.tree.actions.length === 0) await this.#service.lookIntoOutcome(actions);
    const tree = pageTree(actions);
    for (const at of outcomePositions(tree)) await namer.name(tree.actions[at] ?? {});
    // It may have been loaded again meanwhile.
    if (this.get(id)?.content !== content) return;
    this.#change(id, this.#title(id, content));
    this.#keep();
  }

  /** Finds what a schedule will call, and who has not signed it yet. */
  async #explainSchedule(id: string, content: ContentOf<"schedule">): Promise<void> {
    const { schedule, state } = content.loaded;
    const action = scheduledAction(schedule);
    const tokens = movedTokens(schedule);
    const [call, signers, denominations] = await Promise.all([
      action && namedWithTokens(this.#namer(schedule.network), action),
      lacksSigners(state) ? this.#service.signers(schedule) : undefined,
      tokens.length > 0 ? this.#service.denominations(schedule.network, tokens, undefined) : undefined,
    ]);
    // It may have been loaded again meanwhile.
    if (this.get(id)?.content !== content || (!call && !signers && !denominations)) return;
    this.#change(id, { content: { ...content, ...definedOnly({ call, signers, denominations }) } });
  }

  /** Finds what a contract is called, what its newest executions called, and whether it is verified. */
  async #nameAccount(id: string, content: ContentOf<"account">): Promise<void> {
    const { account, namer } = content;
    const { address, isContract, network } = account;
    const tokens = shownTokens(account);
    const [verified, denominations] = await Promise.all([
      isContract && address !== undefined && network.chainId !== undefined
        ? this.#verified?.(address, network)
        : undefined,
      tokens.length > 0 ? this.#service.denominations(network, tokens, undefined) : undefined,
      ...[accountCall(account), ...callsOf(account)].map((call) => namer.name(call)),
    ]);
    // It may have been loaded again meanwhile.
    if (this.get(id)?.content !== content) return;
    const named = { ...content, ...definedOnly({ verified, denominations }) };
    this.#change(id, { content: named, ...this.#title(id, named) });
    this.#keep();
  }

  #title(id: string, content: ItemContent): Pick<LedgerItem, "label" | "description"> {
    const { label, description } = this.#titleOf(this.get(id)?.canonical ?? "", content);
    return { label, description: description ?? "" };
  }

  #keyOf(request: ItemRequest): ItemKey {
    const networkId = this.#network().id;
    switch (request.kind) {
      case "token": {
        const timestamp =
          request.timestamp === undefined ? undefined : checkTimestampQuery(request.timestamp);
        return {
          kind: "token",
          networkId,
          canonical: this.#service.reference(request.tokenId, "token").canonical,
          ...(timestamp !== undefined && { timestamp }),
        };
      }
      case "transaction": {
        const reference = this.#service.reference(request.transaction, "transaction");
        // A scheduled transaction and a child have the id of their parent, and are others.
        const child =
          reference.kind === "transaction" && reference.by === "id"
            ? `${reference.scheduled ? "?scheduled" : ""}${reference.nonce > 0 ? `/${reference.nonce}` : ""}`
            : "";
        return { kind: "transaction", networkId, canonical: reference.canonical + child };
      }
      case "schedule":
        return {
          kind: "schedule",
          networkId,
          canonical: this.#service.reference(request.scheduleId, "schedule").canonical,
        };
      case "account":
        return {
          kind: "account",
          networkId,
          canonical: this.#service.reference(request.account, "account").canonical,
        };
      case "schedules": {
        const account = request.query?.accountId;
        return {
          kind: "schedules",
          networkId,
          canonical: account ? this.#service.reference(account, undefined).canonical : "",
        };
      }
    }
  }

  #all(): LedgerItem[] {
    this.#items ??= this.#stored().map((item) => ({ ...item, id: itemId(item) }));
    return this.#items;
  }

  #stored(): OpenedItem[] {
    const items = readOpenedItems(this.#memory);
    this.#before = new Map(items.map((item) => [itemId(item), item]));
    return items;
  }

  #change(id: string, change: Change): void {
    const items = this.#all();
    const at = items.findIndex((item) => item.id === id);
    const item = items[at];
    if (!item) return;
    const changed = definedOnly({ ...item, ...change }) as LedgerItem;
    this.#items = items.with(at, changed);
    this.#tell(id);
  }

  #tell(id: string | undefined): void {
    for (const listener of this.#listeners) listener(id);
  }

  #keep(): void {
    const own = this.#all();
    const { items, theirs } = withOthersItems({
      own,
      before: this.#before,
      now: this.#stored(),
      isInUse: ({ content, loading }) => content !== undefined || loading !== undefined,
      removed: this.#removed,
      taken: (item): LedgerItem => ({ ...item, id: itemId(item) }),
    });
    this.#items = items;
    const ids = new Set(items.map(({ id }) => id));
    for (const item of own) if (!ids.has(item.id)) this.#end(item);
    // What may not exist is no other window's matter yet.
    const kept = items.filter(({ id, loading }) => !loading || !this.#tentative.has(id)).map(keptItem);
    this.#before = new Map(kept.map((item) => [itemId(item), item]));
    void writeOpenedItems(this.#memory, [...kept, ...theirs]);
    if (items.length !== own.length || items.some((item, at) => item !== own[at])) this.#tell(undefined);
  }

  /** Ends what goes on for an item that is in the list no longer. */
  #end(item: LedgerItem): void {
    this.stop(item.id);
    this.#endFindings(item);
  }
}

function keptItem(item: LedgerItem): OpenedItem {
  const { kind, networkId, canonical, timestamp, pinned, label, description } = item;
  return {
    kind,
    networkId,
    canonical,
    ...(timestamp !== undefined && { timestamp }),
    pinned,
    label,
    description,
  };
}

/** The pages behind a content that comes in pages. */
export function pagesOf(content: ItemContent | undefined) {
  if (content?.kind === "transaction") return content.actions.pages;
  if (content?.kind === "schedules") return content.list.pages;
  return undefined;
}

/** The bodies of an item as they came, in the order in which they came. */
export function bodiesOf(content: ItemContent): readonly string[] {
  switch (content.kind) {
    case "token":
      return [content.token.text];
    case "schedule":
      return [content.loaded.text];
    case "account":
      return content.account.texts;
    default:
      return pagesOf(content)?.texts ?? [];
  }
}

function requestOf(item: ItemKey): ItemRequest {
  const { kind, canonical, timestamp } = item;
  switch (kind) {
    case "token":
      return { kind, tokenId: canonical, timestamp };
    case "transaction":
      return { kind, transaction: canonical };
    case "schedule":
      return { kind, scheduleId: canonical };
    case "account":
      return { kind, account: canonical };
    case "schedules":
      return { kind, ...(canonical !== "" && { query: { accountId: canonical } }) };
  }
}

function titleOf({ kind, canonical }: ItemKey): string {
  switch (kind) {
    case "schedules":
      return canonical === "" ? t`Latest schedules` : t`Schedules created by ${canonical}`;
    case "token":
      return t`Token ${withShortIds(canonical)}`;
    case "transaction":
      return t`Transaction ${shortTransaction(canonical)}`;
    case "schedule":
      return t`Schedule ${withShortIds(canonical)}`;
    case "account":
      return t`Account ${withShortIds(canonical)}`;
  }
}

/** What an action calls, with the amounts of the token that it is about. Only cancellation rejects. */
async function namedWithTokens(
  namer: ActionNamer,
  action: ContractAction,
  signal?: AbortSignal,
): Promise<ActionNames | undefined> {
  await namer.name(action, signal);
  await namer.lookUpTokens([action], signal);
  return namer.known(action);
}

/** A part that can't be had is left out. */
function nothingUnlessCancelled(error: unknown): undefined {
  if (isCancellation(error)) throw error;
  return undefined;
}

function nothingIfCancelled(error: unknown): void {
  if (!isCancellation(error)) throw error;
}

function cancelled(): LedgerLensError {
  return new LedgerLensError("cancelled", t`Loading was cancelled.`);
}

/** Whether the same request may succeed later; a wrong id never does. */
function canBeTriedAgain(error: unknown): boolean {
  return (
    error instanceof LedgerLensError &&
    (error instanceof NotImportedYet ||
      !["invalid_parameter", "other_network", "not_found", "cancelled"].includes(error.code))
  );
}
