import { t } from "@vscode/l10n";
import { bytesToHex } from "@noble/hashes/utils.js";
import { bytesOfHex } from "../../evm/hex.ts";
import { ownValue } from "../../json/ownValue.ts";
import { ifReadable, object, readAs } from "../../json/shape.ts";
import { foreignWhole, shortAddress } from "../../text/shownText.ts";
import { counted } from "../../text/counted.ts";
import { withShortIds } from "../../text/inBrief.ts";
import { said } from "../requests/ledgerShapes.ts";
import { jsonText } from "../../json/jsonText.ts";
import { entityIdMessage } from "../protobuf/entityIdMessage.ts";
import { readMessage, type WireField } from "../protobuf/protobufWire.ts";
import { opening } from "../references/opening.ts";
import { factRow as fact, type LedgerRow } from "../../rows/ledgerRow.ts";

/** A key, or a rule over keys. */
export type LedgerKey =
  | {
      readonly kind: "ed25519" | "ecdsa_secp256k1" | "rsa_3072" | "ecdsa_384";
      /** Without `0x`. */
      readonly hex: string;
    }
  | {
      readonly kind: "contract" | "delegatable_contract";
      /** `shard.realm.num`, or an EVM address. */
      readonly id: string;
    }
  | { readonly kind: "threshold"; readonly threshold: number; readonly keys: readonly LedgerKey[] }
  | { readonly kind: "list"; readonly keys: readonly LedgerKey[] }
  | {
      /** A key of a type that is not known here, or bytes that are no key. */
      readonly kind: "unreadable";
      readonly type: string;
      readonly text: string;
    };

const keyObject = object({ _type: ifReadable(said), key: ifReadable(said) });

/** The deepest nesting of keys that is followed; the network allows 15. */
const MAX_DEPTH = 32;

/**
 * Reads a key object `{_type, key}`; `undefined` for null and what is missing.
 *
 * A `ProtobufEncoded` key is a serialized `Key` message (hedera-protobufs services/basic_types.proto); bytes
 * that are none, such as the `010101` of the mirror node's own specifications, stay hex.
 */
export function readLedgerKey(value: unknown): LedgerKey | undefined {
  if (value === null || value === undefined) return undefined;
  const read = readAs(keyObject, value);
  if (!read) return { kind: "unreadable", type: "unknown", text: jsonText(value) };
  const { _type: type = "unknown", key: text = "" } = read;
  const bytes = bytesOfHex(text);
  const hex = text.replace(/^0x/i, "").toLowerCase();
  if (bytes && bytes.length > 0) {
    if (type === "ED25519") return { kind: "ed25519", hex };
    if (type === "ECDSA_SECP256K1") return { kind: "ecdsa_secp256k1", hex };
    const decoded = type === "ProtobufEncoded" ? decodeKey(bytes) : undefined;
    if (decoded) return decoded;
  }
  return { kind: "unreadable", type, text };
}

/** Decodes a serialized `Key`; `undefined` when the bytes are anything else. */
export function decodeKey(bytes: Uint8Array, depth = 0): LedgerKey | undefined {
  const fields = readMessage(bytes);
  const [field, more] = fields ?? [];
  if (depth > MAX_DEPTH || field?.type !== "bytes" || more !== undefined) return undefined;
  switch (field.number) {
    case 1:
    case 8: {
      const id = entityIdMessage(field.value);
      return id === undefined
        ? undefined
        : { kind: field.number === 1 ? "contract" : "delegatable_contract", id };
    }
    case 2:
      return field.value.length === 32 ? { kind: "ed25519", hex: bytesToHex(field.value) } : undefined;
    case 3:
    case 4: {
      const hex = bytesToHex(field.value);
      return hex === "" ? undefined : { kind: field.number === 3 ? "rsa_3072" : "ecdsa_384", hex };
    }
    case 5:
      return decodeThreshold(field.value, depth);
    case 6: {
      const keys = decodeList(field.value, depth);
      return keys && { kind: "list", keys };
    }
    case 7:
      return field.value.length === 33
        ? { kind: "ecdsa_secp256k1", hex: bytesToHex(field.value) }
        : undefined;
    default:
      return undefined;
  }
}

function decodeThreshold(bytes: Uint8Array, depth: number): LedgerKey | undefined {
  const fields = readMessage(bytes);
  if (!fields?.every(isThresholdField)) return undefined;
  let threshold = 0;
  let keys: LedgerKey[] | undefined = [];
  for (const field of fields) {
    if (field.type === "varint") threshold = Number(BigInt.asUintN(32, field.value));
    else keys = decodeList(field.value, depth);
  }
  return keys && { kind: "threshold", threshold, keys };
}

function isThresholdField({ number, type }: WireField): boolean {
  return (number === 1 && type === "varint") || (number === 2 && type === "bytes");
}

function decodeList(bytes: Uint8Array, depth: number): LedgerKey[] | undefined {
  const keys: LedgerKey[] = [];
  for (const field of readMessage(bytes) ?? [undefined]) {
    const key = field?.number === 1 && field.type === "bytes" ? decodeKey(field.value, depth + 1) : undefined;
    if (!key) return undefined;
    keys.push(key);
  }
  return keys;
}

const KIND_NAMES = {
  ed25519: "ED25519",
  ecdsa_secp256k1: t`ECDSA secp256k1`,
  rsa_3072: "RSA 3072",
  ecdsa_384: "ECDSA 384",
  contract: t`Contract`,
  delegatable_contract: t`Contract, delegates included`,
} as const;

/** The kind of a key by the name that the ledger has for it: "ECDSA secp256k1"; one that is not known as it came. */
export function keyKindName(type: string): string {
  return ownValue(KIND_NAMES, type.toLowerCase()) ?? foreignWhole(type);
}

/** The digits of a key where space is short; what it begins with stays whole where that is no longer. */
export function shortKeyHex(hex: string): string {
  return hex.length > SHORT_HEX_CHARACTERS ? shortAddress(hex) : hex;
}

const SHORT_HEX_CHARACTERS = 12;

/**
 * A key in one line: "ED25519 · 5a2b…", "2 of 3 keys".
 *
 * @param hexText how its digits are written
 */
function ledgerKeyText(key: LedgerKey, hexText = (hex: string) => hex): string {
  switch (key.kind) {
    case "threshold":
      return t`${key.threshold} of ${counted(key.keys.length, "key")}`;
    case "list":
      return key.keys.length === 0
        ? t`empty list: no key can sign`
        : t`all of ${counted(key.keys.length, "key")}`;
    case "unreadable":
      return t`${foreignWhole(key.type)}, not decoded · ${foreignWhole(key.text)}`;
    case "contract":
    case "delegatable_contract":
      return `${KIND_NAMES[key.kind]} · ${key.id}`;
    default:
      return `${KIND_NAMES[key.kind]} · ${hexText(key.hex)}`;
  }
}

/** What a key is copied as: its own hex or id, exact; a rule over keys in words. */
function ledgerKeyCopyText(key: LedgerKey): string {
  switch (key.kind) {
    case "threshold":
    case "list":
      return ledgerKeyText(key);
    case "unreadable":
      return key.text;
    case "contract":
    case "delegatable_contract":
      return key.id;
    default:
      return key.hex;
  }
}

/** The row of a key, with those that a threshold or a list is made of; a contract's opens it. */
export function ledgerKeyRow(id: string, label: string, key: LedgerKey): LedgerRow {
  const keys = key.kind === "threshold" || key.kind === "list" ? key.keys : [];
  return {
    ...fact(
      id,
      label,
      ledgerKeyText(key),
      ledgerKeyCopyText(key),
      withShortIds(ledgerKeyText(key, shortKeyHex)),
    ),
    ...(key.kind === "contract" || key.kind === "delegatable_contract" ? opening("contract", key.id) : {}),
    icon: "key",
    ...(keys.length > 0 && {
      children: keys.map((one, at) => ledgerKeyRow(String(at), t`Key ${at + 1}`, one)),
    }),
  };
}
