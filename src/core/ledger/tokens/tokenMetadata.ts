import { parseJson } from "../../json/looseData.ts";
import { bytesToHex } from "@noble/hashes/utils.js";
import { base64ToBytes, readableText } from "../../evm/hex.ts";
import { rawText } from "../../json/jsonText.ts";

/** What a base64 field holds. */
export type TokenMetadata =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "json";
      /** As it is written; digits and all. */
      readonly text: string;
    }
  | {
      readonly kind: "bytes";
      /** Without `0x`. */
      readonly hex: string;
    }
  /** No base64, shown as it came. */
  | { readonly kind: "unreadable"; readonly text: string };

/** Reads base64 metadata as JSON, text or bytes. */
export function readTokenMetadata(value: unknown): TokenMetadata {
  if (value === null || value === undefined || value === "") return { kind: "none" };
  const bytes = base64ToBytes(value);
  if (!bytes) {
    return { kind: "unreadable", text: rawText(value) };
  }
  const text = readableText(bytes);
  if (text === undefined) return { kind: "bytes", hex: bytesToHex(bytes) };
  return { kind: /^\s*[[{]/.test(text) && parseJson(text) !== undefined ? "json" : "text", text };
}
