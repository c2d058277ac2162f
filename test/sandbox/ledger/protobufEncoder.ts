/** A field of a message to be: its number and what it holds. */
export type EncodedField = Uint8Array;

/** A varint as protobuf writes it; negative numbers in two's complement of 64 bits. */
export function varint(value: bigint): Uint8Array {
  let rest = BigInt.asUintN(64, value);
  const bytes: number[] = [];
  do {
    bytes.push(Number(rest % 128n) + (rest >= 128n ? 128 : 0));
    rest /= 128n;
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

/** An int64, uint64, int32, bool or enum field. */
export function integerOf(number: number, value: bigint): EncodedField {
  return Buffer.concat([varint(BigInt(number) * 8n), varint(value)]);
}

/** A sint64 field: zigzag. */
export function zigzagOf(number: number, value: bigint): EncodedField {
  return integerOf(number, value >= 0n ? value * 2n : -value * 2n - 1n);
}

/** A bytes, string or message field. */
export function bytesOf(number: number, ...parts: readonly Uint8Array[]): EncodedField {
  const content = Buffer.concat(parts);
  return Buffer.concat([varint(BigInt(number) * 8n + 2n), varint(BigInt(content.length)), content]);
}

/** A string field. */
export function textOf(number: number, text: string): EncodedField {
  return bytesOf(number, Buffer.from(text));
}

/** `AccountID`, `TokenID` or `ContractID`; zeros are left out, as encoders do. */
export function entityOf(number: number, id: string): EncodedField {
  const parts = id.split(".").map(BigInt);
  return bytesOf(number, ...parts.flatMap((part, at) => (part === 0n ? [] : [integerOf(at + 1, part)])));
}
