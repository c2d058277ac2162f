import { chainIdText } from "../../service/job.ts";
import { t } from "@vscode/l10n";
import { baseAddress, joinedAddress } from "../../http/joinedAddress.ts";
import { isLedgerOutOfReach } from "../../chains/privateChains.ts";
import { systemClock, type Clock } from "../../concurrency/clock.ts";
import type { JsonClient } from "../../http/jsonClient.ts";
import { anyJson, either, ifReadable, listOf, mapped, object, readAs, text } from "../../json/shape.ts";
import { HttpError } from "../../http/httpError.ts";
import { shownHost } from "../../http/shownAddress.ts";
import type { LedgerNetwork } from "../references/network.ts";
import type { NamedContract, NamedDefinition, NameScope, NameSource } from "./nameSource.ts";
import { foreign } from "../../text/shownText.ts";
import {
  readAbi,
  readSelector,
  selectorNumber,
  signatureOf,
  type AbiEntry,
  type MemberKind,
} from "../../evm/abiEntry.ts";
import { addressShape } from "../requests/ledgerShapes.ts";
import { checkAbout, SERVICE } from "../../service/answerAbout.ts";
import { SharedAnswers } from "./sharedAnswers.ts";

interface VerifiedNamesPorts {
  readonly http: Pick<JsonClient, "request">;
  /** The base address of the service as it is set now. */
  readonly url: () => string;
  readonly clock?: Clock;
}

/** A verified contract as far as names go. */
interface VerifiedContract {
  readonly name?: string;
  readonly entries: ReadonlyMap<number, readonly AbiEntry[]>;
}

const MAX_CONTRACTS = 500;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;
/** A diamond has many implementations. */
const MAX_IMPLEMENTATIONS = 16;
const MAX_NAME = 100;
/** A call is decoded by each of them, and an ABI may have thousands that are the same. */
const MAX_OF_ONE_SELECTOR = 20;

/**
 * Names from verified sources: the ABI and the name of the contract at an address, and, for what a proxy does not have
 * itself, those of its implementation (argotorg/sourcify, services/server/src/apiv2.yaml, `get-contract`). A network
 * without a chain id has none.
 */
export class VerifiedNames implements NameSource {
  readonly certainty = "verified";
  readonly #ports: VerifiedNamesPorts;
  readonly #contracts: SharedAnswers<VerifiedContract>;
  readonly #implementations: SharedAnswers<readonly string[]>;

  constructor(ports: VerifiedNamesPorts) {
    this.#ports = ports;
    const options = { clock: ports.clock ?? systemClock, maxAnswers: MAX_CONTRACTS };
    this.#contracts = new SharedAnswers(options);
    this.#implementations = new SharedAnswers(options);
  }

  async contractName(scope: NameScope): Promise<NamedContract | undefined> {
    const contract = await this.#contract(scope.address, scope);
    return contract?.name === undefined ? undefined : { name: contract.name };
  }

  async definitions(type: MemberKind, text: string, scope: NameScope): Promise<readonly NamedDefinition[]> {
    const selector = readSelector(text);
    if (selector === undefined) return [];
    const inContract = (contract: VerifiedContract | undefined) =>
      (contract?.entries.get(selector) ?? []).filter((entry) => entry.type === type);
    const contract = await this.#contract(scope.address, scope);
    let found = inContract(contract);
    if (contract && found.length === 0) {
      for (const address of await this.#implementationsOf(scope)) {
        found = inContract(await this.#contract(address, scope));
        if (found.length > 0) break;
      }
    }
    return found.map((entry) => ({ abi: { ...entry } }));
  }

  async #contract(
    address: string | undefined,
    { network, signal }: NameScope,
  ): Promise<VerifiedContract | undefined> {
    const { chainId } = network;
    const url = this.#urlFor(network);
    if (address === undefined || chainId === undefined || url === undefined) return undefined;
    return this.#contracts.get(url, `${chainId}/${address}`, signal, async () => {
      const body = await this.#ask(url, { chainId, address }, "abi,compilation");
      const { abi, compilation: { name = "" } = {} } = readAs(namedContract, body) ?? {};
      return {
        ...(name !== "" && { name: foreign(name, MAX_NAME) }),
        entries: bySelector(readAbi(abi)),
      };
    });
  }

  async #implementationsOf({ network, address, signal }: NameScope): Promise<readonly string[]> {
    const { chainId } = network;
    const url = this.#urlFor(network);
    if (address === undefined || chainId === undefined || url === undefined) return [];
    const found = await this.#implementations.get(
      // Not every service knows the field: that says nothing about its other answers.
      `${url} proxies`,
      `${chainId}/${address}`,
      signal,
      async () => {
        const body = await this.#ask(url, { chainId, address }, "proxyResolution");
        const { proxyResolution: { implementations = [] } = {} } = readAs(proxyContract, body) ?? {};
        return implementations
          .map((one) => one.toLowerCase())
          .filter((one) => one !== address.toLowerCase())
          .slice(0, MAX_IMPLEMENTATIONS);
      },
    );
    return found ?? [];
  }

  /** The body of a contract; `undefined` for one that is not verified, and where the answer is about another one. */
  async #ask(
    base: string,
    asked: { readonly chainId: string; readonly address: string },
    fields: string,
  ): Promise<unknown> {
    const { status, body } = await this.#ports.http.request({
      url: joinedAddress(base, `/v2/contract/${asked.chainId}/${asked.address}?fields=${fields}`),
      base,
      service: SERVICE,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      retries: 1,
    });
    // Only this answer is wrong: others of the service need no pause.
    if (status === 200) return isAbout(asked, body) ? body : undefined;
    // Not verified, or a chain or a field that the service does not know: nothing to ask again.
    if (status >= 400 && status < 500 && status !== 429) return undefined;
    throw new HttpError("unreachable", t`${SERVICE} answered with status ${status}. Try again later.`, {
      status,
      sent: true,
    });
  }

  /**
   * The base address of the service; `undefined` for a ledger that it can't see, whose addresses it is not told, and of which
   * what is kept of another ledger with the same chain id says nothing.
   */
  #urlFor(network: LedgerNetwork): string | undefined {
    const url = baseAddress(this.#ports.url());
    return isLedgerOutOfReach(network, shownHost(url)) ? undefined : url;
  }
}

function bySelector(entries: readonly AbiEntry[]): ReadonlyMap<number, readonly AbiEntry[]> {
  const map = new Map<number, AbiEntry[]>();
  for (const entry of entries) {
    const selector = selectorNumber(signatureOf(entry));
    const known = map.get(selector);
    if (known && known.length < MAX_OF_ONE_SELECTOR) known.push(entry);
    else if (!known) map.set(selector, [entry]);
  }
  return map;
}

/** Whether an answer is not about another contract, as far as it says which. */
function isAbout(asked: { readonly chainId: string; readonly address: string }, body: unknown): boolean {
  const { chainId, address } = readAs(contractPlace, body) ?? {};
  try {
    checkAbout(asked, {
      ...(chainId !== undefined && { chainId }),
      ...(address !== undefined && { address }),
    });
    return true;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}

const contractPlace = object({
  chainId: ifReadable(chainIdText),
  address: ifReadable(text(100)),
});

const namedContract = object({
  abi: ifReadable(anyJson),
  compilation: ifReadable(object({ name: ifReadable(text(1_000)) })),
});

const proxyContract = object({
  proxyResolution: ifReadable(
    object({
      implementations: ifReadable(
        listOf(
          either(
            addressShape,
            mapped(object({ address: addressShape }), (one) => one.address),
          ),
        ),
      ),
    }),
  ),
});
