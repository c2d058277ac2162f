import { concatBytes } from "@noble/hashes/utils.js";
import { keccak_256 } from "@noble/hashes/sha3.js";

const CHUNK_BYTES = 4096;
const HASH_BYTES = 32;
const BRANCHES = CHUNK_BYTES / HASH_BYTES;

/**
 * The Swarm hash that solc wrote as `bzzr0` until 0.5.11 (libsolutil/SwarmHash.cpp): Keccak-256 over the length
 * in eight bytes, least significant first, and the content, or the hashes of its parts where it is longer
 * than 4 KiB.
 */
export function swarmHash0(file: Uint8Array): Uint8Array {
  if (file.length <= CHUNK_BYTES) return keccak_256(concatBytes(littleEndian(file.length), file));
  const part = partSize(file.length);
  const hashes: Uint8Array[] = [littleEndian(file.length)];
  for (let start = 0; start < file.length; start += part)
    hashes.push(swarmHash0(file.subarray(start, start + part)));
  return keccak_256(concatBytes(...hashes));
}

/**
 * The Swarm hash that solc writes as `bzzr1` (libsolutil/SwarmHash.cpp): a binary Merkle tree over each chunk of
 * 4 KiB, and the lengths as above. An empty file has the hash zero.
 *
 * @param known what was hashed before, and is added to
 */
export function swarmHash1(file: Uint8Array, known?: ChunkHashes): Uint8Array {
  return file.length === 0 ? new Uint8Array(HASH_BYTES) : chunkHash(file, false, known);
}

/** Hashes of chunks that were hashed before: two files of which one is like the other to a part have chunks in common. */
export class ChunkHashes {
  readonly #hashes = new Map<string, Uint8Array>();

  of(data: Uint8Array, make: () => Uint8Array): Uint8Array {
    const key = LATIN_1.decode(data);
    const known = this.#hashes.get(key);
    if (known) return known;
    if (this.#hashes.size >= MAX_KNOWN_CHUNKS) this.#hashes.clear();
    const hash = make();
    this.#hashes.set(key, hash);
    return hash;
  }
}

/** At most eight megabytes of keys. */
const MAX_KNOWN_CHUNKS = 2_000;
const LATIN_1 = new TextDecoder("latin1");

function chunkHash(data: Uint8Array, isInner: boolean, known?: ChunkHashes): Uint8Array {
  return known && !isInner && data.length <= CHUNK_BYTES
    ? known.of(data, () => newChunkHash(data, isInner, known))
    : newChunkHash(data, isInner, known);
}

function newChunkHash(data: Uint8Array, isInner: boolean, known: ChunkHashes | undefined): Uint8Array {
  const chunk = new Uint8Array(CHUNK_BYTES);
  if (data.length < CHUNK_BYTES || (data.length === CHUNK_BYTES && !isInner)) {
    chunk.set(data);
  } else {
    const part = partSize(data.length);
    const hasInnerParts = part > CHUNK_BYTES;
    for (let start = 0, at = 0; start < data.length; start += part, at += HASH_BYTES)
      chunk.set(chunkHash(data.subarray(start, start + part), hasInnerParts, known), at);
  }
  return keccak_256(concatBytes(littleEndian(data.length), merkleRoot(chunk)));
}

function merkleRoot(data: Uint8Array): Uint8Array {
  if (data.length <= 2 * HASH_BYTES) return keccak_256(data);
  const middle = data.length / 2;
  return keccak_256(concatBytes(merkleRoot(data.subarray(0, middle)), merkleRoot(data.subarray(middle))));
}

/** How much content each branch of the topmost node stands for. */
function partSize(length: number): number {
  let size = CHUNK_BYTES;
  while (size * BRANCHES < length) size *= BRANCHES;
  return size;
}

function littleEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
  return bytes;
}
