import { t } from "@vscode/l10n";
import { rowText, type LedgerRow } from "../../rows/ledgerRow.ts";
import { grouped } from "../../text/counted.ts";
import { groupDigits, hbarText } from "../../text/exactDecimal.ts";
import { nextWhenWordsAt, whenWords } from "../../text/timeWords.ts";
import { foreignSentence, shown } from "../../text/shownText.ts";
import { codeWords, isSuccessCode } from "../actions/responseCodes.ts";
import { unitsText } from "../actions/tokenAmounts.ts";
import { dateText, timestampNanos } from "../references/timestamp.ts";
import { kindWords } from "../schedules/kindWords.ts";
import type { Denominations } from "../tokens/token.ts";
import { balancesOf } from "../transactions/balances.ts";
import type { LedgerTransactionRecord } from "../transactions/transactionRecord.ts";

/** So many of the newest transactions that moved something of an account are asked for, and no more are shown. */
export const MAX_TRANSFERS = 10;

/** The tokens that transactions moved for an account, each once. */
export function transferredTokens(
  transfers: readonly LedgerTransactionRecord[],
  account: string | undefined,
): string[] {
  const moved = transfers.flatMap((one) =>
    balancesOf(one).assets.filter(({ changes }) => changes.some((change) => change.account === account)),
  );
  return [...new Set(moved.flatMap(({ tokenId }) => tokenId ?? []))];
}

/** The newest transactions that moved something of an account: what it got and gave, in sum, and when. */
export function transferRows(
  transfers: readonly LedgerTransactionRecord[] | undefined,
  account: string | undefined,
  denominations: Denominations,
  now: number,
): LedgerRow[] {
  if (!transfers || account === undefined) return [];
  return [
    {
      id: "transfers",
      label: shown`Latest transfers`,
      description: transfers.length === 0 ? shown`none` : shown`${grouped(transfers.length)}`,
      tooltip: [transfers.length === 0 ? shown`No transfer of this account yet.` : shown`The newest first`],
      icon: "arrow-swap",
      children: transfers.map((one, at) => ({
        id: `transfer ${one.consensus_timestamp ?? at}`,
        ...transferRow(one, account, denominations, now),
      })),
    },
  ];
}

/** What moved, then how it ended where it failed, what it was, and when: "−5.0 SMC, −0.01 ℏ · crypto transfer · 3 min ago" */
function transferRow(
  transaction: LedgerTransactionRecord,
  account: string,
  denominations: Denominations,
  now: number,
): Omit<LedgerRow, "id"> {
  const { consensus_timestamp: timestamp, name, result } = transaction;
  const nanos = timestampNanos(timestamp);
  const at = nanos === undefined ? undefined : Number(nanos / 1_000_000n);
  const failure = result === undefined || isSuccessCode(result) ? undefined : codeWords(result);
  const amounts = amountsOf(transaction, account, denominations);
  const canonical = nanos === undefined ? undefined : timestamp;
  return {
    label: rowText(amounts.length === 0 ? t`Nothing in sum` : amounts.join(", ")),
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
    ...(timestamp !== undefined && { tooltip: [foreignSentence(dateText(timestamp))] }),
    ...(at !== undefined && { changesAt: nextWhenWordsAt(at, now, undefined) }),
    context: "result",
    ...(canonical !== undefined && {
      copyText: canonical,
      opens: { kind: "transaction" as const, canonical },
    }),
  };
}

/** What the account got and gave, with its sign: tokens and NFTs first, then HBAR, of which a fee is a part. */
function amountsOf(
  transaction: LedgerTransactionRecord,
  account: string,
  denominations: Denominations,
): string[] {
  const { assets, nfts } = balancesOf(transaction);
  const changes = assets.flatMap(({ tokenId, changes: all }) =>
    all.flatMap((one) => (one.account === account ? { tokenId, amount: one.amount } : [])),
  );
  const signed = (amount: string, inUnits: (size: string) => string) =>
    amount.startsWith("-") ? `−${inUnits(amount.slice(1))}` : `+${inUnits(amount)}`;
  const ofTokens = changes.flatMap(({ tokenId, amount }) => {
    if (tokenId === undefined) return [];
    const known = denominations.get(tokenId);
    return signed(amount, (size) =>
      known ? unitsText(size, known) : t`${groupDigits(size)} smallest units of ${tokenId}`,
    );
  });
  const ofNfts = nfts.flatMap(({ tokenId, serial, from, to }) => {
    const what = `${denominations.get(tokenId)?.symbol ?? tokenId} #${serial}`;
    return [...(from === account ? [`−${what}`] : []), ...(to === account ? [`+${what}`] : [])];
  });
  const ofHbar = changes.flatMap(({ tokenId, amount }) =>
    tokenId === undefined ? signed(amount, hbarText) : [],
  );
  return [...ofTokens, ...ofNfts, ...ofHbar];
}
