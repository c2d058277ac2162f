import { Limit } from "../../concurrency/limit.ts";
import { LedgerLensError } from "../../errors.ts";
import type { ActionNames } from "../actions/actionNames.ts";
import type { ContractAction } from "../actions/contractAction.ts";
import type { Denominations } from "../tokens/token.ts";
import { holderKey, type KeyHolder } from "./keyHolders.ts";
import type { KeyAnswer, Signer } from "./missingSignatures.ts";
import { lacksSigners, type Schedule, type ScheduleState } from "./schedule.ts";
import { movedTokens, scheduledAction, type ScheduleFinding, type ScheduleResult } from "./scheduleRows.ts";

/** So many questions go out for a list as it was loaded; what is not asked then is told when a schedule is opened. */
const MAX_REQUESTS = 100;
const AT_ONCE = 4;

/** Who is asked; what can't be found out is `undefined`, and only cancellation rejects. */
interface FindingPorts {
  state(schedule: Schedule): ScheduleState;
  result(schedule: Schedule, signal: AbortSignal): Promise<ScheduleResult | undefined>;
  signers(schedule: Schedule, keyOf: (holder: KeyHolder) => Promise<KeyAnswer>): Promise<readonly Signer[]>;
  call(action: ContractAction, signal: AbortSignal): Promise<ActionNames | undefined>;
  denominations(tokens: readonly string[], signal: AbortSignal): Promise<Denominations>;
  keyOf(holder: KeyHolder, signal: AbortSignal): Promise<KeyAnswer>;
  /** Whether the list is still of the network that is chosen. */
  isWanted(): boolean;
  /** Called when more is known than before. */
  onFound(): void;
}

/**
 * What is found out about the schedules of a list, whose records tell neither what became of them nor who is missing: each
 * question once, a few at a time, and so many at most.
 */
export class ScheduleFindings {
  readonly #ports: FindingPorts;
  readonly #found = new Map<string, ScheduleFinding>();
  readonly #asked = new Set<string>();
  readonly #keys = new Map<string, Promise<KeyAnswer>>();
  readonly #tokens = new Set<string>();
  /** Contracts that are called, whose names others are asked for. */
  readonly #called = new Set<unknown>();
  readonly #limit = new Limit(AT_ONCE);
  readonly #names = new Limit(AT_ONCE);
  #stopping = new AbortController();
  #left = MAX_REQUESTS;

  /** @param before of the same list as it was loaded before: what became of a schedule stays so */
  constructor(ports: FindingPorts, before?: ScheduleFindings) {
    this.#ports = ports;
    for (const [id, finding] of before ? before.#found : [])
      if (finding.result) {
        this.#found.set(id, finding);
        this.#asked.add(id);
      }
  }

  /** What is known of a schedule; nothing is asked. */
  known(scheduleId: string): ScheduleFinding {
    return this.#found.get(scheduleId) ?? {};
  }

  /** Looks into those of which nothing was asked yet; what is found is told. */
  look(schedules: readonly Schedule[]): void {
    for (const schedule of schedules) {
      if (this.#asked.has(schedule.scheduleId)) continue;
      this.#asked.add(schedule.scheduleId);
      void this.#lookInto(schedule);
    }
  }

  /** Ends what is being asked; it is asked when it is looked at again. */
  stop(): void {
    this.#stopping.abort();
    this.#stopping = new AbortController();
  }

  async #lookInto(schedule: Schedule): Promise<void> {
    const { scheduleId } = schedule;
    const ports = this.#ports;
    const { signal } = this.#stopping;
    const learn = async <Part extends keyof ScheduleFinding>(
      part: Part,
      asked: Promise<ScheduleFinding[Part] | undefined>,
    ) => {
      const found = await asked;
      if (found === undefined) return;
      this.#found.set(scheduleId, { ...this.known(scheduleId), [part]: found });
      ports.onFound();
    };
    const action = scheduledAction(schedule);
    const tokens = movedTokens(schedule);
    const now = ports.state(schedule);
    const done = await Promise.allSettled([
      ...(now === "executed"
        ? [
            learn(
              "result",
              this.#ask(() => ports.result(schedule, signal), signal),
            ),
          ]
        : []),
      ...(lacksSigners(now)
        ? [
            learn(
              "signers",
              ports.signers(schedule, (holder) => this.#keyOf(holder, signal)),
            ),
          ]
        : []),
      ...(action ? [learn("call", this.#callOf(action, signal))] : []),
      ...(tokens.length > 0
        ? [
            learn(
              "denominations",
              this.#ask(() => ports.denominations(tokens, signal), signal, this.#newTokens(tokens)),
            ),
          ]
        : []),
    ]);
    for (const one of done)
      if (one.status === "rejected") {
        // What was stopped is asked when it is looked at again.
        this.#asked.delete(scheduleId);
        if (!(one.reason instanceof LedgerLensError) && !signal.aborted) throw one.reason;
      }
  }

  /** An account signs more than one schedule, most often. */
  #keyOf(holder: KeyHolder, signal: AbortSignal): Promise<KeyAnswer> {
    const name = holderKey(holder);
    const known = this.#keys.get(name);
    if (known) return known;
    const asked = this.#ask(() => this.#ports.keyOf(holder, signal), signal);
    this.#keys.set(name, asked);
    asked.catch(() => this.#keys.delete(name));
    return asked;
  }

  /** Names of as many contracts as other questions: most are known here, or by what was asked for another call. */
  async #callOf(action: ContractAction, signal: AbortSignal): Promise<ActionNames | undefined> {
    const { to } = action;
    if (!this.#called.has(to) && this.#called.size === MAX_REQUESTS) return undefined;
    this.#called.add(to);
    return this.#names.run(() => {
      signal.throwIfAborted();
      return this.#ports.call(action, signal);
    });
  }

  /** How many of these were in no question before: each is a request of its own, once. */
  #newTokens(tokens: readonly string[]): number {
    const before = this.#tokens.size;
    for (const one of tokens) this.#tokens.add(one);
    return this.#tokens.size - before;
  }

  /** @param requests that the question takes */
  #ask<T>(ask: () => Promise<T | undefined>, signal: AbortSignal, requests = 1): Promise<T | undefined> {
    return this.#limit.run(async () => {
      if (!this.#ports.isWanted()) this.stop();
      signal.throwIfAborted();
      if (this.#left < requests) return undefined;
      this.#left -= requests;
      return ask();
    });
  }
}
