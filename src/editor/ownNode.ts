import { JsonRpc } from "../core/chains/jsonRpc.ts";
import { nodesByChain } from "../core/chains/nodesByChain.ts";
import { ownValue } from "../core/json/ownValue.ts";
import { settings } from "./settings.ts";

/** The addresses of the user's own nodes, by chain id. */
export function ownNodes(): Readonly<Record<string, string>> {
  return nodesByChain(settings.rpcUrls);
}

/** The user's own node of a chain, where the settings name one. */
export function ownNode(
  http: ConstructorParameters<typeof JsonRpc>[0],
  chainId: string,
): JsonRpc | undefined {
  const url = ownValue(ownNodes(), chainId);
  return url ? new JsonRpc(http, url) : undefined;
}
