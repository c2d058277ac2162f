import { isAddress } from "../../evm/address.ts";

/** The parts of an entity id; `num` has at most 38 bits, so every part is a safe integer. */
interface EntityId {
  readonly shard: number;
  readonly realm: number;
  readonly num: number;
}

const MAX_SHARD = 2 ** 10 - 1;
const MAX_REALM = 2 ** 16 - 1;
const MAX_NUM = 2 ** 38 - 1;

/** An id of three numbers, if each fits (10, 16 and 38 bits: hiero-mirror-node rest/entityId.js). */
function entityId(shard: bigint, realm: bigint, num: bigint): EntityId | undefined {
  return shard <= MAX_SHARD && realm <= MAX_REALM && num <= MAX_NUM
    ? { shard: Number(shard), realm: Number(realm), num: Number(num) }
    : undefined;
}

/** Reads `shard.realm.num`; `undefined` for any other text, and where a number is too large. */
export function readEntityId(text: string): EntityId | undefined {
  return /^\d+\.\d+\.\d+$/.test(text) ? parseEntityId(text) : undefined;
}

/** Whether a text is `shard.realm.num` with numbers that an id may have, as the ledger can be asked for it. */
export function isEntityId(text: string): boolean {
  return readEntityId(text) !== undefined;
}

/** What names something that is opened by it: an id, or an address with `0x`; `undefined` for any other text. */
export function openable(canonical: string | undefined): string | undefined {
  return canonical !== undefined && (isEntityId(canonical) || isAddress(canonical)) ? canonical : undefined;
}

/** What may be {@link openable} in a text: a longer number is not, nor a part of a transaction's id or of a text in quotes. */
const OPENABLE_WORDS = /(?<![\w.@"-])(?:\d{1,19}\.\d{1,19}\.\d{1,19}|0x[0-9a-fA-F]{40})(?![\w@"-]|\.\d)/g;

/** What is {@link openable} in a text of words, and where it begins, in UTF-16 units. */
export function openablesWithin(text: string): { readonly canonical: string; readonly start: number }[] {
  return [...text.matchAll(OPENABLE_WORDS)].flatMap(({ 0: found, index }) => {
    const canonical = openable(found);
    return canonical === undefined ? [] : [{ canonical, start: index }];
  });
}

/** Reads `0.0.n`, `0.n`, `n`, or the 64-bit integer that holds all three parts. */
export function parseEntityId(text: string): EntityId | undefined {
  const parts = text.split(".");
  if (parts.length > 3 || parts.some((part) => !/^\d{1,19}$/.test(part))) return undefined;
  const [num = 0n, realm = 0n, shard = 0n] = parts.map(BigInt).reverse();
  if (parts.length > 1 || num <= MAX_NUM) return entityId(shard, realm, num);
  return entityId(num >> 54n, (num >> 38n) & 0xffffn, num & 0x3f_ffff_ffffn);
}

/** `shard.realm.num` */
export function entityIdText({ shard, realm, num }: EntityId): string {
  return `${shard}.${realm}.${num}`;
}

/** The EVM address that is made of an id: 4 bytes of shard, 8 of realm, 8 of number. */
export function longZeroAddress({ shard, realm, num }: EntityId): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
  return `0x${hex(shard, 8)}${hex(realm, 16)}${hex(num, 16)}`;
}

/** The id in a long-zero address; `undefined` for an address that was derived from a key or a deployment. */
export function fromLongZeroAddress(address: string): EntityId | undefined {
  const hex = /^(?:0x)?([0-9a-f]{40})$/i.exec(address)?.[1];
  if (hex === undefined) return undefined;
  const part = (from: number, to: number) => BigInt(`0x${hex.slice(from, to)}`);
  return entityId(part(0, 8), part(8, 24), part(24, 40));
}

/**
 * The five letters that guard an id against typing mistakes, different on every ledger (HIP-15).
 *
 * @param ledgerId the ledger's id, one byte
 */
export function entityChecksum(id: string, ledgerId: number): string {
  const p3 = 26 ** 3;
  const p5 = 26 ** 5;
  const digits = Array.from(id, (character) => (character === "." ? 10 : Number(character)));
  const sums: [number, number] = [0, 0];
  let weighted = 0;
  for (const [at, digit] of digits.entries()) {
    sums[at % 2 === 0 ? 0 : 1] += digit;
    weighted = (weighted * 31 + digit) % p3;
  }
  let ledger = 0;
  for (const byte of [ledgerId, 0, 0, 0, 0, 0, 0]) ledger = (ledger * 31 + byte) % p5;
  const lengthAndSums = ((digits.length % 5) * 11 + (sums[0] % 11)) * 11 + (sums[1] % 11);
  let check = (((lengthAndSums * p3 + weighted + ledger) % p5) * 1_000_003) % p5;
  let letters = "";
  for (let at = 0; at < 5; at++) {
    letters = String.fromCharCode(97 + (check % 26)) + letters;
    check = Math.floor(check / 26);
  }
  return letters;
}
