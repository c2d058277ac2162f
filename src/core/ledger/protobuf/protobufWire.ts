/** A field of a message as it is on the wire (protobuf.dev, "Encoding"). */
export type WireField =
  | { readonly number: number; readonly type: "varint"; readonly value: bigint }
  | { readonly number: number; readonly type: "bytes"; readonly value: Uint8Array }
  | { readonly number: number; readonly type: "fixed"; readonly value: Uint8Array };

/**
 * The fields of a serialized message in the order of the bytes; `undefined` when the bytes are no message.
 * Groups, which no message of the ledger has, count as malformed.
 */
export function readMessage(bytes: Uint8Array): WireField[] | undefined {
  const fields: WireField[] = [];
  let at = 0;
  const varint = (): bigint | undefined => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) return undefined;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    return undefined;
  };
  while (at < bytes.length) {
    const tag = varint();
    if (tag === undefined || tag > 0xffff_ffffn) return undefined;
    const number = Number(tag >> 3n);
    const wireType = Number(tag & 7n);
    if (number === 0) return undefined;
    if (wireType === 0) {
      const value = varint();
      if (value === undefined) return undefined;
      fields.push({ number, type: "varint", value });
      continue;
    }
    const length = wireType === 2 ? varint() : wireType === 1 ? 8n : wireType === 5 ? 4n : undefined;
    if (length === undefined || length > BigInt(bytes.length - at)) return undefined;
    const value = bytes.subarray(at, at + Number(length));
    fields.push({ number, type: wireType === 2 ? "bytes" : "fixed", value });
    at += Number(length);
  }
  return fields;
}

/** The last varint with this number, as protobuf has it; 0 when there is none. */
export function varintField(fields: readonly WireField[], number: number): bigint {
  const field = fields.findLast((one) => one.number === number && one.type === "varint");
  return field?.type === "varint" ? field.value : 0n;
}

/** A varint of type int64 or int32. */
export function signedField(fields: readonly WireField[], number: number): bigint {
  return BigInt.asIntN(64, varintField(fields, number));
}

/** A varint of type sint64: zigzag. */
export function zigzagField(fields: readonly WireField[], number: number): bigint {
  const value = varintField(fields, number);
  return value % 2n === 0n ? value / 2n : -(value + 1n) / 2n;
}

/** Every length-delimited field with this number. */
export function bytesFields(fields: readonly WireField[], number: number): Uint8Array[] {
  return fields.flatMap((field) => (field.number === number && field.type === "bytes" ? [field.value] : []));
}

/** The last length-delimited field with this number. */
export function bytesField(fields: readonly WireField[], number: number): Uint8Array | undefined {
  return bytesFields(fields, number).at(-1);
}
