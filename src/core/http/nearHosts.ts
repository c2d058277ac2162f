import { BlockList, isIP, isIPv4 } from "node:net";
import { isThisMachine, plainHostname, v4Of } from "./thisMachine.ts";

// What is near, and what the internet has: which service hears of which chain, and which node one may name, go by this.

/** Prefixes of addresses, with their lengths. */
type Prefixes = readonly (readonly [string, number])[];

/**
 * Of this machine, its link and its network (RFC 1122, RFC 1918, RFC 3927), and what providers and overlay networks share
 * among their own (RFC 6598).
 */
const NEAR_V4: Prefixes = [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
];
/** The same of version 6 (RFC 4193, RFC 4291), with the site's own of before (RFC 3879). */
const NEAR_V6: Prefixes = [
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
];
/**
 * Further ones that no host of the internet has: the registry of special-purpose addresses (RFC 6890 and what followed:
 * https://www.iana.org/assignments/iana-ipv4-special-registry), multicast (RFC 5771) and what is reserved (RFC 1112).
 */
const NO_HOST_V4: Prefixes = [
  ["0.0.0.0", 8],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];
/**
 * The same of version 6 (https://www.iana.org/assignments/iana-ipv6-special-registry): a network's own translation of version 4
 * (RFC 8215), discarded (RFC 6666), of protocols (RFC 2928), documentation (RFC 3849, RFC 9637), segments (RFC 9602), multicast.
 */
const NO_HOST_V6: Prefixes = [
  ["64:ff9b:1::", 48],
  ["100::", 63],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["3fff::", 20],
  ["5f00::", 16],
  ["ff00::", 8],
];

/**
 * Names of this machine and its network: RFC 6761, RFC 6762 with its appendix G, RFC 8375, `internal` as ICANN reserved it,
 * what it left to networks (`corp`, `home`, `mail`), and what clusters, containers, routers and overlay networks hand out.
 */
const NEAR_NAME =
  /(?:^[^.:]+|\.(?:localhost|localdomain|local|internal|intranet|private|corp|home|mail|lan|test|home\.arpa|svc|consul|docker|ts\.net)|(?:^|\.)fritz\.box)$/;
/** Names that no resolver of the internet has: RFC 6761, RFC 7686, RFC 9476. */
const NO_HOST_NAME = /\.(?:invalid|onion|alt)$/;

/**
 * Prefixes of 96 bits behind which an address of version 4 stands: compatible and mapped (RFC 4291), translated (RFC 2765,
 * RFC 6052).
 */
const BEFORE_V4: ReadonlySet<string> = new Set([
  "0:0:0:0:0:0",
  "0:0:0:0:0:ffff",
  "0:0:0:0:ffff:0",
  "64:ff9b:0:0:0:0",
]);

const near = listOf(NEAR_V4, NEAR_V6);
const noHost = listOf(NO_HOST_V4, NO_HOST_V6);

/**
 * Whether a host is this machine, or one of the network that it is in.
 *
 * @param host with or without a port
 */
export function isNear(host: string): boolean {
  const hostname = hostnameOf(host);
  return (
    isThisMachine(hostname) || isIn(near, hostname) || (isIP(hostname) === 0 && NEAR_NAME.test(hostname))
  );
}

/**
 * Whether a host may be one of the internet: it is not {@link isNear}, and has neither an address nor a name that the internet
 * never has. Of a name it is not known where it leads.
 *
 * @param host with or without a port
 */
export function isOfInternet(host: string): boolean {
  const hostname = hostnameOf(host);
  return !isNear(host) && !isIn(noHost, hostname) && !NO_HOST_NAME.test(hostname);
}

/**
 * The host of an address as a person wrote it, with its scheme or without; `undefined` for what is no address. A single word
 * without a port is none either: it is rather a note of what is still to be written.
 */
export function writtenHost(address: string): string | undefined {
  const text = withoutZone(address.trim());
  // Of a host with a port and no scheme the standard takes the host for a scheme.
  const hostname = URL.parse(text)?.hostname ?? "";
  if (hostname !== "") return hostname;
  if (text.includes("://") || !/\.|:[\d:]|^localhost(?:\/|$)/i.test(text)) return undefined;
  return (URL.parse(`http://${text}`) ?? URL.parse(`http://[${text}]`))?.hostname;
}

function hostnameOf(host: string): string {
  const text = withoutZone(host);
  const hostname = plainHostname(URL.parse(`http://${text}`)?.hostname ?? text);
  // A resolver takes no name with several dots at its end, but a proxy may.
  return hostname.replace(/\.+$/, "");
}

/** Without the zone of an address of version 6 (RFC 4007, RFC 6874), which the URL standard does not have. */
function withoutZone(text: string): string {
  return text.replace(/(:[\da-f.]*)%[^\]/]*(?=[\]/]|$)/i, "$1");
}

function listOf(v4: Prefixes, v6: Prefixes): BlockList {
  const list = new BlockList();
  for (const [address, length] of v4) list.addSubnet(address, length, "ipv4");
  for (const [address, length] of v6) list.addSubnet(address, length, "ipv6");
  return list;
}

/** Whether an address is on a list, or that of version 4 that it stands for; a name is on none. */
function isIn(list: BlockList, hostname: string): boolean {
  if (isIP(hostname) === 0) return false;
  if (isIPv4(hostname)) return list.check(hostname, "ipv4");
  const v4 = v4Within(hostname);
  return list.check(hostname, "ipv6") || (v4 !== undefined && list.check(v4, "ipv4"));
}

/** The address of version 4 that one of version 6 stands for, by its prefix or as 6to4 (RFC 3056). */
function v4Within(v6: string): string | undefined {
  // As it is normalised: no part of it is written in decimals.
  const address = URL.parse(`http://[${v6}]`)?.hostname.slice(1, -1) ?? v6;
  const [head = [], tail = []] = address
    .split("::")
    .map((half) => half.split(":").filter((one) => one !== ""));
  const parts = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => "0"), ...tail];
  const at = BEFORE_V4.has(parts.slice(0, 6).join(":")) ? 6 : parts[0] === "2002" ? 1 : undefined;
  if (at === undefined) return undefined;
  const [high = "0", low = "0"] = parts.slice(at);
  return v4Of(high, low);
}
