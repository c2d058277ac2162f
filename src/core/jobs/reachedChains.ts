import { t } from "@vscode/l10n";
import { isCancellation, LedgerLensError } from "../errors.ts";
import { deploymentKey } from "../evm/deploymentKey.ts";
import { type Deployment } from "../service/submissionRequest.ts";
import { shown, type ShownText } from "../text/shownText.ts";
import { chainLabel } from "../chains/chainNames.ts";

/** What goes for every contract of a chain: nothing answers there, or something else than the chain's node. */
const OF_THE_CHAIN: ReadonlySet<string> = new Set([
  "unreachable",
  "proxy_failed",
  "proxy_invalid",
  "tls_untrusted",
  "redirect_refused",
  "invalid_url",
  "not_json",
  "wrong_answer",
  "no_code_source",
]);
/** So many questions in a row that nothing answers in time: one may have been a slow one. */
const MAX_LATE = 2;

/** Asks for many deployments, so that of a chain whose node does not answer only the first ones wait for it. */
export class ReachedChains {
  /** How many questions in a row were not answered in time, by chain. */
  readonly #late = new Map<string, number>();
  readonly #closed = new Map<string, LedgerLensError>();
  readonly #left = new Set<string>();

  /**
   * What is asked of the chain of a deployment.
   *
   * @throws LedgerLensError `not_reached` where the chain did not answer before, and what `ask` throws
   */
  async ask<T>(deployment: Deployment, ask: () => Promise<T>): Promise<T> {
    const { chainId } = deployment;
    const key = deploymentKey(deployment);
    if (this.#closed.has(chainId)) {
      this.#left.add(key);
      throw new LedgerLensError("not_reached", t`Not looked at: ${chainLabel(chainId)} was not reached.`);
    }
    try {
      const answer = await ask();
      this.#late.delete(chainId);
      return answer;
    } catch (error) {
      if (!(error instanceof LedgerLensError) || isCancellation(error)) throw error;
      const late = error.code === "timeout" ? (this.#late.get(chainId) ?? 0) + 1 : 0;
      this.#late.set(chainId, late);
      if (error.code === "timeout" || OF_THE_CHAIN.has(error.code)) this.#left.add(key);
      if (OF_THE_CHAIN.has(error.code) || late >= MAX_LATE) this.#closed.set(chainId, error);
      throw error;
    }
  }

  /** Whether a deployment was not looked at because its chain did not answer. */
  isLeft(deployment: Deployment): boolean {
    return this.#left.has(deploymentKey(deployment));
  }

  /** Which chains were not reached, and why the first of them was not; `undefined` where all were. */
  get sentence(): ShownText | undefined {
    const [first] = this.#closed.values();
    if (!first) return undefined;
    const chains = [...this.#closed.keys()].map(chainLabel).join(", ");
    return shown`${chains}: ${first.message}`;
  }
}
