/** The same for two ways to write one deployment: a chain's id in decimal, and an address in any case. */
export function deploymentKey({
  chainId,
  address,
}: {
  readonly chainId: string;
  readonly address: string;
}): string {
  return `${chainId} ${address.toLowerCase()}`;
}
