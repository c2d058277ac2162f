import { bytesToHex } from "@noble/hashes/utils.js";
import { codeBytes } from "./hex.ts";
import { base58 } from "./base58.ts";
import { decodeCbor, type CborValue } from "./cbor.ts";

/** The languages whose compilers leave auxdata, as it names them. */
export type CodeLanguage = "Solidity" | "Vyper";

/**
 * What a compiler left behind the code it made (docs/metadata.rst of solc; `compile_ir.py` of Vyper). Offsets
 * are bytes of the code that holds the auxdata; `end` is the first byte behind it, its length field included.
 */
export interface Auxdata {
  readonly start: number;
  readonly end: number;
  readonly language: CodeLanguage;
  /** `0.8.30`, or the whole text of a prerelease; absent before solc 0.5.9. */
  readonly compilerVersion?: string;
  readonly hash?: MetadataHash;
  /** Solidity: an experimental feature or a compiler that is no release. */
  readonly experimental: boolean;
  /** Vyper 0.3.10 and newer, in creation code only. */
  readonly layout?: VyperLayout;
}

/** The hash of the metadata file, and with it of every source and setting. */
export interface MetadataHash {
  readonly kind: HashKind;
  /** Hex without `0x`: a multihash of 34 bytes for IPFS, else 32 bytes. */
  readonly digest: string;
}

/** IPFS, the Swarm hash of before 0.5.12, and the one of after it. */
type HashKind = "ipfs" | "bzzr0" | "bzzr1";

/** What Vyper's creation code says of itself. All lengths are bytes. */
interface VyperLayout {
  /** From 0.4.1 on: SHA-256 over the sources, hex without `0x`. */
  readonly integrity?: string;
  readonly runtimeLength: number;
  readonly dataSectionLengths: readonly number[];
  /** How much is appended to the runtime code at deployment. */
  readonly immutablesLength: number;
}

/** None is longer; Vyper's grows with its data sections. */
const MAX_LENGTH = 1_024;
const VYPER_WITHOUT_LENGTH = Uint8Array.from([0xa1, 0x65, 0x76, 0x79, 0x70, 0x65, 0x72, 0x83]);

/**
 * All auxdata in a code, in order: a factory carries that of its children before its own. Auxdata is
 * recognised by a length field whose bytes decode to one of the compilers' own forms, not by its first bytes.
 */
export function findAuxdata(code: Uint8Array): Auxdata[] {
  const found: Auxdata[] = [];
  for (let end = 4; end <= code.length; end++) {
    const auxdata = auxdataEndingAt(code, end);
    const previous = found.at(-1);
    if (!auxdata) continue;
    // Vyper's array holds the map that an older Vyper wrote alone: the outer one counts.
    if (previous && auxdata.start < previous.end) {
      if (auxdata.start > previous.start) continue;
      found.pop();
    }
    found.push(auxdata);
  }
  return found;
}

/** The auxdata that the code as a whole ends with. */
export function lastAuxdata(code: Uint8Array): Auxdata | undefined {
  return auxdataEndingAt(code, code.length);
}

function auxdataEndingAt(code: Uint8Array, end: number): Auxdata | undefined {
  const length = ((code[end - 2] ?? 0) << 8) | (code[end - 1] ?? 0);
  if (length >= 4 && length <= MAX_LENGTH) {
    const start = end - 2 - length;
    if (start >= 0 && (code[start] ?? 0) >> 5 === 5) {
      const fields = fieldsOfMap(decodeCbor(code, start, end - 2));
      if (fields) return { start, end, ...fields };
    }
    // Vyper's arrays count the two bytes of the length field, too.
    const inclusive = end - length;
    if (inclusive >= 0 && (code[inclusive] ?? 0) >> 5 === 4) {
      const fields = fieldsOfArray(decodeCbor(code, inclusive, end - 2));
      if (fields) return { start: inclusive, end, ...fields };
    }
  }
  return vyperWithoutLength(code, end);
}

/** Vyper before 0.3.5 wrote the map and no length behind it. */
function vyperWithoutLength(code: Uint8Array, end: number): Auxdata | undefined {
  const start = end - VYPER_WITHOUT_LENGTH.length - 3;
  if (start < 0 || VYPER_WITHOUT_LENGTH.some((byte, at) => code[start + at] !== byte)) return undefined;
  // The same bytes with 000b behind them are the form with a length, which is found at its own end.
  if (code[end] === 0 && code[end + 1] === end - start) return undefined;
  const fields = fieldsOfMap(decodeCbor(code, start, end));
  return fields && { start, end, ...fields };
}

type Fields = Omit<Auxdata, "start" | "end">;

function fieldsOfMap(map: CborValue | undefined): Fields | undefined {
  if (!(map instanceof Map)) return undefined;
  const fields = map as ReadonlyMap<string, CborValue>;
  const vyper = fields.get("vyper");
  if (vyper !== undefined) {
    const compilerVersion = versionOf(vyper);
    return compilerVersion && fields.size === 1
      ? { language: "Vyper", compilerVersion, experimental: false }
      : undefined;
  }
  const compilerVersion = versionOf(fields.get("solc"));
  const hash = hashOf(fields);
  const experimental = fields.get("experimental") === true;
  if (!compilerVersion && !hash && !experimental) return undefined;
  return {
    language: "Solidity",
    ...(compilerVersion && { compilerVersion }),
    ...(hash && { hash }),
    experimental,
  };
}

function fieldsOfArray(value: CborValue | undefined): Fields | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value as readonly CborValue[];
  const integrity = items.length === 5 ? items[0] : undefined;
  const [runtimeLength, dataSectionLengths, immutablesLength, map] = items.slice(-4);
  if (
    items.length < 4 ||
    items.length > 5 ||
    (items.length === 5 && !(integrity instanceof Uint8Array && integrity.length === 32)) ||
    typeof runtimeLength !== "number" ||
    typeof immutablesLength !== "number" ||
    !Array.isArray(dataSectionLengths) ||
    !dataSectionLengths.every((length) => typeof length === "number")
  ) {
    return undefined;
  }
  const fields = map instanceof Map && map.has("vyper") ? fieldsOfMap(map) : undefined;
  if (!fields) return undefined;
  return {
    ...fields,
    layout: {
      ...(integrity instanceof Uint8Array && { integrity: bytesToHex(integrity) }),
      runtimeLength,
      dataSectionLengths: dataSectionLengths,
      immutablesLength,
    },
  };
}

/** Three numbers for a release, as bytes (solc) or as a list (Vyper); a text for solc's prereleases. */
function versionOf(value: CborValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  const numbers =
    value instanceof Uint8Array ? [...value] : Array.isArray(value) ? (value as readonly unknown[]) : [];
  return numbers.length === 3 && numbers.every((number) => typeof number === "number")
    ? numbers.join(".")
    : undefined;
}

function hashOf(fields: ReadonlyMap<string, CborValue>): MetadataHash | undefined {
  for (const kind of ["ipfs", "bzzr1", "bzzr0"] as const) {
    const value = fields.get(kind);
    const length = kind === "ipfs" ? 34 : 32;
    if (value instanceof Uint8Array && value.length === length) return { kind, digest: bytesToHex(value) };
  }
  return undefined;
}

/** The hash as people write it: `ipfs://Qm…` or `bzz-raw://…`. */
export function hashText({ kind, digest }: MetadataHash): string {
  return kind === "ipfs" ? `ipfs://${base58(codeBytes(digest))}` : `bzz-raw://${digest}`;
}
