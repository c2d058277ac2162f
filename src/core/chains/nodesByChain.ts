import { writtenChainId } from "../chainId.ts";
import { entriesOf, readAs, text } from "../json/shape.ts";

const entries = entriesOf(text());

/**
 * The addresses of the setting `ledgerLens.rpcUrls` by chain id, in the one form that ids have, however a person wrote them;
 * what is no chain id or no text is left out. Of two spellings of one id that form counts, or else the first.
 */
export function nodesByChain(setting: unknown): Readonly<Record<string, string>> {
  const nodes = new Map<string, string>();
  for (const [key, address] of readAs(entries, setting) ?? []) {
    const id = writtenChainId(key);
    if (id !== undefined && (key === id || !nodes.has(id))) nodes.set(id, address);
  }
  return Object.fromEntries(nodes);
}
