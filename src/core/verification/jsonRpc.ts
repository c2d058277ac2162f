import type { JsonClient } from "../http/jsonClient.ts";
import { wrongShape } from "../http/httpError.ts";
import { LedgerLensError } from "../errors.ts";
import { visibleText } from "../visibleText.ts";

/** A chain node's JSON-RPC interface. */
export class JsonRpc {
  readonly #http: Pick<JsonClient, "request">;
  readonly #url: string;

  constructor(http: Pick<JsonClient, "request">, url: string) {
    this.#http = http;
    this.#url = url;
  }

  /**
   * The code deployed at an address, 0x-prefixed; `0x` when there is none.
   *
   * @throws LedgerLensError `rpc_error` when the node refuses, and what the HTTP client throws.
   */
  async code(address: string, signal?: AbortSignal): Promise<string> {
    const { body } = await this.#http.request({
      method: "POST",
      url: this.#url,
      body: { jsonrpc: "2.0", id: 1, method: "eth_getCode", params: [address, "latest"] },
      service: "The chain's node",
      timeoutMs: 10_000,
      ...(signal && { signal }),
    });
    const { result, error } = (typeof body === "object" && body !== null ? body : {}) as {
      result?: unknown;
      error?: { message?: unknown };
    };
    if (typeof result === "string") return result;
    if (error) {
      const said = typeof error.message === "string" ? visibleText(error.message) : "no reason given";
      throw new LedgerLensError(
        "rpc_error",
        `The chain's node refused to give the deployed code: ${said}. Check ledgerLens.rpcUrls.`,
      );
    }
    throw wrongShape("The chain's node", "the deployed code", "result is missing");
  }
}
