import type { LookupFunction } from "node:net";

// What this machine is: the words about what becomes of sources, which services may speak of it, and that no proxy and no
// resolver is asked for it all go by this.

/** By these systems reach this machine, too, as they do by the addresses to listen at for all. */
const UNSPECIFIED: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);
/** RFC 1122, section 3.2.1.3. */
const LOOPBACK_V4 = /^127\.\d+\.\d+\.\d+$/;
/** RFC 4291, section 2.5.5.2, as addresses are normalised. */
const MAPPED_V4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/**
 * Whether a host is this machine whatever a resolver says: an address of it, or `localhost`. Names below `localhost` are
 * none, since systems ask their resolver for them.
 *
 * @param hostname of an address, as it is normalised there
 */
export function isThisMachine(hostname: string): boolean {
  const host = plainHostname(hostname);
  return host === "localhost" || host === "::1" || UNSPECIFIED.has(host) || LOOPBACK_V4.test(host);
}

/**
 * Whether a service runs on this machine.
 *
 * @param host with or without a port
 */
export function runsHere(host: string): boolean {
  return isThisMachine(URL.parse(`http://${host}`)?.hostname ?? "");
}

/**
 * A host's name in one form: without brackets and the dot at the end, and the address of version 4 that one of version 6
 * stands for.
 */
export function plainHostname(hostname: string): string {
  const host = hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  const [, high, low] = MAPPED_V4.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  return v4Of(high, low);
}

/** An address of version 4 from the two parts, in hexadecimal, that it is within one of version 6. */
export function v4Of(high: string, low: string): string {
  return [high, low]
    .map((one) => parseInt(one, 16))
    .flatMap((one) => [one >> 8, one & 0xff])
    .join(".");
}

/** Where `localhost` leads, with or without a dot at its end, for which no resolver is asked (RFC 6761, section 6.3). */
export const lookUpThisMachine: LookupFunction = (_hostname, { all }, tell) => {
  const [v4, v6] = [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ];
  if (all) tell(null, [v4, v6]);
  else tell(null, v4.address, v4.family);
};
