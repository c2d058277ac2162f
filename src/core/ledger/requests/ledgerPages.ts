import { t } from "@vscode/l10n";
import { joinedAddress } from "../../http/joinedAddress.ts";
import { ownValue } from "../../json/ownValue.ts";
import {
  anyObject,
  anything,
  ifReadable,
  isObject,
  listOf,
  object,
  readAs,
  type LooseObject,
} from "../../json/shape.ts";
import { LedgerError, shapeError } from "./ledgerError.ts";
import { askLedger, MAX_LIST_BYTES, nextPage, type JsonGetter } from "./ledgerRequest.ts";
import type { LedgerNetwork } from "../references/network.ts";

/** Empty pages in a row after which a chain of links counts as endless, unless it is said that a list has more of them. */
const MAX_EMPTY_PAGES = 3;

/** So many pages are asked for in one go, and one more for each of so many entries that are wanted. */
const MAX_PAGES = 100;
const LEAST_PER_PAGE = 10;
/** Characters of all pages, which are kept; a hundred thousand actions have less. */
const MAX_CHARACTERS = 256 * 1024 * 1024;

/** What {@link LedgerPages.loadAll} tells on its way. */
interface PageProgress {
  readonly loaded: number;
  readonly pages: number;
}

/**
 * A list that the ledger hands out in pages, loaded as far as was asked. The first page is there from the
 * start; a fault in a later one leaves what was loaded.
 */
export class LedgerPages {
  readonly network: LedgerNetwork;
  /** In the order in which they came. */
  readonly items: LooseObject[] = [];
  /** The bodies as they came. */
  readonly texts: string[] = [];
  readonly #client: JsonGetter;
  readonly #field: string;
  readonly #what: string;
  readonly #check: ((entry: LooseObject) => void) | undefined;
  readonly #maxEmptyPages: number;
  readonly #maxBytes: number;
  readonly #visited = new Set<string>();
  #next: string | undefined;
  #fault: LedgerError | undefined;
  #emptyPages = 0;
  #characters = 0;
  #underWay: Promise<void> | undefined;

  private constructor(
    client: JsonGetter,
    network: LedgerNetwork,
    {
      field,
      what,
      check,
      maxEmptyPages = MAX_EMPTY_PAGES,
      maxBytes = MAX_LIST_BYTES,
    }: Parameters<typeof LedgerPages.open>[3],
  ) {
    this.#client = client;
    this.network = network;
    this.#field = field;
    this.#what = what;
    this.#check = check;
    this.#maxEmptyPages = maxEmptyPages;
    this.#maxBytes = maxBytes;
  }

  /**
   * Asks for the first page.
   *
   * @param target its path and query
   * @param options.field the name of the array in the body
   * @param options.what is asked for, as a sentence continues
   * @throws LedgerError, HttpError, and what the check throws
   */
  static async open(
    client: JsonGetter,
    network: LedgerNetwork,
    target: string,
    options: {
      readonly field: string;
      readonly what: string;
      /** Throws for an entry that is none of this list; then nothing of its page counts. */
      readonly check?: (entry: LooseObject) => void;
      /** Empty pages in a row after which no more is asked for. */
      readonly maxEmptyPages?: number;
      /** The largest page that is read. */
      readonly maxBytes?: number;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<LedgerPages> {
    const pages = new LedgerPages(client, network, options);
    pages.#next = joinedAddress(network.ledgerUrl, target);
    // A first page with a bad link to the second is still a page: who wants more is told.
    await pages.#load(options.signal);
    return pages;
  }

  /** Whether the ledger has no more; not so where it names a next page that can't be followed. */
  get complete(): boolean {
    return this.#next === undefined && this.#fault === undefined;
  }

  /**
   * Loads the next page; nothing when all is loaded. Two callers at once share one request, which the first one's
   * signal ends.
   *
   * @throws LedgerError `foreign_link`, `repeated_page`, `too_large` where the ledger names no page that can be followed, from then
   * on at every call; those of a request, after which it can be tried again
   */
  async loadMore(signal?: AbortSignal): Promise<void> {
    this.#throwFault();
    this.#underWay ??= this.#load(signal).finally(() => {
      this.#underWay = undefined;
    });
    await this.#underWay;
    this.#throwFault();
  }

  /**
   * Loads page after page until all is there, or at least `atMost` items are; it ends before where the ledger puts so few on
   * each page that it would be asked without end.
   */
  async loadAll(
    options: {
      readonly signal?: AbortSignal;
      readonly atMost?: number;
      readonly onProgress?: (progress: PageProgress) => void;
    } = {},
  ): Promise<void> {
    const { signal, atMost = Infinity, onProgress } = options;
    const most = MAX_PAGES + Math.ceil(Math.max(0, atMost - this.items.length) / LEAST_PER_PAGE);
    for (let page = 0; page < most && !this.complete && this.items.length < atMost; page++) {
      await this.loadMore(signal);
      onProgress?.({ loaded: this.items.length, pages: this.texts.length });
    }
  }

  async #load(signal: AbortSignal | undefined): Promise<void> {
    const target = this.#next;
    if (target === undefined) return;
    const { body, text } = await askLedger(
      this.#client,
      this.network,
      target,
      this.#what,
      signal,
      this.#maxBytes,
    );
    const items = isObject(body) ? readAs(listOf(anyObject), ownValue(body, this.#field)) : undefined;
    if (!items) throw shapeError(this.#what, this.network, t`no list "${this.#field}"`);
    if (this.#check) for (const item of items) this.#check(item);
    this.#visited.add(target);
    this.#emptyPages = items.length === 0 ? this.#emptyPages + 1 : 0;
    this.#next = undefined;
    for (const item of items) this.items.push(item);
    this.texts.push(text);
    this.#characters += text.length;
    try {
      this.#next = this.#following(readAs(nextLink, body)?.links?.next);
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      this.#fault = error;
    }
  }

  #throwFault(): void {
    if (this.#fault) throw this.#fault;
  }

  /** @throws LedgerError `foreign_link`, `repeated_page`, `too_large` */
  #following(link: unknown): string | undefined {
    const next = nextPage(this.network, link);
    if (next !== undefined && this.#characters > MAX_CHARACTERS)
      throw new LedgerError(
        "too_large",
        t`${this.network.name} has more of ${this.#what} than Ledger Lens keeps. What was loaded so far is shown.`,
      );
    if (next !== undefined && (this.#visited.has(next) || this.#emptyPages >= this.#maxEmptyPages)) {
      throw new LedgerError(
        "repeated_page",
        t`${this.network.name} leads in a circle through the pages of ${this.#what}. What was loaded so far is shown; load it again later.`,
      );
    }
    return next;
  }
}

const nextLink = object({ links: ifReadable(object({ next: ifReadable(anything) })) });
