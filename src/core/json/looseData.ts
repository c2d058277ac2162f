import { isObject, type LooseObject } from "./shape.ts";
import { ownValue } from "./ownValue.ts";
import { isDeeper, MAX_LEVELS } from "./depth.ts";

/** The value as an object, or `undefined` for anything else; an array is none. */
export function asRecord(value: unknown): LooseObject | undefined {
  return isObject(value) ? value : undefined;
}

/** The own field of an object, or `undefined`. */
export function field(value: unknown, name: string): unknown {
  const record = asRecord(value);
  return record && ownValue(record, name);
}

/** The field behind a chain of names. */
export function fieldAt(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce(field, value);
}

/** The value when it is a string. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value when it is true or false. */
export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** The object without the fields that are `undefined`. */
export function definedOnly<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** The strings of an array; `undefined` for anything else. */
export function asTexts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
}

/** The items of an array, or none. */
export function asItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value of a JSON text, or `undefined` when it is none or is nested deeper than anything can be worked on. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeper(value, MAX_LEVELS) ? undefined : value;
  } catch {
    return undefined;
  }
}
