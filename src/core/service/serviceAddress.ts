import { httpUrl } from "../http/httpUrl.ts";
import { baseAddress } from "../http/joinedAddress.ts";

/**
 * The base address of a service in the one form in which two are compared: host in lower case, without a default port
 * and without a slash at its end. What is no address stays as it is, and the request fails with a sentence.
 */
export function serviceAddress(url: string): string {
  return baseAddress(httpUrl(url)?.href ?? url);
}
