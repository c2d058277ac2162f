import { hiddenEscapedInJson } from "../text/hiddenCharacters.ts";

/**
 * A value as JSON, or words in its place where it is nested deeper than the engine writes: a body of a few kilobytes
 * can hold thousands of nested arrays, and reading those needs no stack while writing them does.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '"nested too deeply to be shown"';
  }
}

/** A value as it came: a text as it is, anything else as JSON. */
export function rawText(value: unknown): string {
  return typeof value === "string" ? value : jsonText(value);
}

/** A value as JSON in which controls, bidirectional marks and the like are escaped, so that nothing hides. */
export function visibleJson(value: unknown): string {
  return hiddenEscapedInJson(jsonText(value));
}
