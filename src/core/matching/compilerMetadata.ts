import { SOLC_SINCE } from "../languages/solidity/solcCode.ts";
import { ownValue } from "../json/ownValue.ts";
import { atLeast } from "../versions.ts";

/** What is read and changed of solc's metadata (docs/metadata.rst). */
export interface CompilerMetadata {
  readonly compilerVersion: string;
  readonly settings: MetadataSettings;
  readonly sources: Readonly<Record<string, MetadataSource>>;
}

/** The `settings` of metadata; what is not named here is kept as it is. */
export interface MetadataSettings {
  readonly evmVersion?: string;
  readonly optimizer?: { readonly enabled?: boolean; readonly runs?: number; readonly details?: unknown };
  readonly viaIR?: boolean;
  readonly metadata?: {
    readonly bytecodeHash?: string;
    readonly appendCBOR?: boolean;
    readonly useLiteralContent?: boolean;
  };
  readonly libraries?: Readonly<Record<string, string>>;
  readonly remappings?: readonly string[];
  readonly [setting: string]: unknown;
}

/** A source of metadata: its hash, and where it can be had or what it is. */
export interface MetadataSource {
  readonly keccak256: string;
  readonly urls?: readonly string[];
  readonly content?: string;
  readonly license?: string;
}

/** Reads metadata; `undefined` for anything that is none of solc's. */
export function readMetadata(text: string): CompilerMetadata | undefined {
  try {
    const { compiler, settings, sources, language } = JSON.parse(text) as {
      compiler?: { version?: unknown };
      settings?: MetadataSettings;
      sources?: Record<string, MetadataSource>;
      language?: unknown;
    };
    const compilerVersion = compiler?.version;
    if (typeof compilerVersion !== "string" || typeof language !== "string") return undefined;
    if (typeof settings !== "object" || typeof sources !== "object") return undefined;
    return { compilerVersion, settings, sources };
  } catch {
    return undefined;
  }
}

/**
 * The metadata with other members, as a compiler writes it. The rest stays byte for byte, since its hash is what counts; what is new is
 * written as solc writes JSON: keys sorted, no spaces.
 */
export function withMembers(
  text: string,
  changes: { readonly settings?: object; readonly sources?: object },
  compilerVersion: string,
): string {
  const { settings, sources } = changes;
  const json = (value: unknown) => sortedJson(value, compilerVersion);
  const values = {
    compiler: json({ version: compilerVersion }),
    ...(settings && { settings: json(settings) }),
    ...(sources && { sources: json(sources) }),
  };
  let changed = "";
  let end = 0;
  for (const [name, place] of valuePlaces(text)) {
    const value = ownValue(values, name);
    if (value === undefined) continue;
    changed += text.slice(end, place.start) + value;
    end = place.end;
  }
  return changed + text.slice(end);
}

/**
 * The releases that don't say themselves in a code, by what they write into metadata: `stateMutability` since 0.4.16
 * (solc's changelog, and each compared with real solc).
 */
const UNNAMED_FORMS_SINCE = [SOLC_SINCE.metadata, "0.4.16", "0.5.0", SOLC_SINCE.ownVersion] as const;

/** Whether the metadata of two releases before 0.5.9 differ in the release and its EVM version alone. */
export function writeSameForm(one: string, other: string): boolean {
  const form = (version: string) => UNNAMED_FORMS_SINCE.findLast((since) => atLeast(version, since));
  return form(one) === form(other) && !atLeast(one, SOLC_SINCE.ownVersion);
}

/** Characters that solc escapes though JSON need not, by the first release that does. */
const ESCAPED: readonly (readonly [since: string, characters: RegExp])[] = [
  ["0.8.26", /[\u007f-\uffff]/g],
  ["0.4.22", /[\u0080-\uffff]/g],
];

/** JSON as a release of solc writes it: keys sorted, no spaces, since 0.4.22 in ASCII alone. */
export function sortedJson(value: unknown, compilerVersion: string): string {
  const escaped = ESCAPED.find(([since]) => atLeast(compilerVersion, since))?.[1];
  const plain = orderedJson(value);
  return escaped
    ? plain.replace(escaped, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)
    : plain;
}

/** JSON with the members of every object in the order of their names, undefined ones left out. */
export function orderedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(orderedJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${orderedJson(member)}`).join(",")}}`;
}

/** Where a value stands in a text. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** Of the text that was asked for last: a search asks for thousands of others that come of one. */
let known: { readonly text: string; readonly places: ReadonlyMap<string, Place> } | undefined;

/** Where the values of the outermost object's members stand, in the order of the text. */
function valuePlaces(text: string): ReadonlyMap<string, Place> {
  if (known?.text === text) return known.places;
  const places = new Map<string, Place>();
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') {
      const end = stringEnd(text, at);
      if (depth !== 1 || text.charAt(end) !== ":") {
        at = end - 1;
        continue;
      }
      const name = text.slice(at + 1, end - 1);
      const place = { start: end + 1, end: skipValue(text, end + 1) };
      if (!places.has(name)) places.set(name, place);
      at = place.end - 1;
    } else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
  }
  known = { text, places };
  return places;
}

/** Behind the closing quote of the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charAt(at) !== '"'; at++) if (text.charAt(at) === "\\") at++;
  return at + 1;
}

function skipValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') {
      at = stringEnd(text, at) - 1;
    } else if (character === "{" || character === "[") {
      depth++;
    } else if (character === "}" || character === "]") {
      depth--;
      if (depth < 0) return at;
    } else if (character === "," && depth === 0) {
      return at;
    }
  }
  return text.length;
}
