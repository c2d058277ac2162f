import { asItems, asRecord, asText } from "../json/looseData.ts";
import { ownValue } from "../json/ownValue.ts";
import { SOURCE_ENDINGS } from "./language.ts";

/** Answers the places below `at` where something stands that the compiler gives no meaning. */
export type Known = (value: unknown, at: string) => readonly string[];

/** More of a key tells nothing. */
const LONGEST_KEY = 60;

const inside = (at: string, key: string) => {
  const short = key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY)}…` : key;
  return at === "" ? short : `${at}.${short}`;
};

/** A value that holds no text: a switch, a number or nothing. */
export const plain: Known = (value, at) =>
  value === null || typeof value === "boolean" || typeof value === "number" ? [] : [at];

export const textLike =
  (form: RegExp): Known =>
  (value, at) =>
    form.test(asText(value) ?? "\n") ? [] : [at];

export const eitherKnown =
  (one: Known, other: Known): Known =>
  (value, at) =>
    one(value, at).length === 0 ? [] : other(value, at);

export const listOfKnown =
  (known: Known): Known =>
  (value, at) =>
    Array.isArray(value) && asItems(value).every((item) => known(item, at).length === 0) ? [] : [at];

/** A table with these keys and no others. */
export const fields =
  (known: Readonly<Record<string, Known>>): Known =>
  (value, at) =>
    entries(value, at, (key, inner, place) => ownValue(known, key)?.(inner, place) ?? [place]);

/** A table whose keys are chosen by the project. */
export const tableOf =
  (isKey: (key: string) => boolean, known: Known): Known =>
  (value, at) =>
    entries(value, at, (key, inner, place) => (isKey(key) ? known(inner, place) : [place]));

function entries(
  value: unknown,
  at: string,
  look: (key: string, value: unknown, place: string) => readonly string[],
): readonly string[] {
  const table = asRecord(value);
  if (!table) return [at];
  return Object.entries(table).flatMap(([key, inner]) => look(key, inner, inside(at, key)));
}

export const switches = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, plain] as const));

/** A name of an output, of an EVM version, of a mode: a word, and no room for anything else. */
export const word = textLike(/^@?[\w.*-]{1,40}$/);
export const evmVersion = eitherKnown(plain, textLike(/^@?[A-Za-z]{1,20}$/));
/** A path has no blanks where a tool wrote it; one that has is looked at. */
export const isPath = (text: string) => /^[^\s\p{Cc}]{1,300}$/u.test(text);
export const path: Known = (value, at) => (isPath(asText(value) ?? "") ? [] : [at]);
/** `Name`, or `file.sol:Name` as compilers before 0.5 link. */
export const isContract = (name: string) => /^(?:\S{1,300}:)?[\w$*]{0,200}$/.test(name);

/** The name of a file as settings choose it: of one that goes, of one like it, or of all. */
export const fileNames = (sources: object) => (name: string) =>
  name === "" ||
  name === "*" ||
  Object.hasOwn(sources, name) ||
  (isPath(name) && ENDINGS.includes(name.slice(name.lastIndexOf(".") + 1).toLowerCase()));

const ENDINGS = [...SOURCE_ENDINGS, "json"];
