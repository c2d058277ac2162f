import { t } from "@vscode/l10n";

// How a service's address may be told of: to a log, in a message, in a view. Providers of nodes and ledgers put their
// customers' keys into the path (`/v3/<key>`), the query (`?apikey=<key>`) or before the host (`user:password@`).

/** Shorter ones can't be told from words of the text they are looked for in. */
const SHORTEST_SECRET = 4;

/**
 * An address without what may be a key: scheme, host, port and the part of the path that is ours; `/…` stands for any
 * other path, and queries are left out.
 *
 * @param base the configured address that this one begins with; without it the whole path may be a key
 */
export function shownAddress(address: string | URL, base?: string): string {
  const url = URL.parse(String(address));
  if (!url?.host) return t`an invalid address`;
  const configured = base === undefined ? null : URL.parse(base);
  const hidden = configured ? configured.pathname.replace(/\/+$/, "") : url.pathname;
  const ours = url.pathname.startsWith(hidden) ? url.pathname.slice(hidden.length) : "";
  return `${url.protocol}//${url.host}${/[^/]/.test(hidden) ? "/…" : ""}${ours}`;
}

/** The host of an address, with its port; words where there is none, which may be a whole address with its key. */
export function shownHost(address: string): string {
  const host = URL.parse(address)?.host ?? "";
  return host === "" ? t`an invalid address` : host;
}

/**
 * What a service said, without the keys of the address that it was asked at: gateways repeat the path that they do not
 * know, and providers the key that they do not accept, in JSON, in a page or as part of an address.
 *
 * @param address the configured address, or the whole one where none is known
 * @param others keys that went along with the request in headers
 */
export function withoutKeys(text: string, address: string, others: readonly string[] = []): string {
  const keys = [...new Set([...keysInAddress(address), ...others.flatMap(keysOfHeader)])].sort(
    (one, other) => other.length - one.length,
  );
  if (keys.length === 0) return text;
  return text.replace(
    new RegExp(keys.map(anyWriting).join("|"), "gi"),
    // The letter of an escape that stands before the key: without it the JSON would be none.
    (found: string, at: number) =>
      /^[bfnrt]/.test(found) && isEscaped(text, at) ? `${found.charAt(0)}…` : "…",
  );
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charAt(first - 1) === "\\") first--;
  return (at - first) % 2 === 1;
}

/** Whether a key may stand in the path of an address, which a link to a page of that server would hand on. */
export function mayHoldKeyInPath(address: string): boolean {
  return URL.parse(address)?.pathname.split("/").some(mayBeKey) ?? false;
}

/** What in an address may be a key, as it is and decoded. */
export function keysInAddress(address: string): string[] {
  const url = URL.parse(address);
  if (!url) return [];
  const query = url.search
    .slice(1)
    .split("&")
    .flatMap((pair) => {
      const at = pair.indexOf("=");
      // One that has no name is the whole query of some providers.
      return at < 0 ? [pair].filter(mayBeKey) : [pair.slice(at + 1)];
    });
  const path = url.pathname.split("/").filter(mayBeKey);
  return (
    [url.username, url.password, ...query, ...path]
      .flatMap((part) => [decodedOnce(part), decodedOnce(part.replaceAll("+", " "))])
      // The padding of base64 is left out by many.
      .flatMap((part) => [part, part.replace(/=+$/, "")])
      .filter(isSecret)
  );
}

/** What says how a key is given, and is none (RFC 9110, section 11.1, and what providers write in its place). */
const SCHEME = /^(?:basic|bearer|digest|token|key|api-?key)$/i;

/** The value of a header, and what in it may be the key alone: `Bearer <key>`, `Token token="<key>"`. */
function keysOfHeader(value: string): string[] {
  return [value, ...value.split(/\s+/), ...value.split(/[\s,;:="']+/)].filter(
    (part) => isSecret(part) && !SCHEME.test(part),
  );
}

function isSecret({ length }: string): boolean {
  return length >= SHORTEST_SECRET;
}

/** The names by which pages write what is markup there. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "amp"],
  ["<", "lt"],
  [">", "gt"],
  ['"', "quot"],
  ["'", "apos"],
]);

/** A pattern of a text as it is, or with any of its characters written as JSON, a page or an address may write them. */
function anyWriting(text: string): string {
  return Array.from(text, (character) => {
    const units = Array.from({ length: character.length }, (_, at) => unit(character.charCodeAt(at)));
    const code = character.codePointAt(0) ?? 0;
    const entity = ENTITIES.get(character);
    const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, "0"));
    return `(?:${[
      // What is written twice has more than one backslash; no run of them is looked through.
      `${/["'/\\]/.test(character) ? "\\\\{0,3}" : ""}${units.map((hex) => `\\u${hex}`).join("")}`,
      units.map((hex) => `\\\\{1,3}u${hex}`).join(""),
      bytes.map((hex) => `%(?:25){0,2}${hex}`).join(""),
      `&(?:amp;){0,2}(?:#0{0,4}${code};|#x0{0,4}${code.toString(16)};${entity === undefined ? "" : `|${entity};`})`,
      ...(character === " " ? ["\\+"] : []),
    ].join("|")})`;
  }).join("");
}

/** A UTF-16 code unit, as four hexadecimal digits. */
function unit(code: number): string {
  return code.toString(16).padStart(4, "0");
}

/** Whether a segment of a path is no plain word or version, such as `server` or `v3`. */
export function mayBeKey(segment: string): boolean {
  return segment.length >= 16 || (segment.length >= 8 && /\d/.test(segment));
}

/** A text with what `%` stands for in it, once; as it is where that is malformed. */
export function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
