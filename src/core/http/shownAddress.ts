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
  if (!url?.host) return "an invalid address";
  const configured = base === undefined ? null : URL.parse(base);
  const hidden = configured ? configured.pathname.replace(/\/+$/, "") : url.pathname;
  const ours = url.pathname.startsWith(hidden) ? url.pathname.slice(hidden.length) : "";
  return `${url.protocol}//${url.host}${/[^/]/.test(hidden) ? "/…" : ""}${ours}`;
}

/** The host of an address, with its port; words where there is none, which may be a whole address with its key. */
export function shownHost(address: string): string {
  const host = URL.parse(address)?.host ?? "";
  return host === "" ? "an invalid address" : host;
}

/**
 * What a service said, without the keys of the address that it was asked at: gateways repeat the path that they do not
 * know, and providers the key that they do not accept.
 *
 * @param address the configured address, or the whole one where none is known
 * @param others keys that went along with the request in headers
 */
export function withoutKeys(text: string, address: string, others: readonly string[] = []): string {
  const parts = others.flatMap((value) => [value, ...value.split(/\s+/)]);
  const keys = [...keysOf(address), ...parts.filter(({ length }) => length >= SHORTEST_SECRET)];
  const forms = keys.flatMap((key) => [key, encodeURIComponent(key), decoded(key)]);
  return [...new Set(forms)]
    .sort((one, other) => other.length - one.length)
    .reduce((rest, key) => rest.replaceAll(key, "…"), text);
}

function keysOf(address: string): string[] {
  const url = URL.parse(address);
  if (!url) return [];
  return [
    ...[url.username, url.password, ...url.searchParams.values()].filter(
      (value) => value.length >= SHORTEST_SECRET,
    ),
    ...url.pathname.split("/").filter(mayBeKey),
  ];
}

/** Whether a segment of a path is no plain word or version, such as `server` or `v3`. */
function mayBeKey(segment: string): boolean {
  return segment.length >= 16 || (segment.length >= 8 && /\d/.test(segment));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
