import type { HeaderKey } from "../../core/errors.ts";
import { ofRow, onRow, withArguments, type Commands } from "../ui/commands.ts";
import type { LedgerLink } from "../uriLinks.ts";
import type { LedgerSubject } from "./ledgerSubject.ts";
import type { LedgerNode } from "./ledgerTree.ts";

const FAILS_WITH_LEDGER = { failsWith: "ledger" } as const;

/** The commands of the ledger; their titles stand in the manifest. */
export const LEDGER_COMMANDS: Commands<LedgerSubject> = {
  "ledgerLens.showToken": withArguments(
    ({ parts, commands }, args) => commands.showToken(parts, args),
    FAILS_WITH_LEDGER,
  ),
  "ledgerLens.showTransactionActions": withArguments(
    ({ parts, commands }, args) => commands.showTransactionActions(parts, args),
    FAILS_WITH_LEDGER,
  ),
  "ledgerLens.showSchedules": withArguments(
    ({ parts, commands }, args) => commands.showSchedules(parts, args),
    FAILS_WITH_LEDGER,
  ),
  "ledgerLens.showSchedule": withArguments(
    ({ parts, commands }, args) => commands.showSchedule(parts, args),
    FAILS_WITH_LEDGER,
  ),
  "ledgerLens.selectNetwork": withArguments(({ parts, commands }, args) =>
    commands.selectNetwork(parts, args),
  ),
  "ledgerLens.enterKey": onRow(({ commands }, key: HeaderKey) => commands.enterKey(key), {
    titleOf: "ledgerLens.enterLedgerKey",
  }),
  "ledgerLens.findInLedger": onRow(({ parts, commands }) => commands.findInLedger(parts), FAILS_WITH_LEDGER),
  "ledgerLens.openLedgerLink": onRow(
    ({ parts, commands }, link: LedgerLink) => commands.openLedgerLink(parts, link),
    { ...FAILS_WITH_LEDGER, titleOf: "ledgerLens.findInLedger" },
  ),
  "ledgerLens.refreshLedger": onRow(
    ({ parts, commands }) => commands.refreshLedger(parts),
    FAILS_WITH_LEDGER,
  ),
  "ledgerLens.hideStaticCalls": onRow(({ parts }) => (parts.view.hidesStatic = true)),
  "ledgerLens.showStaticCalls": onRow(({ parts }) => (parts.view.hidesStatic = false)),
  "ledgerLens.refreshLedgerItem": onNode(({ parts }, { itemId }) => parts.items.refresh(itemId)),
  "ledgerLens.pinLedgerItem": onNode(({ parts }, { itemId }) => parts.items.setPinned(itemId, true)),
  "ledgerLens.unpinLedgerItem": onNode(({ parts }, { itemId }) => parts.items.setPinned(itemId, false)),
  "ledgerLens.removeLedgerItem": onNode(({ parts }, { itemId }) => parts.items.remove(itemId)),
  "ledgerLens.stopLoading": onNode(({ parts }, { itemId }) => parts.items.stop(itemId)),
  "ledgerLens.clearActionFilter": onNode(({ parts }, { itemId }) => parts.view.filter(itemId, "")),
  "ledgerLens.openLedgerSetting": onNode(({ parts, commands }, node) =>
    commands.openLedgerSetting(parts, node),
  ),
  "ledgerLens.enterLedgerKey": onNode(({ parts, commands }, node) => commands.enterLedgerKey(parts, node)),
  "ledgerLens.loadMore": onNode(({ parts, commands }, node) => commands.loadMore(parts, node)),
  "ledgerLens.openItemInExplorer": onNode(({ parts, commands }, node) =>
    commands.openItemInExplorer(parts, node),
  ),
  "ledgerLens.openLedgerRow": onNode(({ parts, commands }, node) => commands.openRow(parts, node)),
  "ledgerLens.openTransactionPage": onNode(({ parts, commands }, node) =>
    commands.openTransactionPage(parts, node),
  ),
  "ledgerLens.showRawJson": onNode(({ parts, commands }, node) => commands.showRawJson(parts, node)),
  "ledgerLens.copyActionsAsText": onNode(({ parts, commands }, node) =>
    commands.copyActions(parts, node, "text"),
  ),
  "ledgerLens.copyActionsAsJson": onNode(({ parts, commands }, node) =>
    commands.copyActions(parts, node, "json"),
  ),
  "ledgerLens.copyLedgerValue": onNode(({ parts, commands }, node) => commands.copyValue(parts, node)),
  "ledgerLens.filterActions": onNode(({ parts, commands }, node) => commands.askActionFilter(parts, node)),
  "ledgerLens.compareWithNow": onNode(({ parts, commands }, node) => commands.compareWithNow(parts, node)),
  "ledgerLens.showTokenAsOf": onNode(({ parts, commands }, node) => commands.showTokenAsOf(parts, node)),
  "ledgerLens.verifyLedgerContract": onNode(({ parts, commands }, node) =>
    commands.verifyContractOf(parts, node),
  ),
  "ledgerLens.openLedgerSource": onNode(({ parts, commands }, node) => commands.openSourceOf(parts, node)),
  "ledgerLens.goToSource": onNode(({ parts, commands }, node) => commands.goToSource(parts, node)),
};

function onNode(
  work: (subject: LedgerSubject, node: LedgerNode) => unknown,
): Commands<LedgerSubject>[string] {
  return ofRow(work, FAILS_WITH_LEDGER);
}
