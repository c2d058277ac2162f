import * as vscode from "vscode";
import { systemClock } from "../../core/concurrency/clock.ts";
import { LedgerLensError } from "../../core/errors.ts";
import type { JsonClient } from "../../core/http/jsonClient.ts";
import { AddressLooks, knownAddress } from "../../core/ledger/accounts/addressLooks.ts";
import type { LedgerService } from "../../core/ledger/ledgerService.ts";
import { toMatch } from "../../core/service/job.ts";
import { VerificationService } from "../../core/service/verificationService.ts";
import { shown } from "../../core/text/shownText.ts";
import { settings } from "../settings.ts";
import { hover } from "../ui/hover.ts";
import type { NetworkParts } from "./ledgerParts.ts";

/** Says in a hover what an address is; `undefined` where nothing may be asked. */
export interface AddressLookUp {
  readonly hoverOf: (
    address: string,
    range: vscode.Range,
    signal: AbortSignal,
  ) => Promise<vscode.Hover | undefined>;
}

/** What an address is on the chosen network, with links to its page and to its verified source. */
export function addressLookUp(
  service: LedgerService,
  http: Pick<JsonClient, "request">,
  { network }: NetworkParts,
): AddressLookUp {
  const looks = new AddressLooks({
    ledger: service,
    verifiedBy: () => settings.verificationUrl,
    verified: async (deployment, signal) => {
      try {
        const asked = new VerificationService(http, settings.verificationUrl);
        const contract = await asked.verifiedIdentity(deployment, signal);
        const { contractName } = contract ?? {};
        return {
          state: toMatch(contract?.match) ?? "none",
          ...(contractName !== undefined && contractName !== "" && { name: contractName }),
        };
      } catch (error) {
        if (error instanceof LedgerLensError && !signal.aborted) return { state: "unknown" };
        throw error;
      }
    },
    clock: systemClock,
  });
  return {
    hoverOf: async (address, range, signal) => {
      const known = knownAddress(address);
      if (known) return hover(range, [known], []);
      // Who opened a folder to look at it has not agreed that its addresses are told to anybody.
      if (!vscode.workspace.isTrusted) return undefined;
      const at = network();
      const { text, isThere, verified, contractAddress } = await looks.at(address, at, signal);
      const { chainId } = at;
      const isVerified = verified === "exact_match" || verified === "match";
      return hover(
        range,
        [text],
        [
          ...(isThere
            ? [
                {
                  label: shown`Show in Ledger`,
                  command: "ledgerLens.openLedgerLink",
                  argument: { kind: "address", id: address.toLowerCase() },
                },
              ]
            : []),
          ...(isVerified
            ? [
                {
                  label: shown`Open Verified Source`,
                  command: "ledgerLens.openThisSource",
                  argument: { chainId, address: contractAddress },
                },
              ]
            : []),
        ],
      );
    },
  };
}
