import { concatBytes } from "@noble/hashes/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { base58 } from "./base58.ts";

/** Size of a chunk and links of a node, as `ipfs add` and solc have them (libsolutil/IpfsHash.cpp). */
const CHUNK_BYTES = 256 * 1024;
const MAX_LINKS = 174;

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

function leaf(data: Uint8Array): DagNode {
  // UnixFS: type file (field 1), data (field 2, absent when empty), file size (field 3).
  const record = concat(
    [0x08, 0x02],
    ...(data.length > 0 ? [[0x12], varint(data.length), data] : []),
    [0x18],
    varint(data.length),
  );
  const block = concat([0x0a], varint(record.length), record);
  return node(block, data.length, 0);
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
    multihash: concat([0x12, 0x20], sha256(block)),
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
