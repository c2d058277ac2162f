import { ifReadable, object, readAs, text } from "../json/shape.ts";
import type { JsonClient } from "../http/jsonClient.ts";
import { wrongShape } from "../http/httpError.ts";
import { withoutKeys } from "../http/shownAddress.ts";
import { LedgerLensError } from "../errors.ts";
import { foreign } from "../text/shownText.ts";

/** A chain node's JSON-RPC interface. Addresses, slots, data and answers are 0x-prefixed hex. */
export class JsonRpc {
  readonly #http: Pick<JsonClient, "request">;
  readonly #url: string;

  constructor(http: Pick<JsonClient, "request">, url: string) {
    this.#http = http;
    this.#url = url;
  }

  /**
   * The code deployed at an address; `0x` when there is none.
   *
   * @throws LedgerLensError `rpc_error` when the node refuses, and what the HTTP client throws.
   */
  async code(address: string, signal?: AbortSignal): Promise<string> {
    return this.#ask("eth_getCode", [address, "latest"], "the deployed code", signal);
  }

  /**
   * The word in a storage slot of a contract.
   *
   * @throws LedgerLensError as {@link code} does
   */
  async storageAt(address: string, slot: string, signal?: AbortSignal): Promise<string> {
    return this.#ask("eth_getStorageAt", [address, slot, "latest"], "a storage slot", signal);
  }

  /**
   * What a contract answers to a call that changes nothing.
   *
   * @throws LedgerLensError as {@link code} does; a call that reverts is refused, too
   */
  async call(address: string, data: string, signal?: AbortSignal): Promise<string> {
    return this.#ask("eth_call", [{ to: address, data }, "latest"], "the answer of a contract", signal);
  }

  async #ask(
    method: string,
    params: readonly unknown[],
    wanted: string,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const { body } = await this.#http.request({
      method: "POST",
      isRead: true,
      url: this.#url,
      body: { jsonrpc: "2.0", id: 1, method, params },
      service: "The chain's node",
      timeoutMs: 10_000,
      ...(signal && { signal }),
    });
    const { result, error } = readAs(rpcAnswer, body) ?? {};
    if (result !== undefined) return result;
    if (error) {
      const said =
        error.message === undefined ? "no reason given" : foreign(withoutKeys(error.message, this.#url));
      throw new LedgerLensError(
        "rpc_error",
        `The chain's node refused to give ${wanted}: ${said}. Check ledgerLens.rpcUrls.`,
      );
    }
    throw wrongShape("The chain's node", wanted, "result is missing");
  }
}

const rpcAnswer = object({
  result: ifReadable(text()),
  error: ifReadable(object({ message: ifReadable(text(2_000)) })),
});
