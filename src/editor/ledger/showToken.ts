import type { LooseObject } from "../../core/json/shape.ts";
import { askSteps } from "../ui/multiStep.ts";
import { optionalText } from "../ui/arguments.ts";
import { askLedgerReference, textOfChoice } from "./ledgerReferenceStep.ts";
import { openItem } from "./openItem.ts";
import { shown } from "../../core/text/shownText.ts";
import type { ItemParts, ReferenceParts } from "./ledgerParts.ts";

/** `ledgerLens.showToken` `{tokenId, timestamp?}`: a token's record, exact, now or as of a time. */
export async function showToken(
  parts: ItemParts & ReferenceParts,
  args: Readonly<Record<string, unknown>>,
): Promise<LooseObject> {
  const timestamp = optionalText(args, "timestamp");
  const state = { tokenId: optionalText(args, "tokenId") };
  const isAsked = state.tokenId === undefined;
  await askSteps(shown`Show Token`, state, [
    {
      argument: "tokenId",
      isKnown: ({ tokenId }) => tokenId !== undefined,
      ask: async (_state, frame) => {
        const chosen = await askLedgerReference(parts, frame, {
          placeholder: shown`Which token? Its id, EVM address or link`,
          kinds: ["token"],
          wanted: "token",
        });
        state.tokenId = await textOfChoice(parts, chosen);
      },
    },
  ]);
  const { token } = await openItem(
    parts,
    { kind: "token", tokenId: state.tokenId ?? "", timestamp },
    { isShown: isAsked },
  );
  return token.record;
}
