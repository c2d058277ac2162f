import type { Clock } from "../../concurrency/clock.ts";
import { isCancellation, LedgerLensError } from "../../errors.ts";
import { foreign, foreignSentence, joined, shown, type ShownText } from "../../text/shownText.ts";
import { systemContractAt } from "../actions/systemContracts.ts";
import type { LedgerService } from "../ledgerService.ts";
import { entityIdText, fromLongZeroAddress } from "../references/entityId.ts";
import type { LedgerNetwork } from "../references/network.ts";
import { VERIFIED_WORDS, type VerifiedState } from "./accountRows.ts";

/** What an address is on a network. */
interface AddressLook {
  /** One line. */
  readonly text: ShownText;
  /** Whether the ledger has a page of it. */
  readonly isThere: boolean;
  /** Of a contract. */
  readonly verified?: VerifiedState;
  /** The address that a contract was created at, which may be another one than that which is made of its id. */
  readonly contractAddress?: string;
}

/** A contract as the verification service knows it. */
interface VerifiedIdentity {
  readonly state: VerifiedState;
  readonly name?: string;
}

interface AddressLooksPorts {
  readonly ledger: Pick<LedgerService, "account" | "contract" | "token">;
  /** What can't be told is `unknown`. */
  readonly verified: (
    deployment: { readonly chainId: string; readonly address: string },
    signal: AbortSignal,
  ) => Promise<VerifiedIdentity>;
  /** Who is asked about verified contracts: an answer of another one is none. */
  readonly verifiedBy: () => string;
  readonly clock: Pick<Clock, "now">;
}

const REMEMBERED_MS = 5 * 60_000;
/** A server that fails is not asked for every address that the pointer crosses. */
const FAILURE_REMEMBERED_MS = 30_000;
const MAX_REMEMBERED = 500;

/** What everybody knows of an address, whatever the network: nothing is asked for it. */
export function knownAddress(address: string): ShownText | undefined {
  if (/^0x0{40}$/.test(address)) return shown`Zero address`;
  const known = systemContractAt(address);
  if (!known) return undefined;
  return known.kind === "precompile"
    ? shown`${known.name}: a precompiled contract of the EVM`
    : shown`${known.name}: a system contract of Hedera`;
}

/** What addresses are on the chosen network, remembered for a while. */
export class AddressLooks {
  readonly #ports: AddressLooksPorts;
  readonly #remembered = new Map<string, { readonly look: AddressLook; readonly until: number }>();

  constructor(ports: AddressLooksPorts) {
    this.#ports = ports;
  }

  /**
   * What an address is on the network, which is the one that the ledger asks.
   *
   * @throws LedgerLensError `cancelled`
   */
  async at(address: string, network: LedgerNetwork, signal: AbortSignal): Promise<AddressLook> {
    const { clock, verifiedBy } = this.#ports;
    const key = [network.ledgerUrl, network.chainId ?? "", verifiedBy(), address.toLowerCase()].join(" ");
    const known = this.#remembered.get(key);
    if (known && clock.now() < known.until) return known.look;
    try {
      const look = await this.#look(address.toLowerCase(), network, signal);
      // That the service could not be asked is worth another question soon.
      this.#remember(key, look, look.verified === "unknown" ? FAILURE_REMEMBERED_MS : REMEMBERED_MS);
      return look;
    } catch (error) {
      if (!(error instanceof LedgerLensError) || isCancellation(error) || signal.aborted) throw error;
      const look = { text: foreignSentence(error.message), isThere: false };
      this.#remember(key, look, FAILURE_REMEMBERED_MS);
      return look;
    }
  }

  async #look(address: string, network: LedgerNetwork, signal: AbortSignal): Promise<AddressLook> {
    const { ledger, verified } = this.#ports;
    const contract = await ledger.contract(address, network, signal);
    if (contract) {
      const { chainId } = network;
      const identity: VerifiedIdentity =
        chainId === undefined
          ? { state: "unknown" }
          : await verified({ chainId, address: contract.address }, signal);
      const { state, name } = identity;
      const what =
        name === undefined
          ? shown`Contract on ${network.name}`
          : shown`${name}, a contract on ${network.name}`;
      const words = state === "unknown" ? [] : [VERIFIED_WORDS[state]];
      return {
        text: joined([what, ...words], " · "),
        isThere: true,
        verified: state,
        contractAddress: contract.address,
      };
    }
    const id = fromLongZeroAddress(address);
    const token = id && (await orAbsent(() => ledger.token(entityIdText(id), { signal })));
    if (token) {
      const { name = token.tokenId, symbol } = token;
      const text =
        symbol === undefined
          ? shown`${name}, a token on ${network.name}`
          : shown`${name} (${symbol}), a token on ${network.name}`;
      return { text: joined([text, foreign(token.tokenId)], " · "), isThere: true };
    }
    const account = await orAbsent(() => ledger.account(address, signal));
    if (account) return { text: shown`Account ${account.id ?? address} on ${network.name}`, isThere: true };
    return { text: shown`Not found on ${network.name}`, isThere: false };
  }

  #remember(key: string, look: AddressLook, milliseconds: number): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, { look, until: this.#ports.clock.now() + milliseconds });
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MAX_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
  }
}

async function orAbsent<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof LedgerLensError && error.code === "not_found") return undefined;
    throw error;
  }
}
