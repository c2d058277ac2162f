import { t } from "@vscode/l10n";
import { beginning } from "../text/shownText.ts";
import { atOnce, type Pieces } from "../concurrency/turns.ts";
import { isDeeper } from "./depth.ts";
import { ownValue } from "./ownValue.ts";

/**
 * The one way in which data from outside is read: answers of services, and what an earlier session stored. A shape
 * takes a value of which nothing is known and answers it typed, or a {@link Misfit} that says what was expected where.
 * Shapes never throw, whatever they are given.
 *
 * These are not a library's schemas because nearly every field here is lenient: one that can't be read is left out and
 * the rest counts, which libraries turn into a wrapper around each field; and because foreign keys must stay data.
 */
export interface Shape<T> {
  (value: unknown): T | Misfit;
  /** The same in pieces, of a shape that may have a hundred thousand parts. */
  readonly inPieces?: (value: unknown) => Pieces<T | Misfit>;
}

/** The type that a shape reads. */
export type Shaped<S> = S extends Shape<infer T> ? Exclude<T, Misfit> : never;

/** A value that is not of the shape. */
export class Misfit {
  /** "a list", as it is told. */
  readonly expected: () => string;
  /** Where in the value, outermost first. */
  readonly path: readonly string[];

  constructor(expected: () => string, path: readonly string[] = []) {
    this.expected = expected;
    this.path = path;
  }

  /** The same fault, seen from one level further out. */
  within(step: string): Misfit {
    return new Misfit(this.expected, [step, ...this.path]);
  }

  /** "job.error: expected an object". */
  toString(): string {
    const expected = this.expected();
    return this.path.length === 0 ? t`expected ${expected}` : t`${this.path.join(".")}: expected ${expected}`;
  }
}

/** The value as its shape reads it; `undefined` where it does not fit. */
export function readAs<T>(shape: Shape<T>, value: unknown): T | undefined {
  const read = shape(value);
  return read instanceof Misfit ? undefined : read;
}

/** The same as {@link readAs}, in pieces. */
export function* readInPieces<T>(shape: Shape<T>, value: unknown): Pieces<T | undefined> {
  const read = yield* piecesOf(shape, value);
  return read instanceof Misfit ? undefined : read;
}

/** What a shape answers, in pieces where it can. */
export function* piecesOf<T>(shape: Shape<T>, value: unknown): Pieces<T | Misfit> {
  return shape.inPieces ? yield* shape.inPieces(value) : shape(value);
}

/** A shape that can read in pieces, by how it does. */
export function pieceByPiece<T>(inPieces: (value: unknown) => Pieces<T | Misfit>): Shape<T> {
  return Object.assign((value: unknown) => atOnce(inPieces(value)), { inPieces });
}

/** So many parts are read before a pause may be made. */
const PARTS_OF_A_PIECE = 128;

/** A text; what is longer than `most` UTF-16 units is cut. */
export function text(most = Infinity): Shape<string> {
  return (value) => {
    if (typeof value !== "string") return new Misfit(() => t`a text`);
    return value.length <= most ? value : beginning(value, most - 1);
  };
}

/** A text of a pattern, as a whole, or one that passes another test. */
export function matching(pattern: Pick<RegExp, "test">, expected: () => string): Shape<string> {
  return (value) => (typeof value === "string" && pattern.test(value) ? value : new Misfit(expected));
}

/** One of some words. */
export function oneOf<const T extends string>(...words: readonly T[]): Shape<T> {
  return (value) => words.find((word) => word === value) ?? new Misfit(() => t`one of ${words.join(", ")}`);
}

/** A finite number within limits, both included. */
export function numberFrom(least: number, most: number): Shape<number> {
  return (value) =>
    typeof value === "number" && value >= least && value <= most
      ? value
      : new Misfit(() => t`a number from ${least} to ${most}`);
}

/** Milliseconds since the epoch, as far as a `Date` goes. */
export const instant: Shape<number> = numberFrom(-8.64e15, 8.64e15);

export const flag: Shape<boolean> = (value) =>
  typeof value === "boolean" ? value : new Misfit(() => t`true or false`);

/** A number, or a text that says one, as it came; at most 62 characters. */
export const numeral: Shape<string | number> = (value) => {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  const isNumeral = typeof value === "string" && /^[+-]?\d{1,30}(?:\.\d{1,30})?$/.test(value);
  return isNumeral ? value : new Misfit(() => t`a number`);
};

/** A value of which nothing more is asked than that it can be written as JSON again. */
export const anyJson: Shape<unknown> = (value) =>
  isDeeper(value, MAX_LEVELS) ? new Misfit(() => t`JSON of at most ${MAX_LEVELS} levels`) : value;

/** `null`, or what the shape reads. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value) => (value === null ? null : shape(value));
}

/** The first shape that fits. */
export function either<A, B>(first: Shape<A>, second: Shape<B>): Shape<A | B> {
  return (value) => {
    const read = first(value);
    return read instanceof Misfit ? second(value) : read;
  };
}

/**
 * A list of which items that don't fit are left out, and those behind the first `most`.
 *
 * @param mostSeen so many items are looked at, whether they fit or not
 */
export function listOf<T>(shape: Shape<T>, most = Infinity, mostSeen = Infinity): Shape<T[]> {
  return pieceByPiece(function* (value) {
    if (!Array.isArray(value)) return new Misfit(() => t`a list`);
    const read: T[] = [];
    for (const [at, item] of (value as unknown[]).entries()) {
      if (read.length >= most || at >= mostSeen) break;
      if (at % PARTS_OF_A_PIECE === PARTS_OF_A_PIECE - 1) yield;
      const one = shape.inPieces ? yield* shape.inPieces(item) : shape(item);
      if (!(one instanceof Misfit)) read.push(one);
    }
    return read;
  });
}

/** A list of which every item has to fit. */
export function allOf<T>(shape: Shape<T>): Shape<T[]> {
  return (value) => {
    if (!Array.isArray(value)) return new Misfit(() => t`a list`);
    const read: T[] = [];
    for (const [at, item] of (value as unknown[]).entries()) {
      const one = shape(item);
      if (one instanceof Misfit) return one.within(String(at));
      read.push(one);
    }
    return read;
  };
}

/** The fields of an object whose names are not known; what does not fit is left out. */
export function entriesOf<T>(shape: Shape<T>): Shape<ReadonlyMap<string, T>> {
  return (value) => {
    if (!isObject(value)) return new Misfit(() => t`an object`);
    const read = new Map<string, T>();
    for (const [name, item] of Object.entries(value)) {
      const one = shape(item);
      if (!(one instanceof Misfit)) read.set(name, one);
    }
    return read;
  };
}

/** The fields of an object whose names are not known, all of which have to fit. */
export function allEntriesOf<T>(shape: Shape<T>): Shape<ReadonlyMap<string, T>> {
  return pieceByPiece(function* (value) {
    if (!isObject(value)) return new Misfit(() => t`an object`);
    const read = new Map<string, T>();
    for (const [at, name] of Object.keys(value).entries()) {
      if (at % PARTS_OF_A_PIECE === PARTS_OF_A_PIECE - 1) yield;
      const one = shape(ownValue(value, name));
      if (one instanceof Misfit) return one.within(name);
      read.set(name, one);
    }
    return read;
  });
}

/** A field that may be missing. */
interface FieldOption<T> {
  readonly shape: Shape<T>;
  /** Whether one that does not fit counts as missing. */
  readonly lenient: boolean;
}

/** A field that may be missing or `undefined`; there, it has to fit. */
export function optional<T>(shape: Shape<T>): FieldOption<T> {
  return { shape, lenient: false };
}

/** A field that counts as missing where it does not fit. */
export function ifReadable<T>(shape: Shape<T>): FieldOption<T> {
  return { shape, lenient: true };
}

type Fields = Readonly<Record<string, Shape<unknown> | FieldOption<unknown>>>;
type Known<F extends Fields> = {
  readonly [K in keyof F as F[K] extends FieldOption<unknown> ? never : K]: Shaped<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends FieldOption<unknown> ? K : never]?: F[K] extends FieldOption<infer T>
    ? Exclude<T, Misfit>
    : never;
};

/** An object of these fields; further ones are left out. */
export function object<F extends Fields>(fields: F): Shape<Known<F>> {
  return objectShape(fields, false) as Shape<Known<F>>;
}

/** An object of these fields; further ones are kept as they came, as far as they can be written as JSON again. */
export function openObject<F extends Fields>(fields: F): Shape<Known<F> & Readonly<Record<string, unknown>>> {
  return objectShape(fields, true) as Shape<Known<F> & Readonly<Record<string, unknown>>>;
}

/** What a shape reads, made into something else. */
export function mapped<T, U>(shape: Shape<T>, change: (value: T) => U | Misfit): Shape<U> {
  const changed = (read: T | Misfit) => (read instanceof Misfit ? read : change(read));
  if (!shape.inPieces) return (value) => changed(shape(value));
  return pieceByPiece(function* (value) {
    return changed(yield* piecesOf(shape, value));
  });
}

/** A value that a shape finds right, as it came: for what has to stay the same to the byte. */
export function asItCame<T>(shape: Shape<unknown>): Shape<T> {
  return pieceByPiece(function* (value) {
    const read = yield* piecesOf(shape, value);
    return read instanceof Misfit ? read : (value as T);
  });
}

/** An object of which nothing is known. */
export type LooseObject = Readonly<Record<string, unknown>>;

/** An object and no list. */
export function isObject(value: unknown): value is LooseObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object as it came, whatever is in it: for what is passed on whole. */
export const anyObject: Shape<LooseObject> = (value) =>
  isObject(value) ? value : new Misfit(() => t`an object`);

/** Any value, as it came: for a field that a reader of its own takes. */
export const anything: Shape<unknown> = (value) => value;

/** Far less than what can be written as JSON again; an answer has ten. */
const MAX_LEVELS = 200;

/** Far more than any version of an interface adds; a million of them take seconds to copy. */
const MAX_FURTHER_FIELDS = 1_000;

function firstFurther(value: object, known: ReadonlyMap<string, unknown>): string[] {
  const names: string[] = [];
  for (const name in value) {
    if (names.length === MAX_FURTHER_FIELDS) break;
    if (Object.hasOwn(value, name) && !known.has(name)) names.push(name);
  }
  return names;
}

function objectShape(fields: Fields, isOpen: boolean): Shape<object> {
  const known = new Map(Object.entries(fields));
  return pieceByPiece(function* (value) {
    if (!isObject(value)) return new Misfit(() => t`an object`);
    const read: [string, unknown][] = [];
    for (const [name, field] of known) {
      const isRequired = typeof field === "function";
      const item = ownValue(value, name);
      if (item === undefined && !isRequired) continue;
      const shape = isRequired ? field : field.shape;
      const one = shape.inPieces ? yield* shape.inPieces(item) : shape(item);
      if (!(one instanceof Misfit)) read.push([name, one]);
      else if (isRequired || !field.lenient) return one.within(name);
    }
    if (isOpen)
      for (const name of firstFurther(value, known)) {
        const item = ownValue(value, name);
        if (!isDeeper(item, MAX_LEVELS)) read.push([name, item]);
      }
    // Own fields whatever their names: nothing is assigned, so that `__proto__` is a name like any other.
    return Object.fromEntries(read);
  });
}
