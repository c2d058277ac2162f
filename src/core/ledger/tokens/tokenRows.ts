import { t } from "@vscode/l10n";
import {
  foreign,
  foreignLine,
  foreignSentence,
  foreignWhole,
  joined,
  shown,
  type ShownText,
} from "../../text/shownText.ts";
import { amountText, counted } from "../../text/counted.ts";
import { durationWords } from "../../text/timeWords.ts";
import type { CustomFee, FeeFigure, FeeFraction } from "./customFees.ts";
import { entityChecksum, longZeroAddress, parseEntityId } from "../references/entityId.ts";
import { groupDigits, hbarText } from "../../text/exactDecimal.ts";
import { rawText } from "../../json/jsonText.ts";
import { ledgerKeyRow } from "./ledgerKey.ts";
import { factRow as fact, rowText, type LedgerRow } from "../../rows/ledgerRow.ts";
import type { TokenMetadata } from "./tokenMetadata.ts";
import { unitSymbol } from "./tokenUnits.ts";
import { opening } from "../references/opening.ts";
import { dateOfNanos, dateText } from "../references/timestamp.ts";
import type { Token, TokenKey } from "./token.ts";
import { ownValue } from "../../json/ownValue.ts";

const DAY_SECONDS = 24 * 60 * 60;
/** Auto-renew periods beyond this are how "never" is written (10,000 years in seconds). */
const ENDLESS_PERIOD = 315_576_000_000n;

/** A token as a tree of rows: the token itself, what it is, its keys, fees and dates. */
export function tokenRow(token: Token): LedgerRow {
  const title = tokenTitle(token);
  const isWarned = token.deleted === true || token.pauseStatus === "PAUSED";
  return {
    id: `token:${token.network.id}:${token.tokenId}${token.asOf === undefined ? "" : `@${token.asOf}`}`,
    label: foreign(title),
    description: foreignSentence(
      [
        token.tokenId,
        kindText(token),
        ...(token.deleted === true ? ["deleted"] : []),
        ...(token.pauseStatus === "PAUSED" ? ["paused"] : []),
        ...(token.asOf === undefined ? [] : [asOfText(token.asOf)]),
      ].join(" · "),
    ),
    tooltip: [
      shown`${title} on ${token.network.name}`,
      ...identityLines(token).map(foreignLine),
      ...(token.memo === undefined ? [] : [foreignLine(t`Memo: ${token.memo}`)]),
    ],
    icon: token.deleted === true ? "trash" : "symbol-misc",
    ...(isWarned && { color: "warning" as const }),
    context: token.asOf === undefined ? "token" : "tokenPast",
    copyText: token.tokenId,
    children: [
      ...supplyRows(token),
      ...tokenStateRows(token),
      keysRow(token.keys),
      feesRow(token),
      metadataRow(token),
      ...(token.memo === undefined ? [] : [fact("memo", t`Memo`, foreignWhole(token.memo), token.memo)]),
      datesRow(token),
      identityRow(token),
    ],
  };
}

/** "USD Coin (USDC)", or the id of a token without a name. */
export function tokenTitle({ name, symbol, tokenId }: Token): string {
  if (name === undefined) return symbol === undefined ? t`Token ${tokenId}` : rowText(symbol);
  return symbol === undefined ? rowText(name) : `${rowText(name)} (${rowText(symbol)})`;
}

/** "as of 2023-05-22 …", "before …", "up to …". */
export function asOfText(query: string): string {
  const [, operator, timestamp = query] = /^(?:(eq|lte?):)?(.*)$/.exec(query) ?? [];
  const date = dateText(timestamp);
  return operator === "lt" ? t`before ${date}` : t`as of ${date}`;
}

function kindText({ type, decimalsText, decimals }: Token): string {
  if (type === "NON_FUNGIBLE_UNIQUE") return t`non-fungible`;
  const scale =
    decimalsText === undefined
      ? t`decimals unknown`
      : decimals === 1
        ? t`1 decimal`
        : t`${rowText(decimalsText)} decimals`;
  if (type === undefined) return scale;
  return `${type === "FUNGIBLE_COMMON" ? t`fungible` : rowText(type)}, ${scale}`;
}

/** An amount of this very token: scaled, with its symbol, else its id. */
function ownAmount(token: Token, amount: string): string {
  const decimals = token.type === "NON_FUNGIBLE_UNIQUE" ? 0 : token.decimals;
  const unit = rowText(unitSymbol(token.symbol) ?? token.tokenId);
  const scaled = amountText(amount, decimals);
  return decimals === undefined ? t`${scaled} of ${unit}` : `${scaled} ${unit}`;
}

function supplyRows(token: Token): LedgerRow[] {
  const { total, initial, maximum, isInfinite } = token.supply;
  const row = (id: string, label: string, amount: string | undefined, field: string) =>
    amount === undefined
      ? fact(id, label, statedText(ownValue(token.record, field)))
      : {
          ...fact(id, label, ownAmount(token, amount), amount),
          tooltip: [
            foreignLine(`${label}: ${ownAmount(token, amount)}`),
            foreignLine(counted(amount, "smallest unit")),
          ],
        };
  return [
    row("total", t`Total supply`, total, "total_supply"),
    isInfinite
      ? { ...fact("maximum", t`Maximum`, "infinite"), tooltip: [shown`The supply is not limited.`] }
      : row("maximum", t`Maximum`, maximum, "max_supply"),
    row("initial", t`Initial supply`, initial, "initial_supply"),
  ];
}

function tokenStateRows(token: Token): LedgerRow[] {
  const rows: LedgerRow[] = [];
  if (token.treasury !== undefined) {
    rows.push({
      ...fact("treasury", t`Treasury`, foreignWhole(token.treasury), token.treasury),
      ...opening("account", token.treasury),
    });
  }
  rows.push(pausedRow(token));
  if (token.freezeDefault !== undefined) {
    rows.push(fact("freezeDefault", t`Frozen by default`, token.freezeDefault ? "yes" : "no"));
  }
  if (token.deleted === true) {
    rows.push({ ...fact("deleted", t`Deleted`, "yes"), icon: "trash", color: "warning" });
  }
  return rows;
}

function pausedRow({ pauseStatus }: Token): LedgerRow {
  switch (pauseStatus) {
    case "PAUSED":
      return { ...fact("paused", t`Paused`, "yes"), icon: "warning", color: "warning" };
    case "UNPAUSED":
      return fact("paused", t`Paused`, "no");
    case "NOT_APPLICABLE":
      return {
        ...fact("paused", t`Paused`, "no"),
        tooltip: [shown`The token has no pause key: it can't be paused.`],
      };
    default:
      return fact("paused", t`Paused`, statedText(pauseStatus));
  }
}

function keysRow(keys: readonly TokenKey[]): LedgerRow {
  const set = keys.filter(({ state }) => state === "set").length;
  return {
    id: "keys",
    label: shown`Keys`,
    description: shown`${set} of ${keys.length} set`,
    icon: "key",
    children: keys.map((key) => keyRow(key)),
  };
}

function keyRow({ field, name, missing, state, key }: TokenKey): LedgerRow {
  if (!key) {
    const said = state === "none" ? t`none · ${missing}` : t`not in the answer`;
    return { ...fact(field, name, said), icon: state === "none" ? "circle-slash" : "question" };
  }
  return ledgerKeyRow(field, name, key);
}

function feesRow(token: Token): LedgerRow {
  const kinds = (["fixed", "fractional", "royalty"] as const)
    .map((kind) => ({ kind, count: token.fees.filter((fee) => fee.kind === kind).length }))
    .filter(({ count }) => count > 0);
  if (kinds.length === 0 && token.record["custom_fees"] === undefined)
    return { ...fact("fees", t`Fees`, t`not in the answer`), icon: "question" };
  return {
    id: "fees",
    label: shown`Fees`,
    description:
      kinds.length === 0
        ? shown`none`
        : joined(
            kinds.map(({ kind, count }) => FEE_COUNTS[kind](count.toLocaleString("en-US"))),
            ", ",
          ),
    icon: "percentage",
    ...(token.fees.length > 0 && { children: token.fees.map((fee, at) => feeRow(token, fee, at)) }),
  };
}

const FEE_COUNTS = {
  fixed: (count: string) => shown`${count} fixed`,
  fractional: (count: string) => shown`${count} fractional`,
  royalty: (count: string) => shown`${count} royalty`,
} as const;

const FEE_NAMES = { fixed: t`Fixed`, fractional: t`Fractional`, royalty: t`Royalty` } as const;

function feeRow(token: Token, fee: CustomFee, at: number): LedgerRow {
  const text = feeText(token, fee);
  const children = denominationRows(token, fee);
  return {
    ...fact(`fee${at}`, FEE_NAMES[fee.kind], text, text),
    ...opening("account", fee.collector),
    tooltip: [foreignLine(`${FEE_NAMES[fee.kind]}: ${text}`), ...feeNotes(token, fee)],
    icon: "percentage",
    ...(children.length > 0 && { children }),
  };
}

/** The token that a fee is paid in, where it is another one. */
function denominationRows(token: Token, fee: CustomFee): LedgerRow[] {
  const paidIn = denominationOf(fee);
  if (paidIn === undefined || paidIn === token.tokenId) return [];
  const { symbol } = token.denominations.get(paidIn) ?? {};
  const text = symbol === undefined ? paidIn : `${rowText(symbol)} (${paidIn})`;
  return [{ ...fact("paidIn", t`Paid in`, foreignWhole(text), paidIn), ...opening("token", paidIn) }];
}

function denominationOf(fee: CustomFee): string | undefined {
  return fee.kind === "royalty" ? fee.fallback?.denomination : fee.denomination;
}

/** "0.5 ℏ to 0.0.5", "1/100 (1 %), at least 0.01, at most 50 USDC, to 0.0.5". */
function feeText(token: Token, fee: CustomFee): string {
  const to = fee.collector === undefined ? "" : t` to ${foreignWhole(fee.collector)}`;
  switch (fee.kind) {
    case "fixed":
      return `${feeAmount(token, fee.amount, fee.denomination)}${to}`;
    case "fractional": {
      const own = fee.denomination ?? token.tokenId;
      const parts = [
        fractionText(fee.fraction),
        ...(fee.minimum.integer === "0" ? [] : [t`at least ${feeAmount(token, fee.minimum, own)}`]),
        ...(fee.maximum ? [t`at most ${feeAmount(token, fee.maximum, own)}`] : []),
        ...(fee.netOfTransfers === true ? [t`paid by the sender on top`] : []),
      ];
      return `${parts.join(", ")}${to && `,${to}`}`;
    }
    case "royalty": {
      const fallback = fee.fallback
        ? t`, ${feeAmount(token, fee.fallback.amount, fee.fallback.denomination)} where nothing is exchanged`
        : "";
      return t`${fractionText(fee.fraction)} of the exchanged value${fallback}${to && `,${to}`}`;
    }
  }
}

function feeNotes(token: Token, fee: CustomFee): ShownText[] {
  const denomination = denominationOf(fee);
  const isUnknown =
    denomination !== undefined &&
    denomination !== token.tokenId &&
    token.denominations.get(denomination) === undefined;
  return [
    ...(fee.collectorsAreExempt === undefined
      ? []
      : [
          fee.collectorsAreExempt
            ? shown`All fee collectors are exempt.`
            : shown`Only this fee's collector is exempt.`,
        ]),
    ...(isUnknown
      ? [
          shown`The decimals of ${rowText(denomination)} are not known, so the amount is in its smallest units.`,
        ]
      : []),
  ];
}

function fractionText({ text, percent }: FeeFraction): string {
  return percent === undefined ? foreignWhole(text) : `${text} (${percent} %)`;
}

/** A fee's figure in units of what it is paid in. */
function feeAmount(token: Token, figure: FeeFigure, denomination: string | undefined): string {
  if (figure.integer === undefined) return t`${foreignWhole(figure.raw ?? "?")} (as the server sent it)`;
  if (denomination === undefined) return hbarText(figure.integer);
  if (denomination === token.tokenId) return ownAmount(token, figure.integer);
  const other = token.denominations.get(denomination);
  const unit = rowText(other?.symbol ?? denomination);
  return other === undefined
    ? t`${amountText(figure.integer, undefined)} of ${unit}`
    : `${amountText(figure.integer, other.decimals)} ${unit}`;
}

function metadataRow({ record, metadata }: Token): LedgerRow {
  if (record["metadata"] === undefined)
    return { ...fact("metadata", t`Metadata`, t`not in the answer`), icon: "question" };
  const { description, copyText } = metadataText(metadata);
  return { ...fact("metadata", t`Metadata`, description, copyText), icon: "note" };
}

/** What metadata holds, in one line, and in full. */
function metadataText(metadata: TokenMetadata): { description: string; copyText: string } {
  switch (metadata.kind) {
    case "none":
      return { description: shown`none`, copyText: "" };
    case "text":
      return { description: foreignWhole(metadata.text), copyText: metadata.text };
    case "json":
      return { description: `JSON · ${foreignWhole(metadata.text)}`, copyText: metadata.text };
    case "bytes":
      return {
        description: `${counted(metadata.hex.length / 2, "byte")} · 0x${metadata.hex}`,
        copyText: `0x${metadata.hex}`,
      };
    case "unreadable":
      return { description: t`not base64 · ${foreignWhole(metadata.text)}`, copyText: metadata.text };
  }
}

function datesRow(token: Token): LedgerRow {
  const { created, modified, feesCreated } = token;
  const date = (id: string, label: string, timestamp: string | undefined) =>
    timestamp === undefined ? [] : [fact(id, label, foreignWhole(dateText(timestamp)), timestamp)];
  return {
    id: "dates",
    label: shown`Dates`,
    description: created === undefined ? shown`` : shown`created ${dateText(created).slice(0, 10)}`,
    icon: "calendar",
    children: [
      ...date("created", t`Created`, created),
      ...date("modified", t`Modified`, modified),
      ...date("feesCreated", t`Fees set`, feesCreated),
      expiryRow(token),
      ...autoRenewRows(token),
    ],
  };
}

const NOT_IN_FORCE = shown`Token expiry is not in force on the network, so this date has no effect.`;

/** The date is never painted: expiry of tokens is not switched on (HashScan says so at this field too). */
function expiryRow({ expiry, record }: Token): LedgerRow {
  const text =
    expiry === undefined ? statedText(record["expiry_timestamp"]) : t`${dateOfNanos(expiry)} · not in force`;
  return {
    ...fact("expiry", t`Expires`, text, expiry === undefined ? undefined : String(expiry)),
    tooltip: [foreignLine(t`Expires: ${text}`), NOT_IN_FORCE],
  };
}

function autoRenewRows({ autoRenewPeriod, autoRenewAccount, record }: Token): LedgerRow[] {
  const isStated = record["auto_renew_period"] !== undefined && record["auto_renew_period"] !== null;
  if (!isStated && autoRenewAccount === undefined) return [];
  const by = autoRenewAccount === undefined ? "" : t`by ${foreignWhole(autoRenewAccount)}`;
  const period = isStated ? periodText(autoRenewPeriod ?? "", record["auto_renew_period"]) : "";
  return [
    {
      ...fact(
        "autoRenew",
        "Auto-renew",
        [period, by].filter((part) => part !== "").join(" "),
        autoRenewPeriod,
      ),
      ...opening("account", autoRenewAccount),
      tooltip: [
        ...(autoRenewPeriod === undefined ? [] : [foreignLine(counted(autoRenewPeriod, "second"))]),
        NOT_IN_FORCE,
      ],
    },
  ];
}

function periodText(seconds: string, raw: unknown): string {
  if (seconds === "" || seconds.startsWith("-")) return statedText(raw);
  if (BigInt(seconds) > ENDLESS_PERIOD) return t`never ends (${groupDigits(seconds)} s)`;
  return Number(seconds) === DAY_SECONDS ? t`every day` : t`every ${durationWords(Number(seconds) * 1000)}`;
}

function identityRow(token: Token): LedgerRow {
  const lines = identityLines(token);
  return {
    id: "identity",
    label: shown`Identity`,
    description: foreign(token.tokenId),
    icon: "symbol-key",
    children: lines.map((line) => {
      const at = line.indexOf(": ");
      return fact(line.slice(0, at), line.slice(0, at), line.slice(at + 2), line.slice(at + 2));
    }),
  };
}

function identityLines({ tokenId, network }: Token): string[] {
  const id = parseEntityId(tokenId);
  return [
    t`Token id: ${tokenId}`,
    ...(network.ledgerId === undefined
      ? []
      : [t`With checksum: ${tokenId}-${entityChecksum(tokenId, network.ledgerId)}`]),
    ...(id ? [t`EVM address: ${longZeroAddress(id)}`] : []),
    t`Network: ${network.name}`,
  ];
}

function statedText(value: unknown): string {
  if (value === undefined) return t`not in the answer`;
  if (value === null) return t`not set`;
  return foreignWhole(rawText(value));
}
