import { LedgerLensError } from "../../core/errors.ts";
import { parseLedgerReference } from "../../core/ledger/references/ledgerReference.ts";
import { networkOfLink, selectableNetwork } from "../../core/ledger/references/network.ts";
import { shown } from "../../core/text/shownText.ts";
import { configuredNetworks } from "../configuredNetworks.ts";
import { UserCancelled } from "../ui/action.ts";
import { pick } from "../ui/multiStep.ts";
import type { LedgerLink } from "../uriLinks.ts";
import { openReference } from "./findInLedger.ts";
import { useNetwork } from "./ledgerNetwork.ts";
import type { LedgerParts } from "./ledgerParts.ts";

/**
 * Opens what a link names. Another network than the chosen one is switched to only after the user agreed.
 *
 * @throws LedgerLensError `invalid_parameter` for a network that is not known, and for an id that names nothing
 */
export async function openLedgerLink(parts: LedgerParts, { kind, id, ...said }: LedgerLink): Promise<void> {
  const network = networkOfLink(said, parts.network(), configuredNetworks());
  if (network !== undefined) await switchTo(network, parts);
  const reference = parseLedgerReference(id, parts.network(), kind === "address" ? undefined : kind);
  if ("error" in reference) throw new LedgerLensError("invalid_parameter", reference.error);
  await openReference(parts, id, reference);
}

async function switchTo(network: string, parts: LedgerParts): Promise<void> {
  const wanted = selectableNetwork(network, configuredNetworks());
  const chosen = parts.network();
  const isAgreed = await pick(
    { title: shown`Open Link`, step: 1, totalSteps: 1, canGoBack: false },
    {
      placeholder: shown`This link is of ${wanted.name}, and Ledger Lens shows ${chosen.name}`,
      choices: [
        { label: shown`Switch to ${wanted.name}`, detail: shown`The link opens there`, value: true },
        { label: shown`Stay on ${chosen.name}`, detail: shown`The link is not opened`, value: false },
      ],
    },
  );
  if (!isAgreed) throw new UserCancelled();
  await useNetwork(network);
}
