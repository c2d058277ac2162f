/** Where agreements are kept, for one workspace: like a memento of the editor. */
export interface ConsentStorage {
  get(): unknown;
  set(value: readonly Agreement[]): PromiseLike<void> | void;
}

/** That sources of a workspace may be published at a service without asking each time. */
export interface Agreement {
  /** `https://sourcify.dev`. */
  readonly origin: string;
  /** Milliseconds since the epoch. */
  readonly agreedAt: number;
}

/**
 * Remembers at which services a person lets the sources of this workspace be published without being asked again. It
 * goes by the origin: another port or http instead of https is another service, another path is not.
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
    const kept = this.#storage.get();
    return (Array.isArray(kept) ? (kept as unknown[]) : [])
      .filter(isAgreement)
      .sort((a, b) => b.agreedAt - a.agreedAt);
  }

  /** Whether nobody has to be asked before something is published at a service. */
  isGiven(serviceUrl: string): boolean {
    const origin = originOf(serviceUrl);
    return origin !== undefined && this.agreements().some((agreement) => agreement.origin === origin);
  }

  async give(serviceUrl: string): Promise<void> {
    const origin = originOf(serviceUrl);
    if (origin === undefined) return;
    await this.#storage.set([{ origin, agreedAt: this.#now() }, ...this.#without(origin)]);
  }

  /** Asks again from now on: at a service, or at every one. */
  async withdraw(serviceUrl?: string): Promise<void> {
    await this.#storage.set(serviceUrl === undefined ? [] : this.#without(originOf(serviceUrl)));
  }

  #without(origin: string | undefined): Agreement[] {
    return this.agreements().filter((agreement) => agreement.origin !== origin);
  }
}

function originOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.origin : undefined;
}

function isAgreement(value: unknown): value is Agreement {
  const { origin, agreedAt } = (value ?? {}) as Partial<Agreement>;
  return typeof origin === "string" && typeof agreedAt === "number";
}
