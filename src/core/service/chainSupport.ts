import { t } from "@vscode/l10n";
import type { Clock } from "../concurrency/clock.ts";
import { isCancellation, LedgerLensError } from "../errors.ts";
import { withJointSignal } from "../concurrency/jointSignal.ts";
import { chainLabel } from "../chains/chains.ts";
import { isOutOfReach } from "../chains/localChains.ts";
import type { VerificationService } from "./verificationService.ts";

/** A service's list changes with its releases. */
const KNOWN_MS = 60 * 60_000;
/** It is a look in passing: a submission does not wait longer for it. */
const PATIENCE_MS = 5_000;

/**
 * Checks that a service can see a chain, before anything is asked of it.
 *
 * @throws LedgerLensError `local_chain` for one of this machine
 */
export function checkReach(host: string, chainId: string): void {
  if (!isOutOfReach(chainId, host)) return;
  throw new LedgerLensError(
    "local_chain",
    t`${chainLabel(chainId)} runs on this machine, where ${host} can't see it, so nothing was sent. Use Verify Locally.`,
  );
}

/** What the list of a service says of a chain. */
type ChainStanding = "supported" | "unsupported" | "unlisted";

/** Why a service takes nothing of a chain: it runs on this machine, or the service does not know it, or not any more. */
export type ChainObstacle = "local" | Exclude<ChainStanding, "supported">;

/**
 * Which chains a service lists, and which of them as not supported. It accepts a submission for one of these all the same,
 * and the job then fails with `cannot_fetch_bytecode` (argotorg/sourcify, services/server, `sourcify-chains-default.json`:
 * 85 of 275).
 */
export class ChainSupport {
  readonly #clock: Clock;
  /** Whether a chain is supported, by its id, of each service. */
  readonly #listed = new Map<
    string,
    { readonly at: number; readonly chains: ReadonlyMap<string, boolean> }
  >();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `undefined` where the list can't be read or is empty. */
  async standing(
    service: VerificationService,
    chainId: string,
    signal: AbortSignal | undefined,
  ): Promise<ChainStanding | undefined> {
    const chains = await this.#chainsOf(service, signal);
    if (chains.size === 0) return undefined;
    const isSupported = chains.get(chainId);
    return isSupported === undefined ? "unlisted" : isSupported ? "supported" : "unsupported";
  }

  /** What keeps a service from taking anything of a chain, as far as that is known before something is sent. */
  async obstacle(
    service: VerificationService,
    chainId: string,
    signal: AbortSignal | undefined,
  ): Promise<ChainObstacle | undefined> {
    if (isOutOfReach(chainId, service.host)) return "local";
    const standing = await this.standing(service, chainId, signal);
    return standing === "supported" ? undefined : standing;
  }

  /**
   * Checks, before anything is sent, that nothing is known to keep the service from taking something of a chain.
   *
   * @throws LedgerLensError `local_chain` or `unsupported_chain`
   */
  async check(service: VerificationService, chainId: string, signal: AbortSignal | undefined): Promise<void> {
    const chain = chainLabel(chainId);
    switch (await this.obstacle(service, chainId, signal)) {
      case "local":
        checkReach(service.host, chainId);
        return;
      case "unlisted":
        throw new LedgerLensError(
          "unsupported_chain",
          t`${service.host} does not know this chain (${chain}), so nothing was sent. Choose a chain that the service lists, or another service in ledgerLens.verificationUrl.`,
        );
      case "unsupported":
        throw new LedgerLensError(
          "unsupported_chain",
          t`${service.host} does not support ${chain} any more, so nothing was sent. Choose another service in ledgerLens.verificationUrl, or check the chain.`,
        );
      case undefined:
        return;
    }
  }

  async #chainsOf(
    service: VerificationService,
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, boolean>> {
    const now = this.#clock.now();
    const known = this.#listed.get(service.url);
    if (known && Math.abs(now - known.at) < KNOWN_MS) return known.chains;
    try {
      const listed = await withJointSignal([signal, AbortSignal.timeout(PATIENCE_MS)], (joint) =>
        service.chains(joint, { retries: 0 }),
      );
      const chains = new Map(listed.map(({ chainId, supported }) => [chainId, supported]));
      this.#listed.set(service.url, { at: now, chains });
      return chains;
    } catch (error) {
      if (signal?.aborted) throw error;
      if (!(error instanceof LedgerLensError) && !isCancellation(error)) throw error;
      // One that has no list is not asked again at once.
      const chains = new Map<string, boolean>();
      this.#listed.set(service.url, { at: now, chains });
      return chains;
    }
  }
}
