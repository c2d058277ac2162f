import type { Pieces } from "../turns.ts";

/** A string is written in parts of so many UTF-16 units. */
const PART_UNITS = 65_536;

/**
 * A plain value as `JSON.stringify` writes it, to the byte, in pieces: 25 MB take a fifth of a second.
 *
 * @param value what JSON knows; nothing in it has a `toJSON`
 */
export function* jsonInPieces(value: unknown): Pieces<string> {
  const parts: string[] = [];
  yield* write(value, parts);
  return parts.join("");
}

function* write(value: unknown, parts: string[]): Pieces<void> {
  if (typeof value === "string") {
    yield* writeText(value, parts);
  } else if (Array.isArray(value)) {
    parts.push("[");
    for (const [at, inner] of value.entries()) {
      if (at > 0) parts.push(",");
      yield* write(isWritten(inner) ? inner : null, parts);
    }
    parts.push("]");
  } else if (typeof value === "object" && value !== null) {
    yield* writeObject(value, parts);
  } else {
    parts.push(JSON.stringify(value));
  }
  if (parts.length % 64 === 0) yield;
}

function* writeObject(value: object, parts: string[]): Pieces<void> {
  parts.push("{");
  let isFirst = true;
  for (const [name, inner] of Object.entries(value)) {
    if (!isWritten(inner)) continue;
    parts.push(`${isFirst ? "" : ","}${JSON.stringify(name)}:`);
    isFirst = false;
    yield* write(inner, parts);
  }
  parts.push("}");
}

function* writeText(text: string, parts: string[]): Pieces<void> {
  if (text.length <= PART_UNITS) {
    parts.push(JSON.stringify(text));
    if (text.length > PART_UNITS / 16) yield;
    return;
  }
  parts.push('"');
  for (const part of textParts(text)) {
    parts.push(JSON.stringify(part).slice(1, -1));
    yield;
  }
  parts.push('"');
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
