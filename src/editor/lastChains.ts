import { chainIdShape } from "../core/chains/chainIdShape.ts";
import type { Memento } from "vscode";
import { listOf, readAs } from "../core/json/shape.ts";

const NAME = "ledgerLens.lastChains";
const MAX_KEPT = 5;

/** The chains that a verification in this workspace was on that a service took or this machine judged, the last one first; decimal. */
export function lastChains(memory: Pick<Memento, "get">): string[] {
  return readAs(listOf(chainIdShape, MAX_KEPT), memory.get<unknown>(NAME)) ?? [];
}

/** Puts a chain first. */
export async function rememberChain(
  { memory }: { readonly memory: Memento },
  chainId: string,
): Promise<void> {
  const others = lastChains(memory).filter((other) => other !== chainId);
  await memory.update(NAME, [chainId, ...others].slice(0, MAX_KEPT));
}
