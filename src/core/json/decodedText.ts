import type { Pieces } from "../concurrency/turns.ts";

/** To make a text of so many bytes takes a millisecond or two. */
const PART_BYTES = 1_048_576;

/** The text that bytes in UTF-8 stand for, in pieces. */
export function* decodedInPieces(bytes: Uint8Array): Pieces<string> {
  const decoder = new TextDecoder();
  let text = "";
  let from = 0;
  for (; bytes.length - from > PART_BYTES; from += PART_BYTES) {
    text += decoder.decode(bytes.subarray(from, from + PART_BYTES), { stream: true });
    yield;
  }
  return text + decoder.decode(bytes.subarray(from));
}
