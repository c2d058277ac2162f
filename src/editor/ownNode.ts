import { JsonRpc } from "../core/chains/jsonRpc.ts";
import { ownValue } from "../core/json/ownValue.ts";
import { settings } from "./settings.ts";

/** The user's own node of a chain, where the settings name one. */
export function ownNode(
  http: ConstructorParameters<typeof JsonRpc>[0],
  chainId: string,
): JsonRpc | undefined {
  const url = ownValue(settings.rpcUrls, chainId);
  return url ? new JsonRpc(http, url) : undefined;
}
