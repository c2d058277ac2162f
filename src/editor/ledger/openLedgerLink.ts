import { LedgerLensError } from "../../core/errors.ts";
import { parseLedgerReference } from "../../core/ledger/references/ledgerReference.ts";
import { networkNameInLink, networkOfLink } from "../../core/ledger/references/network.ts";
import { shown } from "../../core/text/shownText.ts";
import { readNetworks } from "../configuredNetworks.ts";
import type { LedgerLink } from "../uriLinks.ts";
import { openReference } from "./findInLedger.ts";
import type { LedgerParts } from "./ledgerParts.ts";
import { checkingNetworks, choiceNamed } from "./networkChoice.ts";
import { switchIfAgreed } from "./switchIfAgreed.ts";

/**
 * Opens what a link names. Another network than the chosen one is switched to only after the user agreed.
 *
 * @throws LedgerLensError `invalid_parameter` for a network that is not known, and for an id that names nothing
 */
export async function openLedgerLink(parts: LedgerParts, { kind, id, ...said }: LedgerLink): Promise<void> {
  const known = readNetworks();
  const { network } = said;
  // A network that is not known is told of before one that is not that of the chain.
  if (network !== undefined) choiceNamed(known, networkNameInLink(network, known.own));
  const nameOf = () => networkOfLink(said, parts.network(), known.own);
  const name = network === undefined ? checkingNetworks(nameOf) : nameOf();
  if (name !== undefined) {
    const wanted = choiceNamed(known, name);
    await switchIfAgreed(parts, wanted, {
      title: shown`Open Link`,
      placeholder: shown`This link is of ${wanted.name}, and Ledger Lens shows ${parts.network().name}`,
      switches: shown`The link opens there`,
      stays: shown`The link is not opened`,
    });
  }
  const reference = parseLedgerReference(id, parts.network(), kind === "address" ? undefined : kind);
  if ("error" in reference) throw new LedgerLensError("invalid_parameter", reference.error);
  await openReference(parts, id, reference);
}
