import { t } from "@vscode/l10n";
import { encodedAddress, ZERO_ADDRESS } from "../evm/address.ts";
import { LedgerLensError } from "../errors.ts";
import type { JsonRpc } from "./jsonRpc.ts";

/** `facetAddresses()` and `facets()` of the loupe that every diamond has (ERC-2535, "IDiamondLoupe"). */
const FACET_ADDRESSES = "0x52ef6b2c";
const FACETS = "0x7a0ed627";
/** The code of an address is at most 24 kB, and the largest diamonds have some 200 facets. */
const MAX_FACETS = 1_000;
/** As many facets have some hundred functions each. */
const MAX_WORDS = 200_000;

/**
 * The facets that a diamond (ERC-2535) names, each once, in the order of its answer: asked for their addresses, and where
 * it does not tell these alone, for the facets with their functions.
 *
 * @returns 0x-prefixed, lower case
 * @throws LedgerLensError `not_a_diamond` where the contract answers neither, and what the node's client throws
 */
export async function diamondFacets(
  address: string,
  node: Pick<JsonRpc, "call">,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const named = addressList(await answer(node, address, FACET_ADDRESSES, signal)) ?? [];
  const found = named.length > 0 ? named : facetList(await answer(node, address, FACETS, signal));
  if (found && found.length > 0) return [...new Set(found)];
  throw new LedgerLensError(
    "not_a_diamond",
    t`${address} names no facets, as a diamond (ERC-2535) does. Check the address and the chain.`,
  );
}

/** The words of an answer; none where the call reverts, as it does at any other contract. */
async function answer(
  node: Pick<JsonRpc, "call">,
  address: string,
  data: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  try {
    const hex = await node.call(address, data, signal);
    const isWords = hex.length <= MAX_WORDS * 64 && hex.length % 64 === 2 && /^0x[0-9a-f]+$/i.test(hex);
    return isWords ? (hex.slice(2).toLowerCase().match(/.{64}/g) ?? []) : [];
  } catch (error) {
    if (error instanceof LedgerLensError && error.code === "rpc_error") return [];
    throw error;
  }
}

/** `address[]` */
function addressList(words: readonly string[]): string[] | undefined {
  const list = listAt(words, placeOf(words[0]));
  return list && addressesIn(list);
}

/** `(address facetAddress, bytes4[] functionSelectors)[]`: the places of the tuples, then the tuples. */
function facetList(words: readonly string[]): string[] | undefined {
  const at = placeOf(words[0]);
  const list = listAt(words, at);
  if (!list || at === undefined) return undefined;
  return addressesIn(
    list.map((word) => {
      const place = placeOf(word);
      return place === undefined ? undefined : words[at + 1 + place];
    }),
  );
}

/** The words of a list, of which the first is their count. */
function listAt(words: readonly string[], at: number | undefined): readonly string[] | undefined {
  const count = numberIn(at === undefined ? undefined : words[at]);
  if (at === undefined || count === undefined || count > MAX_FACETS) return undefined;
  const list = words.slice(at + 1, at + 1 + count);
  return list.length === count ? list : undefined;
}

function addressesIn(words: readonly (string | undefined)[]): string[] | undefined {
  const addresses = words.map(encodedAddress);
  const isFacet = (address: string | undefined): address is string =>
    address !== undefined && address !== ZERO_ADDRESS;
  return addresses.every(isFacet) ? addresses : undefined;
}

/** A place in bytes, in words. */
function placeOf(word: string | undefined): number | undefined {
  const bytes = numberIn(word);
  return bytes === undefined || bytes % 32 !== 0 ? undefined : bytes / 32;
}

function numberIn(word: string | undefined): number | undefined {
  return word !== undefined && /^0{56}/.test(word) ? Number(`0x${word}`) : undefined;
}
