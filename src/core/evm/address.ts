/**
 * Whether a text is an address as programs write it: `0x` and 40 hex digits in any case. `0X` begins none: neither the
 * verification interface (`^0x[a-fA-F0-9]{40}$`) nor solc takes it, and EIP-55 has no checksum for it.
 */
export function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}
