import { ifReadable, instant, listOf, object, oneOf, readAs, text } from "../json/shape.ts";
import { STATUS_LEVELS, type StatusLevel } from "./statusLevel.ts";

/** The longest mute. */
const MAX_MUTE_HOURS = 24;
const HOUR_MS = 60 * 60_000;
const MAX_ENTRIES = 100;

/** Where notifications are remembered; the editor's global state, which all windows share. */
export interface NotificationStorage {
  /** What was last set, or `undefined`. */
  get(): unknown;
  set(value: NotificationRecord): unknown;
}

/** What is remembered. Plain JSON. */
export interface NotificationRecord {
  /** No notification before this time; milliseconds since the epoch. */
  readonly mutedUntil: number;
  /** What was told, newest first, so that a second window does not tell it again. */
  readonly told: readonly { readonly key: string; readonly level: StatusLevel; readonly at: number }[];
}

const key = text(1_000);
const notificationRecord = object({
  mutedUntil: ifReadable(instant),
  told: ifReadable(listOf(object({ key, level: oneOf(...STATUS_LEVELS), at: instant }), MAX_ENTRIES)),
});

/** A mute, and what was told already, over restarts and windows. The storage is read at every question. */
export class NotificationMemory {
  readonly #storage: NotificationStorage;
  /** What was read last, and of what: a page with thousands of problems asks thousands of times. */
  #last: { readonly stored: unknown; readonly record: NotificationRecord } | undefined;

  constructor(storage: NotificationStorage) {
    this.#storage = storage;
  }

  /** Mutes all notifications for so long from now; 0 ends the mute. */
  mute(hours: number, now: number): void {
    this.#change({ mutedUntil: now + hours * HOUR_MS });
  }

  /** When the mute ends; `undefined` when nothing is muted. */
  mutedUntil(now: number): number | undefined {
    const { mutedUntil } = this.#record();
    // A later end comes from a clock that was set back.
    return mutedUntil > now && mutedUntil <= now + MAX_MUTE_HOURS * HOUR_MS ? mutedUntil : undefined;
  }

  /** Whether this was told after `since`, here or in another window. */
  wasTold(key: string, level: StatusLevel, since: number): boolean {
    return this.#record().told.some((one) => one.key === key && one.level === level && one.at > since);
  }

  /** What was told of a thing after `since`, here or in another window, newest first. */
  toldSince(key: string, since: number): NotificationRecord["told"] {
    return this.#record().told.filter((one) => one.key === key && one.at > since);
  }

  tell(keys: readonly { readonly key: string; readonly level: StatusLevel }[], at: number): void {
    const told = keys.map(({ key, level }) => ({ key, level, at }));
    this.#change({ told: [...told, ...this.#record().told].slice(0, MAX_ENTRIES) });
  }

  #change(change: Partial<NotificationRecord>): void {
    this.#storage.set({ ...this.#record(), ...change });
  }

  #record(): NotificationRecord {
    const stored = this.#storage.get();
    if (this.#last?.stored !== stored || !this.#last) {
      const { mutedUntil = 0, told = [] } = readAs(notificationRecord, stored) ?? {};
      this.#last = { stored, record: { mutedUntil, told } };
    }
    return this.#last.record;
  }
}
