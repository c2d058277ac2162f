import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { StandardJsonInput } from "../../src/core/sources/standardJsonInput.ts";

/** The keccak256 of every source of an input by its name, in the order of names. */
export function hashesOf({ sources }: StandardJsonInput): Record<string, string> {
  return byName(
    Object.entries(sources).map(([name, { content }]) => [
      name,
      `0x${bytesToHex(keccak_256(utf8ToBytes(content)))}`,
    ]),
  );
}

/** The same as metadata has it. */
export function hashesIn(metadata: string): Record<string, string> {
  const { sources } = JSON.parse(metadata) as { sources: Record<string, { keccak256: string }> };
  return byName(Object.entries(sources).map(([name, { keccak256 }]) => [name, keccak256]));
}

function byName(hashes: readonly (readonly [name: string, hash: string])[]): Record<string, string> {
  return Object.fromEntries([...hashes].sort(([a], [b]) => (a < b ? -1 : 1)));
}
