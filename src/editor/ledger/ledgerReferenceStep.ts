import { t } from "@vscode/l10n";
import type { ItemKind } from "../../core/ledger/openedItems.ts";
import {
  parseLedgerReference,
  type EntityReference,
  type LedgerReference,
  type ReferenceKind,
} from "../../core/ledger/references/ledgerReference.ts";
import { LedgerLensError } from "../../core/errors.ts";
import type { LedgerNetwork } from "../../core/ledger/references/network.ts";
import { foreign, foreignSentence, joined, shown, type ShownText } from "../../core/text/shownText.ts";
import { choiceNamed, type NetworkChoice } from "./networkChoice.ts";
import { readNetworks } from "../configuredNetworks.ts";
import type { StepFrame } from "../ui/multiStep.ts";
import { pick } from "../ui/questions.ts";
import type { Choice, StepChoice } from "../ui/quickPick.ts";
import type { ReferenceParts, SwitchParts } from "./ledgerParts.ts";
import { capitalised } from "../../core/text/capitalised.ts";

/** What was chosen: something that was opened before, or a text and what it names. */
export type ChosenReference =
  | { readonly itemId: string; readonly canonical: string }
  | { readonly text: string; readonly reference: LedgerReference; readonly switchesTo?: NetworkChoice };

/**
 * Asks for something on the ledger: by any identifier, which is shown in its canonical form as it is typed, or one
 * that was opened before.
 *
 * @param kinds of earlier items to offer
 * @param wanted what the text has to name; anything when missing
 * @throws LedgerLensError `other_network` where the network that was shown is not the chosen one any more
 */
export async function askLedgerReference(
  { items, network: chosen, networks }: ReferenceParts,
  frame: StepFrame,
  options: {
    readonly placeholder: ShownText;
    readonly kinds: readonly ItemKind[];
    readonly wanted?: ReferenceKind;
  },
): Promise<ChosenReference> {
  const network = chosen();
  const earlier = items
    .visible()
    .filter(({ kind, canonical }) => canonical !== "" && options.kinds.includes(kind))
    .map(({ id, canonical, label, description, pinned }) => ({
      icon: pinned ? "pinned" : undefined,
      label: foreign(label),
      description: foreign(description),
      value: { itemId: id, canonical },
    }));
  const answer = await pick<ChosenReference>(frame, {
    placeholder: shown`${options.placeholder} · ${network.name}`,
    choices: earlier,
    typed: (text): StepChoice<ChosenReference> | undefined => {
      if (text === "") return undefined;
      const reference = parseLedgerReference(text, network, options.wanted);
      if ("error" in reference) {
        // A word may be the name of an item above.
        return /\d/.test(text) || earlier.length === 0
          ? { icon: "warning", ...onTwoLines(reference.error), alwaysShow: true }
          : undefined;
      }
      const other =
        reference.network === undefined || reference.network === network.id
          ? undefined
          : choiceNamed(readNetworks(), reference.network);
      return {
        icon: "search",
        label: shown`${referenceText(reference)}`,
        description: other ? shown`on ${other.name}` : foreign(network.name),
        detail:
          other && networks.changesService(other)
            ? joined([foreign(kindText(reference)), networks.places(other)], " · ")
            : foreign(kindText(reference)),
        alwaysShow: true,
        ...(other ? { sends: true } : { isSaidByText: true }),
        value: { text, reference, ...(other && { switchesTo: other }) },
      };
    },
  });
  if (!("switchesTo" in answer)) checkStillChosen(network, chosen());
  return answer;
}

/**
 * The network may be switched elsewhere while the question is on the screen, such as in another window.
 *
 * @throws LedgerLensError `other_network`
 */
function checkStillChosen(said: LedgerNetwork, now: LedgerNetwork): void {
  if (now.id === said.id && now.ledgerUrl === said.ledgerUrl) return;
  throw new LedgerLensError(
    "other_network",
    t`Nothing was asked: ${now.name} is chosen by now, while the question said ${said.name}. Find it again.`,
  );
}

/**
 * The text to ask the ledger for. A link names its network, and the user saw which one before choosing it, so the
 * network is switched.
 */
export async function textOfChoice(parts: SwitchParts, chosen: ChosenReference): Promise<string> {
  if ("itemId" in chosen) return chosen.canonical;
  if (chosen.switchesTo) await parts.networks.use(chosen.switchesTo);
  return chosen.text;
}

/** A sentence on the two lines that a choice has: what is wrong, and behind its colon what to do. */
function onTwoLines(sentence: string): Pick<Choice<never>, "label" | "detail"> {
  const at = sentence.lastIndexOf(": ");
  if (at === -1) return { label: foreignSentence(sentence) };
  const advice = sentence.slice(at + 2);
  return {
    label: foreignSentence(`${sentence.slice(0, at)}.`),
    detail: foreignSentence(capitalised(advice)),
  };
}

function referenceText(reference: LedgerReference): string {
  if (reference.kind !== "transaction" || reference.by !== "id") return reference.canonical;
  const nonce = reference.nonce > 0 ? t` · child ${reference.nonce}` : "";
  return `${reference.canonical}${reference.scheduled ? t` · scheduled` : ""}${nonce}`;
}

const KINDS: Readonly<Record<EntityReference["kind"], string>> = {
  token: t`Token`,
  schedule: t`Schedule`,
  contract: t`Contract`,
  account: t`Account or contract`,
  topic: t`Topic, shown in the explorer`,
  entity: t`Token, contract, account or schedule`,
};

function kindText(reference: LedgerReference): string {
  if (reference.kind !== "transaction") return KINDS[reference.kind];
  switch (reference.by) {
    case "id":
      return t`Contract actions of the transaction with this id`;
    case "hash":
      return t`Contract actions of the transaction with this hash`;
    case "timestamp":
      return t`Contract actions of the transaction at this consensus timestamp`;
  }
}
