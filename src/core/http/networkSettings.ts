import { ownValue } from "../json/ownValue.ts";
import { httpUrl } from "./httpUrl.ts";
import { UNUSABLE_PROXY } from "./unusableProxy.ts";

/** How requests leave the machine: VS Code's `http.*` settings and the environment. */
export interface NetworkSettings {
  /** `http.proxy`; empty when not set. */
  readonly proxy: string;
  /** `http.noProxy`. */
  readonly noProxy: readonly string[];
  /** `http.proxySupport`; `off` means no proxy at all. */
  readonly proxySupport: string;
  /** `http.proxyStrictSSL`: refuse certificates that are not trusted. */
  readonly strictTls: boolean;
  /** `http.systemCertificates`: trust what the system trusts. */
  readonly systemCertificates: boolean;
  /** `http.proxyAuthorization`: the value of a `Proxy-Authorization` header; empty when not set. */
  readonly proxyAuthorization: string;
  /** `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY` and their lower-case forms. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface ProxyRoute {
  /** Proxy for `http:` addresses; empty for none. */
  readonly http: string;
  /** Proxy for `https:` addresses; empty for none. */
  readonly https: string;
  /** Hosts that are reached directly, separated by commas. */
  readonly noProxy: string;
}

/**
 * The proxies that the settings ask for. The setting goes before the environment, and where it is set its own
 * `http.noProxy` and the environment's `NO_PROXY` both count, as in the editor's own requests.
 */
export function proxyRoute({ proxy, noProxy, proxySupport, environment }: NetworkSettings): ProxyRoute {
  if (proxySupport === "off") return { http: "", https: "", noProxy: "" };
  // An empty lower-case variable does not hide the other one.
  const variable = (name: string) =>
    [name, name.toUpperCase()].map((one) => ownValue(environment, one)).find(Boolean) ?? "";
  const http = proxy || variable("http_proxy");
  const https = proxy || variable("https_proxy") || http;
  return {
    http: readProxy(http),
    https: readProxy(https),
    noProxy: [...noProxy, variable("no_proxy")].filter(Boolean).join(","),
  };
}

/** The address of a proxy of http or SOCKS 5. As for curl, `host:port` is one of http, and `socks5h` has the proxy look names up. */
function readProxy(written: string): string {
  const text = written.trim();
  if (text === "") return "";
  const socks = /^socks(?:5h?)?:\/\/\S+$/i.test(text)
    ? URL.parse(text.replace(/^[^:]+/, "socks5"))
    : undefined;
  const url = socks ?? httpUrl(text.includes("://") ? text : `http://${text}`);
  return url && url.hostname !== "" && isDecodable(url.username + url.password) ? url.href : UNUSABLE_PROXY;
}

/** Whether what stands for a name and a password are percent-encoded texts. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
