// undici's index evaluates its `global.js`, which puts an agent into a slot shared by the whole process and
// so into other extensions' fetch. The parts are imported one by one instead, and these are their types.
declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici";
  export default Agent;
}
declare module "undici/lib/dispatcher/env-http-proxy-agent.js" {
  import { EnvHttpProxyAgent } from "undici";
  export default EnvHttpProxyAgent;
}
declare module "undici/lib/dispatcher/dispatcher.js" {
  import { Dispatcher } from "undici";
  export default Dispatcher;
}
declare module "undici/lib/api/index.js" {
  import type { Dispatcher } from "undici";
  const api: Pick<Dispatcher, "request" | "stream" | "pipeline" | "connect" | "upgrade">;
  export default api;
}
