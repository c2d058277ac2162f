import { integerText } from "./exactDecimal.ts";
import { ownValue } from "../json/ownValue.ts";

/** A JSON object of which nothing is known. */
export type LooseRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is LooseRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text of a field; `undefined` where it is missing, null, empty, or no text. */
export function textField(record: LooseRecord, name: string): string | undefined {
  const value = ownValue(record, name);
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "number" ? String(value) : undefined;
}

/** The exact decimal digits of an integer field, however it is written. */
export function integerField(record: LooseRecord, name: string): string | undefined {
  return integerText(ownValue(record, name));
}

/** The objects of an array field; what is no object is left out. */
export function recordsField(record: LooseRecord, name: string): LooseRecord[] {
  const value = ownValue(record, name);
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
