// A service's configured address may have a query of its own: providers put their customers' keys there (`?apikey=<key>`).

/** The path of an address, and its query without the question mark; what stands behind a `#` is of no server. */
function halves(address: string): readonly [path: string, query: string] {
  const [sent = ""] = address.trim().split("#", 1);
  const mark = sent.indexOf("?");
  return mark < 0 ? [sent, ""] : [sent.slice(0, mark), sent.slice(mark + 1)];
}

/**
 * A configured address as others are made from it: without slashes at the end of its path, and without an ending that says
 * which interface it is, which people copy along.
 *
 * @param ending "/api/v1"
 */
export function baseAddress(address: string, ending = ""): string {
  const [path, query] = halves(address);
  const stem = path.replace(/\/+$/, "");
  const base = ending !== "" && stem.endsWith(ending) ? stem.slice(0, -ending.length) : stem;
  return query === "" ? base : `${base}?${query}`;
}

/**
 * The address of something at a service.
 *
 * @param base the configured address, whose query stays
 * @param target a path with or without a query: "/api/v1/tokens?limit=100"
 */
export function joinedAddress(base: string, target: string): string {
  const [path, query] = halves(base);
  const joined = path.replace(/\/+$/, "") + target;
  return query === "" ? joined : `${joined}${target.includes("?") ? "&" : "?"}${query}`;
}

/** An address that a service gave, with those parts of the configured address's query that it lacks. */
export function withBaseQuery(address: URL, base: string): URL {
  const url = new URL(address);
  for (const [name, value] of new URLSearchParams(halves(base)[1]))
    if (!url.searchParams.has(name)) url.searchParams.append(name, value);
  return url;
}
