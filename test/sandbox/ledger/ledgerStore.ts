/** A record as it is written, except that integers may be beyond 2^53. */
export type StoredRecord = Readonly<Record<string, unknown>>;

/** A schedule's record; times are nanoseconds as `seconds.nanoseconds`. */
export interface StoredSchedule extends StoredRecord {
  readonly schedule_id: string;
  readonly creator_account_id: string;
}

/** The tokens and schedules of the sandbox's ledger. */
export class LedgerStore {
  readonly #tokens = new Map<string, { readonly since: bigint; readonly record: StoredRecord }[]>();
  readonly #schedules = new Map<number, StoredSchedule>();

  /** Adds what a token is from a time on. */
  putToken(tokenId: string, record: StoredRecord): void {
    const { modified_timestamp: modified } = record;
    const versions = this.#tokens.get(tokenId) ?? [];
    versions.push({ since: nanosOf(String(modified)), record: { ...record, token_id: tokenId } });
    versions.sort((one, other) => (one.since < other.since ? -1 : 1));
    this.#tokens.set(tokenId, versions);
  }

  /** The newest version of a token that was in force at a time. */
  token(
    tokenId: string,
    at?: { readonly operator: string; readonly nanos: bigint },
  ): StoredRecord | undefined {
    return this.#tokens
      .get(tokenId)
      ?.findLast(({ since }) =>
        at === undefined ? true : at.operator === "lt" ? since < at.nanos : since <= at.nanos,
      )?.record;
  }

  putSchedule(record: StoredSchedule): void {
    this.#schedules.set(numberOf(record.schedule_id), record);
  }

  schedule(number: number): StoredSchedule | undefined {
    return this.#schedules.get(number);
  }

  /** By id, ascending. */
  schedules(): StoredSchedule[] {
    return [...this.#schedules.entries()].sort(([one], [other]) => one - other).map(([, record]) => record);
  }
}

/** `seconds.fraction` in nanoseconds. */
export function nanosOf(timestamp: string): bigint {
  const [seconds = "0", fraction = ""] = timestamp.split(".");
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));
}

/** The last part of an entity id. */
export function numberOf(id: string): number {
  return Number(id.split(".").at(-1));
}
