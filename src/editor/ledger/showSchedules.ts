import type { ScheduleQuery } from "../../core/ledger/ledgerService.ts";
import type { LooseObject } from "../../core/json/shape.ts";
import { mayAsk } from "../ui/asking.ts";
import { askSteps } from "../ui/multiStep.ts";
import { optionalNumber, optionalText } from "../ui/arguments.ts";
import { askText } from "../ui/questions.ts";
import { openItem } from "./openItem.ts";
import { shown } from "../../core/text/shownText.ts";
import type { ItemParts, LedgerParts } from "./ledgerParts.ts";

/**
 * `ledgerLens.showSchedules` `{accountId?, limit?, order?}`: scheduled transactions, newest first, of all accounts
 * or of one that created them.
 */
export async function showSchedules(
  parts: ItemParts & Pick<LedgerParts, "service">,
  args: Readonly<Record<string, unknown>>,
): Promise<{ readonly schedules: readonly LooseObject[]; readonly complete: boolean }> {
  const isAsked = mayAsk() && Object.keys(args).length === 0;
  const limit = optionalNumber(args, "limit");
  const order = optionalText(args, "order");
  const state = { accountId: isAsked ? undefined : (optionalText(args, "accountId") ?? "") };
  await askSteps(shown`Show Schedules`, state, [
    {
      isKnown: ({ accountId }) => accountId !== undefined,
      ask: async (_state, frame) => {
        state.accountId = await askText(frame, {
          prompt: shown`Created by which account? Leave it empty for the latest of all accounts.`,
          placeholder: shown`0.0.1234`,
          mayBeEmpty: true,
          check: (text) => (text.trim() === "" ? "" : parts.service.reference(text, undefined).canonical),
        });
      },
    },
  ]);
  const { accountId } = state;
  const query: ScheduleQuery = {
    ...(accountId && { accountId }),
    ...(limit !== undefined && { limit }),
    // The service says what is wrong with any other order.
    ...(order !== undefined && { order: order as "asc" | "desc" }),
  };
  const { list } = await openItem(parts, { kind: "schedules", query }, { isShown: isAsked });
  return list.toRecord();
}
