import { bytesToHex } from "@noble/hashes/utils.js";
import { bytesField, readMessage, signedField } from "./protobufWire.ts";

/**
 * A serialized `AccountID`, `TokenID`, `ContractID` or the like: shard=1, realm=2, number=3, and for an account
 * alias or EVM address=4 (hedera-protobufs services/basic_types.proto). As `shard.realm.num`, or as `0x` and the
 * alias; `undefined` when the bytes are no such message.
 */
export function entityIdMessage(bytes: Uint8Array | undefined): string | undefined {
  const fields = bytes && readMessage(bytes);
  const isKnown = fields?.every(
    ({ number, type }) => type === (number === 4 ? "bytes" : "varint") && number <= 4,
  );
  if (!fields || isKnown !== true) return undefined;
  const alias = bytesField(fields, 4);
  return alias
    ? `0x${bytesToHex(alias)}`
    : `${signedField(fields, 1)}.${signedField(fields, 2)}.${signedField(fields, 3)}`;
}
