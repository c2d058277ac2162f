import { hexToBytes } from "@noble/hashes/utils.js";

/**
 * The bytes of a bytecode, with or without `0x`. What follows the first character that is no hexadecimal
 * digit, such as a library's placeholder, is left out, as the public service does when it stores a code.
 */
export function codeBytes(code: string | null | undefined): Uint8Array {
  const digits = /^(?:0x)?((?:[0-9a-f]{2})*)/i.exec(code ?? "")?.[1] ?? "";
  return hexToBytes(digits);
}

/** The bytes of a bytecode, placeholders of libraries as the zeros that solc leaves elsewhere. */
export function unlinkedCodeBytes(code: string): Uint8Array {
  return codeBytes(unlinked(code));
}

/**
 * A bytecode with one address for all placeholders of libraries (`__$…$__`, before 0.5 `__Name___…`).
 *
 * @param address 40 digits, without `0x`
 */
export function linkedAt(code: string, address: string): string {
  return code.replace(/__.{36}__/g, address);
}

/** The digits of a bytecode without `0x`, placeholders of libraries as zeros. */
function unlinked(code: string): string {
  return linkedAt(code.replace(/^0x/i, ""), "0".repeat(40));
}

/** The bytes of a bytecode, placeholders of libraries as zeros; `undefined` for what is none to its end. */
export function wholeCodeBytes(code: unknown): Uint8Array | undefined {
  return typeof code === "string" ? bytesOfHex(unlinked(code)) : undefined;
}

/** The bytes of hex with or without `0x`; `undefined` for anything else. */
export function bytesOfHex(hex: unknown): Uint8Array | undefined {
  if (typeof hex !== "string" || !/^(?:0x)?(?:[0-9a-f]{2})*$/i.test(hex)) return undefined;
  return hexToBytes(hex.replace(/^0x/i, ""));
}

/** The bytes of base64 or base64url, line breaks allowed; `undefined` for anything else. */
export function base64ToBytes(text: unknown): Uint8Array | undefined {
  if (typeof text !== "string") return undefined;
  const packed = text.replace(/\s+/g, "");
  if (!/^[\w+/-]*={0,2}$/.test(packed) || packed.replace(/=+$/, "").length % 4 === 1) return undefined;
  return new Uint8Array(Buffer.from(packed, "base64"));
}

/** The text of bytes that are UTF-8 without control characters other than line breaks and tabs. */
export function readableText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
