import { counted, listed } from "../../text/counted.ts";
import { foreign, shown, type ShownText } from "../../text/shownText.ts";
import type { ActionNames } from "../actions/actionNames.ts";
import { caughtLine } from "../actions/actionRows.ts";
import type { WordForm } from "../actions/addressText.ts";
import { isCaught, type ActionTree } from "../actions/actionTree.ts";
import { outcomeOf, type ContractAction } from "../actions/contractAction.ts";
import { codeInFull, isSuccessCode } from "../actions/responseCodes.ts";
import { kindWords } from "../schedules/kindWords.ts";
import type { Denominations } from "../tokens/token.ts";
import { tokenName } from "../tokens/tokenText.ts";
import { balancesOf, UNDONE } from "./balances.ts";
import type { LedgerTransactionRecord, ListedTransaction } from "./transactionRecord.ts";

/** So many of a kind are told, and how many more there are. */
const MAX_TOLD = 3;

/** Failures that did not end the transaction, and who went on. */
export function caughtNotes(
  tree: ActionTree,
  namesOf: (action: ContractAction) => ActionNames | undefined,
  form: WordForm,
): ShownText[] {
  const caught = Array.from(tree.actions.keys()).filter(
    (at) => outcomeOf(tree.actions[at] ?? {}) === "failed" && isCaught(tree, at),
  );
  const more = caught.length - MAX_TOLD;
  return [
    ...caught.slice(0, MAX_TOLD).map((at) => shown`${caughtLine(tree, at, namesOf, form)}.`),
    ...(more > 0 ? [shown`${counted(more, "further failed call")} did not end the transaction either.`] : []),
  ];
}

/** Where the units of amounts come from that no record of a token tells. */
export function unitNotes(askedContracts = 0): ShownText[] {
  return askedContracts === 0
    ? []
    : [
        shown`Asked now for decimals and symbol: ${counted(askedContracts, "token contract")}. It is what a contract says of itself.`,
      ];
}

/** What belongs to a transaction beside itself: its children, whose transfers are among its own, and what came again. */
export function familyNotes(
  transaction: ListedTransaction | undefined,
  denominations: Denominations = new Map(),
): ShownText[] {
  if (!transaction) return [];
  const { children = [], duplicates = 0 } = transaction;
  const failed = children.filter(({ result }) => result !== undefined && !isSuccessCode(result));
  const moving = children.filter((one) => !failed.includes(one) && hasMoved(one));
  const kinds = listed([...new Set(moving.map(({ name }) => (name === undefined ? "?" : kindWords(name))))]);
  const more = failed.length - MAX_TOLD;
  return [
    ...(moving.length > 0
      ? [shown`The transfers include those of ${counted(moving.length, "child transaction")} (${kinds}).`]
      : []),
    ...balancesOf(transaction)
      .assets.flatMap(({ tokenId, changes }) => (changes.length > 0 ? [] : (tokenId ?? [])))
      .slice(0, MAX_TOLD)
      .map(
        (token) =>
          shown`${tokenName(token, denominations.get(token))} was moved, and in the end each account has as much of it as before.`,
      ),
    ...failed.slice(0, MAX_TOLD).map(failedChild),
    ...(more > 0 ? [shown`${counted(more, "further child transaction")} had no success.`] : []),
    ...(duplicates > 0
      ? [shown`It came to the network again and was refused as a duplicate (${counted(duplicates, "time")}).`]
      : []),
  ];
}

function hasMoved({
  transfers,
  token_transfers: tokens,
  nft_transfers: nfts,
}: LedgerTransactionRecord): boolean {
  return [transfers, tokens, nfts].some((moves) => (moves ?? []).length > 0);
}

function failedChild({ name, nonce = "?", result = "" }: LedgerTransactionRecord): ShownText {
  const child = foreign(name === undefined ? nonce : `${nonce}, ${kindWords(name)}`);
  return result === UNDONE
    ? shown`A child transaction (${child}) was undone, for its caller failed (${result}).`
    : shown`A child transaction (${child}) failed: ${codeInFull(result)}.`;
}
