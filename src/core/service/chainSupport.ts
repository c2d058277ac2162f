import { t } from "@vscode/l10n";
import type { Clock } from "../concurrency/clock.ts";
import { LedgerLensError } from "../errors.ts";
import { SharedWork } from "../concurrency/sharedWork.ts";
import { chainLabel } from "../chains/chainNames.ts";
import {
  isLedgerOutOfReach,
  isLocalById,
  isOutOfReach,
  isToldByList,
  mayAskListedNode,
} from "../chains/privateChains.ts";
import { foreign, type ShownText } from "../text/shownText.ts";
import type { ServiceChain, VerificationService } from "./verificationService.ts";

/** A service's list changes with its releases. */
const KNOWN_MS = 60 * 60_000;
/** One that has no list is not asked again at once by what goes on without one. */
const FAILED_MS = 60_000;
/** A chain that was just added to a service is not held for one that it does not have; so often it is asked at most. */
const ANEW_MS = 10_000;
/** It is a look in passing: a submission does not wait longer for it. */
const PATIENCE_MS = 5_000;

/**
 * Checks that what is asked of a service by the chain id of a ledger is not about another ledger than that: a private one may be
 * a copy of the public one whose id it has.
 *
 * @throws LedgerLensError `local_chain`
 */
export function checkLedgerReach(
  host: string,
  ledger: { readonly name: string; readonly ledgerUrl: string; readonly chainId?: string },
): void {
  const { chainId, name } = ledger;
  // Where its id says so already, what is asked for is told of that, and offers Verify Locally.
  if (chainId === undefined || isOutOfReach(chainId, host)) return;
  if (isLedgerOutOfReach(ledger, host)) throw unseen(foreign(name), host);
}

/** That a service can't see a chain; where only the settings say that, a person learns how they say otherwise. */
function unseenChain(chainId: string, host: string): LedgerLensError {
  const chain = chainLabel(chainId);
  if (isLocalById(chainId)) return unseen(chain, host);
  return new LedgerLensError(
    "local_chain",
    t`${chain} is set up only on this machine or its network, where ${host} can't see it, so nothing was sent. Use Verify Locally, or name a public node of it in ledgerLens.rpcUrls.`,
    { remedy: { setting: "ledgerLens.rpcUrls" } },
  );
}

function unseen(what: ShownText, host: string): LedgerLensError {
  return new LedgerLensError(
    "local_chain",
    t`${what} runs on this machine or its network, where ${host} can't see it, so nothing was sent. Use Verify Locally.`,
  );
}

/** What the list of a service says of a chain. */
type ChainStanding = "supported" | "unsupported" | "unlisted";

/** Why a service takes nothing of a chain: it runs on this machine or its network, or the service does not know it, or not any more. */
export type ChainObstacle = "local" | Exclude<ChainStanding, "supported">;

/**
 * Which chains a service lists, and which of them as not supported. It accepts a submission for one of these all the same,
 * and the job then fails with `cannot_fetch_bytecode` (argotorg/sourcify, services/server, `sourcify-chains-default.json`:
 * 85 of 275).
 */
export class ChainSupport {
  readonly #clock: Clock;
  /** By the service's address. */
  readonly #lists = new Map<string, ChainList>();
  readonly #asked = new SharedWork<ChainList>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The chains that a service lists, as of the last hour.
   *
   * @param options.isLookedFor whether a person looks for one among them: they get the list as it is now
   * @throws what {@link VerificationService.chains} throws; who is told of that and tries again asks again
   */
  async chains(
    service: VerificationService,
    signal: AbortSignal | undefined,
    { isLookedFor = false }: { readonly isLookedFor?: boolean } = {},
  ): Promise<readonly ServiceChain[]> {
    const { chains, failure } = await this.#list(service, signal, {
      mostMs: isLookedFor ? ANEW_MS : KNOWN_MS,
      failedMs: 0,
      isPatient: isLookedFor,
    });
    if (failure) throw failure;
    return chains;
  }

  /**
   * The address of the first node that a service lists for a chain, that may be asked and that needs no key of one's own.
   *
   * @throws as {@link chains}
   */
  async listedNode(
    service: VerificationService,
    chainId: string,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const listed = (await this.chains(service, signal)).find((one) => one.chainId === chainId);
    // What a service can't see it lists nothing of: a chain of that number there is another one.
    if (isOutOfReach(chainId, service.host)) return undefined;
    return listed?.rpc.find((url) => mayAskListedNode(url, service.host) && !url.includes("{"));
  }

  /** `undefined` where the list can't be read or is empty. */
  async standing(
    service: VerificationService,
    chainId: string,
    signal: AbortSignal | undefined,
  ): Promise<ChainStanding | undefined> {
    const known = standingIn(
      await this.#list(service, signal, { mostMs: KNOWN_MS, failedMs: FAILED_MS }),
      chainId,
    );
    return known === undefined || known === "supported"
      ? known
      : standingIn(await this.#list(service, signal, { mostMs: ANEW_MS, failedMs: FAILED_MS }), chainId);
  }

  /**
   * Checks that a service can see a chain, before anything is asked of it.
   *
   * @throws LedgerLensError `local_chain` for one of this machine or its network, or as {@link obstacle}
   */
  async checkReach(
    service: VerificationService,
    chainId: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (!(await this.#isInReach(service, chainId, signal))) throw unseenChain(chainId, service.host);
  }

  /**
   * Reads the list of a service where only that can say that a chain is a public one.
   *
   * @returns whether it said so of one of these chains
   */
  async learnPublic(
    service: VerificationService,
    chainIds: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const inDoubt = chainIds.filter((id) => isToldByList(id) && isOutOfReach(id, service.host));
    if (inDoubt.length === 0) return false;
    await this.#list(service, signal, { mostMs: KNOWN_MS, failedMs: FAILED_MS });
    return inDoubt.some((id) => !isOutOfReach(id, service.host));
  }

  /** @throws what {@link chains} throws: where only the list says it, nothing is known without one, nor that a chain is private */
  async #isInReach(
    service: VerificationService,
    chainId: string,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    if (!isOutOfReach(chainId, service.host)) return true;
    if (!isToldByList(chainId)) return false;
    const { failure } = await this.#list(service, signal, { mostMs: KNOWN_MS, failedMs: 0, isPatient: true });
    if (failure) throw failure;
    return !isOutOfReach(chainId, service.host);
  }

  /**
   * What keeps a service from taking anything of a chain, as far as that is known before something is sent.
   *
   * @throws what {@link chains} throws, where only the list can say whether the service can see the chain
   */
  async obstacle(
    service: VerificationService,
    chainId: string,
    signal: AbortSignal | undefined,
  ): Promise<ChainObstacle | undefined> {
    if (!(await this.#isInReach(service, chainId, signal))) return "local";
    const standing = await this.standing(service, chainId, signal);
    return standing === "supported" ? undefined : standing;
  }

  /**
   * Checks, before anything is sent, that nothing is known to keep the service from taking something of a chain.
   *
   * @throws LedgerLensError `local_chain` or `unsupported_chain`, or as {@link obstacle}
   */
  async check(service: VerificationService, chainId: string, signal: AbortSignal | undefined): Promise<void> {
    const chain = chainLabel(chainId);
    switch (await this.obstacle(service, chainId, signal)) {
      case "local":
        throw unseenChain(chainId, service.host);
      case "unlisted":
        throw new LedgerLensError(
          "unsupported_chain",
          t`${service.host} does not know this chain (${chain}), so nothing was sent. Choose a chain that the service lists, or another service in ledgerLens.verificationUrl.`,
          { remedy: { setting: "ledgerLens.verificationUrl" } },
        );
      case "unsupported":
        throw new LedgerLensError(
          "unsupported_chain",
          t`${service.host} does not support ${chain} any more, so nothing was sent. Choose another service in ledgerLens.verificationUrl, or check the chain.`,
          { remedy: { setting: "ledgerLens.verificationUrl" } },
        );
      case undefined:
        return;
    }
  }

  async #list(
    service: VerificationService,
    signal: AbortSignal | undefined,
    { mostMs, failedMs, isPatient = false }: ListWish,
  ): Promise<ChainList> {
    const known = this.#lists.get(service.url);
    if (known && Math.abs(this.#clock.now() - known.at) < (known.failure ? failedMs : mostMs)) return known;
    return this.#asked.join(
      `${String(isPatient)} ${service.url}`,
      async (joint) => {
        const answer = await service
          .chains(joint, isPatient ? {} : { retries: 0, timeoutMs: PATIENCE_MS })
          .then(
            (chains) => ({ chains }),
            (error: unknown) => {
              if (joint.aborted || !(error instanceof LedgerLensError)) throw error;
              return { chains: [], failure: error };
            },
          );
        const list = { ...answer, at: this.#clock.now() };
        this.#lists.set(service.url, list);
        return list;
      },
      signal,
    );
  }
}

/** How new a list has to be. */
interface ListWish {
  /** So old it may be, in milliseconds, and that there is none. */
  readonly mostMs: number;
  readonly failedMs: number;
  /** Whether it is waited for as for any other answer. */
  readonly isPatient?: boolean;
}

/** What a service said of its chains. */
interface ChainList {
  /** When it said so, in milliseconds since the epoch. */
  readonly at: number;
  readonly chains: readonly ServiceChain[];
  /** Why there is no list. */
  readonly failure?: LedgerLensError;
}

function standingIn({ chains }: ChainList, chainId: string): ChainStanding | undefined {
  if (chains.length === 0) return undefined;
  // Of two entries of a chain the second counts.
  const entry = chains.findLast((one) => one.chainId === chainId);
  return entry === undefined ? "unlisted" : entry.supported ? "supported" : "unsupported";
}
