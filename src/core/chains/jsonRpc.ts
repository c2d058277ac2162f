import { t } from "@vscode/l10n";
import { anyJson, ifReadable, nullable, object, readAs, text } from "../json/shape.ts";
import { wordsBesideJson } from "../json/wordsBesideJson.ts";
import type { JsonClient } from "../http/jsonClient.ts";
import { keysInAddress } from "../http/shownAddress.ts";
import { HttpError, isPassingStatus, withSetting, wrongShape } from "../http/httpError.ts";
import { askAgainAdvice } from "../http/rateLimits.ts";
import { keyAdvice, keyReason, refusesKey } from "../http/refusedKey.ts";
import { LedgerLensError } from "../errors.ts";
import { foreign } from "../text/shownText.ts";

/** Where a person names the node of a chain, in the place of the one that a service lists, too. */
const SETTING = "ledgerLens.rpcUrls";

/** The largest answer that is read: no chain has contracts of more than 256 kB (EIP-7907), of which hex takes twice as much. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

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
   * @throws LedgerLensError `rpc_error` when the node refuses, `rate_limited` when it had too many requests, and what the HTTP client throws.
   */
  async code(address: string, signal?: AbortSignal): Promise<string> {
    return codeIn(await this.#ask("eth_getCode", [address, "latest"], t`the deployed code`, signal));
  }

  /**
   * The chain that the node is on, in decimal; `undefined` where it does not say.
   *
   * @throws what the HTTP client throws
   */
  async chainId(signal?: AbortSignal): Promise<string | undefined> {
    try {
      const said = await this.#ask("eth_chainId", [], t`its chain`, signal);
      return /^0x[0-9a-f]{1,16}$/i.test(said) ? BigInt(said).toString() : undefined;
    } catch (error) {
      if (error instanceof LedgerLensError && ["rpc_error", "wrong_shape"].includes(error.code))
        return undefined;
      throw error;
    }
  }

  /**
   * The word in a storage slot of a contract.
   *
   * @throws LedgerLensError as {@link code} does
   */
  async storageAt(address: string, slot: string, signal?: AbortSignal): Promise<string> {
    return this.#ask("eth_getStorageAt", [address, slot, "latest"], t`a storage slot`, signal);
  }

  /**
   * What a contract answers to a call that changes nothing.
   *
   * @throws LedgerLensError as {@link code} does; a call that reverts is refused, too
   */
  async call(address: string, data: string, signal?: AbortSignal): Promise<string> {
    return this.#ask("eth_call", [{ to: address, data }, "latest"], t`the answer of a contract`, signal);
  }

  /**
   * The code that a transaction ran to create a contract, the constructor's arguments at its end; `undefined` for a
   * transaction that the node does not have or that calls a contract.
   *
   * @throws LedgerLensError as {@link code} does
   */
  async creationCode(transactionHash: string, signal?: AbortSignal): Promise<string | undefined> {
    const wanted = t`a transaction`;
    const result = await this.#answer("eth_getTransactionByHash", [transactionHash], wanted, signal);
    if (result === null) return undefined;
    const sent = readAs(transaction, result);
    if (!sent) throw misfit(wanted, t`input is missing`);
    return sent.to === null || sent.to === undefined ? sent.input : undefined;
  }

  /**
   * When a transaction was taken into a block, in milliseconds since 1970; `undefined` where the node does not know.
   *
   * @throws LedgerLensError as {@link code} does
   */
  async transactionTime(transactionHash: string, signal?: AbortSignal): Promise<number | undefined> {
    const result = await this.#answer(
      "eth_getTransactionByHash",
      [transactionHash],
      t`a transaction`,
      signal,
    );
    const blockNumber = readAs(mined, result)?.blockNumber;
    return blockNumber === undefined ? undefined : this.blockTime(Number(blockNumber), signal);
  }

  /** When a block was made, in milliseconds since 1970; as {@link transactionTime}. */
  async blockTime(block: number, signal?: AbortSignal): Promise<number | undefined> {
    const result = await this.#answer("eth_getBlockByNumber", [hex(block), false], t`a block`, signal);
    const seconds = Number(readAs(timed, result)?.timestamp);
    return Number.isSafeInteger(seconds) ? seconds * 1000 : undefined;
  }

  /** The number of the newest block. */
  async newestBlock(signal?: AbortSignal): Promise<number> {
    return Number(await this.#ask("eth_blockNumber", [], t`the newest block`, signal));
  }

  /** The code at an address after a block, which most nodes know of the newest blocks alone; as {@link code}. */
  async codeAt(address: string, block: number, signal?: AbortSignal): Promise<string> {
    return codeIn(await this.#ask("eth_getCode", [address, hex(block)], t`the deployed code`, signal));
  }

  async #ask(
    method: string,
    params: readonly unknown[],
    wanted: string,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const result = readAs(text(), await this.#answer(method, params, wanted, signal));
    if (result === undefined) throw misfit(wanted, t`result is missing`);
    return result;
  }

  async #answer(
    method: string,
    params: readonly unknown[],
    wanted: string,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const {
      body,
      status,
      hadKey = keysInAddress(this.#url).length > 0,
      wantsKey,
      retryAfterMs,
    } = await this.#http
      .request({
        method: "POST",
        isRead: true,
        url: this.#url,
        body: { jsonrpc: "2.0", id: 1, method, params },
        service: t`The chain's node`,
        timeoutMs: 10_000,
        maxBytes: MAX_ANSWER_BYTES,
        isRefusal: (answer) => readAs(rpcAnswer, answer)?.error !== undefined,
        ...(signal && { signal }),
      })
      .catch((error: unknown) => {
        throw error instanceof HttpError ? withSetting(error, SETTING) : error;
      });
    const { result, error } = readAs(rpcAnswer, body) ?? {};
    if (result !== undefined) return result;
    if (status === 429)
      throw new LedgerLensError(
        "rate_limited",
        t`The chain's node had too many requests and did not give ${wanted}. ${askAgainAdvice(retryAfterMs)}`,
      );
    // What the node itself says of a key is more than its status.
    if (refusesKey(status) && (wantsKey || !error))
      throw new LedgerLensError(
        "forbidden",
        t`The chain's node refused to give ${wanted}: ${keyReason(status, hadKey)} (status ${status}). ${keyAdvice(wantsKey, SETTING)}.`,
        { key: wantsKey, setting: SETTING },
      );
    if (!error && isPassingStatus(status))
      throw new LedgerLensError(
        "unavailable",
        t`The chain's node did not give ${wanted} (status ${status}). Try again later.`,
      );
    if (error || status >= 400) {
      const said =
        foreign(wordsBesideJson(error?.message ?? "")) || (error ? t`no reason given` : t`status ${status}`);
      throw new LedgerLensError(
        "rpc_error",
        t`The chain's node refused to give ${wanted}: ${said}. Check ledgerLens.rpcUrls.`,
      );
    }
    throw misfit(wanted, t`result is missing`);
  }
}

/** Some nodes write the code of an address without any as a number of no digits, or as zero. */
function codeIn(answer: string): string {
  return /^(?:0x)?0?$/.test(answer) ? "0x" : answer;
}

function misfit(wanted: string, expectation: string): HttpError {
  return withSetting(wrongShape(t`The chain's node`, wanted, expectation), SETTING);
}

function hex(block: number): string {
  return `0x${block.toString(16)}`;
}

const mined = object({ blockNumber: text() });
const timed = object({ timestamp: text() });
const transaction = object({ to: ifReadable(nullable(text())), input: text() });

const rpcAnswer = object({
  result: ifReadable(anyJson),
  error: ifReadable(object({ message: ifReadable(text(2_000)) })),
});
