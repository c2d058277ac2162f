import { createHash, type Hash } from "node:crypto";
import { concatBytes } from "@noble/hashes/utils.js";
import { base58 } from "./base58.ts";

/** Size of a chunk and links of a node, as `ipfs add` and solc have them (libsolutil/IpfsHash.cpp). */
const CHUNK_BYTES = 256 * 1024;
const MAX_LINKS = 174;

const SHA_256_BYTES = 32;
/** What stands before the digest: SHA-256, and its length. */
const MULTIHASH = [0x12, SHA_256_BYTES];

interface DagNode {
  readonly multihash: Uint8Array;
  /** Bytes of the file below this node. */
  readonly fileBytes: number;
  /** Bytes of this node and of all nodes below it. */
  readonly storedBytes: number;
}

/**
 * The multihash (34 bytes, `1220…`) that IPFS and solc give a file: SHA-256 of its dag-pb node with a UnixFS
 * record (ipfs/specs, UNIXFS.md); a file of more than 256 KiB becomes a balanced tree of such nodes.
 */
export function ipfsMultihash(file: Uint8Array): Uint8Array {
  let level: DagNode[] = [];
  for (let start = 0; start < file.length || start === 0; start += CHUNK_BYTES)
    level.push(leaf(file.subarray(start, start + CHUNK_BYTES)));
  while (level.length > 1) {
    const parents: DagNode[] = [];
    for (let start = 0; start < level.length; start += MAX_LINKS)
      parents.push(parent(level.slice(start, start + MAX_LINKS)));
    level = parents;
  }
  return level[0]?.multihash ?? new Uint8Array();
}

/** The same as a CIDv0: `Qm…`. */
export function ipfsCid(file: Uint8Array): string {
  return base58(ipfsMultihash(file));
}

/** Files that begin alike, of which the beginning is hashed once for all that are of one length. */
export class FilesBeginningAlike {
  readonly #start: Uint8Array;
  readonly #begun = new Map<number, { readonly hash: Hash; readonly end: Uint8Array }>();

  constructor(start: Uint8Array) {
    this.#start = start;
  }

  /** {@link ipfsMultihash} of the file that goes on with `next` and ends with `last`. */
  multihash(next: Uint8Array, last: Uint8Array): Uint8Array {
    const length = this.#start.length + next.length + last.length;
    if (length > CHUNK_BYTES || length === 0) return ipfsMultihash(concat(this.#start, next, last));
    let begun = this.#begun.get(length);
    if (!begun) {
      const { before, end } = leafAround(length);
      begun = { hash: createHash("sha256").update(before).update(this.#start), end };
      this.#begun.set(length, begun);
    }
    const multihash = new Uint8Array(MULTIHASH.length + SHA_256_BYTES);
    multihash.set(MULTIHASH);
    multihash.set(begun.hash.copy().update(next).update(last).update(begun.end).digest(), MULTIHASH.length);
    return multihash;
  }
}

function leaf(data: Uint8Array): DagNode {
  const { before, end } = leafAround(data.length);
  return node(concat(before, data, end), data.length, 0);
}

/** What stands before and behind the bytes of a file in its node. */
function leafAround(length: number): { readonly before: Uint8Array; readonly end: Uint8Array } {
  // UnixFS: type file (field 1), data (field 2, absent when empty), file size (field 3).
  const start = concat([0x08, 0x02], ...(length > 0 ? [[0x12], varint(length)] : []));
  const end = concat([0x18], varint(length));
  return { before: concat([0x0a], varint(start.length + length + end.length), start), end };
}

function parent(children: readonly DagNode[]): DagNode {
  const fileBytes = children.reduce((sum, child) => sum + child.fileBytes, 0);
  const links = children.map((child) => {
    // PBLink: hash (field 1), an empty name (field 2), the size of the whole subtree (field 3).
    const link = concat([0x0a, 0x22], child.multihash, [0x12, 0x00, 0x18], varint(child.storedBytes));
    return concat([0x12], varint(link.length), link);
  });
  const record = concat(
    [0x08, 0x02, 0x18],
    varint(fileBytes),
    ...children.flatMap((child) => [[0x20], varint(child.fileBytes)]),
  );
  const block = concat(...links, [0x0a], varint(record.length), record);
  return node(
    block,
    fileBytes,
    children.reduce((sum, child) => sum + child.storedBytes, 0),
  );
}

function node(block: Uint8Array, fileBytes: number, bytesBelow: number): DagNode {
  return {
    multihash: concat(MULTIHASH, createHash("sha256").update(block).digest()),
    fileBytes,
    storedBytes: block.length + bytesBelow,
  };
}

/** An unsigned integer in base 128, least significant group first. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  return [...bytes, value];
}

function concat(...parts: readonly ArrayLike<number>[]): Uint8Array {
  return concatBytes(...parts.map((part) => (part instanceof Uint8Array ? part : Uint8Array.from(part))));
}
