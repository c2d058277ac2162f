import { t } from "@vscode/l10n";
import { foreign, foreignLine, foreignSentence, foreignWhole, shown } from "../../text/shownText.ts";
import { counted } from "../../text/counted.ts";
import { groupDigits, hbarText } from "../../text/exactDecimal.ts";
import { rawText } from "../../json/jsonText.ts";
import { keyKindName, ledgerKeyRow, shortKeyHex } from "../tokens/ledgerKey.ts";
import type { Denominations } from "../tokens/token.ts";
import { amountOfToken, nftName, tokenName } from "../tokens/tokenText.ts";
import { factRow as fact, rowText, type LedgerRow } from "../../rows/ledgerRow.ts";
import type { ActionNames, NamedCall } from "../actions/actionNames.ts";
import { callTarget } from "../actions/actionRows.ts";
import { codeWords, isSuccessCode } from "../actions/responseCodes.ts";
import type { WordForm } from "../actions/addressText.ts";
import { valuesText } from "../actions/valueWords.ts";
import type { ContractAction } from "../actions/contractAction.ts";
import { opening } from "../references/opening.ts";
import { longZeroAddress, parseEntityId } from "../references/entityId.ts";
import { dateText, timestampOfNanos } from "../references/timestamp.ts";
import type { TransactionBody } from "../protobuf/transactionBody.ts";
import { kindWords } from "./kindWords.ts";
import { agoWords, inWords, nextWordsAt } from "../../text/timeWords.ts";
import type { Signer } from "./missingSignatures.ts";
import {
  lacksSigners,
  SCHEDULE_GRACE_MS,
  scheduleEnd,
  scheduleState,
  timeLeft,
  type Schedule,
  type ScheduleState,
} from "./schedule.ts";
import { missingText, signerRows } from "./signerRows.ts";

/** What became of an executed schedule. */
export interface ScheduleResult {
  /** The response code's name: `SUCCESS`. */
  readonly result: string;
  readonly transactionId?: string;
  /** `0x` and 64 hex digits, with which its contract actions are found. */
  readonly hash?: string;
}

/** What is known of a schedule beside its record. */
export interface ScheduleFinding {
  /** What became of it, once it was executed. */
  readonly result?: ScheduleResult;
  /** What it calls, by name. */
  readonly call?: ActionNames;
  /** Who has to sign, while it is pending, or had to before it expired. */
  readonly signers?: readonly Signer[];
  /** Of the tokens that it moves. */
  readonly denominations?: Denominations;
}

/** The tokens that a schedule moves, and the collections of NFTs. */
export function movedTokens({ body }: Schedule): string[] {
  const moves = [...(body?.transfers ?? []), ...(body?.nftTransfers ?? [])];
  return [...new Set(moves.flatMap(({ token }) => token ?? []))];
}

const ICONS: Readonly<Record<ScheduleState, string>> = {
  pending: "watch",
  // Whether it succeeded is its result's to say.
  executed: "play-circle",
  deleted: "trash",
  expired: "circle-slash",
};

/**
 * A schedule as a tree of rows.
 *
 * @param now milliseconds since the epoch
 * @param found what was looked up of it
 */
export function scheduleRow(
  schedule: Schedule,
  now: number,
  { result, call, signers = [], denominations }: ScheduleFinding = {},
): LedgerRow {
  const state = scheduleState(schedule, now);
  const target = call?.call && callTarget(scheduledAction(schedule) ?? {}, call);
  const kind = target
    ? `${target.contract}.${target.name ?? ""}`
    : schedule.body
      ? kindWords(schedule.body.kind)
      : t`body not decoded`;
  const isFailed = result !== undefined && !isSuccessCode(result.result);
  return {
    id: `schedule:${schedule.network.id}:${schedule.scheduleId}`,
    ...changesAt(schedule, now),
    label: shown`Schedule ${rowText(schedule.scheduleId)}`,
    description: foreignSentence(
      [
        stateText(schedule, now, result),
        kind,
        ...(schedule.signatures ? [counted(schedule.signatures.length, "signature")] : []),
        ...missingText(signers),
      ].join(" · "),
    ),
    tooltip: [
      shown`Schedule ${rowText(schedule.scheduleId)} on ${schedule.network.name}`,
      foreign(stateText(schedule, now, result)),
      ...(schedule.memo === undefined ? [] : [foreignLine(t`Memo: ${schedule.memo}`)]),
    ],
    icon: isFailed ? "error" : result ? "pass" : ICONS[state],
    ...(isFailed && { color: "error" as const }),
    context: `schedule.${state}`,
    copyText: schedule.scheduleId,
    children: [
      ...(result ? [resultRow(result)] : []),
      ...bodyRows(schedule, call, denominations),
      ...factRows(schedule, state),
      signaturesRow(schedule),
      ...(lacksSigners(state) ? signerRows(schedule, signers) : []),
    ],
  };
}

/** When the words of {@link stateText} change because time passes. */
function changesAt(schedule: Schedule, now: number): Pick<LedgerRow, "changesAt"> {
  const left = timeLeft(schedule, now);
  if (left === undefined || !lacksSigners(scheduleState(schedule, now))) return {};
  return { changesAt: nextWordsAt([now + left, now + left + SCHEDULE_GRACE_MS], now, undefined) };
}

/** "pending, expires in 26 min", "expired 1 h ago", "executed, but failed: insufficient payer balance". */
export function stateText(schedule: Schedule, now: number, result?: ScheduleResult): string {
  const state = scheduleState(schedule, now);
  if (state === "executed") return executedText(result?.result ?? "SUCCESS");
  if (state === "deleted") return t`deleted`;
  const left = timeLeft(schedule, now);
  if (state === "expired") return left === undefined ? t`expired` : t`expired ${agoWords(now + left, now)}`;
  if (left === undefined) return t`pending, end unknown`;
  if (schedule.waitForExpiry)
    return left <= 0 ? t`pending, runs now` : t`pending, runs ${inWords(now + left, now)}`;
  return left <= 0 ? t`pending, expires now` : t`pending, expires ${inWords(now + left, now)}`;
}

function executedText(result: string): string {
  if (result === "SUCCESS") return t`executed`;
  const words = rowText(codeWords(result));
  return isSuccessCode(result) ? t`executed: ${words}` : t`executed, but failed: ${words}`;
}

function resultRow({ result, transactionId, hash }: ScheduleResult): LedgerRow {
  const isSuccess = isSuccessCode(result);
  const canonical = hash ?? transactionId;
  return {
    ...fact(
      "result",
      t`Result`,
      result === "SUCCESS" ? t`succeeded` : foreignWhole(codeWords(result)),
      result,
    ),
    icon: isSuccess ? "pass" : "error",
    ...(!isSuccess && { color: "error" as const }),
    ...(canonical !== undefined && { opens: { kind: "transaction" as const, canonical } }),
    tooltip: [
      transactionId === undefined
        ? rowText(result)
        : shown`Transaction ${rowText(transactionId)}: ${rowText(result)}`,
    ],
  };
}

/** The call that a schedule will make, as an action by which it is named. */
export function scheduledAction({ body }: Schedule): ContractAction | undefined {
  if (!body?.contractCall) return undefined;
  const { contract, parameters } = body.contractCall;
  const id = parseEntityId(contract);
  return {
    call_type: "CALL",
    call_operation_type: "CALL",
    recipient: contract,
    to: id ? longZeroAddress(id) : contract,
    input: parameters,
  };
}

function bodyRows(
  { body, bodyHex, record }: Schedule,
  call: ActionNames | undefined,
  denominations: Denominations | undefined,
): LedgerRow[] {
  if (!body) {
    const raw = record["transaction_body"];
    const text =
      bodyHex === undefined
        ? raw === undefined || raw === null
          ? t`not in the answer`
          : t`not base64 · ${foreignWhole(rawText(raw))}`
        : t`not decoded · ${`0x${bodyHex}`}`;
    return [fact("body", t`Transaction`, text, bodyHex === undefined ? undefined : `0x${bodyHex}`)];
  }
  return [
    {
      ...fact("body", t`Transaction`, kindWords(body.kind), `0x${bodyHex ?? ""}`),
      expanded: true,
      children: [
        ...kindRows(body, call, denominations),
        fact("fee", t`Highest fee`, hbarText(body.fee), body.fee),
        ...memoRow("bodyMemo", body.memo),
      ],
    },
  ];
}

function kindRows(
  body: TransactionBody,
  names: ActionNames | undefined,
  denominations: Denominations = new Map(),
): LedgerRow[] {
  const rows = body.transfers.map(({ account, amount, token }, at) => {
    const isGiven = amount.startsWith("-");
    const size = isGiven ? amount.slice(1) : amount;
    const known = token === undefined ? undefined : denominations.get(token);
    const unit = token === undefined ? hbarText(size) : amountOfToken(size, token, known);
    return {
      ...fact(`transfer${at}`, account, isGiven ? t`gives ${unit}` : t`gets ${unit}`, amount),
      ...opening("account", account),
      ...(token !== undefined && {
        children: [
          {
            ...fact("token", t`Token`, foreignWhole(tokenName(token, known)), token),
            ...opening("token", token),
          },
        ],
      }),
    };
  });
  const nfts = body.nftTransfers.map(({ token, serial, sender, receiver }, at) => ({
    ...fact(
      `nft${at}`,
      t`NFT ${nftName(token, serial, denominations.get(token))}`,
      t`from ${sender} to ${receiver}`,
    ),
    ...opening("token", token),
    children: [
      { ...fact("sender", t`From`, sender, sender), ...opening("account", sender) },
      { ...fact("receiver", t`To`, receiver, receiver), ...opening("account", receiver) },
    ],
  }));
  const { contractCall } = body;
  if (contractCall) {
    const { contract, gas, amount, parameters } = contractCall;
    return [
      // A token answers calls, too.
      { ...fact("contract", t`Contract`, contract, contract), ...opening("entity", contract) },
      fact(
        "function",
        t`Function`,
        functionText(parameters, names?.call, "whole"),
        parameters,
        functionText(parameters, names?.call, "short"),
      ),
      fact("gas", t`Gas limit`, groupDigits(gas), gas),
      ...(amount === "0" ? [] : [fact("amount", t`Value`, hbarText(amount), amount)]),
      fact("parameters", t`Parameters`, parameters, parameters),
    ];
  }
  if (rows.length + nfts.length > 0) return [...rows, ...nfts];
  return body.dataHex === "" ? [] : [fact("data", t`Content`, `0x${body.dataHex}`, `0x${body.dataHex}`)];
}

/** "setPrice(price: 5)" with who says so, else the selector. */
function functionText(parameters: string, call: NamedCall | undefined, form: WordForm): string {
  if (!call || call.isMalformed) return parameters.length < 10 ? t`none` : parameters.slice(0, 10);
  const source = call.certainty === "guess" ? t`name is a guess` : call.standard;
  return [`${call.name}(${valuesText(call.values, form)})`, ...(source === undefined ? [] : [source])].join(
    " · ",
  );
}

function factRows(schedule: Schedule, state: ScheduleState): LedgerRow[] {
  const end = scheduleEnd(schedule);
  const date = (id: string, label: string, timestamp: string | undefined) =>
    timestamp === undefined ? [] : [fact(id, label, foreignWhole(dateText(timestamp)), timestamp)];
  const account = (id: string, label: string, entity: string | undefined) =>
    entity === undefined
      ? []
      : [
          {
            ...fact(id, label, foreignWhole(entity), entity),
            ...opening("account", entity),
          },
        ];
  return [
    ...memoRow("memo", schedule.memo ?? ""),
    ...account("creator", t`Creator`, schedule.creator),
    ...account("payer", t`Payer`, schedule.payer),
    ...date("created", t`Created`, schedule.created),
    ...date(
      "expiration",
      state === "expired" ? t`Expired` : t`Expires`,
      schedule.expiration ?? (end !== undefined && lacksSigners(state) ? timestampOfNanos(end) : undefined),
    ),
    ...date("executed", t`Executed`, schedule.executed),
    ...(schedule.waitForExpiry
      ? [fact("wait", t`Runs`, t`at its expiration, even if all signatures are there before`)]
      : []),
    schedule.adminKey
      ? ledgerKeyRow("admin", t`Admin key`, schedule.adminKey)
      : {
          ...fact(
            "admin",
            t`Admin key`,
            schedule.record["admin_key"] === null ? t`none · it can't be deleted` : t`not in the answer`,
          ),
          icon: "key",
        },
  ];
}

function memoRow(id: string, memo: string): LedgerRow[] {
  return memo === "" ? [] : [fact(id, t`Memo`, foreignWhole(memo), memo)];
}

function signaturesRow({ signatures }: Schedule): LedgerRow {
  if (!signatures) return { ...fact("signatures", t`Signatures`, t`not in the answer`), icon: "question" };
  return {
    id: "signatures",
    label: shown`Signatures`,
    description: shown`${signatures.length.toLocaleString("en-US")} gathered`,
    icon: "verified",
    ...(signatures.length > 0 && {
      children: signatures.map(({ type, keyPrefix, timestamp }, at) => {
        const when = timestamp === undefined ? [] : [foreignWhole(dateText(timestamp))];
        return {
          ...fact(
            `signature${at}`,
            keyKindName(type),
            [foreignWhole(keyPrefix), ...when].join(" · "),
            keyPrefix,
            [shortKeyHex(foreignWhole(keyPrefix)), ...when].join(" · "),
          ),
          icon: "key",
        };
      }),
    }),
  };
}
