import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import type { ItemRequest } from "../../core/ledger/ledgerItems.ts";
import { explorerLink } from "../../core/ledger/references/explorerLinks.ts";
import type { EntityReference, LedgerReference } from "../../core/ledger/references/ledgerReference.ts";
import { withWaysOut } from "../ui/action.ts";
import { askSteps } from "../ui/multiStep.ts";
import { askLedgerReference, textOfChoice, type ChosenReference } from "./ledgerReferenceStep.ts";
import { openItem } from "./openItem.ts";
import { openActions } from "./showTransactionActions.ts";
import { shown } from "../../core/text/shownText.ts";
import type { ItemParts, LedgerParts, NetworkParts } from "./ledgerParts.ts";

/** One box for everything: an id, a hash, an address or a link is pasted, and the right thing opens. */
export async function findInLedger(parts: LedgerParts): Promise<void> {
  const state: { chosen?: ChosenReference } = {};
  await askSteps(shown`Find in Ledger`, state, [
    {
      isKnown: ({ chosen }) => chosen !== undefined,
      ask: async (_state, frame) => {
        state.chosen = await askLedgerReference(parts, frame, {
          placeholder: shown`Paste a token, transaction, schedule, contract, account or link`,
          kinds: ["token", "transaction", "schedule", "account"],
        });
      },
    },
  ]);
  const { chosen } = state;
  if (!chosen) return;
  if ("itemId" in chosen) {
    const isTransaction = parts.items.get(chosen.itemId)?.kind === "transaction";
    if (isTransaction) (await parts.pages()).show(chosen.itemId, { focus: true });
    await parts.view.reveal(chosen.itemId, { focus: !isTransaction });
    return;
  }
  const text = await textOfChoice(parts, chosen);
  try {
    await openReference(parts, text, chosen.reference);
  } catch (error) {
    if (!(error instanceof LedgerLensError) || error.code !== "not_found") throw error;
    throw withWaysOut(error, [
      {
        label: shown`Select Network…`,
        run: () => vscode.commands.executeCommand("ledgerLens.selectNetwork"),
      },
    ]);
  }
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
    case "contract":
    case "account":
      await openItem(parts, { kind: "account", account: reference.canonical }, shown);
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
  const requests: readonly ItemRequest[] = [
    { kind: "token", tokenId: canonical },
    { kind: "account", account: canonical },
    { kind: "schedule", scheduleId: canonical },
  ];
  for (const request of requests)
    try {
      await openItem(parts, request, { isShown: true });
      return;
    } catch (error) {
      if (!(error instanceof LedgerLensError) || error.code !== "not_found") throw error;
    }
  throw new LedgerLensError(
    "not_found",
    t`${canonical} is no token, contract, account or schedule on ${parts.network().name}. Check the id, and whether it belongs to another network.`,
  );
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
      t`${network.name} has no explorer that Ledger Lens knows, so ${item.canonical} can't be shown there.`,
    );
  }
  await vscode.env.openExternal(vscode.Uri.parse(link, true));
}
