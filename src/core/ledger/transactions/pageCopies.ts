import { t } from "@vscode/l10n";
import { visibleJson } from "../../json/jsonText.ts";
import { grouped } from "../../text/counted.ts";
import { actionsAsJson, actionsAsText } from "../actions/actionText.ts";
import { balancesOf } from "./balances.ts";
import type { NftRow, TransactionPage } from "./pageModel.ts";
import { pageTree, slotsOf, transactionPage, type TransactionPageParts } from "./transactionPage.ts";

/** Parts of a transaction's record that stand by themselves. */
const MOVES: ReadonlySet<string> = new Set([
  "transfers",
  "token_transfers",
  "nft_transfers",
  "staking_reward_transfers",
]);

/** Everything that a page says, as text, a line each: heads and rows, none of them cut. */
export function pageAsText(parts: TransactionPageParts): string {
  const page = transactionPage(parts, "whole");
  const lines = [
    page.title,
    page.headline,
    "",
    ...page.facts.map(({ label, value, whole }) => `${label}: ${whole ?? value}`),
    ...(page.notes.length > 0 ? ["", ...page.notes] : []),
  ];
  const calls =
    page.callCount === 0
      ? []
      : ["", t`Calls (${grouped(page.callCount)})`, actionsAsText(pageTree(parts), parts.namesOf).trimEnd()];
  const logs = page.logs.flatMap(({ index, contract, event, raw }) => [
    `#${index} ${contract} ${event}`,
    ...raw.map((line) => `  ${line}`),
  ]);
  const state = page.state.flatMap(({ contract, slots }) => [
    contract,
    ...slots.map(
      ({ slot, variable, before, after }) =>
        `  ${variable === undefined ? slot : `${variable} (${slot})`}: ${after === undefined ? t`${before}, only read` : `${before} → ${after}`}`,
    ),
  ]);
  const moves = [
    ...page.transfers.map(({ asset, account, amount, isHbar, isUnscaled, role, remark }) => {
      const who = role === undefined ? account : `${account} (${role})`;
      const ofAsset = isUnscaled ? t`${amount} of ${asset}` : `${amount} ${asset}`;
      const what = isHbar ? amount : ofAsset;
      return `${who} ${what}${remark === undefined ? "" : `, ${remark}`}`;
    }),
    ...page.nfts.map(nftText),
  ];
  const part = (title: string, rows: readonly string[]) => (rows.length === 0 ? [] : ["", title, ...rows]);
  return [
    ...lines,
    ...calls,
    ...part(t`Logs`, logs),
    ...part(stateTitle(page), state),
    ...part(t`Transfers`, moves),
    "",
  ].join("\n");
}

/** "PASS (0.0.7) #3 from 0.0.5 to 0.0.6" */
function nftText({ nft, from, to, isByAllowance }: NftRow): string {
  if (from === undefined) return t`${nft} minted${to === undefined ? "" : t` to ${to}`}`;
  if (to === undefined) return t`${nft} burned by ${from}`;
  const moved = t`${nft} from ${from} to ${to}`;
  return isByAllowance ? `${moved}, ${t`by allowance`}` : moved;
}

/** "State", with how much of it was only read. */
function stateTitle({ state }: TransactionPage): string {
  const slots = state.flatMap(({ slots: own }) => own);
  const read = slots.filter(({ after }) => after === undefined).length;
  if (read === 0) return t`State`;
  return read === slots.length
    ? t`State (only read, nothing was written)`
    : t`State (${grouped(slots.length - read)} written, ${grouped(read)} only read)`;
}

/**
 * Everything that a page says, as a JSON object: `head`, `actions` (as they came, each with its `position` and `parent`),
 * `logs`, `state`, `transfers` summed for each account and asset with those of its children, and `nfts`. Beside what the
 * ledger sent stand the names that are known. Amounts are in smallest units; integers outside `actions` are decimal strings.
 */
export function pageAsJson(parts: TransactionPageParts): string {
  const page = transactionPage(parts, "whole");
  const { execution, transaction } = parts.record ?? {};
  const { logs = [], state_changes: changes = [], ...executed } = execution ?? {};
  const recorded = Object.entries(transaction ?? {}).filter(([name]) => !MOVES.has(name));
  const rows = slotsOf(parts, "whole");
  const { assets, nfts } = balancesOf(transaction ?? {});
  const fields = {
    head: visibleJson({
      transaction: parts.canonical,
      network: parts.networkName,
      outcome: page.outcome,
      headline: page.headline,
      notes: page.notes,
      complete: page.complete,
      result: executed,
      record: Object.fromEntries(recorded),
    }),
    actions: actionsAsJson(pageTree(parts)).trimEnd(),
    logs: visibleJson(
      logs.map((log, at) => {
        const { contract, event } = parts.events?.get(at) ?? {};
        return {
          ...log,
          ...(contract && { contract: contract.name }),
          ...(event && {
            event: {
              signature: event.signature,
              certainty: event.certainty,
              values: event.values.map(({ name, type, text, amount, meaning }) => ({
                ...(name !== undefined && { name }),
                type,
                text,
                ...(amount !== undefined && { amount }),
                ...(meaning !== undefined && { meaning }),
              })),
            },
          }),
        };
      }),
    ),
    state: visibleJson(
      changes.map((change, at) => {
        const { variable, before, after } = rows[at] ?? {};
        return { ...change, ...(variable !== undefined && { variable, before, after }) };
      }),
    ),
    transfers: visibleJson(
      assets.flatMap(({ tokenId, changes: sums }) =>
        sums.map((change) => ({
          ...change,
          ...(tokenId !== undefined && { token_id: tokenId, ...parts.denominations?.get(tokenId) }),
        })),
      ),
    ),
    nfts: visibleJson(nfts),
  };
  return `{\n${Object.entries(fields)
    .map(([name, text]) => `  ${JSON.stringify(name)}: ${text}`)
    .join(",\n")}\n}\n`;
}
