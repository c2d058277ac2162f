import { t } from "@vscode/l10n";
import { rowsOf } from "../rows/faultRow.ts";
import { mayBeIncomplete } from "./requests/justSent.ts";
import { loadMoreRow } from "./actions/actionRows.ts";
import { accountRow } from "./accounts/accountRows.ts";
import { counted } from "../text/counted.ts";
import type { ItemContent, LedgerItem } from "./ledgerItems.ts";
import { MENDING_CONTEXTS, rowText, type LedgerRow, type Mending } from "../rows/ledgerRow.ts";
import type { Schedule } from "./schedules/schedule.ts";
import { scheduleRow } from "./schedules/scheduleRows.ts";
import { tokenRow } from "./tokens/tokenRows.ts";
import { transactionRow } from "./transactions/transactionRow.ts";
import { foreignSentence, joined, shown, type ShownText } from "../text/shownText.ts";

/**
 * The row that heads what was loaded of an item. The rows of contract actions are not among its children: they are
 * made when they are looked at.
 *
 * @param canonical of the item: what a list of schedules is restricted to
 * @param now milliseconds since the epoch
 */
export function contentRow(canonical: string, content: ItemContent, now: number): LedgerRow {
  switch (content.kind) {
    case "token":
      return tokenRow(content.token);
    case "transaction": {
      const { actions, namer } = content;
      const { network } = actions;
      return transactionRow({ networkId: network.id, networkName: network.name, canonical }, actions.tree, {
        complete: actions.complete,
        isFiltered: actions.isFiltered,
        isFresh: mayBeIncomplete(
          canonical,
          actions.executedAt ?? actions.record?.transaction?.consensus_timestamp,
          now,
        ),
        namesOf: (action) => namer.known(action),
        record: actions.record,
      });
    }
    case "schedule":
      return scheduleRow(content.loaded.schedule, now, content);
    case "account":
      return accountRow(content.account, content.namer, content.verified, now, content.denominations);
    case "schedules": {
      const { list, findings } = content;
      const { schedules, complete, pages } = list;
      const of = canonical === "" ? "" : t` created by ${canonical}`;
      const count = counted(schedules.length, "schedule");
      return {
        id: "schedules",
        label: canonical === "" ? shown`Latest schedules` : shown`Schedules${of}`,
        description: schedules.length === 0 ? shown`none` : shown`${count}${complete ? "" : t` so far`}`,
        tooltip: [shown`Schedules${of} on ${pages.network.name}, newest first`],
        icon: "watch",
        context: "schedules",
        children:
          schedules.length === 0
            ? [
                {
                  id: "empty",
                  label: shown`${pages.network.name} knows no schedule${of}.`,
                  icon: "info",
                  tooltip: [
                    shown`A schedule is listed under the account that created it, not under the one that pays.`,
                  ],
                },
              ]
            : rowsOf<Schedule, LedgerRow>(
                schedules,
                ({ scheduleId }) => `schedule ${scheduleId}`,
                (schedule) => ({
                  ...scheduleRow(schedule, now, findings.known(schedule.scheduleId)),
                  // All of them are schedules: in a narrow list nothing else of a row would be seen.
                  label: rowText(schedule.scheduleId),
                  opens: { kind: "schedule", canonical: schedule.scheduleId },
                }),
              ),
      };
    }
  }
}

/** What loading an item waits for, where that is more than an answer; `undefined` else. */
export function waitingWords(loading: LedgerItem["loading"], now: number): ShownText | undefined {
  const { isAwaited, resumesAt = now } = loading ?? {};
  if (resumesAt > now)
    return shown`too many requests for the ledger, going on in ${Math.ceil((resumesAt - now) / 1_000)} s`;
  return isAwaited === true ? shown`not on the mirror node yet, checking again` : undefined;
}

/** When {@link waitingWords} change because time passes. */
export function waitingChanges(
  loading: Pick<NonNullable<LedgerItem["loading"]>, "resumesAt"> | undefined,
  now: number,
): Pick<LedgerRow, "changesAt"> {
  const { resumesAt = now } = loading ?? {};
  return resumesAt > now ? { changesAt: resumesAt - Math.ceil((resumesAt - now) / 1_000 - 1) * 1_000 } : {};
}

/** The row at the end of an item that comes in pages: what goes on there, or what can be done. */
export function pagingRow(
  item: LedgerItem,
  pages: { readonly complete: boolean; readonly items: readonly unknown[] } | undefined,
  now: number,
): LedgerRow | undefined {
  const noun = item.kind === "schedules" ? "schedule" : "action";
  if (item.loading && pages && !pages.complete) {
    return {
      id: "loading",
      label: shown`Loading`,
      description: joined(
        [shown`${counted(item.loading.entries, noun)} so far`, waitingWords(item.loading, now) ?? shown``],
        ", ",
      ),
      icon: "sync~spin",
      context: "loading",
      ...waitingChanges(item.loading, now),
    };
  }
  if (!pages || pages.complete) return undefined;
  return {
    ...loadMoreRow(pages.items.length, noun),
    ...(item.problem && { tooltip: [foreignSentence(item.problem.message)] }),
  };
}

/**
 * The row at the end of an item that says why loading failed.
 *
 * @param mending what can mend it, of which the row's menu has the way
 */
export function problemRow(message: string, mending: Mending | undefined): LedgerRow {
  return {
    id: "problem",
    label: foreignSentence(message),
    icon: "warning",
    color: "warning",
    context: mending === undefined ? "problem" : `problem.${MENDING_CONTEXTS[mending]}`,
  };
}
