import { t } from "@vscode/l10n";
import { chainName } from "../../chains/chainNames.ts";
import { isLedgerOutOfReach, isOutOfReach } from "../../chains/privateChains.ts";
import type { Clock } from "../../concurrency/clock.ts";
import { ZERO_ADDRESS } from "../../evm/address.ts";
import { SharedWork } from "../../concurrency/sharedWork.ts";
import { codeBytes } from "../../evm/hex.ts";
import { delegatedTo } from "../../evm/proxy.ts";
import { isCancellation, LedgerLensError } from "../../errors.ts";
import { shownHost } from "../../http/shownAddress.ts";
import { foreign, foreignSentence, joined, shown, type ShownText } from "../../text/shownText.ts";
import { systemContractAt } from "../actions/systemContracts.ts";
import type { LedgerService } from "../ledgerService.ts";
import { entityIdText, fromLongZeroAddress } from "../references/entityId.ts";
import type { LedgerNetwork } from "../references/network.ts";
import { verifiedWords, type VerifiedState } from "./accountRows.ts";

/** What an address is on a network or a chain. */
export interface AddressLook {
  /** One line. */
  readonly text: ShownText;
  /** Whether the ledger has a page of it; of a chain that no ledger was asked about, whether something is known to be there. */
  readonly isThere: boolean;
  /** Of a contract, and of what may be one. */
  readonly verified?: VerifiedState;
  /** The address that a contract was created at, which may be another one than that which is made of its id. */
  readonly contractAddress?: string;
}

/** A look, and whether all that were asked for it answered. */
interface Looked {
  readonly look: AddressLook;
  readonly isWhole: boolean;
}

/** An address on a chain. */
interface Place {
  /** Decimal digits. */
  readonly chainId: string;
  readonly address: string;
}

/** A contract as the verification service knows it. */
interface VerifiedIdentity {
  readonly state: VerifiedState;
  readonly name?: string;
}

interface AddressLooksPorts {
  readonly ledger: Pick<LedgerService, "account" | "contract" | "token">;
  /** What can't be told is `unknown`. */
  readonly verified: (place: Place, signal: AbortSignal) => Promise<VerifiedIdentity>;
  /** Who is asked about verified contracts: an answer of another one is none. */
  readonly verifiedBy: () => string;
  /** The user's own node of a chain, which tells the code at an address, `0x` for none. */
  readonly node: (
    chainId: string,
  ) => { code(address: string, signal: AbortSignal): Promise<string> } | undefined;
  readonly clock: Pick<Clock, "now">;
}

const REMEMBERED_MS = 5 * 60_000;
/** A server that fails is not asked for every address that the pointer crosses. */
const FAILURE_REMEMBERED_MS = 30_000;
const MAX_REMEMBERED = 500;

/** What is known of an address anywhere, whatever the network: nothing is asked for it. */
export function knownAddress(address: string): ShownText | undefined {
  if (address === ZERO_ADDRESS) return shown`Zero address`;
  const known = systemContractAt(address);
  if (!known) return undefined;
  return known.kind === "precompile"
    ? shown`${known.name}: a precompiled contract of the EVM`
    : shown`${known.name}: a system contract of Hedera`;
}

/** What a contract is that is known to be verified on a chain: nothing is asked. */
export function verifiedLook(
  { chainId, address }: Place,
  name: string | undefined,
  verified: VerifiedState,
): AddressLook {
  const text = joined([contractText(name, chainName(chainId)), ...verifiedWords(verified)], " · ");
  return { text, isThere: true, verified, contractAddress: address };
}

/** What addresses are on the chosen network and on other chains, remembered for a while. */
export class AddressLooks {
  readonly #ports: AddressLooksPorts;
  readonly #asked = new SharedWork<AddressLook>();
  readonly #remembered = new Map<string, { readonly look: AddressLook; readonly until: number }>();

  constructor(ports: AddressLooksPorts) {
    this.#ports = ports;
  }

  /**
   * What an address is on the network, which is the one that the ledger asks.
   *
   * @param recordedAs the name of the contract that the workspace's records have at this address
   * @throws LedgerLensError `cancelled`
   */
  async at(
    address: string,
    network: LedgerNetwork,
    signal: AbortSignal,
    recordedAs?: string,
  ): Promise<AddressLook> {
    const { ledgerUrl, chainId } = network;
    const key = this.#key(ledgerUrl, chainId, address, recordedAs);
    try {
      return await this.#kept(key, signal, (all) =>
        this.#look(address.toLowerCase(), network, all, recordedAs),
      );
    } catch (error) {
      if (!(error instanceof LedgerLensError) || isCancellation(error) || signal.aborted) throw error;
      const look = { text: foreignSentence(error.message), isThere: false };
      this.#remember(key, look, FAILURE_REMEMBERED_MS);
      return look;
    }
  }

  /**
   * What an address is on a chain that no ledger is asked about: the verification service is, and then the user's own node.
   * `undefined` where nothing is known and there is nothing to ask.
   *
   * @param recordedAs as for {@link at}
   * @throws LedgerLensError `cancelled`
   */
  async onChain(
    address: string,
    chainId: string,
    signal: AbortSignal,
    recordedAs?: string,
  ): Promise<AddressLook | undefined> {
    const isAskable = this.#isSeen(chainId) || this.#ports.node(chainId) !== undefined;
    if (!isAskable && recordedAs === undefined) return undefined;
    const place = { chainId, address: address.toLowerCase() };
    return this.#kept(this.#key("", chainId, address, recordedAs), signal, (all) =>
      this.#lookOnChain(place, all, recordedAs),
    );
  }

  #key(
    ledgerUrl: string,
    chainId: string | undefined,
    address: string,
    recordedAs: string | undefined,
  ): string {
    return [ledgerUrl, chainId, this.#ports.verifiedBy(), address.toLowerCase(), recordedAs].join(" ");
  }

  /** What is remembered, else the answer to a question that all who want it at once share; it ends when they all have left. */
  async #kept(
    key: string,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<Looked>,
  ): Promise<AddressLook> {
    const known = this.#remembered.get(key);
    if (known && this.#ports.clock.now() < known.until) return known.look;
    try {
      return await this.#asked.join(
        key,
        async (all) => {
          const { look, isWhole } = await ask(all);
          // A service that could not be asked is worth another question soon.
          this.#remember(key, look, isWhole ? REMEMBERED_MS : FAILURE_REMEMBERED_MS);
          return look;
        },
        signal,
      );
    } catch (error) {
      if (signal.aborted) throw new LedgerLensError("cancelled", t`Loading was cancelled.`, { cause: error });
      throw error;
    }
  }

  async #look(
    address: string,
    network: LedgerNetwork,
    signal: AbortSignal,
    recordedAs: string | undefined,
  ): Promise<Looked> {
    const { ledger } = this.#ports;
    const contract = await ledger.contract(address, network, signal);
    if (contract) {
      const { chainId } = network;
      const { address: contractAddress } = contract;
      const { state, name }: VerifiedIdentity =
        chainId === undefined
          ? { state: "unknown" }
          : await this.#verified({ chainId, address: contractAddress }, signal, network);
      const text = joined([contractText(recordedAs ?? name, network.name), ...verifiedWords(state)], " · ");
      return {
        look: { text, isThere: true, verified: state, contractAddress },
        isWhole: state !== "unknown" || !this.#isSeen(chainId, network),
      };
    }
    const there = (text: ShownText): Looked => ({ look: { text, isThere: true }, isWhole: true });
    const id = fromLongZeroAddress(address);
    const token = id && (await orAbsent(() => ledger.token(entityIdText(id), { signal, network })));
    if (token) {
      const { name = token.tokenId, symbol } = token;
      const text =
        symbol === undefined
          ? shown`${name}, a token on ${network.name}`
          : shown`${name} (${symbol}), a token on ${network.name}`;
      return there(joined([text, foreign(token.tokenId)], " · "));
    }
    const account = await orAbsent(() => ledger.account(address, signal, network));
    if (account) return there(shown`Account ${account.id ?? address} on ${network.name}`);
    const text =
      recordedAs === undefined
        ? shown`Not found on ${network.name}`
        : joined([recordedText(recordedAs, network.name), shown`not found there now`], " · ");
    return { look: { text, isThere: false }, isWhole: true };
  }

  async #lookOnChain(place: Place, signal: AbortSignal, recordedAs: string | undefined): Promise<Looked> {
    const { chainId, address } = place;
    const chain = chainName(chainId);
    const { state, name } = await this.#verified(place, signal);
    const isVerified = state === "exact_match" || state === "match";
    const { code, failure } = isVerified ? {} : await this.#codeAt(place, signal);
    const isWhole = failure === undefined && (state !== "unknown" || !this.#isSeen(chainId));
    if (code !== undefined && !isContractCode(code)) {
      const isRecorded = recordedAs !== undefined;
      const words = isRecorded
        ? [recordedText(recordedAs, chain), shown`no code there now`]
        : [shown`Account on ${chain}`, shown`no code`];
      return { look: { text: joined(words, " · "), isThere: !isRecorded }, isWhole };
    }
    const isContract = isVerified || recordedAs !== undefined || code !== undefined;
    if (!isContract && state === "unknown" && failure)
      return { look: { text: foreignSentence(failure.message), isThere: false }, isWhole };
    const words = isContract
      ? [contractText(recordedAs ?? name, chain), ...verifiedWords(state)]
      : [
          shown`Address on ${chain}`,
          ...(state === "unknown" ? [shown`verification unknown`] : verifiedWords(state)),
        ];
    const text = joined(words, " · ");
    return { look: { text, isThere: isContract, verified: state, contractAddress: address }, isWhole };
  }

  /**
   * Whether the verification service can see a chain: no public service is asked about one of this machine, nor about what is
   * on a ledger of this machine or its network.
   */
  #isSeen(chainId: string | undefined, ledger?: LedgerNetwork): boolean {
    const host = shownHost(this.#ports.verifiedBy());
    return !(ledger ? isLedgerOutOfReach(ledger, host) : isOutOfReach(chainId ?? "", host));
  }

  async #verified(place: Place, signal: AbortSignal, ledger?: LedgerNetwork): Promise<VerifiedIdentity> {
    return this.#isSeen(place.chainId, ledger) ? this.#ports.verified(place, signal) : { state: "unknown" };
  }

  async #codeAt(
    { chainId, address }: Place,
    signal: AbortSignal,
  ): Promise<{ readonly code?: string | undefined; readonly failure?: LedgerLensError }> {
    try {
      return { code: await this.#ports.node(chainId)?.code(address, signal) };
    } catch (error) {
      if (!(error instanceof LedgerLensError) || isCancellation(error) || signal.aborted) throw error;
      return { failure: error };
    }
  }

  #remember(key: string, look: AddressLook, milliseconds: number): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, { look, until: this.#ports.clock.now() + milliseconds });
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MAX_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
  }
}

function contractText(name: string | undefined, place: string): ShownText {
  return name === undefined ? shown`Contract on ${place}` : shown`${name}, a contract on ${place}`;
}

function recordedText(name: string, place: string): ShownText {
  return shown`${name}, recorded as deployed on ${place}`;
}

/** An account that hands its calls on has a mark for code (EIP-7702). */
function isContractCode(code: string): boolean {
  return code !== "0x" && delegatedTo(codeBytes(code)) === undefined;
}

async function orAbsent<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof LedgerLensError && error.code === "not_found") return undefined;
    throw error;
  }
}
