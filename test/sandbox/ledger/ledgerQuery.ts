import { LedgerRefusal } from "./ledgerRefusal.ts";

/** Operators that stand before a value, as in `gt:5`. */
export type Operator = "eq" | "ne" | "gt" | "gte" | "lt" | "lte";

/** A value and how to compare with it. */
export interface Comparison {
  readonly operator: Operator;
  readonly value: bigint;
}

export type Order = "asc" | "desc";

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;
const MAX_REPETITIONS = 100;

/**
 * The query of a request: keys in any case, an operator before a value, unknown keys refused. What is wrong is
 * collected, because the interface has one message for each bad parameter (hiero-mirror-node, rest/utils.js).
 */
export class LedgerQuery {
  readonly #values = new Map<string, string[]>();
  readonly #invalid = new Set<string>();
  readonly #other: string[] = [];

  constructor(parameters: URLSearchParams, accepted: readonly string[]) {
    for (const [name, value] of parameters) {
      const key = name.toLowerCase();
      this.#values.set(key, [...(this.#values.get(key) ?? []), value]);
    }
    for (const [key, { length }] of this.#values) {
      if (length > MAX_REPETITIONS) {
        this.#other.push(
          `Parameter values count exceeds maximum number allowed: ${key} count: ${length} max: ${MAX_REPETITIONS}`,
        );
      } else if (!accepted.includes(key)) this.#other.push(`Unknown query parameter: ${key}`);
    }
  }

  /** @throws LedgerRefusal with everything that was wrong in what was read so far */
  check(): void {
    const messages = [...[...this.#invalid].map((name) => `Invalid parameter: ${name}`), ...this.#other];
    if (messages.length > 0) throw new LedgerRefusal(400, ...messages);
  }

  /** How many there may be on a page: more than 100 is neither refused nor given. */
  limit(): number {
    const values = this.#all("limit", (text) => /^\d{1,18}$/.test(text) && Number(text) > 0);
    return Math.min(Number(values.at(-1) ?? DEFAULT_LIMIT), MAX_LIMIT);
  }

  order(fallback: Order): Order {
    const last = this.#all("order", (text) => /^(?:asc|desc)$/i.test(text)).at(-1);
    return last === undefined ? fallback : last.toLowerCase() === "desc" ? "desc" : "asc";
  }

  /** `true` or `false`, of which the last counts. */
  flag(name: string): boolean | undefined {
    const last = this.#all(name, (text) => /^(?:true|false)$/i.test(text)).at(-1);
    return last === undefined ? undefined : last.toLowerCase() === "true";
  }

  /** An integer from 0, of which the last counts. */
  integer(name: string): number | undefined {
    const last = this.#all(name, (text) => /^\d{1,9}$/.test(text)).at(-1);
    return last === undefined ? undefined : Number(last);
  }

  /** One of some words in any case, of which the last counts. */
  word(name: string, words: readonly string[]): string | undefined {
    const last = this.#all(name, (text) => words.includes(text.toLowerCase())).at(-1);
    return last?.toLowerCase();
  }

  /** @param read gives `undefined` for what it can't read */
  comparisons(
    name: string,
    operators: readonly Operator[],
    read: (text: string) => bigint | undefined,
  ): Comparison[] {
    return (this.#values.get(name) ?? []).flatMap((text) => {
      const [, before = "eq", written = ""] = /^(?:([a-z]+):)?(.*)$/s.exec(text) ?? [];
      const operator = operators.find((one) => one === before);
      const value = read(written);
      if (operator !== undefined && value !== undefined) return [{ operator, value }];
      this.#invalid.add(name);
      return [];
    });
  }

  /**
   * The link to the page behind a full one: the request as it was, in which the bound on that side is replaced
   * (hiero-mirror-node, rest/utils.js, getPaginationLink). `null` where the bounds leave nothing.
   */
  nextPage(path: string, key: string, last: string, order: Order): string | null {
    const sameSide = order === "asc" ? /^gte?:/ : /^lte?:/;
    const bound = `${order === "asc" ? "gt" : "lt"}:${last}`;
    const given = this.#values.get(key) ?? [];
    const kept = given.filter((text) => !sameSide.test(text));
    const isRange = given.length === 0 || given.some((text) => /^[gl]te?:/.test(text));
    if (isRange && kept.some((text) => leavesNothing(text, last, order))) return null;
    const values = new Map(this.#values);
    if (given.length > 0 && kept.length === 0) values.delete(key);
    // Who asked for one value alone gets the same link again, which a client has to notice.
    values.set(key, isRange ? [...kept, bound] : kept);
    const query = [...values].flatMap(([name, texts]) => texts.map((text) => `${name}=${text}`));
    return `${path}?${query.join("&")}`;
  }

  #all(name: string, isValid: (text: string) => boolean): readonly string[] {
    const values = this.#values.get(name) ?? [];
    if (!values.every(isValid)) this.#invalid.add(name);
    return values;
  }
}

/** Whether a bound on the other side has been reached by the last item of a page. */
function leavesNothing(text: string, last: string, order: Order): boolean {
  const [, operator = "", written = ""] = /^([gl]te?):(.*)$/s.exec(text) ?? [];
  const digits = (id: string) => /(\d+)$/.exec(id)?.[1];
  const [bound, reached] = [digits(written), digits(last)];
  if (bound === undefined || reached === undefined) return false;
  const distance = order === "asc" ? BigInt(bound) - BigInt(reached) : BigInt(reached) - BigInt(bound);
  return operator.endsWith("e") ? distance < 1n : distance < 2n;
}

/** Whether a value passes all comparisons. */
export function passes(value: bigint, comparisons: readonly Comparison[]): boolean {
  return comparisons.every(({ operator, value: wanted }) => {
    switch (operator) {
      case "gt":
        return value > wanted;
      case "gte":
        return value >= wanted;
      case "lt":
        return value < wanted;
      case "lte":
        return value <= wanted;
      case "ne":
        return value !== wanted;
      default:
        return value === wanted;
    }
  });
}
