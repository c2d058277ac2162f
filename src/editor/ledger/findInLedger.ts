import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import { explorerLink } from "../../core/ledger/references/explorerLinks.ts";
import type { EntityReference, LedgerReference } from "../../core/ledger/references/ledgerReference.ts";
import { askSteps } from "../ui/multiStep.ts";
import { askLedgerReference, textOfChoice, type ChosenReference } from "./ledgerReferenceStep.ts";
import { openItem } from "./openItem.ts";
import { openActions } from "./showTransactionActions.ts";
import { shown } from "../../core/text/shownText.ts";
import type { ItemParts, LedgerParts, NetworkParts } from "./ledgerParts.ts";

/** One box for everything: a token, transaction, hash, schedule or link is pasted, and the right thing opens. */
export async function findInLedger(parts: LedgerParts): Promise<void> {
  const state: { chosen?: ChosenReference } = {};
  await askSteps(shown`Find in Ledger`, state, [
    {
      isKnown: ({ chosen }) => chosen !== undefined,
      ask: async (_state, frame) => {
        state.chosen = await askLedgerReference(parts, frame, {
          placeholder: shown`Paste a token, transaction, hash, schedule or link`,
          kinds: ["token", "transaction", "schedule"],
        });
      },
    },
  ]);
  const { chosen } = state;
  if (!chosen) return;
  if ("itemId" in chosen) {
    await parts.view.reveal(chosen.itemId, { focus: true });
    return;
  }
  await openReference(parts, await textOfChoice(parts, chosen), chosen.reference);
}

/** Opens what a reference names, in the view or, where the view has no such thing, in the explorer. */
export async function openReference(
  parts: LedgerParts,
  text: string,
  reference: LedgerReference,
): Promise<void> {
  const shown = { isShown: true };
  switch (reference.kind) {
    case "transaction":
      await openActions(parts, text, {}, shown);
      return;
    case "token":
      await openItem(parts, { kind: "token", tokenId: reference.canonical }, shown);
      return;
    case "schedule":
      await openItem(parts, { kind: "schedule", scheduleId: reference.canonical }, shown);
      return;
    case "entity":
      await openEntity(parts, reference);
      return;
    default:
      await openInExplorer(parts, reference);
  }
}

/** An id alone does not tell what it is: the ledger does. */
async function openEntity(parts: ItemParts & NetworkParts, { canonical }: EntityReference): Promise<void> {
  try {
    await openItem(parts, { kind: "token", tokenId: canonical }, { isShown: true });
  } catch (error) {
    if (!(error instanceof LedgerLensError) || error.code !== "not_found") throw error;
    try {
      await openItem(parts, { kind: "schedule", scheduleId: canonical }, { isShown: true });
    } catch (second) {
      if (!(second instanceof LedgerLensError) || second.code !== "not_found") throw second;
      throw new LedgerLensError(
        "not_found",
        `${canonical} is neither a token nor a schedule on ${parts.network().name}. Check the id, and whether it belongs to another network.`,
      );
    }
  }
}

/** Opens the explorer's page of something. */
export async function openInExplorer(
  parts: NetworkParts,
  item: Pick<LedgerReference, "kind" | "canonical">,
): Promise<void> {
  const network = parts.network();
  const link = explorerLink(network, item);
  if (link === undefined) {
    throw new LedgerLensError(
      "no_explorer",
      `${network.name} has no explorer that Ledger Lens knows, so ${item.canonical} can't be shown there.`,
    );
  }
  await vscode.env.openExternal(vscode.Uri.parse(link, true));
}
