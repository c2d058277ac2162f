import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";

/** Stands for a proxy that is set and can't be used, a host that there never is (RFC 6761): what should go through it goes nowhere. */
export const UNUSABLE_PROXY = "http://unusable.invalid/";

/** The code of the fault of a request that would have to go through a proxy that can't be used. */
export const UNUSABLE_PROXY_CODE = "LEDGER_LENS_UNUSABLE_PROXY";

/** Looks up a proxy, unless it is one that can't be used, which is no host. */
export const lookUpUsable: LookupFunction = (hostname, options, tell) => {
  if (hostname !== URL.parse(UNUSABLE_PROXY)?.hostname) lookup(hostname, options, tell);
  else tell(Object.assign(new Error("The proxy can't be used."), { code: UNUSABLE_PROXY_CODE }), []);
};
