import { t } from "@vscode/l10n";
import { isCancellation, LedgerLensError } from "../errors.ts";

/** A source that may have the code at an address; `undefined` for one that can't tell. */
export type CodeReader = (
  deployment: { readonly chainId: string; readonly address: string },
  signal?: AbortSignal,
) => Promise<string | undefined>;

/**
 * The code that is deployed at an address, `0x` for none, from the first reader that knows.
 *
 * @throws LedgerLensError `no_code_source` when there is no source to ask, and otherwise what the first reader threw that failed
 */
export async function readDeployedCode(
  readers: readonly CodeReader[],
  deployment: { readonly chainId: string; readonly address: string },
  signal?: AbortSignal,
): Promise<string> {
  // The readers stand in the order of their nearness: the person's own node says more than what others are asked instead.
  let first: unknown;
  for (const read of readers) {
    try {
      const code = await read(deployment, signal);
      if (code !== undefined) return code;
    } catch (error) {
      if (isCancellation(error)) throw error;
      first ??= error;
    }
  }
  if (first instanceof Error) throw first;
  throw noCodeSource(deployment.chainId);
}

/** There is nothing to ask about a chain. */
export function noCodeSource(chainId: string): LedgerLensError {
  return new LedgerLensError(
    "no_code_source",
    t`No node is known for chain ${chainId} to read the code from: set ledgerLens.rpcUrls for it.`,
  );
}
