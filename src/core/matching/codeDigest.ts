import { wholeCodeBytes } from "../evm/hex.ts";
import { disassemble } from "../evm/disassembly.ts";
import { findAuxdata, lastAuxdata } from "../evm/auxdata.ts";
import { findProxy } from "../evm/proxy.ts";
import { PUSH20, PUSH32, pushSize } from "../evm/opcodes.ts";
import { sha256 } from "@noble/hashes/sha2.js";

/** How the code of an artifact is told from other code, without keeping the code. */
export interface CodeDigest {
  /** Bytes of the artifact's code. */
  readonly length: number;
  /** Hash of the code in which everything is masked that a deployment may change. */
  readonly masked: string;
  /** Hash of the metadata behind the code. */
  readonly metadata: string;
  /** Vyper appends immutables to the code that is deployed. */
  readonly isPrefix: boolean;
}

/**
 * The digest of an artifact's deployed code. Immutables are 32 zero bytes behind a PUSH32 until a deployment fills
 * them, and libraries are placeholders behind a PUSH20 (docs.soliditylang.org, "Contract Metadata" and the compiler's
 * `immutableReferences` and `linkReferences`), so that no list of places is needed, which some tools do not keep.
 *
 * @param hex with or without `0x`; library placeholders (`__$…$__`) may stand in it
 * @param isPrefix data of the deployment may stand behind the code
 * @returns `undefined` for no code: an interface, an abstract contract
 */
export function codeDigestOf(hex: unknown, isPrefix: boolean): CodeDigest | undefined {
  const code = wholeCodeBytes(hex);
  if (!code || code.length === 0) return undefined;
  const metadata = hashOf(metadataOf(code));
  return { length: code.length, isPrefix, metadata, masked: hashOf(maskedCode(code)) };
}

/** Code from a chain, ready to be compared with digests. */
export class DeployedCode {
  readonly #code: Uint8Array;
  readonly #masked = new Map<number, string>();

  /** @param hex with or without `0x` */
  constructor(hex: string) {
    this.#code = wholeCodeBytes(hex) ?? new Uint8Array();
  }

  get isEmpty(): boolean {
    return this.#code.length === 0;
  }

  /** The address that a minimal proxy (EIP-1167) forwards its calls to, or a delegated account (EIP-7702); lower case. */
  get delegate(): string | undefined {
    return findProxy(disassemble(this.#code))?.implementation;
  }

  /** Whether the code is what an artifact's code becomes when it is deployed. */
  matches({ length, masked, isPrefix }: CodeDigest): boolean {
    if (isPrefix ? this.#code.length < length : this.#code.length !== length) return false;
    let own = this.#masked.get(length);
    if (own === undefined) {
      own = hashOf(maskedCode(this.#code.slice(0, length)));
      this.#masked.set(length, own);
    }
    return own === masked;
  }

  /** Whether the metadata agrees too, which tells contracts apart that have the same code. */
  hasMetadataOf({ metadata }: CodeDigest): boolean {
    return hashOf(metadataOf(this.#code)) === metadata;
  }
}

/** The auxdata that the code ends with. */
function metadataOf(code: Uint8Array): Uint8Array {
  const auxdata = lastAuxdata(code);
  return auxdata ? code.slice(auxdata.start) : new Uint8Array();
}

/** Masks, in place, what a deployment or a comment may change; what is behind a PUSH20 or a PUSH32 counts as that. */
function maskedCode(code: Uint8Array): Uint8Array {
  for (const { start, end } of findAuxdata(code)) code.fill(0, start, end);
  for (let at = 0; at < code.length; at++) {
    const operation = code[at] ?? 0;
    const operand = pushSize(operation);
    if (operation === PUSH20 || operation === PUSH32) code.fill(0, at + 1, at + 1 + operand);
    at += operand;
  }
  return code;
}

/** 96 bits are enough to tell the contracts of a workspace apart. */
function hashOf(code: Uint8Array): string {
  return Buffer.from(sha256(code).subarray(0, 12)).toString("base64");
}
