import { LONGEST_HELD_MS } from "./retryAfter.ts";

/** What a service said, which may name its own code of the error; of longer JSON a part would be none. */
const MAX_SAID = 4_096;

/** An answer with which a service asks to be left alone for a while. */
interface WaitAnswer {
  readonly status: number;
  /** What it said, without keys of ours. */
  readonly said: string;
}

interface Held extends WaitAnswer {
  readonly saidAt: number;
  readonly until: number;
}

/** Which servers said to be asked later, and what is answered for them until then. */
export class NotBefore {
  readonly #held = new Map<string, Held>();

  /** Takes note of an answer that asks to wait. */
  note(origin: string, { status, said }: WaitAnswer, milliseconds: number, now: number): void {
    for (const [one, { until }] of this.#held) if (until <= now) this.#held.delete(one);
    const until = now + Math.min(milliseconds, LONGEST_HELD_MS);
    this.#held.set(origin, {
      status,
      said: said.length > MAX_SAID ? "" : said,
      saidAt: now,
      until,
    });
  }

  /**
   * What a server said that is not to be asked yet, with the milliseconds that are left.
   *
   * @param askedAt when a person asked for it, who may have been told what the server said before and asks all the same;
   * what it says from then on holds for the same work, too
   */
  answer(
    origin: string,
    now: number,
    askedAt = -Infinity,
  ): (WaitAnswer & { readonly leftMs: number }) | undefined {
    const held = this.#held.get(origin);
    if (!held) return undefined;
    // The clock may have been set back meanwhile: nothing is held for longer than was said, nor again when it is that late.
    if (now >= held.until || now < held.saidAt) {
      this.#held.delete(origin);
      return undefined;
    }
    if (held.saidAt < askedAt) return undefined;
    return { status: held.status, said: held.said, leftMs: held.until - now };
  }

  /** A server answers again to what was asked after it had said so: by a person, or when a wait was over. */
  lift(origin: string, askedSince: number): void {
    if ((this.#held.get(origin)?.saidAt ?? Infinity) <= askedSince) this.#held.delete(origin);
  }
}
