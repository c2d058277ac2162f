import { t } from "@vscode/l10n";
import { rowLabel, type LedgerRow } from "../../rows/ledgerRow.ts";
import { counted, grouped } from "../../text/counted.ts";
import { hbarText } from "../../text/exactDecimal.ts";
import { nextWhenWordsAt, whenWords } from "../../text/timeWords.ts";
import { foreignSentence, shown, type ShownText } from "../../text/shownText.ts";
import { codeWords, isSuccessCode } from "../actions/responseCodes.ts";
import { dateText, timestampNanos } from "../references/timestamp.ts";
import { kindWords } from "../schedules/kindWords.ts";
import type { Denominations } from "../tokens/token.ts";
import { amountOfToken, nftName } from "../tokens/tokenText.ts";
import { balancesOf } from "../transactions/balances.ts";
import type { LedgerTransactionRecord } from "../transactions/transactionRecord.ts";
import { MAX_TRANSFERS, type LedgerAccount } from "./account.ts";

/** So many tokens of the newest transfers are told, three for each: every one is a question to the ledger. */
const MAX_TRANSFERRED_TOKENS = 3 * MAX_TRANSFERS;

/** The tokens that transactions moved for an account, collections of NFTs too, as far as they are told; each once. */
export function transferredTokens(
  transfers: readonly LedgerTransactionRecord[],
  account: string | undefined,
): string[] {
  const moved = transfers.flatMap((one) => {
    const { assets, nfts } = balancesOf(one);
    return [
      ...assets.filter(({ changes }) => changes.some((change) => change.account === account)),
      ...nfts.filter(({ from, to }) => from === account || to === account),
    ];
  });
  return [...new Set(moved.flatMap(({ tokenId }) => tokenId ?? []))].slice(0, MAX_TRANSFERRED_TOKENS);
}

/** The newest transactions that moved something of an account: what it got and gave, in sum, and when. */
export function transferRows(
  {
    id: account,
    transfers,
    hasOlderTransfers,
  }: Pick<LedgerAccount, "id" | "transfers" | "hasOlderTransfers">,
  denominations: Denominations,
  now: number,
): LedgerRow[] {
  if (!transfers || account === undefined) return [];
  const told = new Set(transferredTokens(transfers, account));
  return [
    {
      id: "transfers",
      label: shown`Latest transfers`,
      ...newestWords(transfers.length, hasOlderTransfers === true, {
        none: shown`No transfer of this account yet.`,
        noneSoFar: shown`No transfer of this account in the part of the history that was looked through. There may be older ones.`,
      }),
      icon: "arrow-swap",
      children: transfers.map((one, at) => ({
        id: `transfer ${one.consensus_timestamp ?? at}`,
        ...transferRow(one, account, { told, denominations }, now),
      })),
    },
  ];
}

/**
 * How many of the newest there are.
 *
 * @param hasOlder none was found, and older ones were not looked for
 */
export function newestWords(
  count: number,
  hasOlder: boolean,
  { none, noneSoFar }: { readonly none: ShownText; readonly noneSoFar: ShownText },
): Required<Pick<LedgerRow, "description" | "tooltip">> {
  if (count > 0) return { description: shown`${grouped(count)}`, tooltip: [shown`The newest first`] };
  return hasOlder
    ? { description: shown`none recently`, tooltip: [noneSoFar] }
    : { description: shown`none`, tooltip: [none] };
}

/** The tokens of which amounts are told, and what is known of them. */
interface ToldTokens {
  readonly told: ReadonlySet<string>;
  readonly denominations: Denominations;
}

/** What moved, then how it ended where it failed, what it was, and when: "−5.0 SMC, −0.01 ℏ · crypto transfer · 3 min ago" */
function transferRow(
  transaction: LedgerTransactionRecord,
  account: string,
  tokens: ToldTokens,
  now: number,
): Omit<LedgerRow, "id"> {
  const { consensus_timestamp: timestamp, name, result } = transaction;
  const nanos = timestampNanos(timestamp);
  const at = nanos === undefined ? undefined : Number(nanos / 1_000_000n);
  const failure = result === undefined || isSuccessCode(result) ? undefined : codeWords(result);
  const amounts = amountsOf(transaction, account, tokens);
  const { tooltip = [], ...label } = rowLabel(amounts.length === 0 ? t`Nothing in sum` : amounts.join(", "));
  const moment = timestamp === undefined ? [] : [foreignSentence(dateText(timestamp))];
  const canonical = nanos === undefined ? undefined : timestamp;
  return {
    ...label,
    description: foreignSentence(
      [
        failure === undefined ? [] : t`failed: ${failure}`,
        name === undefined ? [] : kindWords(name),
        at === undefined ? [] : whenWords(at, now, undefined),
      ]
        .flat()
        .join(" · "),
    ),
    icon: failure === undefined ? "pass" : "error",
    color: failure === undefined ? "passed" : "error",
    ...(moment.length > 0 && { tooltip: [...tooltip, ...moment] }),
    ...(at !== undefined && { changesAt: nextWhenWordsAt(at, now, undefined) }),
    context: "result",
    ...(canonical !== undefined && {
      copyText: canonical,
      opens: { kind: "transaction" as const, canonical },
    }),
  };
}

/**
 * What the account got and gave, with its sign: tokens and NFTs first, then how many more tokens there were, then HBAR, of which
 * a fee is a part.
 */
function amountsOf(
  transaction: LedgerTransactionRecord,
  account: string,
  { told, denominations }: ToldTokens,
): string[] {
  const { assets, nfts } = balancesOf(transaction);
  const changes = assets.flatMap(({ tokenId, changes: all }) =>
    all.flatMap((one) => (one.account === account ? { tokenId, amount: one.amount } : [])),
  );
  const signed = (amount: string, inUnits: (size: string) => string) =>
    amount.startsWith("-") ? `−${inUnits(amount.slice(1))}` : `+${inUnits(amount)}`;
  const ofTokens = changes.flatMap(({ tokenId, amount }) => {
    if (tokenId === undefined || !told.has(tokenId)) return [];
    return signed(amount, (size) => amountOfToken(size, tokenId, denominations.get(tokenId)));
  });
  const ownNfts = nfts.filter(({ from, to }) => from === account || to === account);
  const ofNfts = ownNfts.flatMap(({ tokenId, serial, from, to }) => {
    if (!told.has(tokenId)) return [];
    const what = nftName(tokenId, serial, denominations.get(tokenId));
    return [...(from === account ? [`−${what}`] : []), ...(to === account ? [`+${what}`] : [])];
  });
  const moved = [...changes, ...ownNfts].flatMap(({ tokenId }) => tokenId ?? []);
  const others = new Set(moved.filter((tokenId) => !told.has(tokenId))).size;
  const ofHbar = changes.flatMap(({ tokenId, amount }) =>
    tokenId === undefined ? signed(amount, hbarText) : [],
  );
  return [...ofTokens, ...ofNfts, ...(others > 0 ? [counted(others, "other token")] : []), ...ofHbar];
}
