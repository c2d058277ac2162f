import type { LedgerKey } from "../tokens/ledgerKey.ts";
import type { Schedule } from "./schedule.ts";

/** An account whose keys have to sign a scheduled transaction, and what is there of them. */
export interface Signer {
  /** `shard.realm.num` */
  readonly account: string;
  /** `unknown`: its key can't be had, or is a rule over contracts. */
  readonly state: "signed" | "missing" | "unknown";
  /** The keys that have not signed; of those of a threshold any will do. */
  readonly missing: readonly LedgerKey[];
}

/** More accounts than this are not asked for. */
const MAX_SIGNERS = 10;

/**
 * The accounts that have to sign for certain: the payer, and those that give something without having allowed it before.
 * Others may have to as well, by what the transaction does (docs.hedera.com, Schedule Service).
 */
export function signersOf({ payer, creator, body }: Schedule): string[] {
  const givers = [
    ...(body?.transfers ?? [])
      .filter(({ amount, isApproved }) => amount.startsWith("-") && !isApproved)
      .map(({ account }) => account),
    ...(body?.nftTransfers ?? []).filter(({ isApproved }) => !isApproved).map(({ sender }) => sender),
  ];
  const accounts = [payer ?? creator, ...givers].filter(
    (one) => one !== undefined && /^\d+\.\d+\.\d+$/.test(one),
  );
  return [...new Set(accounts as readonly string[])].slice(0, MAX_SIGNERS);
}

/**
 * What is there of the signatures of an account.
 *
 * @param key of the account; `undefined` where it can't be had
 */
export function signerOf(account: string, key: LedgerKey | undefined, { signatures }: Schedule): Signer {
  const prefixes = signatures
    .map(({ keyPrefix }) => keyPrefix)
    .filter((prefix) => /^[0-9a-f]+$/.test(prefix));
  const has = key && hasSigned(key, prefixes);
  if (!key || has === undefined) return { account, state: "unknown", missing: [] };
  return has
    ? { account, state: "signed", missing: [] }
    : { account, state: "missing", missing: unsignedKeys(key, prefixes) };
}

/** Whether a key has signed; `undefined` where that is nothing that signatures tell, as with a contract's. */
function hasSigned(key: LedgerKey, prefixes: readonly string[]): boolean | undefined {
  switch (key.kind) {
    case "ed25519":
    case "ecdsa_secp256k1":
    case "rsa_3072":
    case "ecdsa_384":
      return prefixes.some((prefix) => key.hex.startsWith(prefix));
    case "list":
    case "threshold": {
      // An empty list is a key that nothing signs with.
      if (key.keys.length === 0) return false;
      const all = key.keys.map((one) => hasSigned(one, prefixes));
      const needed = key.kind === "list" ? all.length : key.threshold;
      const signed = all.filter((one) => one === true).length;
      if (signed >= needed) return true;
      return signed + all.filter((one) => one === undefined).length >= needed ? undefined : false;
    }
    default:
      return undefined;
  }
}

function unsignedKeys(key: LedgerKey, prefixes: readonly string[]): LedgerKey[] {
  // A rule within another one that is met already wants nothing more.
  if (key.kind === "list" || key.kind === "threshold")
    return hasSigned(key, prefixes) === true ? [] : key.keys.flatMap((one) => unsignedKeys(one, prefixes));
  return hasSigned(key, prefixes) === false ? [key] : [];
}
