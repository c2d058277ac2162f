import type { LedgerKey } from "../tokens/ledgerKey.ts";
import { keyHolders, type KeyHolder } from "./keyHolders.ts";
import type { Schedule } from "./schedule.ts";

/** What the ledger answered about a key: `none` where the holder has none. */
export type KeyAnswer = LedgerKey | "none" | undefined;

/** A key that has to sign a scheduled transaction, and what is there of it. */
export interface Signer extends KeyHolder {
  /** `unknown`: the key can't be had, or is a rule over contracts; `none`: there is no such key. */
  readonly state: "signed" | "missing" | "unknown" | "none";
  /** Some of its keys have signed, and more are needed. */
  readonly isPart: boolean;
  /** What is still needed, all of it. */
  readonly missing: readonly MissingKey[];
}

/** Something that has to sign yet. */
export type MissingKey =
  | {
      readonly kind: "key";
      readonly key: LedgerKey;
      /** As with a contract's key, of which signatures tell nothing. */
      readonly isUnknown: boolean;
    }
  | {
      /** So many of these will do; a list, of which all have to, within such a rule is one as well. */
      readonly kind: "some";
      readonly needed: number;
      readonly of: readonly MissingKey[];
      /** The rule: so many of so many keys, of which some are given. */
      readonly threshold: number;
      readonly count: number;
      readonly given: number;
    };

/**
 * Who has to sign a schedule for certain, and what is there of that. Others may have to as well, by what the transaction
 * does (docs.hedera.com, Schedule Service).
 */
export async function signersOf(
  schedule: Schedule,
  keyOf: (holder: KeyHolder) => Promise<KeyAnswer>,
): Promise<Signer[]> {
  const signers = await Promise.all(
    keyHolders(schedule).map(async (holder) =>
      signerOf(holder, holder.key ?? (await keyOf(holder)), schedule),
    ),
  );
  // Any account may send messages to a topic without a submit key, and most accounts take what they get.
  return signers.filter(({ state, field, kind, key }) =>
    kind === "receiver" ? state !== "none" && key !== undefined : state !== "none" || field !== "submit_key",
  );
}

/** What is there of the signatures of a key. */
export function signerOf(holder: KeyHolder, answer: KeyAnswer, { signatures }: Schedule): Signer {
  const nothing = { isPart: false, missing: [] };
  if (answer === undefined) return { ...holder, ...nothing, state: "unknown" };
  if (answer === "none") return { ...holder, ...nothing, state: "none" };
  if (signatures === undefined) return { ...holder, key: answer, ...nothing, state: "unknown" };
  const states = new SignatureStates(signatures);
  const has = states.of(answer);
  const known = { ...holder, key: answer };
  if (has === undefined) return { ...known, ...nothing, state: "unknown" };
  return has
    ? { ...known, ...nothing, state: "signed" }
    : {
        ...known,
        state: "missing",
        isPart: hasPart(answer, states),
        missing: allMissing(answer, states),
      };
}

/** Which keys have signed, by what the ledger tells of signatures; each rule is looked at once. */
class SignatureStates {
  /** In order, and none begins with another one: a key can only begin with the last that is not behind it. */
  readonly #prefixes: readonly string[];
  readonly #known = new Map<LedgerKey, boolean | undefined>();

  constructor(signatures: NonNullable<Schedule["signatures"]>) {
    const all = signatures.map(({ keyPrefix }) => keyPrefix).filter((prefix) => /^[0-9a-f]+$/.test(prefix));
    const shortest: string[] = [];
    for (const prefix of all.sort()) if (!prefix.startsWith(shortest.at(-1) ?? " ")) shortest.push(prefix);
    this.#prefixes = shortest;
  }

  /** Whether a key has signed; `undefined` where that is nothing that signatures tell, as with a contract's. */
  of(key: LedgerKey): boolean | undefined {
    switch (key.kind) {
      case "ed25519":
      case "ecdsa_secp256k1":
      case "rsa_3072":
      case "ecdsa_384":
        return this.#begins(key.hex);
      case "list":
      case "threshold": {
        if (!this.#known.has(key)) this.#known.set(key, this.#ofRule(key));
        return this.#known.get(key);
      }
      default:
        return undefined;
    }
  }

  #ofRule(key: Extract<LedgerKey, { kind: "list" | "threshold" }>): boolean | undefined {
    // An empty list is a key that nothing signs with.
    if (key.keys.length === 0) return false;
    const all = key.keys.map((one) => this.of(one));
    const needed = key.kind === "list" ? all.length : key.threshold;
    const signed = all.filter((one) => one === true).length;
    if (signed >= needed) return true;
    return signed + all.filter((one) => one === undefined).length >= needed ? undefined : false;
  }

  #begins(hex: string): boolean {
    let [from, to] = [0, this.#prefixes.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#prefixes[middle] ?? "") <= hex) from = middle + 1;
      else to = middle;
    }
    return hex.startsWith(this.#prefixes[from - 1] ?? " ");
  }
}

function hasPart(key: LedgerKey, states: SignatureStates): boolean {
  return key.kind === "list" || key.kind === "threshold"
    ? key.keys.some((one) => hasPart(one, states))
    : states.of(key) === true;
}

/** What a key lacks where all of it is needed. */
function allMissing(key: LedgerKey, states: SignatureStates): MissingKey[] {
  const missing = missingOf(key, states);
  if (missing?.kind !== "some") return missing ? [missing] : [];
  return missing.needed >= missing.of.length && "keys" in key
    ? key.keys.flatMap((one) => allMissing(one, states))
    : [missing];
}

/** What a key lacks; nothing where it has signed. */
function missingOf(key: LedgerKey, states: SignatureStates): MissingKey | undefined {
  const has = states.of(key);
  if (has === true) return undefined;
  if (key.kind !== "list" && key.kind !== "threshold") return { kind: "key", key, isUnknown: has !== false };
  const of = key.keys.flatMap((one) => missingOf(one, states) ?? []);
  const count = key.keys.length;
  const threshold = key.kind === "list" ? count : key.threshold;
  const given = count - of.length;
  const [last] = of;
  if (last && of.length === 1) return last;
  return { kind: "some", needed: threshold - given, of, threshold, count, given };
}
