import { t } from "@vscode/l10n";
import { factRow as fact, rowLabel, rowText, type LedgerRow } from "../../rows/ledgerRow.ts";
import { counted, grouped } from "../../text/counted.ts";
import { groupDigits, hbarText } from "../../text/exactDecimal.ts";
import { withShortIds } from "../../text/inBrief.ts";
import { nextWhenWordsAt, whenWords } from "../../text/timeWords.ts";
import { foreignSentence, foreignWhole, joined, shown, type ShownText } from "../../text/shownText.ts";
import type { ActionNamer } from "../actions/actionNames.ts";
import { actionRow, actionWords, callTarget, failureReason } from "../actions/actionRows.ts";
import { outcomeOf, type ContractAction } from "../actions/contractAction.ts";
import { opening } from "../references/opening.ts";
import type { Denominations } from "../tokens/token.ts";
import { amountOfToken } from "../tokens/tokenText.ts";
import { ledgerKeyRow } from "../tokens/ledgerKey.ts";
import { dateText, timestampNanos } from "../references/timestamp.ts";
import { executionTree } from "../transactions/executionCall.ts";
import type { ContractExecution } from "../transactions/transactionRecord.ts";
import type { LedgerAccount } from "./account.ts";
import { newestWords, transferredTokens, transferRows } from "./accountTransfers.ts";

/**
 * Whether a contract is verified: how well it matches, not at all, nothing that the service tells, or nothing that it is
 * asked, as it can't see a chain of this machine.
 */
export type VerifiedState = "exact_match" | "match" | "none" | "unknown" | "unseen";

/** An account as what a call to it is named by. */
export function accountCall(account: LedgerAccount): ContractAction {
  const known = callOf.get(account) ?? { to: account.address };
  callOf.set(account, known);
  return known;
}

const callOf = new WeakMap<LedgerAccount, ContractAction>();

/** The calls of an account's newest executions. */
export function callsOf({ results = [] }: LedgerAccount): ContractAction[] {
  return results.flatMap((one) => executionTree(one).actions);
}

/**
 * An account as a tree of rows: what it is, whether it is verified, and its newest executions.
 *
 * @param verified missing until it is known, and for what is no contract
 * @param now milliseconds since the epoch
 * @param denominations of {@link shownTokens}, as far as they are known
 */
export function accountRow(
  account: LedgerAccount,
  namer: Pick<ActionNamer, "known">,
  verified: VerifiedState | undefined,
  now: number,
  denominations: Denominations = new Map(),
): LedgerRow {
  const { canonical, id = canonical, network, isContract, isDeleted } = account;
  const shortId = rowText(withShortIds(id));
  const name = isContract ? namer.known(accountCall(account))?.contract?.name : undefined;
  return {
    id: `account:${network.id}:${canonical}`,
    label:
      name !== undefined
        ? shown`${rowText(name)} ${shortId}`
        : isContract
          ? shown`Contract ${shortId}`
          : shown`Account ${shortId}`,
    description: joined(
      [
        ...(isDeleted ? [shown`deleted`] : []),
        name === undefined ? shown`` : shown`contract`,
        ...verifiedWords(verified),
        isContract || account.balance === undefined ? shown`` : foreignSentence(hbarText(account.balance)),
      ],
      " · ",
    ),
    tooltip: [
      isContract ? shown`Contract ${id} on ${network.name}` : shown`Account ${id} on ${network.name}`,
      ...(account.address === undefined ? [] : [shown`${account.address}`]),
    ],
    icon: isDeleted ? "trash" : isContract ? "file-code" : "account",
    ...(isDeleted && { color: "warning" as const }),
    context: isContract ? "account.contract" : "account",
    copyText: account.address ?? id,
    children: [
      ...(verified === undefined ? [] : [verifiedRow(verified)]),
      ...resultRows(account, namer, now),
      ...transferRows(account, denominations, now),
      ...factRows(account, denominations),
    ],
  };
}

/** How a contract stands at the verification service. */
const VERIFIED_WORDS = {
  exact_match: shown`verified: exact match`,
  match: shown`verified: match`,
  none: shown`not verified`,
};

/** The words for it, where there is something to say. */
export function verifiedWords(state: VerifiedState | undefined): readonly ShownText[] {
  return state === undefined || state === "unknown" || state === "unseen" ? [] : [VERIFIED_WORDS[state]];
}

function verifiedRow(verified: VerifiedState): LedgerRow {
  switch (verified) {
    case "exact_match":
    case "match":
      return {
        id: "verified",
        label: shown`Verified`,
        description: verified === "match" ? shown`match` : shown`exact match`,
        icon: "verified-filled",
        color: "passed",
        context: "verified",
      };
    case "none":
      return {
        id: "verified",
        label: shown`Not verified`,
        icon: "unverified",
        context: "unverified",
        tooltip: [shown`The verification service has no verified sources of this contract.`],
      };
    case "unknown":
      return {
        id: "verified",
        label: shown`Verification unknown`,
        icon: "question",
        context: "unverified",
        tooltip: [shown`The verification service could not be asked. Refresh to ask again.`],
      };
    case "unseen":
      return {
        id: "verified",
        label: shown`Not visible to the verification service`,
        icon: "question",
        context: "unverified",
        tooltip: [
          shown`It can't see a chain of this machine, nor a ledger of its network, and was not asked.`,
        ],
      };
  }
}

function resultRows(
  { results, hasOlderResults, isContract }: LedgerAccount,
  namer: Pick<ActionNamer, "known">,
  now: number,
): LedgerRow[] {
  if (!results) return [];
  const none = isContract
    ? {
        none: shown`No call to this contract yet.`,
        noneSoFar: shown`No call to this contract in the part of the history that was looked through. There may be older ones.`,
      }
    : {
        none: shown`No contract call by this account yet.`,
        noneSoFar: shown`No contract call by this account in the part of the history that was looked through. There may be older ones.`,
      };
  const named = results.map(canonicalOf);
  return [
    {
      id: "results",
      label: isContract ? shown`Latest calls` : shown`Latest contract calls`,
      ...newestWords(results.length, hasOlderResults === true, none),
      icon: "history",
      expanded: true,
      children: results.map((one, at) => ({
        // A server may list one twice.
        id: `result ${named.indexOf(named[at]) === at ? (named[at] ?? at) : at}`,
        ...resultRow(one, isContract, namer, now),
      })),
    },
  ];
}

/** How a call ended, what it was, and when: "Succeeded · transfer · 3 min ago · (to: 0.0.1002, value: 5)". */
function resultRow(
  execution: ContractExecution,
  isOfContract: boolean,
  namer: Pick<ActionNamer, "known">,
  now: number,
): Omit<LedgerRow, "id"> {
  const tree = executionTree(execution);
  const action = tree.actions[0] ?? {};
  const names = namer.known(action);
  // Where in the transaction it failed is told by its page.
  const { icon, color, tooltip } = actionRow(tree, 0, names, []);
  const words = actionWords(tree, 0, names);
  const { failure, failureText } = words;
  const isDone = outcomeOf(action) === "succeeded" && failure?.kind !== "response_code";
  const outcome = isDone ? t`Succeeded` : failureText && failureReason(failureText, "short");
  // Every call of a contract's page is one to it.
  const what = (isOfContract ? callTarget(action, names).name : undefined) ?? words.callee;
  const { timestamp } = execution;
  const nanos = timestampNanos(timestamp);
  const at = nanos === undefined ? undefined : Number(nanos / 1_000_000n);
  const canonical = canonicalOf(execution);
  return {
    label: foreignSentence(outcome ?? what),
    description: foreignSentence(
      [
        outcome === undefined ? "" : what,
        at === undefined ? "" : whenWords(at, now, undefined),
        isDone ? (failureText ?? "") : "",
        words.value ?? "",
        (words.args ?? "") === "" ? "" : `(${words.args ?? ""})`,
        words.result ?? "",
        words.gas ?? "",
        (names?.call?.certainty === "guess" ? t`name is a guess` : names?.call?.standard) ?? "",
      ]
        .filter((part) => part !== "")
        .join(" · "),
    ),
    icon: isDone && !failure ? "pass" : (icon ?? "question"),
    ...(color !== undefined ? { color } : isDone && { color: "passed" as const }),
    ...(tooltip && { tooltip }),
    ...(at !== undefined && { changesAt: nextWhenWordsAt(at, now, undefined) }),
    context: "result",
    ...(canonical !== undefined && {
      copyText: canonical,
      opens: { kind: "transaction" as const, canonical },
    }),
  };
}

/** What an execution is opened by: its hash, else its moment. */
function canonicalOf({ hash, timestamp }: ContractExecution): string | undefined {
  return /^0x[0-9a-f]{64}/i.exec(hash ?? "")?.[0] ?? timestamp;
}

/** So many tokens that an account holds are told one by one: each is a question to the ledger. */
const MAX_TOKENS = 10;

/** The tokens that an account's row tells one by one, and those that its transfers moved: 40 at most. */
export function shownTokens({ id, tokens = [], transfers = [] }: LedgerAccount): string[] {
  const held = tokens.slice(0, MAX_TOKENS).map(({ tokenId }) => tokenId);
  return [...new Set([...held, ...transferredTokens(transfers, id)])];
}

function tokensRow({ tokens = [] }: LedgerAccount, denominations: Denominations): LedgerRow[] {
  if (tokens.length === 0) return [];
  const left = tokens.length - MAX_TOKENS;
  return [
    {
      id: "tokens",
      label: shown`Tokens`,
      description: shown`${grouped(tokens.length)}`,
      icon: "symbol-misc",
      children: [
        ...tokens.slice(0, MAX_TOKENS).map(({ tokenId, amount }, at): LedgerRow => {
          const known = denominations.get(tokenId);
          return {
            id: `token ${at}`,
            ...rowLabel(amountOfToken(amount, tokenId, known)),
            ...(known?.symbol !== undefined && { description: rowText(tokenId) }),
            copyText: tokenId,
            ...opening("token", tokenId),
          };
        }),
        ...(left > 0 ? [{ id: "more", label: shown`${grouped(left)} more` }] : []),
      ],
    },
  ];
}

function factRows(account: LedgerAccount, denominations: Denominations): LedgerRow[] {
  const { id, address, balance, obtainer, memo, created, codeSize, nonce, isContract } = account;
  const row = (name: string, label: string, value: string | undefined, copyText = value) =>
    value === undefined ? [] : [fact(name, label, value, copyText)];
  return [
    ...row("id", t`Id`, id),
    ...row("address", t`EVM address`, address),
    ...row("balance", t`Balance`, balance === undefined ? undefined : hbarText(balance), balance),
    ...tokensRow(account, denominations),
    ...row("obtainer", t`Remaining balance went to`, obtainer).map((one) => ({
      ...one,
      ...opening("account", obtainer),
    })),
    ...row("code", t`Code`, codeSize === undefined ? undefined : counted(codeSize, "byte")),
    ...row("memo", t`Memo`, memo === undefined ? undefined : foreignWhole(memo), memo),
    ...(account.key ? [ledgerKeyRow("key", t`Key`, account.key)] : []),
    ...row("created", t`Created`, created === undefined ? undefined : dateText(created), created),
    ...(isContract
      ? []
      : row("nonce", t`Nonce`, nonce === undefined ? undefined : groupDigits(nonce), nonce)),
  ];
}
