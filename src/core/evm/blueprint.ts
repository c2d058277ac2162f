/** Whether a deployed code is a blueprint: creation code that is kept for others to deploy (ERC-5202). */
export function isBlueprint(bytes: Uint8Array): boolean {
  return bytes[0] === 0xfe && bytes[1] === 0x71;
}
