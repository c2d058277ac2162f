import { t } from "@vscode/l10n";
import { visibleJson } from "../../json/jsonText.ts";
import { counted, grouped } from "../../text/counted.ts";
import { groupDigits } from "../../text/exactDecimal.ts";
import { actionsAsJson, actionsAsText, callAsJson } from "../actions/actionText.ts";
import { balancesOf } from "./balances.ts";
import { loggedMoves } from "./loggedMoves.ts";
import type { GasSum, NftRow, TransactionPage } from "./pageModel.ts";
import { pageTree, slotsOf, transactionPage, type TransactionPageParts } from "./transactionPage.ts";

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
    ...(page.gas === undefined
      ? []
      : [
          ...part(t`Gas by contract`, page.gasByContract.map(gasLine)),
          ...part(t`Gas by function`, page.gasByFunction.map(gasLine)),
        ]),
    ...part(t`Logs`, logs),
    ...part(stateTitle(page), state),
    ...part(t`Transfers`, moves),
    "",
  ].join("\n");
}

/** "Router: 14,102 gas, 1 call" */
function gasLine({ name, calls, gas }: GasSum): string {
  return t`${name}: ${groupDigits(gas)} gas, ${counted(calls, "call")}`;
}

/** "PASS (0.0.7) #3 from 0.0.5 to 0.0.6" */
function nftText({ isFromLogs, ...row }: NftRow): string {
  return isFromLogs ? `${moveText(row)}, ${t`from logs`}` : moveText(row);
}

function moveText({ nft, from, to, isByAllowance }: Omit<NftRow, "isFromLogs">): string {
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
 * Everything that a page says, as a JSON object: `head` (the transaction's result and record as the mirror node has them, each
 * with all that it says), `gas` summed for each contract and function, `actions` (as they came, each with its `position` and
 * `parent`, and with what is `decoded` of it), `logs`, `state`, `transfers` summed for each account and asset with those of its
 * children, and `nfts`; those that only logs tell have `source: "logs"`, and of a list of which nothing is known `unknown` of the
 * head says so. Beside what the ledger sent stand the names that are known. Amounts are in smallest units; integers outside `actions` that Ledger Lens reads are decimal strings.
 */
export function pageAsJson(parts: TransactionPageParts): string {
  const page = transactionPage(parts, "whole");
  const { execution, transaction } = parts.record ?? {};
  const { logs = [], state_changes: changes = [], ...executed } = execution ?? {};
  const rows = slotsOf(parts, "whole");
  const { assets, nfts } = balancesOf(transaction ?? {});
  const logged = loggedMoves(execution, transaction);
  const fields = {
    head: visibleJson({
      transaction: parts.canonical,
      network: parts.networkName,
      outcome: page.outcome,
      headline: page.headline,
      notes: page.notes,
      complete: page.complete,
      ...(Object.keys(page.unknown).length > 0 && { unknown: page.unknown }),
      result: executed,
      record: transaction ?? {},
    }),
    gas: visibleJson({
      ...(page.gas !== undefined && { used: page.gas }),
      by_contract: page.gasByContract,
      by_function: page.gasByFunction,
    }),
    actions: actionsAsJson(pageTree(parts), parts.namesOf).trimEnd(),
    logs: visibleJson(
      logs.map((log, at) => {
        const { contract, event } = parts.events?.get(at) ?? {};
        return {
          ...log,
          ...(contract && { contract: contract.name }),
          ...(event && {
            event: callAsJson(event),
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
    transfers: visibleJson([
      ...assets.flatMap(({ tokenId, changes: sums }) =>
        sums.map((change) => ({
          ...change,
          ...(tokenId !== undefined && { token_id: tokenId, ...parts.denominations?.get(tokenId) }),
        })),
      ),
      ...logged.assets.flatMap(({ token, kind, changes: sums }) =>
        sums.map((change) => ({
          ...change,
          contract: token.address,
          ...(kind === undefined ? parts.unitsOf?.(token.address) : { id: kind }),
          source: "logs",
        })),
      ),
    ]),
    nfts: visibleJson([
      ...nfts,
      ...logged.nfts.map(({ token, ...move }) => ({ contract: token.address, ...move, source: "logs" })),
    ]),
  };
  return `{\n${Object.entries(fields)
    .map(([name, text]) => `  ${JSON.stringify(name)}: ${text}`)
    .join(",\n")}\n}\n`;
}
