import { ownValue } from "../../json/ownValue.ts";
import { asRecord } from "../../json/looseData.ts";

/** A part of a configuration that is computed by code which is not run, so that its value is not known. */
export interface Computed {
  readonly kind: "computed";
  /** One-based. */
  readonly line: number;
  /** The code, shortened. */
  readonly code: string;
  /** The values that it may have, where these are known and only the choice is not. */
  readonly alternatives?: readonly unknown[];
  /** The absolute path that it is, where that is the script's own folder joined with literal parts. */
  readonly path?: string;
}

const COMPUTED = Symbol("computed");

/** A computed part; see {@link Computed}. */
export function computedAt(
  line: number,
  code: string,
  { alternatives, path }: Pick<Computed, "alternatives" | "path"> = {},
): Computed {
  return {
    kind: "computed",
    line,
    code,
    ...(alternatives && { alternatives }),
    ...(path !== undefined && { path }),
    [COMPUTED]: true,
  } as Computed;
}

/** True for what a script computes instead of saying it. */
export function isComputed(value: unknown): value is Computed {
  return typeof value === "object" && value !== null && COMPUTED in value;
}

/** Begins the key of what an object takes over from something computed; such keys may hide any other. */
export const SPREAD = "...";

/** A computed part, and the path that leads there. */
export interface PlacedComputation {
  readonly place: string;
  readonly line: number;
  readonly code: string;
}

/** The computed parts of a value. */
export function computedIn(value: unknown, place: string): PlacedComputation[] {
  if (isComputed(value)) return [{ place, line: value.line, code: value.code }];
  if (Array.isArray(value)) return value.flatMap((item, at) => computedIn(item, `${place}[${at}]`));
  const record = asRecord(value);
  return record
    ? Object.entries(record).flatMap(([name, item]) =>
        computedIn(item, name.startsWith(SPREAD) ? place : `${place}.${name}`),
      )
    : [];
}

/** The value with its computed parts left out. */
export function withoutComputed(value: unknown): unknown {
  if (isComputed(value)) return undefined;
  if (Array.isArray(value)) return value.map(withoutComputed).filter((item) => item !== undefined);
  const record = asRecord(value);
  return record
    ? Object.fromEntries(
        Object.entries(record)
          .map(([name, item]) => [name, withoutComputed(item)] as const)
          .filter(([, item]) => item !== undefined),
      )
    : value;
}

/**
 * The value with the paths that are known in it as texts, which are absolute: for what names folders. A path in whatever
 * else is read stays computed: it says where the project lies on this machine.
 */
export function withPaths(value: unknown): unknown {
  if (isComputed(value)) return value.path ?? value;
  if (Array.isArray(value)) return value.map(withPaths);
  const record = asRecord(value);
  return record
    ? Object.fromEntries(Object.entries(record).map(([name, item]) => [name, withPaths(item)] as const))
    : value;
}

/** Levels of objects, and parts in all, in which alternatives are told apart part by part. */
const MAX_LEVELS = 16;
const MAX_PARTS = 10_000;

/**
 * One of several values, of which it is not known which one: what all have in common is known, the rest is computed.
 *
 * @param place Says where the choice is computed.
 * @returns also how many parts were looked at
 */
export function oneAlternative(
  alternatives: readonly unknown[],
  place: Computed,
): { readonly value: unknown; readonly visited: number } {
  let visited = 0;
  const common = (some: readonly unknown[], level: number): unknown => {
    const values = some.flatMap((one) => (isComputed(one) ? (one.alternatives ?? [one]) : [one]));
    visited += values.length;
    const [first, ...others] = values;
    const isBeyond = level > MAX_LEVELS || visited > MAX_PARTS;
    if (values.some(isComputed) || isBeyond) return computedAt(place.line, place.code);
    if (others.every((one) => Object.is(one, first))) return first;
    const unknown = () => computedAt(place.line, place.code, { alternatives: values });
    if (values.every((one) => Array.isArray(one))) {
      const lists: readonly (readonly unknown[])[] = values;
      const length = lists[0]?.length ?? 0;
      if (lists.some((list) => list.length !== length)) return unknown();
      return Array.from({ length }, (_, at) =>
        common(
          lists.map((list) => list[at]),
          level + 1,
        ),
      );
    }
    const records = values.map(asRecord);
    if (records.some((record) => record === undefined)) return unknown();
    const names = new Set(records.flatMap((record) => Object.keys(record ?? {})));
    return Object.fromEntries(
      [...names].map((name) => {
        // Where one has none of this name, a spread leaves what was there before.
        if (!records.every((record) => record && Object.hasOwn(record, name)))
          return [name, computedAt(place.line, place.code)];
        const own = records.map((record) => record && ownValue(record, name));
        return [name, common(own, level + 1)];
      }),
    );
  };
  return { value: common(alternatives, 0), visited };
}
