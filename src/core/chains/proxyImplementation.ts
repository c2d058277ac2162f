import { encodedAddress, storedAddress, ZERO_ADDRESS } from "../evm/address.ts";
import { IMPLEMENTATION_SELECTOR, type ProxyCode } from "../evm/proxy.ts";
import { orNothing } from "../errors.ts";

/** What the implementation of a proxy is read from; a chain's JSON-RPC node is one. All words are 0x-prefixed hex. */
export interface ChainState {
  code(address: string, signal?: AbortSignal): Promise<string>;
  storageAt(address: string, slot: string, signal?: AbortSignal): Promise<string>;
  call(address: string, data: string, signal?: AbortSignal): Promise<string>;
}

/** Each is two questions to the chain; code may name thousands of addresses. */
const MAX_GUESSES = 16;

/**
 * The contract that a proxy forwards its calls to: from its code, from the agreed storage slot, from its beacon, or
 * for one that follows no agreement from what it answers and what it reads; as long as there is code at that address.
 *
 * @returns 0x-prefixed, lower case; `undefined` where the chain does not tell, names the proxy itself or an address
 * without code, or can't be asked
 */
export async function implementationOf(
  address: string,
  proxy: ProxyCode,
  chain: ChainState,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { kind, slot, beacon, implementation } = proxy;
  const ask = async (contract: string) =>
    named(encodedAddress(await chain.call(contract, `0x${IMPLEMENTATION_SELECTOR}`, signal)));
  const held = async (slot: string) => named(storedAddress(await chain.storageAt(address, slot, signal)));
  const withCode = async (target: string | undefined) =>
    target !== undefined && (await chain.code(target, signal)).length > 2 ? target : undefined;
  const other = (target: string | undefined) => (target === address.toLowerCase() ? undefined : target);
  if (implementation !== undefined) {
    // What the code itself says is known without the chain, too.
    const code = await orNothing(() => chain.code(implementation, signal));
    return code === "0x" ? undefined : implementation;
  }
  if (beacon !== undefined) return other(await orNothing(async () => withCode(await ask(beacon))));
  if (slot !== undefined) {
    const target = await orNothing(() => held(slot));
    const isBeacon = kind === "EIP-1967 beacon" && target !== undefined;
    return other(await orNothing(async () => withCode(isBeacon ? await ask(target) : target)));
  }
  const guesses = [
    () => ask(address),
    ...(proxy.addresses ?? []).map((one) => () => Promise.resolve(one)),
    ...(proxy.readSlots ?? []).map((one) => () => held(one)),
  ];
  for (const guess of guesses.slice(0, MAX_GUESSES)) {
    const target = other(await orNothing(async () => withCode(await guess())));
    if (target !== undefined) return target;
  }
  return undefined;
}

/** Nothing is named by the zero address. */
function named(address: string | undefined): string | undefined {
  return address === ZERO_ADDRESS ? undefined : address;
}
