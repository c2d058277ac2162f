import type { Pieces } from "../concurrency/turns.ts";
import { namesInPieces } from "./entriesInPieces.ts";
import { ownValue } from "./ownValue.ts";

/** A string is written in parts of so many UTF-16 units. */
const PART_UNITS = 65_536;

/** So many texts are put together at once. */
const TEXTS_AT_ONCE = 1_024;
/** After so many texts others may have their turn. */
const TEXTS_OF_A_PIECE = 64;

/**
 * A plain value as `JSON.stringify` writes it, to the byte, in pieces: 25 MB take a fifth of a second.
 *
 * @param value what JSON knows; nothing in it has a `toJSON`
 */
export function* jsonInPieces(value: unknown): Pieces<string> {
  const written = new Written();
  yield* write(value, written);
  yield;
  return written.whole();
}

/** The bytes of {@link jsonInPieces} in UTF-8, without making it. */
export function* jsonBytesInPieces(value: unknown): Pieces<number> {
  const measured = new Measured();
  yield* write(value, measured);
  return measured.bytes;
}

/** Where JSON goes. */
abstract class Sink {
  protected sincePause = 0;

  abstract add(text: string): void;

  /** True where it is time for a pause, which is taken to be made then. */
  takesPause(): boolean {
    if (this.sincePause < TEXTS_OF_A_PIECE) return false;
    this.sincePause = 0;
    return true;
  }
}

/** Only measures it. */
class Measured extends Sink {
  bytes = 0;

  add(text: string): void {
    this.bytes += Buffer.byteLength(text);
    this.sincePause++;
  }
}

/** What is written so far: few long texts, since to put hundreds of thousands of short ones together takes its time. */
class Written extends Sink {
  readonly #long: string[] = [];
  #short: string[] = [];

  add(text: string): void {
    this.#short.push(text);
    this.sincePause++;
    if (this.#short.length < TEXTS_AT_ONCE) return;
    this.#long.push(this.#short.join(""));
    this.#short = [];
  }

  whole(): string {
    return [...this.#long, ...this.#short].join("");
  }
}

function* write(value: unknown, written: Sink): Pieces<void> {
  if (typeof value === "string") {
    yield* writeText(value, written);
  } else if (Array.isArray(value)) {
    written.add("[");
    for (const [at, inner] of value.entries()) {
      if (at > 0) written.add(",");
      yield* write(isWritten(inner) ? inner : null, written);
    }
    written.add("]");
  } else if (typeof value === "object" && value !== null) {
    yield* writeObject(value as Readonly<Record<string, unknown>>, written);
  } else {
    written.add(JSON.stringify(value));
  }
  if (written.takesPause()) yield;
}

function* writeObject(value: Readonly<Record<string, unknown>>, written: Sink): Pieces<void> {
  const names = yield* namesInPieces(value);
  written.add("{");
  let isFirst = true;
  for (const name of names) {
    const inner = ownValue(value, name);
    if (!isWritten(inner)) continue;
    written.add(`${isFirst ? "" : ","}${JSON.stringify(name)}:`);
    isFirst = false;
    yield* write(inner, written);
  }
  written.add("}");
}

function* writeText(text: string, written: Sink): Pieces<void> {
  if (text.length <= PART_UNITS) {
    written.add(JSON.stringify(text));
    if (text.length > PART_UNITS / 16) yield;
    return;
  }
  written.add('"');
  for (const part of textParts(text)) {
    written.add(JSON.stringify(part).slice(1, -1));
    yield;
  }
  written.add('"');
}

/** A long text in parts. Halves of a character stay together: alone they would be written otherwise. */
export function* textParts(text: string): Generator<string, void, undefined> {
  for (let from = 0; from < text.length;) {
    const most = Math.min(from + PART_UNITS, text.length);
    const isHalf = most < text.length && /[\ud800-\udbff]/.test(text.charAt(most - 1));
    const until = isHalf ? most - 1 : most;
    yield text.slice(from, until);
    from = until;
  }
}

function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}
