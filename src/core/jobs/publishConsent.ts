import { httpUrl } from "../http/httpUrl.ts";
import { keptAddress } from "../http/keptAddress.ts";
import { serviceAddress } from "../service/serviceAddress.ts";
import { allOf, instant, listOf, object, readAs, text } from "../json/shape.ts";

/** Where agreements are kept, for one workspace: like a memento of the editor. */
interface ConsentStorage {
  get(): unknown;
  set(value: readonly Agreement[]): PromiseLike<void> | void;
}

/** What a submission is like, as far as an agreement to such ones goes. */
export interface PublishScope {
  /** Every kind of thing in it: the project, the language, where files are from, whether a whole build may follow. */
  readonly kinds: readonly string[];
  /**
   * False where something should make a person think twice: a possible secret, a file from outside, a stale build, a
   * path of the machine, a text that is only in a record, or in a commit, and all else that is more than a note. No
   * agreement covers it.
   */
  readonly isUnremarkable: boolean;
}

/** That submissions of a workspace which are like one that was shown may go to a service without asking each time. */
export interface Agreement {
  /** `https://sourcify.dev/server`, without what gives access to it. */
  readonly service: string;
  /** Milliseconds since the epoch. */
  readonly agreedAt: number;
  /** The kinds of things in what was shown when it was given. */
  readonly kinds: readonly string[];
}

/** Older agreements are forgotten. */
const MAX_AGREEMENTS = 50;

/**
 * Remembers at which services a person lets the sources of this workspace be published without being asked again. It
 * goes by the address: another port, http instead of https, and another path of a host are another service. An agreement covers
 * what is unremarkable and has no kind of thing in it that was not in what the person saw; what was kept without its
 * kinds or its path, by an earlier version, covers nothing, since it is not known what it was given for.
 */
export class PublishConsent {
  readonly #storage: ConsentStorage;
  readonly #now: () => number;

  constructor(storage: ConsentStorage, now: () => number = Date.now) {
    this.#storage = storage;
    this.#now = now;
  }

  /** What was agreed to, the latest first; what can't be read counts as nothing. */
  agreements(): Agreement[] {
    return (readAs(agreements, this.#storage.get()) ?? []).sort((a, b) => b.agreedAt - a.agreedAt);
  }

  /** Whether this may be published at a service without asking: one agreement covers all of it. */
  covers(serviceUrl: string, { kinds, isUnremarkable }: PublishScope): boolean {
    const service = addressOf(serviceUrl);
    return (
      isUnremarkable &&
      service !== undefined &&
      this.agreements().some(
        (agreement) => agreement.service === service && kinds.every((kind) => agreement.kinds.includes(kind)),
      )
    );
  }

  /** Whether something may be published at a service without asking, whatever it is. */
  mayCover(serviceUrl: string): boolean {
    const service = addressOf(serviceUrl);
    return this.agreements().some((agreement) => agreement.service === service);
  }

  /** Keeps that a person who saw this does not want to be asked about the like of it. */
  async give(serviceUrl: string, { kinds }: PublishScope): Promise<void> {
    const service = addressOf(serviceUrl);
    if (service === undefined) return;
    const others = this.agreements().filter(
      (agreement) => agreement.service !== service || !agreement.kinds.every((kind) => kinds.includes(kind)),
    );
    const given = { service, agreedAt: this.#now(), kinds: [...kinds] };
    await this.#storage.set([given, ...others].slice(0, MAX_AGREEMENTS));
  }

  /** Asks again from now on, at every service. */
  async withdraw(): Promise<void> {
    await this.#storage.set([]);
  }
}

function addressOf(url: string): string | undefined {
  const parsed = httpUrl(serviceAddress(url));
  return parsed && keptAddress(parsed.origin + parsed.pathname.replace(/\/+$/, ""));
}

/** One kind that can't be read makes an agreement unreadable: what it was given for is not known. */
const agreements = listOf(object({ service: text(), agreedAt: instant, kinds: allOf(text()) }));
