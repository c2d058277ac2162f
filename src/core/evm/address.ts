/**
 * Whether a text is an address as programs write it: `0x` and 40 hex digits in any case. `0X` begins none: neither the
 * verification interface (`^0x[a-fA-F0-9]{40}$`) nor solc takes it, and EIP-55 has no checksum for it.
 */
export function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}

/** Whether two texts are one address, whatever the case of their digits, which carries a checksum (ERC-55). */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** What stands where there is no address: of one that mints, for example. */
export const ZERO_ADDRESS = `0x${"0".repeat(40)}`;

/**
 * The address in a word of the ABI, as a topic, a result or an immutable has it: behind twelve zero bytes. With anything else in
 * front of it the word is none: solc's own decoder reverts then (libsolidity/codegen/ABIFunctions.cpp, `abiDecodingFunction`).
 *
 * @param word 64 hex digits, with `0x` or without
 * @returns 0x-prefixed, lower case, the zero address, too; `undefined` for anything else
 */
export function encodedAddress(word: string | undefined): string | undefined {
  const digits = /^(?:0x)?0{24}([0-9a-fA-F]{40})$/.exec(word ?? "")?.[1];
  return digits === undefined ? undefined : `0x${digits.toLowerCase()}`;
}

/**
 * The address in a slot of storage: its low twenty bytes, whatever lies above them. Other variables may lie there, which solc
 * masks (docs.soliditylang.org, Layout of State Variables in Storage), and the EVM calls by these bytes alone (Yellow Paper,
 * CALL and DELEGATECALL).
 *
 * @param word of the slot, as a node answers it: `0x` and 1 to 64 hex digits, without zeros in front where the node saves them
 * @returns 0x-prefixed, lower case, the zero address, too; `undefined` for any other text
 */
export function storedAddress(word: string): string | undefined {
  const digits = /^0x([0-9a-fA-F]{1,64})$/.exec(word)?.[1];
  return digits === undefined ? undefined : `0x${digits.padStart(40, "0").slice(-40).toLowerCase()}`;
}
