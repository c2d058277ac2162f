import type { LooseObject } from "../../core/json/shape.ts";
import type { ScheduleState } from "../../core/ledger/schedules/schedule.ts";
import { askSteps } from "../ui/multiStep.ts";
import { optionalText } from "../ui/arguments.ts";
import { askLedgerReference, textOfChoice } from "./ledgerReferenceStep.ts";
import { openItem } from "./openItem.ts";
import { shown } from "../../core/text/shownText.ts";
import type { ItemParts, ReferenceParts } from "./ledgerParts.ts";

/** `ledgerLens.showSchedule` `{scheduleId}`: a scheduled transaction's record, and its state. */
export async function showSchedule(
  parts: ItemParts & ReferenceParts,
  args: Readonly<Record<string, unknown>>,
): Promise<LooseObject & { readonly state: ScheduleState }> {
  const state = { scheduleId: optionalText(args, "scheduleId") };
  const isAsked = state.scheduleId === undefined;
  await askSteps(shown`Show Schedule`, state, [
    {
      argument: "scheduleId",
      isKnown: ({ scheduleId }) => scheduleId !== undefined,
      ask: async (_state, frame) => {
        const chosen = await askLedgerReference(parts, frame, {
          placeholder: shown`Which schedule? Its id or link`,
          kinds: ["schedule"],
          wanted: "schedule",
        });
        state.scheduleId = await textOfChoice(parts, chosen);
      },
    },
  ]);
  const { loaded } = await openItem(
    parts,
    { kind: "schedule", scheduleId: state.scheduleId ?? "" },
    { isShown: isAsked },
  );
  return { ...loaded.schedule.record, state: loaded.state };
}
