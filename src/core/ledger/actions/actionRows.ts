import { t } from "@vscode/l10n";
import { definedOnly } from "../../json/looseData.ts";
import {
  beginning,
  foreign,
  foreignSentence,
  foreignWhole,
  shown,
  type ShownText,
  shortAddress,
} from "../../text/shownText.ts";
import { failureOf, isHardFailure, OUT_OF_GAS, type ActionFailure } from "./actionFailure.ts";
import type { ActionNames, NamedCall } from "./actionNames.ts";
import { addressText, type WordForm } from "./addressText.ts";
import { precompileCall } from "./precompileCall.ts";
import type { NamedValue } from "./tokenAmounts.ts";
import type { NamedToken } from "../tokens/tokenUnits.ts";
import { valuesText, valueWords } from "./valueWords.ts";
import {
  childrenOf,
  failingPath,
  isCaught,
  NONE,
  ownGas,
  passedOnFrom,
  type ActionTree,
} from "./actionTree.ts";
import {
  calledAddress,
  hexDigits,
  operationOf,
  outcomeOf,
  selectorOf,
  valueOf,
  type ActionOperation,
  type ContractAction,
} from "./contractAction.ts";
import { groupDigits, hbarText, integerText, percentText } from "../../text/exactDecimal.ts";
import { counted } from "../../text/counted.ts";
import { lineText, type TextLine } from "../../text/labelledText.ts";
import { rawText } from "../../json/jsonText.ts";
import { ROW_CHARACTERS, type LedgerRow } from "../../rows/ledgerRow.ts";
import { systemContractAt } from "./systemContracts.ts";
import { readTransactionId } from "../references/transactionId.ts";
import { entityIdText, fromLongZeroAddress, openable } from "../references/entityId.ts";
import { opening } from "../references/opening.ts";
import { dateText } from "../references/timestamp.ts";
import { capitalised } from "../../text/capitalised.ts";

/** How much of arguments and results fits into a row. */
const SHORT_CHARACTERS = 60;
/** How much of a value fits into a tooltip. */
const TOOLTIP_CHARACTERS = 1000;
/** So much of a value stands where a call is told whole: drawing a megabyte would stop the editor for seconds. */
const WHOLE_CHARACTERS = 100_000;

/** Calls are nested no deeper. */
const MAX_CALLERS = 1024;

const OPERATION_WORDS: Readonly<Record<ActionOperation, string>> = {
  call: "call",
  static: "static",
  delegate: "delegate",
  callcode: "callcode",
  create: "create",
  create2: "create2",
  system: "system",
  precompile: "precompile",
  unknown: "action",
};

/** What an icon tells well enough; a row of any other operation names it. */
const PLAIN_CALLS: ReadonlySet<ActionOperation> = new Set(["call", "static", "system", "precompile"]);

/** What an action is in words, for rows, copies and filters. */
interface ActionWords {
  /** "call Router.swapExact(…)" */
  readonly label: string;
  /** "Router.swapExact", "create Vault": what a row begins with, whose icon tells calls from static ones. */
  readonly callee: string;
  /** "pool: 0x1234…5678, 5" */
  readonly args?: string;
  /** "→ 5,000,000" */
  readonly result?: string;
  /** "0.5 ℏ" */
  readonly value?: string;
  /** "121,944 gas, own 14,102" */
  readonly gas?: string;
  readonly failure?: ActionFailure;
  /** "reverted: InsufficientBalance(available: 1, required: 2)"; "reverted" where the reason is told by the call it came from. */
  readonly failureText?: string;
  /** What {@link failureText} says behind its verb; missing where that is nothing. */
  readonly why?: string;
}

/**
 * Puts an action into words.
 *
 * @param form `whole` for a copy, in which nothing is shortened
 */
export function actionWords(
  tree: ActionTree,
  at: number,
  names: ActionNames | undefined,
  form: WordForm = "short",
): ActionWords {
  const action = tree.actions[at] ?? {};
  const value = valueText(action, form);
  const gas = gasText(tree, at);
  const failure = failureOf(action) ?? emptyResult(tree, at, names);
  const result = failure ? undefined : resultText(action, names, form);
  const operation = operationOf(action);
  const { contract, name, args } = callTarget(action, names, form);
  const isTransfer = isPlainTransfer(action);
  const callee =
    name === undefined ? contract : isTransfer ? t`transfer to ${contract}` : `${contract}.${name}`;
  return {
    label: isTransfer
      ? callee
      : `${OPERATION_WORDS[operation]} ${name === undefined && args === undefined ? contract : `${callee}(${args ?? ""})`}`,
    callee: PLAIN_CALLS.has(operation) ? callee : `${OPERATION_WORDS[operation]} ${callee}`,
    ...definedOnly({ args, result, value, gas }),
    ...(failure && { failure, ...failureWords(tree, at, failure, names?.error, form) }),
  };
}

/**
 * The row of an action; its children are rows of their own (see {@link childrenOf}), so that only what is open is
 * made.
 *
 * @param path of {@link failingPath}, which is found once for a tree
 * @param namesOf what is known by name of other actions: of who caught its failure
 */
export function actionRow(
  tree: ActionTree,
  at: number,
  names: ActionNames | undefined,
  path: readonly number[] = failingPath(tree),
  namesOf: (action: ContractAction) => ActionNames | undefined = () => undefined,
): LedgerRow {
  const action = tree.actions[at] ?? {};
  const words = actionWords(tree, at, names);
  const isFailed = isHardFailure(action);
  const isOnPath = path.includes(at);
  const isOrigin = path.at(-1) === at;
  const { certainty, place } = names?.call ?? {};
  return {
    id: `action:${at}`,
    label: foreignSentence(words.callee),
    description: foreignSentence(
      [
        // What a narrow view cuts off is what matters least.
        failedText(action, words, {
          isOrigin,
          catcher: isFailed && isCaught(tree, at) ? catcherText(tree, at, namesOf) : undefined,
        }),
        usedText(tree, at),
        words.value,
        words.args === undefined || words.args === "" ? undefined : `(${words.args})`,
        words.result,
        certainty === "guess" ? t`name is a guess` : names?.call?.standard,
        ownText(tree, at),
        // For those who don't see the icon.
        operationOf(action) === "static" ? "static" : undefined,
      ]
        .filter((part) => part !== undefined)
        .join(" · "),
    ),
    tooltip: actionTooltip(tree, at, names, words, TOOLTIP_CHARACTERS),
    icon: isFailed ? "error" : words.failure ? "warning" : iconOf(operationOf(action)),
    ...(isFailed ? { color: "error" as const } : words.failure && { color: "warning" as const }),
    context: ["action", ...(isOrigin ? ["origin"] : []), ...(place ? ["source"] : [])].join("."),
    expanded: isOnPath || tree.parent[at] === NONE,
    copyText: actionLine(words),
    ...calledOpening(action, names),
  };
}

/**
 * Everything that an action says, a line each, with its arguments and results whole: for a hover, and for who reads it aloud.
 * What it came from and what it called have a label, and what opens them.
 */
export function actionInFull(tree: ActionTree, at: number, names: ActionNames | undefined): TextLine[] {
  return actionLines(tree, at, names, actionWords(tree, at, names, "whole"), WHOLE_CHARACTERS);
}

/** The same as text, a line each, with nothing left out. */
export function actionAsText(tree: ActionTree, at: number, names: ActionNames | undefined): string {
  const lines = actionLines(tree, at, names, actionWords(tree, at, names, "whole"), Infinity);
  return lines.map((line) => `${lineText(line)}\n`).join("");
}

/** A line of a tooltip; what is left out of it is counted. */
function tooltipLine(text: string, characters: number): ShownText {
  const left = text.length - characters;
  if (left <= 0) return foreignWhole(text);
  return foreignWhole(
    t`${beginning(text, characters)} (${counted(left, "more character")}, which a copy has)`,
  );
}

/** What makes a call open what it called: the token that it was handed on to, else the contract or account. */
export function calledOpening(
  action: ContractAction,
  { redirectedTo, token }: Pick<ActionNames, "redirectedTo" | "token"> = {},
): Pick<LedgerRow, "opens"> {
  if (redirectedTo !== undefined) return opening("token", token?.id ?? addressText(redirectedTo, "whole"));
  const { recipient, recipient_type: type } = action;
  return partyOpening(recipient, type, calledAddress(action));
}

/** What makes one of both ends of a call be opened; nothing for what is part of the network. */
function partyOpening(id: unknown, type: unknown, address: string | undefined): Pick<LedgerRow, "opens"> {
  if (systemContractAt(address)) return {};
  const canonical = (typeof id === "string" ? openable(id) : undefined) ?? address;
  return opening(type === "ACCOUNT" || type === "CONTRACT" ? "account" : "entity", canonical);
}

/** The row below the action where a failure began: the reason by itself, where a narrow view does not cut it. */
export function reasonRow(tree: ActionTree, at: number, names: ActionNames | undefined): LedgerRow {
  const { failureText: text = "" } = actionWords(tree, at, names);
  const { failureText: whole = "" } = actionWords(tree, at, names, "whole");
  const place = names?.error?.place ?? names?.call?.place ?? names?.contract?.place;
  return {
    id: "reason",
    label: foreign(beginning(text, ROW_CHARACTERS)),
    tooltip: [
      foreign(text, TOOLTIP_CHARACTERS),
      ...(names?.error ? [shown`${names.error.signature} (${certaintyText(names.error)})`] : []),
    ],
    icon: "error",
    color: "error",
    context: place ? "reason.source" : "reason",
    copyText: whole,
  };
}

/** An id in a row: "0.0.5001@…216882", "0x1234…5678"; which of its transactions an id means stays behind it. */
export function shortTransaction(canonical: string): string {
  const id = readTransactionId(canonical);
  if (id) return `${id.payer}@…${id.nanos.slice(-6)}${id.which}`;
  return /^0x[\da-f]{64}$/i.test(canonical) ? shortAddress(canonical) : canonical;
}

/** The row that loads the next page. */
export function loadMoreRow(loaded: number, noun: string): LedgerRow {
  return {
    id: "loadMore",
    label: shown`Load more`,
    description: shown`${counted(loaded, noun)} loaded`,
    icon: "ellipsis",
    context: "loadMore",
  };
}

/** An action in one line, without what only a tree can show. */
export function actionLine(words: ActionWords): string {
  const parts = [words.result, words.value, words.failureText, words.gas];
  return [words.label, ...parts.filter((part) => part !== undefined)].join(" · ");
}

/**
 * What a failed transaction came to, by the call in which that began: "Reverted: SlippageTooHigh(…) in Pool.swap", "Out of
 * gas in Router.spin". Rows, tabs and pages say it alike.
 *
 * @param at position of that call
 */
export function failureHeadline(
  tree: ActionTree,
  at: number,
  namesOf: (action: ContractAction) => ActionNames | undefined,
  form: WordForm = "short",
): ShownText {
  const action = tree.actions[at] ?? {};
  const names = namesOf(action);
  const { failureText: text = "", failure } = actionWords(tree, at, names, form);
  const remark = failure?.kind === "empty_revert" ? lastRemark(tree, at, namesOf) : undefined;
  const sign = remark === undefined ? undefined : codeAsWords(remark, form);
  const place = calleeText(action, names, form);
  const fit = form === "short" ? foreignSentence : foreignWhole;
  const reason = failureReason(text, form);
  if (sign === undefined) return fit(inPlace(reason, action, names, form));
  return fit(
    operationOf(action).startsWith("create")
      ? t`Reverted in the constructor: ${sign}`
      : t`Reverted in ${place}: ${sign}`,
  );
}

/** "stale price in Oracle.read"; the reason alone where nothing is known of what was called. */
function inPlace(
  reason: string,
  action: ContractAction,
  names: ActionNames | undefined,
  form: WordForm,
): string {
  const isNameless = names?.contract === undefined && isNowhere(action);
  const place = calleeText(action, names, form);
  if (operationOf(action).startsWith("create"))
    return isNameless ? t`${reason} in the constructor` : t`${reason} in the constructor of ${place}`;
  return isNameless ? reason : t`${reason} in ${place}`;
}

/** How a contract reverts on purpose. */
const OWN_WORDS: ReadonlySet<ActionFailure["kind"]> = new Set(["error_string", "custom_error", "text"]);

/**
 * The outermost call on the way to where a failure began that did not pass it on but reverted with words of its own;
 * `undefined` where none did.
 *
 * @param path of {@link failingPath}
 */
export function ownWordsAt(tree: ActionTree, path: readonly number[]): number | undefined {
  return path.slice(0, -1).find((at) => {
    const { kind } = failureOf(tree.actions[at] ?? {}) ?? {};
    return kind !== undefined && OWN_WORDS.has(kind) && passedOnFrom(tree, at) === NONE;
  });
}

/**
 * What a failed transaction came to: {@link failureHeadline}, or where a caller said something else, what it said with the
 * cause behind it: "Reverted: \"Transfer Failed\" in Vault.pay: token not associated to account". What the caller repeats
 * is told once.
 *
 * @param path of {@link failingPath}, not empty
 */
export function pathHeadline(
  tree: ActionTree,
  path: readonly number[],
  namesOf: (action: ContractAction) => ActionNames | undefined,
  form: WordForm = "short",
): ShownText {
  const origin = path.at(-1) ?? NONE;
  const at = ownWordsAt(tree, path);
  if (at === undefined) return failureHeadline(tree, origin, namesOf, form);
  const said = failureHeadline(tree, at, namesOf, form);
  const action = tree.actions[origin] ?? {};
  const names = namesOf(action);
  const { failureText = "", failure, why } = actionWords(tree, origin, names, form);
  const sign = failure?.kind === "empty_revert" ? lastRemark(tree, origin, namesOf) : undefined;
  const cause = codeAsWords(sign ?? why ?? failureText, form);
  const { why: own = "" } = actionWords(tree, at, namesOf(tree.actions[at] ?? {}), form);
  const reason = failure?.reason ?? "";
  // A reason of few letters may stand in any text.
  if (own.includes(cause) || (reason.length >= 4 && own.includes(reason))) return said;
  const fit = form === "short" ? foreignSentence : foreignWhole;
  // A code of the network tells by itself whose it is.
  return fit(
    t`${said}: ${systemContractAt(calledAddress(action)) ? cause : inPlace(cause, action, names, form)}`,
  );
}

/** "Router.swapExact"; the contract alone for a creation and for a precompiled contract. */
function calleeText(action: ContractAction, names: ActionNames | undefined, form: WordForm): string {
  const { contract, name } = callTarget(action, names, form);
  return name === undefined ? contract : `${contract}.${name}`;
}

/** How far below a call is looked for why it failed without a reason. */
const MAX_REMARKS = 16;

/** The last things that a call did where it then reverted without a reason: one of them may say why. */
export function remarkBelow(tree: ActionTree, at: number): number[] {
  if (failureOf(tree.actions[at] ?? {})?.kind !== "empty_revert") return [];
  const found: number[] = [];
  for (let last = childrenOf(tree, at).at(-1); last !== undefined; last = childrenOf(tree, last).at(-1)) {
    if (found.length === MAX_REMARKS || isHardFailure(tree.actions[last] ?? {})) break;
    found.push(last);
  }
  return found;
}

/**
 * A failure that a caller went on from, with who did: "Reverted: \"stale price\" in Oracle.read, caught by Vault.totalAssets".
 *
 * @param at position of the call that failed
 */
export function caughtLine(
  tree: ActionTree,
  at: number,
  namesOf: (action: ContractAction) => ActionNames | undefined,
  form: WordForm,
): ShownText {
  // Where it began: what passed it on says nothing of its own.
  let origin = at;
  for (let from = passedOnFrom(tree, origin); from !== NONE; from = passedOnFrom(tree, origin)) origin = from;
  const failed = failureHeadline(tree, origin, namesOf, form);
  const fit = form === "short" ? foreignSentence : foreignWhole;
  return fit(t`${failed}, caught by ${catcherText(tree, at, namesOf, form)}`);
}

function catcherText(
  tree: ActionTree,
  at: number,
  namesOf: (action: ContractAction) => ActionNames | undefined,
  form: WordForm = "short",
): string {
  const caller = tree.actions[tree.parent[at] ?? NONE] ?? {};
  return calleeText(caller, namesOf(caller), form);
}

/**
 * What the last thing that an action did says against its success: "Hedera Token Service answered …", "transferFrom returned
 * nothing". Where the action then reverted without a reason, that is why.
 */
function lastRemark(
  tree: ActionTree,
  at: number,
  namesOf: (action: ContractAction) => ActionNames | undefined,
): string | undefined {
  const last = childrenOf(tree, at).at(-1);
  if (last === undefined || isHardFailure(tree.actions[last] ?? {})) return undefined;
  const names = namesOf(tree.actions[last] ?? {});
  const { failure, failureText } = actionWords(tree, last, names);
  if (failure?.kind !== "response_code" && failure?.kind !== "no_result")
    return lastRemark(tree, last, namesOf);
  const { contract } = callTarget(tree.actions[last] ?? {}, names);
  return failure.kind === "no_result" ? `${contract}.${failureText ?? ""}` : failureText;
}

/** A reason without the network's code of it, which stands behind its words; a copy has both. */
function codeAsWords(text: string, form: WordForm): string {
  return form === "short" ? text.replace(/ \([A-Z][A-Z_0-9]*(?:, \d+)?\)$/, "") : text;
}

/** A failure at the beginning of a sentence: "Reverted: SlippageTooHigh(…)", "Out of gas", "Failed: SOMETHING_NEW". */
export function failureReason(text: string, form: WordForm): string {
  const reason = text === "" ? t`failed` : codeAsWords(text, form);
  return /^[A-Z_0-9]+$/.test(reason) ? t`Failed: ${reason}` : capitalised(reason);
}

/** How a failure reads in a row. */
function failedText(
  action: ContractAction,
  { failureText: text }: ActionWords,
  { isOrigin, catcher }: { readonly isOrigin: boolean; readonly catcher: string | undefined },
): string | undefined {
  if (text === undefined) return undefined;
  // The row below has the reason.
  if (isOrigin) return isRevert(action) ? t`reverted here` : t`failed here`;
  const short = beginning(text, ROW_CHARACTERS);
  return catcher === undefined ? short : t`${short}, caught by ${catcher}`;
}

/** The value in HBAR; what is no integer, as it came. */
function valueText(action: ContractAction, form: WordForm): string | undefined {
  const tinybars = valueOf(action);
  if (tinybars !== undefined) return hbarText(tinybars);
  const { value } = action;
  if (value === undefined || value === null || integerText(value) !== undefined) return undefined;
  const text = foreignWhole(rawText(value));
  return t`value ${form === "short" ? shortText(text) : text} (as the server sent it)`;
}

function failureWords(
  tree: ActionTree,
  at: number,
  failure: ActionFailure,
  error: NamedCall | undefined,
  form: WordForm,
): Pick<ActionWords, "failureText" | "why"> {
  // A reason is told once, where it began.
  if (passedOnFrom(tree, at) !== NONE) {
    const why = ranOutOfGas(tree, at) ? t`an inner call ran out of gas` : undefined;
    if (isRevert(tree.actions[at] ?? {}))
      return { failureText: why === undefined ? t`reverted` : t`reverted: ${why}` };
    return { failureText: why === undefined ? t`failed` : t`failed: ${why}` };
  }
  if (!error)
    return {
      failureText: form === "whole" ? (failure.whole ?? failure.text) : failure.text,
      ...(failure.why !== "" && { why: failure.why }),
    };
  const guess = error.certainty === "guess" ? t` (name is a guess)` : "";
  const why = `${error.name}(${valuesText(error.values, form)})${guess}`;
  return { failureText: t`reverted: ${why}`, why };
}

/** Whether the failure that an action passed on is that of a call that ran out of gas. */
function ranOutOfGas(tree: ActionTree, at: number): boolean {
  let reason = "";
  for (let [from, level] = [at, 0]; reason === "" && from !== NONE && level < MAX_CALLERS; level++) {
    reason = failureOf(tree.actions[from] ?? {})?.reason ?? "";
    from = passedOnFrom(tree, from);
  }
  return reason === OUT_OF_GAS;
}

function isRevert({ result_data_type: type }: ContractAction): boolean {
  return type === "REVERT_REASON";
}

/** How a failure is told of the call in which it began: "reverted here: SlippageTooHigh(…)". */
export function originText(action: ContractAction, { why }: Pick<ActionWords, "why">): string {
  if (isRevert(action))
    return why === undefined ? t`reverted here without a reason` : t`reverted here: ${why}`;
  return why === undefined ? t`failed here without a reason` : t`failed here: ${why}`;
}

/** What an action calls, in the parts of "Router.swapExact(1, 2)". */
export interface CallTarget {
  /** "Router", "0x1234…5678", "0.0.1234" */
  readonly contract: string;
  /** "swapExact", "0xa9059cbb", "fallback"; missing for a creation and for a precompiled contract. */
  readonly name?: string;
  /** As much as fits into a row. */
  readonly args?: string;
}

/** Value that goes to an account, in which no code runs. */
function isPlainTransfer(action: ContractAction): boolean {
  return (
    action.recipient_type === "ACCOUNT" && operationOf(action) === "call" && hexDigits(action.input) === ""
  );
}

/**
 * A call that went well and came back with nothing, where its function has results: a token without the `bool` of ERC-20,
 * or an address without code. What only a standard says of it counts where it was the last thing that a caller did which
 * failed, as the next thing to do with nothing often does.
 */
function emptyResult(
  tree: ActionTree,
  at: number,
  names: ActionNames | undefined,
): ActionFailure | undefined {
  const action = tree.actions[at] ?? {};
  const { call } = names ?? {};
  if (outcomeOf(action) !== "succeeded" || !call?.hasResults || hexDigits(action.result_data) !== "")
    return undefined;
  const caller = tree.actions[tree.parent[at] ?? NONE];
  const isLast = caller !== undefined && outcomeOf(caller) === "failed" && tree.nextSibling[at] === NONE;
  if (!isLast && (call.certainty === "guess" || call.certainty === "standard")) return undefined;
  const text = t`${call.name} returned nothing`;
  return { kind: "no_result", text, why: text, reason: "" };
}

/** Puts into words what an action calls. */
export function callTarget(
  action: ContractAction,
  names: ActionNames | undefined,
  form: WordForm = "short",
): CallTarget {
  const operation = operationOf(action);
  const cut = form === "short" ? shortText : (text: string) => text;
  const contract = cut(names?.contract ? foreignWhole(names.contract.name) : placeText(action, form));
  if (operation === "create" || operation === "create2") return { contract };
  const precompile = precompileCall(action, form);
  if (precompile) return { contract: precompile.name, args: cut(precompile.args) };
  if (isPlainTransfer(action)) return { contract, name: "transfer" };
  const facade = names?.redirectedTo ?? (names && calledToken(action, names) && calledAddress(action));
  const via = facade === undefined ? contract : tokenText(facade, names?.token, form);
  if (names?.call) {
    const { call } = names;
    const args = call.isMalformed ? t`malformed arguments` : cut(valuesText(call.values, form));
    return { contract: via, name: `${call.name}${call.certainty === "guess" ? "?" : ""}`, args };
  }
  const selector = selectorOf(action);
  if (selector !== undefined) {
    const args = form === "short" ? "…" : `0x${hexDigits(action.input).slice(8)}`;
    return { contract: via, name: selector, args };
  }
  const digits = hexDigits(action.input);
  return digits === ""
    ? { contract: via, name: "receive", args: "" }
    : { contract: via, name: "fallback", args: `0x${digits}` };
}

/** The token that was called itself, where nothing else names that contract. */
function calledToken(action: ContractAction, { contract, token }: ActionNames): NamedToken | undefined {
  const id = fromLongZeroAddress(calledAddress(action) ?? "");
  return !contract && id && entityIdText(id) === token?.id ? token : undefined;
}

/** What a called contract is called: by its name, or as the token that it is by its symbol. */
export function calledName(action: ContractAction, names: ActionNames | undefined): string | undefined {
  return names?.contract?.name ?? (names && calledToken(action, names)?.symbol);
}

function placeText(action: ContractAction, form: WordForm): string {
  const system = systemContractAt(calledAddress(action));
  if (system) return system.name;
  const recipient = typeof action.recipient === "string" ? foreignWhole(action.recipient) : "";
  // What is made of hidden characters alone is no name.
  if (recipient.trim() !== "") return recipient;
  const address = calledAddress(action);
  if (address !== undefined) return addressText(address, form);
  return operationOf(action).startsWith("create") ? t`contract that was not created` : t`unknown address`;
}

/** Whether an action names nothing that it called, as a failed creation does. */
export function isNowhere(action: ContractAction): boolean {
  const recipient = typeof action.recipient === "string" ? foreignWhole(action.recipient).trim() : "";
  return recipient === "" && calledAddress(action) === undefined;
}

function shortText(text: string): string {
  return beginning(text, SHORT_CHARACTERS);
}

/** A token by its symbol, in a copy with its id; else its id. */
function tokenText(address: string, token: NamedToken | undefined, form: WordForm): string {
  const id = addressText(address, form);
  if (token?.symbol === undefined) return id;
  const symbol = foreignWhole(token.symbol);
  return form === "short" ? symbol : `${symbol} (${id})`;
}

function resultText(
  action: ContractAction,
  names: ActionNames | undefined,
  form: WordForm,
): string | undefined {
  const text = precompileCall(action, form)?.result ?? resultsText(names?.results ?? [], form);
  return text === "" ? undefined : `→ ${form === "short" ? shortText(text) : text}`;
}

/** What is behind a response code is said by its name; lists that nothing is in say nothing. */
function resultsText(results: readonly NamedValue[], form: WordForm): string {
  const [code, ...others] = results;
  if (code?.name !== "responseCode" || code.meaning === undefined)
    return results.map((value) => valueWords(value, form)).join(", ");
  const told = form === "short" ? others.filter(({ text }) => text !== "[]") : others;
  return [valueWords(code, form), ...(told.length > 0 ? [valuesText(told, form)] : [])].join(", ");
}

function gasText(tree: ActionTree, at: number): string | undefined {
  const parts = [usedText(tree, at), ownText(tree, at)].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(", ") : undefined;
}

function usedText(tree: ActionTree, at: number): string | undefined {
  const used = integerText(tree.actions[at]?.gas_used);
  return used === undefined ? undefined : t`${groupDigits(used)} gas`;
}

/** The gas that an action used itself, where that is less than all. */
function ownText(tree: ActionTree, at: number): string | undefined {
  const own = ownGas(tree, at);
  return own === undefined || own === integerText(tree.actions[at]?.gas_used)
    ? undefined
    : t`own ${groupDigits(own)}`;
}

function iconOf(operation: ActionOperation): string {
  switch (operation) {
    case "create":
    case "create2":
      return "add";
    case "static":
      return "eye";
    case "delegate":
    case "callcode":
      return "arrow-swap";
    case "system":
    case "precompile":
      return "gear";
    default:
      return "arrow-small-right";
  }
}

function actionTooltip(...given: Parameters<typeof actionLines>): ShownText[] {
  return actionLines(...given).map(lineText);
}

function actionLines(
  tree: ActionTree,
  at: number,
  names: ActionNames | undefined,
  words: ActionWords,
  characters: number,
): TextLine[] {
  const action = tree.actions[at] ?? {};
  const line = (name: string, value: unknown): ShownText[] =>
    value === undefined || value === null || value === ""
      ? []
      : [tooltipLine(`${name}: ${rawText(value)}`, name.length + characters)];
  const party = (entity: unknown, type: unknown, address: unknown) => {
    const whole = typeof address === "string" ? addressText(address, "whole") : "";
    return [entity, type, whole === entity ? "" : whole]
      .filter((part) => typeof part === "string" && part !== "")
      .join(" · ");
  };
  const opened = (label: ShownText, text: string, { opens }: Pick<LedgerRow, "opens">): TextLine[] =>
    text === ""
      ? []
      : [{ label, value: tooltipLine(text, characters), ...(opens && { opens: opens.canonical }) }];
  const { caller, caller_type: callerType, from, recipient, recipient_type: type, to } = action;
  const { redirectedTo } = names ?? {};
  const used = integerText(action.gas_used);
  const limit = integerText(action.gas);
  const own = ownGas(tree, at);
  const whole = integerText(tree.actions[tree.roots[0] ?? 0]?.gas_used);
  const isFirst = tree.roots[0] === at;
  const share = used === undefined || whole === undefined || isFirst ? undefined : percentText(used, whole);
  return [
    tooltipLine(words.label, characters),
    ...(words.failureText === undefined ? [] : [tooltipLine(words.failureText, characters)]),
    ...opened(
      shown`From`,
      party(caller, callerType, from),
      partyOpening(caller, callerType, typeof from === "string" ? from : undefined),
    ),
    ...opened(shown`To`, party(recipient, type, to), partyOpening(recipient, type, calledAddress(action))),
    ...(redirectedTo === undefined
      ? []
      : opened(shown`Token`, tokenText(redirectedTo, names?.token, "whole"), calledOpening(action, names))),
    ...line(t`Function`, names?.call && `${names.call.signature} (${certaintyText(names.call)})`),
    ...(names?.call?.values ?? []).flatMap((value) =>
      line(`  ${value.name ?? value.type}`, valueWords(value, "whole")),
    ),
    ...(names?.results ?? []).flatMap((value) =>
      line(t`Returned ${value.name ?? value.type}`, valueWords(value, "whole")),
    ),
    ...line(t`Value`, words.value),
    ...(limit === undefined ? line(t`Gas limit`, action.gas) : [shown`Gas limit: ${groupDigits(limit)}`]),
    ...(used === undefined
      ? line(t`Gas used`, action.gas_used)
      : [
          shown`Gas used: ${groupDigits(used)}${share === undefined ? "" : t` (${share} % of the first call)`}`,
        ]),
    ...(own === undefined || own === used ? [] : [shown`Own gas: ${groupDigits(own)}`]),
    ...line(
      t`Operation`,
      [...new Set([action.call_type, action.call_operation_type])]
        .filter((part) => typeof part === "string" && part !== "")
        .join(" · "),
    ),
    ...line(t`Outcome`, action.result_data_type ?? t`not recorded`),
    ...line(t`Index`, action.index),
    ...line(t`Depth`, action.call_depth),
    ...line(t`Time`, typeof action.timestamp === "string" ? dateText(action.timestamp) : action.timestamp),
    ...line(t`Input`, action.input),
    ...line(t`Result`, action.result_data),
  ];
}

function certaintyText({ certainty, place, standard = "a standard" }: NamedCall): string {
  switch (certainty) {
    case "system":
      return t`part of the network`;
    case "workspace":
      return place ? t`from this workspace` : t`from this workspace's artifacts`;
    case "verified":
      return t`from the verified source`;
    case "standard":
      return t`by its selector, from ${standard}`;
    case "guess":
      return t`a guess by its selector`;
  }
}
