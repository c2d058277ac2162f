import { chainTitle } from "../chains/chainNames.ts";
import { isSameAddress } from "../evm/address.ts";
import type { Deployment } from "../service/submissionRequest.ts";
import { foreign, shortAddress, type ShownText } from "../text/shownText.ts";

/** Where a contract is. */
export type Place = Pick<Deployment, "chainId" | "address">;

/**
 * What tells a contract from others of its name: its address where one of them is at another, and its chain where one is at the
 * same address on another chain, as what CREATE2 deploys.
 *
 * @param alike the places of all that have the name, this one among them or not
 */
export function placeAmong(place: Place, alike: readonly Place[]): ShownText[] {
  const isHere = (other: Place) => isSameAddress(other.address, place.address);
  return [
    ...(alike.every(isHere) ? [] : [foreign(shortAddress(place.address))]),
    ...(alike.some((other) => isHere(other) && other.chainId !== place.chainId)
      ? [chainTitle(place.chainId)]
      : []),
  ];
}
