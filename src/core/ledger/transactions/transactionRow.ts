import { t } from "@vscode/l10n";
import type { LedgerRow } from "../../rows/ledgerRow.ts";
import { counted } from "../../text/counted.ts";
import { beginning, foreign, foreignSentence, MAX_PART_CHARACTERS, shown } from "../../text/shownText.ts";
import type { ActionNames } from "../actions/actionNames.ts";
import { shortTransaction } from "../actions/actionRows.ts";
import type { ActionTree } from "../actions/actionTree.ts";
import type { ContractAction } from "../actions/contractAction.ts";
import { pageTree } from "./transactionPage.ts";
import { transactionOutcome } from "./transactionOutcome.ts";
import type { TransactionRecord } from "./transactionRecord.ts";
import { nothingRanWords } from "./whyNoActions.ts";

/** What is known of a transaction beside its actions. */
interface TransactionState {
  readonly complete: boolean;
  /** What is known by name of an action. */
  readonly namesOf?: (action: ContractAction) => ActionNames | undefined;
  readonly isFiltered?: boolean;
  /** It was just sent: what is missing may come. */
  readonly isFresh?: boolean;
  /** Missing until it was asked for. */
  readonly record?: TransactionRecord | undefined;
}

/** The row that heads the actions of a transaction. */
export function transactionRow(
  transaction: { readonly networkId: string; readonly networkName: string; readonly canonical: string },
  tree: ActionTree,
  { complete, namesOf = () => undefined, isFiltered = false, isFresh = false, record }: TransactionState,
): LedgerRow {
  const { canonical } = transaction;
  const count = `${counted(tree.actions.length, "action")}${complete ? "" : t` so far`}`;
  const isEmpty = tree.actions.length === 0 && complete;
  const told = (form: "short" | "whole") =>
    transactionOutcome(
      {
        tree: pageTree({ tree, record }),
        complete: complete && !isFiltered,
        namesOf,
        record,
        isFresh,
      },
      form,
    );
  const { outcome, headline } = told("short");
  const isKnown = outcome !== "unknown";
  const id = shortTransaction(canonical);
  return {
    id: `transaction:${transaction.networkId}:${canonical}`,
    // A row of a tree is one line; the hover has the whole.
    label: isKnown ? beginning(headline, MAX_PART_CHARACTERS) : shown`Transaction ${id}`,
    description: foreignSentence(
      [
        isKnown ? t`transaction ${id}` : undefined,
        isEmpty && !isFiltered
          ? nothingRanWords(record) !== undefined
            ? t`no contract called`
            : isFresh
              ? t`contract actions not imported yet`
              : t`no contract actions`
          : count,
      ]
        .filter((part) => part !== undefined)
        .join(" · "),
    ),
    tooltip: [
      shown`Transaction ${canonical} on ${transaction.networkName}`,
      foreign(count),
      ...(isKnown ? [foreignSentence(told("whole").headline)] : []),
    ],
    icon:
      outcome === "failed"
        ? "error"
        : outcome === "succeeded"
          ? "pass"
          : isEmpty
            ? "circle-slash"
            : "list-tree",
    ...(outcome === "failed" && { color: "error" as const }),
    ...(outcome === "succeeded" && { color: "passed" as const }),
    context: "transaction",
    expanded: true,
    copyText: canonical,
    ...(isEmpty && { children: [emptyRow({ isFiltered, isFresh, record })] }),
  };
}

/** Why a transaction may have no actions, or none that were asked for; an empty list is no error. */
function emptyRow({
  isFiltered,
  isFresh,
  record,
}: Required<Pick<TransactionState, "isFiltered" | "isFresh">> & Pick<TransactionState, "record">): LedgerRow {
  const row = { id: "empty", icon: "info", context: "empty" };
  if (isFiltered)
    return {
      ...row,
      label: shown`The ledger has no contract actions with these indexes.`,
      tooltip: [shown`The transaction may have others: ask for it without an index.`],
    };
  const nothingRan = nothingRanWords(record);
  if (nothingRan !== undefined) return { ...row, label: nothingRan };
  if (isFresh)
    return {
      ...row,
      icon: "sync",
      label: shown`The mirror node has not imported the contract actions yet.`,
      description: shown`Refresh in a few seconds`,
      tooltip: [
        shown`It was just sent. Its contract actions are imported with its record, or shortly after.`,
      ],
    };
  return {
    ...row,
    label: shown`The ledger has no contract actions of this transaction.`,
    tooltip: [
      ...(record?.execution ? [] : [shown`It may have called no contract (a plain transfer, for example).`]),
      shown`It may be older than the recording of contract actions (HIP-513, 2022).`,
      shown`This mirror node may not import them: it does so only when hiero.mirror.importer.parser.record.sidecar.enabled is on, and it is off by default.`,
    ],
  };
}
