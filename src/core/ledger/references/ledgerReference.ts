import { t } from "@vscode/l10n";
import { bytesToHex } from "@noble/hashes/utils.js";
import { base64ToBytes } from "../../evm/hex.ts";
import { foreign } from "../../text/shownText.ts";
import {
  entityChecksum,
  entityIdText,
  fromLongZeroAddress,
  parseEntityId,
  readEntityId,
} from "./entityId.ts";
import { publicNetwork, publicNetworks, type LedgerNetwork } from "./network.ts";
import { readTransactionId } from "./transactionId.ts";
import { timestampNanos, timestampOfNanos } from "./timestamp.ts";

/** Something on a ledger that has an id `shard.realm.num`. */
export interface EntityReference {
  /** `entity` where the text does not tell what it is. */
  readonly kind: "token" | "schedule" | "contract" | "account" | "topic" | "entity";
  /** `shard.realm.num`; for an account at an address that is not made of its id `0x` and 40 hex digits. */
  readonly canonical: string;
  /** Of the link that it came from. */
  readonly network?: string;
}

/** A transaction by its id, its hash, or its consensus timestamp. */
export type TransactionReference = {
  readonly kind: "transaction";
  /** `0.0.88-1640084590-665216882`, `0x` and 64 hex digits, or `1640084590.665216882`. */
  readonly canonical: string;
  /** Of the link that it came from. */
  readonly network?: string;
} & (
  | { readonly by: "id"; readonly scheduled: boolean; readonly nonce: number }
  | { readonly by: "hash" }
  | { readonly by: "timestamp" }
);

/** What a text names on a ledger. */
export type LedgerReference = EntityReference | TransactionReference;

/** Why a text names nothing. */
interface UnreadableReference {
  /** One sentence. */
  readonly error: string;
}

/** What the caller wants the text to name. */
export type ReferenceKind = "token" | "schedule" | "account" | "transaction";

/**
 * Reads an identifier in any form in which people have them: entity ids (short, encoded, with a checksum, as a
 * long-zero address), transaction ids (`@`, dashed, without separators), hashes of 32 or 48 bytes in hex or
 * base64, consensus timestamps, and links to explorers and mirror nodes.
 *
 * @param network whose address checksums count; a link's own network goes first
 * @param wanted what it has to be; an id alone is then taken for that
 */
export function parseLedgerReference(
  text: string,
  network: LedgerNetwork,
  wanted?: ReferenceKind,
): LedgerReference | UnreadableReference {
  const trimmed = text.trim();
  if (trimmed === "") return { error: t`Nothing was given: paste an id, a hash or a link.` };
  if (trimmed.length > 2000) return { error: t`This is too long to be an id, a hash or a link.` };
  const found = /^https?:\/\//i.test(trimmed) ? fromLink(trimmed, network) : fromText(trimmed, network);
  return "error" in found || wanted === undefined ? found : asWanted(found, wanted);
}

function asWanted(found: LedgerReference, wanted: ReferenceKind): LedgerReference | UnreadableReference {
  if (found.kind === wanted) return found;
  if (found.kind === "entity" && wanted !== "transaction") return { ...found, kind: wanted };
  if (found.kind === "contract" && wanted === "account") return { ...found, kind: wanted };
  if (found.canonical.startsWith("0x") && found.kind !== "transaction" && wanted !== "transaction")
    return {
      error: t`This EVM address can't be converted to an entity ID, and the ledger finds tokens and schedules by id only: give the id such as 0.0.1234.`,
    };
  return { error: otherKind(found, wanted) };
}

/** That something is of another kind than the wanted one. */
function otherKind({ canonical, kind }: LedgerReference, wanted: ReferenceKind): string {
  const said = whatItIs(canonical, kind);
  switch (wanted) {
    case "token":
      return t`${said}, not a token: give a token's id such as 0.0.1234.`;
    case "schedule":
      return t`${said}, not a schedule: give a schedule's id such as 0.0.1234.`;
    case "account":
      return t`${said}, not an account: give an account's id such as 0.0.1234.`;
    case "transaction":
      return t`${said}, not a transaction: give a transaction's id, hash or consensus timestamp.`;
  }
}

function whatItIs(canonical: string, kind: LedgerReference["kind"]): string {
  switch (kind) {
    case "token":
      return t`${canonical} is a token`;
    case "schedule":
      return t`${canonical} is a schedule`;
    case "contract":
      return t`${canonical} is a contract`;
    case "account":
      return t`${canonical} is an account`;
    case "topic":
      return t`${canonical} is a topic`;
    case "transaction":
      return t`${canonical} is a transaction`;
    case "entity":
      return t`${canonical} is the id of an entity`;
  }
}

/** That a link says it leads to an entity and names a transaction. */
function transactionInLink(kind: EntityReference["kind"], canonical: string): string {
  switch (kind) {
    case "token":
      return t`The link says token, but ${canonical} names a transaction.`;
    case "schedule":
      return t`The link says schedule, but ${canonical} names a transaction.`;
    case "contract":
      return t`The link says contract, but ${canonical} names a transaction.`;
    case "topic":
      return t`The link says topic, but ${canonical} names a transaction.`;
    case "account":
    case "entity":
      return t`The link says account, but ${canonical} names a transaction.`;
  }
}

function fromText(text: string, network: LedgerNetwork): LedgerReference | UnreadableReference {
  const hex = /^(?:0x)?([0-9a-f]*)$/i.exec(text)?.[1]?.toLowerCase();
  if (hex !== undefined && (hex.length === 64 || hex.length === 96)) return byHash(hex);
  if (hex?.length === 40) return fromAddress(hex);
  if (/^0x/i.test(text)) {
    return hex === undefined
      ? { error: t`This is not hexadecimal: only 0 to 9 and a to f may follow 0x.` }
      : {
          error: t`This has ${hex.length} hex digits: an address has 40, a transaction hash 64 or 96.`,
        };
  }
  const nested = /^0\.0\.([0-9a-f]{40})$/i.exec(text)?.[1];
  if (nested !== undefined) return fromAddress(nested.toLowerCase());
  if (/^\d+$/.test(text) && text.length >= 22) return fromDigits(text);
  if (/^[\d.]+-[a-z]{5}$/i.test(text)) return fromChecksummed(text.toLowerCase(), network);
  if (/^[\d.]+[@-]/.test(text)) return fromTransactionId(text);
  if (/^\d+\.\d+$/.test(text) && Number(text.split(".")[0]) >= 2 ** 16) return byTimestamp(text);
  if (/^[\d.]+$/.test(text)) return fromId(text);
  const bytes = base64ToBytes(text);
  if (bytes?.length === 48 || (bytes?.length === 32 && text.endsWith("="))) return byHash(bytesToHex(bytes));
  return {
    error: t`"${foreign(text.slice(0, 80))}" isn't a valid ID, hash or link: give an id such as 0.0.1234, a transaction id, a hash, or a link.`,
  };
}

/** A 48-byte hash names its transaction by its first 32 bytes as well (hiero-mirror-node, contract_transaction_hash). */
function byHash(hex: string): TransactionReference {
  return { kind: "transaction", by: "hash", canonical: `0x${hex.slice(0, 64)}` };
}

function byTimestamp(text: string): TransactionReference | UnreadableReference {
  const nanos = timestampNanos(text);
  return nanos === undefined
    ? { error: t`A consensus timestamp has up to 10 digits of seconds and up to 9 behind the point.` }
    : { kind: "transaction", by: "timestamp", canonical: timestampOfNanos(nanos) };
}

function fromAddress(hex: string): EntityReference {
  const id = fromLongZeroAddress(hex);
  return id ? { kind: "entity", canonical: entityIdText(id) } : { kind: "account", canonical: `0x${hex}` };
}

function fromId(text: string): EntityReference | UnreadableReference {
  const id = parseEntityId(text);
  return id
    ? { kind: "entity", canonical: entityIdText(id) }
    : {
        error: t`"${text.slice(0, 80)}" is no entity id: write shard.realm.num such as 0.0.1234, with a shard below 1,024, a realm below 65,536 and a number below 274,877,906,944.`,
      };
}

function fromChecksummed(text: string, network: LedgerNetwork): EntityReference | UnreadableReference {
  const [written = "", letters = ""] = text.split("-");
  const found = fromId(written);
  if ("error" in found || network.ledgerId === undefined) return found;
  const expected = entityChecksum(found.canonical, network.ledgerId);
  if (letters === expected) return found;
  const other = publicNetworks.find(
    ({ ledgerId = 0 }) => entityChecksum(found.canonical, ledgerId) === letters,
  );
  return {
    error: other
      ? t`The checksum "${letters}" belongs to ${found.canonical} on ${other.name}, while this is ${network.name}.`
      : t`The checksum "${letters}" does not belong to ${found.canonical} (it is "${expected}" on ${network.name}), so there is a typing mistake in one of them.`,
  };
}

/** A transaction id without separators, as in links to HashScan: shard and realm 0, 10 digits of seconds, 9 of nanoseconds. */
function fromDigits(text: string): TransactionReference | UnreadableReference {
  const [, num, seconds, nanos] = /^00(\d{1,12})(\d{10})(\d{9})$/.exec(text) ?? [];
  if (num === undefined || seconds === undefined || nanos === undefined)
    return { error: t`This many digits are neither an id nor a transaction id: separate its parts.` };
  return fromTransactionId(`0.0.${num}@${seconds}.${nanos}`);
}

function fromTransactionId(text: string): TransactionReference | UnreadableReference {
  const parts = readTransactionId(text);
  const which = /^(\?scheduled(?:=true)?)?(?:\/(\d+))?(\?scheduled(?:=true)?)?$/.exec(parts?.which ?? "");
  if (!parts || !which) {
    return {
      error: t`A transaction id looks like 0.0.1234@1640084590.665216882 or 0.0.1234-1640084590-665216882.`,
    };
  }
  const [, before, nonce, after] = which;
  const id = readEntityId(parts.payer);
  if (!id) return { error: t`The account in this transaction id is out of range.` };
  // The nanoseconds are an integer here, so leading zeros are what may be missing.
  const start = `${BigInt(parts.seconds)}-${parts.nanos.padStart(9, "0")}`;
  return {
    kind: "transaction",
    by: "id",
    canonical: `${entityIdText(id)}-${start}`,
    scheduled: before !== undefined || after !== undefined,
    nonce: Number(nonce ?? 0),
  };
}

/** What the parts of a path say that follows. */
const LINK_KINDS: ReadonlyMap<string, EntityReference["kind"] | "transaction"> = new Map([
  ["token", "token"],
  ["tokens", "token"],
  ["schedule", "schedule"],
  ["schedules", "schedule"],
  ["contract", "contract"],
  ["contracts", "contract"],
  ["account", "account"],
  ["accounts", "account"],
  ["topic", "topic"],
  ["topics", "topic"],
  ["transaction", "transaction"],
  ["transactions", "transaction"],
  ["tx", "transaction"],
  ["results", "transaction"],
]);

function fromLink(text: string, network: LedgerNetwork): LedgerReference | UnreadableReference {
  const url = URL.parse(text);
  if (!url) return { error: t`This link is malformed.` };
  // Old links to HashScan have their path behind a hash.
  const path = url.pathname === "/" && url.hash.startsWith("#/") ? url.hash.slice(1) : url.pathname;
  const segments = path.split(/[/?]/).filter((segment) => segment !== "");
  const named = [...segments, ...url.host.split(/[.-]/)]
    .map((word) => publicNetwork(word.toLowerCase()))
    .find((known) => known !== undefined);
  const at = segments.findLastIndex((segment) => LINK_KINDS.has(segment.toLowerCase()));
  const kind = LINK_KINDS.get(segments[at]?.toLowerCase() ?? "");
  const written = segments[at + 1];
  if (kind === undefined || written === undefined) {
    return { error: t`This link leads to no token, transaction, contract, account or schedule.` };
  }
  const nonce = [segments[at + 2], url.searchParams.get("nonce")].find((one) => /^\d+$/.test(one ?? ""));
  const rest = kind === "transaction" && nonce !== undefined ? `/${nonce}` : "";
  const scheduled =
    kind === "transaction" && /[?&]scheduled(?:=true)?(?:&|$)/.test(url.search) ? "?scheduled" : "";
  let decoded = written;
  try {
    decoded = decodeURIComponent(written);
  } catch {
    // A stray percent sign: the identifier reader says what is wrong.
  }
  const plain = kind === "transaction" && /^[\d.]+[@-]/.test(decoded);
  const found = fromText(plain ? decoded + rest + scheduled : decoded, named ?? network);
  if ("error" in found) return found;
  const of = named ? { network: named.id } : {};
  if (kind === "transaction") {
    return found.kind === "transaction"
      ? { ...found, ...of }
      : { error: t`The link says transaction, but ${found.canonical} is no transaction id.` };
  }
  return found.kind === "transaction"
    ? { error: transactionInLink(kind, found.canonical) }
    : { ...found, ...(found.kind === "entity" || kind === "contract" ? { kind } : {}), ...of };
}
