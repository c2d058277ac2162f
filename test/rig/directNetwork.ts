import type { NetworkSettings } from "../../src/core/http/networkSettings.ts";

/** No proxy, trust by the system. */
export const DIRECT_NETWORK: NetworkSettings = {
  proxy: "",
  noProxy: [],
  proxySupport: "off",
  strictTls: true,
  systemCertificates: true,
  proxyAuthorization: "",
  environment: {},
};
