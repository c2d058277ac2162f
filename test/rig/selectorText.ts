/** `0x` and 8 lower-case hex digits. */
export function selectorText(selector: number): string {
  return `0x${selector.toString(16).padStart(8, "0")}`;
}
