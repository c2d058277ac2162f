import * as vscode from "vscode";
import { isCancellation } from "../../core/errors.ts";
import { CONTRACT_ENDINGS } from "../../core/languages/language.ts";
import { addressAt } from "../../core/ledger/references/addressInText.ts";
import { settings } from "../settings.ts";
import type { AddressLookUp } from "./addressLookUp.ts";

/** Besides contracts: scripts, tests and configurations that name addresses. */
const ENDINGS = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "json", "jsonc", "toml"];

/**
 * Says what an address is when the pointer rests on it. Nothing is loaded before that, and nothing is asked of a server where
 * the setting or the folder forbids it.
 */
export function addressHover(lookUp: () => Promise<AddressLookUp>): vscode.Disposable {
  return vscode.languages.registerHoverProvider(
    { pattern: `**/*.{${[...CONTRACT_ENDINGS, ...ENDINGS].join(",")}}` },
    {
      provideHover: async (document, { line, character }, token) => {
        if (!settings.addressHover) return undefined;
        const found = addressAt(document.lineAt(line).text, character);
        if (!found) return undefined;
        const range = new vscode.Range(line, found.start, line, found.end);
        const abort = new AbortController();
        const listening = token.onCancellationRequested(() => abort.abort());
        try {
          const { hoverOf } = await lookUp();
          return token.isCancellationRequested
            ? undefined
            : await hoverOf(found.address, range, abort.signal);
        } catch (error) {
          if (isCancellation(error) || abort.signal.aborted) return undefined;
          throw error;
        } finally {
          listening.dispose();
        }
      },
    },
  );
}
