/** The chains of a node on a developer's machine: of Hardhat and anvil, of Ganache and geth's development mode, and of a Hiero local node. */
export const LOCAL_CHAINS: ReadonlySet<string> = new Set(["31337", "1337", "298"]);

/**
 * A chain id in the one form in which ids are compared, stored and sent: decimal digits with no zero in front. The
 * verification interface takes at most 20 of them, and no chain has the id 0 (EIP-155).
 *
 * @param value decimal, with zeros and blanks around it or without
 * @returns `undefined` for what is no chain id
 */
export function chainIdOf(value: string | number | bigint): string | undefined {
  return /^0*([1-9]\d{0,19})$/.exec(String(value).trim())?.[1];
}

/** The same of what a program wrote: a text in decimal, or hexadecimal behind `0x`, or a number that is exact. */
export function writtenChainId(value: unknown): string | undefined {
  if (typeof value === "string") {
    const text = value.trim();
    return chainIdOf(/^0x[0-9a-f]{1,20}$/i.test(text) ? BigInt(text) : text);
  }
  return typeof value === "bigint" || Number.isSafeInteger(value) ? chainIdOf(value as number) : undefined;
}
