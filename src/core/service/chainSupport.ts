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

/**
 * Which chains a service lists as not supported. It accepts a submission for one of them all the same, and the job then
 * fails with `cannot_fetch_bytecode` (argotorg/sourcify, services/server, `sourcify-chains-default.json`: 85 of 275).
 */
export class ChainSupport {
  readonly #clock: Clock;
  readonly #unsupported = new Map<string, { readonly at: number; readonly chains: ReadonlySet<string> }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Nothing where the service supports the chain, or does not say.
   *
   * @throws LedgerLensError `unsupported_chain`
   */
  async check(service: VerificationService, chainId: string, signal: AbortSignal | undefined): Promise<void> {
    const chains = await this.#chainsOf(service, signal);
    if (!chains.has(chainId)) return;
    throw new LedgerLensError(
      "unsupported_chain",
      t`${service.host} does not support ${chainLabel(chainId)} any more, so nothing was sent. Choose another service in ledgerLens.verificationUrl, or check the chain.`,
    );
  }

  async #chainsOf(
    service: VerificationService,
    signal: AbortSignal | undefined,
  ): Promise<ReadonlySet<string>> {
    const now = this.#clock.now();
    const known = this.#unsupported.get(service.url);
    if (known && Math.abs(now - known.at) < KNOWN_MS) return known.chains;
    try {
      const listed = await withJointSignal([signal, AbortSignal.timeout(PATIENCE_MS)], (joint) =>
        service.chains(joint, { retries: 0 }),
      );
      const chains = new Set(listed.filter(({ supported }) => !supported).map((chain) => chain.chainId));
      this.#unsupported.set(service.url, { at: now, chains });
      return chains;
    } catch (error) {
      if (signal?.aborted) throw error;
      if (!(error instanceof LedgerLensError) && !isCancellation(error)) throw error;
      // One that has no list is not asked again at once.
      this.#unsupported.set(service.url, { at: now, chains: new Set() });
      return new Set();
    }
  }
}
