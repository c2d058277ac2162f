import { t } from "@vscode/l10n";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { encodedAddress } from "./address.ts";
import type { StorageLayout } from "./storageLayout.ts";

/** A variable, or a part of one, that lies in a slot. */
export interface StoredVariable {
  /** `owner`, `balances[0x7099…79c8]`, `orders[3].amount`, `names.length` */
  readonly name: string;
  /** As the language writes its type: `uint256`, `contract Token`. */
  readonly type: string;
  /** Bytes to its right in the slot. */
  readonly offset: number;
  readonly bytes: number;
}

/** Types within types that are looked into; a layout may name itself. */
const MAX_LEVELS = 8;
/** Keys of mappings are tried one by one, and of mappings of mappings in pairs: so many hashes for one contract. */
const MAX_HASHES = 30_000;
/** Types that are looked into for one slot, and for all slots of a contract, whatever a layout says of itself. */
const MAX_STEPS = 50_000;
const MAX_STEPS_IN_ALL = 200_000;
/** Elements of dynamic arrays, and words of a text, that are looked for. */
const MAX_ELEMENTS = 2n ** 32n;
/** Elements whose own arrays and mappings are looked into. */
const MAX_INDEX = 32n;
const WORD = 32;
/** Types whose values are addresses. */
export const ADDRESS_TYPE = /^(?:address|contract )/;

/**
 * Finds the variables of slots. What lies in a mapping is found by the keys that are given: a slot is the hash of the key
 * and does not tell it.
 */
export class StoredVariables {
  readonly #layout: StorageLayout;
  /** Words of 32 bytes, hex without `0x`. */
  readonly #keys: readonly string[];
  /** The same of any length. */
  readonly #texts: readonly string[];
  readonly #addressText: (address: string) => string;
  readonly #hashes = new Map<string, bigint>();
  #steps = 0;
  #stepsInAll = 0;

  /**
   * @param keys words that may be keys: addresses, numbers and hashes that the transaction names
   * @param texts texts and bytes that may be keys, as {@link textsIn} finds them
   * @param addressText how an address is written where it is a key
   */
  constructor(
    layout: StorageLayout,
    keys: Iterable<string>,
    texts: Iterable<string> = [],
    addressText: (address: string) => string = (address) => address,
  ) {
    this.#layout = layout;
    this.#addressText = addressText;
    this.#texts = [...new Set(texts)].filter((text) => /^(?:[0-9a-f]{2})*$/.test(text));
    this.#keys = [...new Set(keys)].filter((key) => /^[0-9a-f]{64}$/.test(key));
  }

  /** The variables in a slot, from the right; none where the layout knows none there. */
  at(slot: bigint): StoredVariable[] {
    const found: StoredVariable[] = [];
    this.#stepsInAll += this.#steps;
    this.#steps = this.#stepsInAll > MAX_STEPS_IN_ALL ? MAX_STEPS : 0;
    for (const { label, slot: base, offset, type } of this.#layout.storage)
      this.#collect({ slot, base: BigInt(base), offset, type, name: label, level: 0 }, found);
    return found.sort((one, other) => one.offset - other.offset);
  }

  #collect(place: Place, found: StoredVariable[]): void {
    const { slot, base, offset, name, level } = place;
    const type = this.#layout.types?.get(place.type);
    if (!type || level > MAX_LEVELS || ++this.#steps > MAX_STEPS) return;
    const within = (change: Partial<Place>) =>
      this.#collect({ ...place, level: level + 1, ...change }, found);
    switch (type.encoding) {
      case "inplace": {
        if (type.members) {
          // What a member points to lies outside of the struct.
          for (const member of type.members)
            within({
              base: base + BigInt(member.slot),
              offset: member.offset,
              type: member.type,
              name: `${name}.${member.label}`,
            });
          return;
        }
        const slots = (BigInt(type.numberOfBytes) + 31n) / 32n;
        const isWithin = slot >= base && slot < base + slots;
        if (type.base !== undefined)
          this.#elements(place, base, type.base, isWithin, found, lengthOf(type.label));
        else if (isWithin)
          found.push({ name, type: type.label, offset, bytes: Math.min(Number(type.numberOfBytes), WORD) });
        return;
      }
      case "mapping": {
        const { key: keyType, value } = type;
        if (keyType === undefined || value === undefined) return;
        const { label = "", encoding } = this.#layout.types?.get(keyType) ?? {};
        // The key itself is hashed, and no word that it is put into.
        const isText = encoding === "bytes";
        for (const key of isText ? this.#texts : this.#keys) {
          const words = isText ? textOfBytes(key, label) : keyWords(key, label);
          if (words === undefined) continue;
          const keyText = ADDRESS_TYPE.test(label) ? this.#addressText(words) : words;
          const hashed = this.#hash(key + word(base));
          if (hashed !== undefined)
            within({ base: hashed, offset: 0, type: value, name: `${name}[${keyText}]` });
        }
        return;
      }
      case "dynamic_array": {
        if (slot === base) found.push({ name: `${name}.length`, type: "uint256", offset: 0, bytes: WORD });
        const data = this.#hash(word(base));
        if (type.base !== undefined && data !== undefined)
          this.#elements(place, data, type.base, slot >= data && slot < data + MAX_ELEMENTS, found);
        return;
      }
      case "bytes": {
        if (slot === base) found.push({ name, type: type.label, offset: 0, bytes: WORD });
        const data = this.#hash(word(base));
        if (data !== undefined && slot >= data && slot < data + MAX_ELEMENTS)
          found.push({
            name: t`${name} from byte ${String((slot - data) * 32n)}`,
            type: "bytes32",
            offset: 0,
            bytes: WORD,
          });
      }
    }
  }

  /**
   * The elements of an array that lie in the slot: several where they are small, or the one that it is a part of. Where
   * elements point to what lies elsewhere, that of the first ones is looked at, too.
   */
  #elements(
    place: Place,
    first: bigint,
    element: string,
    isWithin: boolean,
    found: StoredVariable[],
    length?: bigint,
  ): void {
    const { slot, name, level } = place;
    const bytes = BigInt(this.#layout.types?.get(element)?.numberOfBytes ?? 0);
    if (bytes === 0n) return;
    const next = { ...place, type: element, level: level + 1, offset: 0 };
    if (bytes > 16n) {
      const slots = (bytes + 31n) / 32n;
      const at = (index: bigint) =>
        this.#collect({ ...next, base: first + index * slots, name: `${name}[${index}]` }, found);
      if (isWithin) at((slot - first) / slots);
      else if (this.#pointsElsewhere(element, level))
        for (let index = 0n; index < (length ?? MAX_INDEX) && index < MAX_INDEX; index++) at(index);
      return;
    }
    if (!isWithin) return;
    const perSlot = 32n / bytes;
    for (let at = 0n; at < perSlot; at++) {
      const index = (slot - first) * perSlot + at;
      if (length !== undefined && index >= length) return;
      this.#collect({ ...next, base: slot, offset: Number(at * bytes), name: `${name}[${index}]` }, found);
    }
  }

  #pointsElsewhere(typeId: string, level: number): boolean {
    const type = this.#layout.types?.get(typeId);
    if (!type || level > MAX_LEVELS) return false;
    if (type.encoding !== "inplace") return true;
    const inside = type.members?.map((member) => member.type) ?? (type.base === undefined ? [] : [type.base]);
    return inside.some((one) => this.#pointsElsewhere(one, level + 1));
  }

  /** Keccak-256 of words, kept; `undefined` once there are too many. */
  #hash(words: string): bigint | undefined {
    const known = this.#hashes.get(words);
    if (known !== undefined || this.#hashes.size >= MAX_HASHES) return known;
    const hash = BigInt(`0x${bytesToHex(keccak_256(hexToBytes(words)))}`);
    this.#hashes.set(words, hash);
    return hash;
  }
}

/** Where something begins, and the slot that is looked for. */
interface Place {
  readonly slot: bigint;
  readonly base: bigint;
  readonly offset: number;
  /** Id of the type. */
  readonly type: string;
  readonly name: string;
  readonly level: number;
}

function word(value: bigint): string {
  return BigInt.asUintN(256, value).toString(16).padStart(64, "0");
}

/** The length of a static array, by how its type is written: `uint8[40]`. */
function lengthOf(label: string): bigint | undefined {
  const length = /\[(\d{1,78})\]$/.exec(label)?.[1];
  return length === undefined ? undefined : BigInt(length);
}

/** A word as a key of a type; `undefined` where it can't be one. */
function keyWords(key: string, type: string): string | undefined {
  if (ADDRESS_TYPE.test(type)) return encodedAddress(key);
  if (/^(?:u?int|enum |bool)/.test(type)) return storedText(key, { type, offset: 0, bytes: WORD });
  if (/^bytes\d/.test(type)) return `0x${key.slice(0, 2 * Number(type.slice(5)))}`;
  // A layout does not say of what type a type of the source's own is.
  return type === "" ? undefined : ownTypeText(key);
}

/** A value of a type that is not known: a number where it begins with zeros, as numbers do; an address has 20 bytes. */
function ownTypeText(digits: string): string {
  return digits.length !== 40 && digits.startsWith("00") ? String(BigInt(`0x${digits}`)) : `0x${digits}`;
}

/** Bytes as their type is written: a text in quotes, or hex. */
function textOfBytes(hex: string, type: string): string {
  return type.startsWith("string") ? JSON.stringify(new TextDecoder().decode(hexToBytes(hex))) : `0x${hex}`;
}

/** No longer text is a key. */
const MAX_TEXT_BYTES = 1_024;

/**
 * What may be a text or bytes of any length among encoded arguments: a length, and behind it so many bytes, filled up with
 * zeros to whole words (docs.soliditylang.org, Contract ABI Specification).
 *
 * @param data hex without `0x`, in words of 32 bytes
 */
export function textsIn(data: string, most: number): string[] {
  const found: string[] = [];
  for (let at = 0; at + 128 <= data.length && found.length < most; at += 64) {
    const length = Number(BigInt(`0x${data.slice(at, at + 64)}`));
    if (length === 0 || length > MAX_TEXT_BYTES) continue;
    const end = at + 64 + 2 * length;
    const filled = at + 64 + 64 * Math.ceil(length / WORD);
    if (filled <= data.length && /^0*$/.test(data.slice(end, filled))) found.push(data.slice(at + 64, end));
  }
  return found;
}

/**
 * The value of a variable in a word, as a person writes it: numbers in decimal, addresses and bytes in hex, short texts in
 * quotes.
 *
 * @param slot hex without `0x`, of at most 64 digits
 */
export function storedText(
  slot: string,
  { type, offset, bytes }: Pick<StoredVariable, "type" | "offset" | "bytes">,
): string {
  const whole = slot.padStart(64, "0");
  if (type === "string" || type === "bytes") return shortBytes(whole, type);
  const end = 64 - 2 * offset;
  const digits = whole.slice(Math.max(0, end - 2 * bytes), end);
  const number = BigInt(`0x${digits === "" ? "0" : digits}`);
  if (type === "bool") return number === 0n ? "false" : "true";
  if (/^(?:uint|enum )/.test(type)) return String(number);
  if (type.startsWith("int")) return String(BigInt.asIntN(8 * bytes, number));
  return /^(?:address|contract |bytes\d)/.test(type) ? `0x${digits}` : ownTypeText(digits);
}

/** Up to 31 bytes lie in the slot with twice their length; of more there is but the length (the same document). */
function shortBytes(whole: string, type: string): string {
  const last = BigInt(`0x${whole}`);
  if (last % 2n === 1n) return `${(last - 1n) / 2n} bytes`;
  const length = Number(last & 0xffn) / 2;
  if (length > 31) return `0x${whole}`;
  const hex = whole.slice(0, 2 * length);
  return textOfBytes(hex, type);
}
