const DIGITS = "0123456789abcdef";

/** Bytes as lower-case hex without `0x`. */
export function bytesToHex(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += (DIGITS[byte >> 4] ?? "") + (DIGITS[byte & 15] ?? "");
  return hex;
}

/** The bytes of hex with or without `0x`; `undefined` for anything else. */
export function hexToBytes(hex: unknown): Uint8Array | undefined {
  if (typeof hex !== "string" || !/^(?:0x)?(?:[0-9a-f]{2})*$/i.test(hex)) return undefined;
  return new Uint8Array(Buffer.from(hex.replace(/^0x/i, ""), "hex"));
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
