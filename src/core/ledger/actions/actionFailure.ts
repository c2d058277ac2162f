import { t } from "@vscode/l10n";
import { bytesOfHex, readableText } from "../../evm/hex.ts";
import { foreignWhole } from "../../text/shownText.ts";
import {
  calledAddress,
  hexDigits,
  operationOf,
  outcomeOf,
  selectorOf,
  type ContractAction,
} from "./contractAction.ts";
import { groupDigits } from "../../text/exactDecimal.ts";
import { rawText } from "../../json/jsonText.ts";
import { codeInFull, codeWords, responseCodeName } from "./responseCodes.ts";
import { answersWithResponseCode, systemContractAt } from "./systemContracts.ts";

/** Why an action failed, or what is odd about how it ended. */
export interface ActionFailure {
  readonly kind:
    | "error_string"
    | "panic"
    | "custom_error"
    | "response_code"
    | "empty_revert"
    | "text"
    | "data"
    | "error_name"
    | "no_outcome"
    | "no_result";
  /** Words for a row: `reverted: "slippage too high"`. Hostile parts are visible. */
  readonly text: string;
  /** The same with everything that came, where that is more. */
  readonly whole?: string;
  /** What stands in {@link text} behind the verb, by itself: `"slippage too high"`; empty where there is no reason. */
  readonly why: string;
  /** The bare reason, as it came: `slippage too high`. */
  readonly reason: string;
  /** Of a custom error whose definition is not known. */
  readonly selector?: string;
}

/** Why a compiler's own check failed (Solidity documentation, "Panic via assert and Error via require"). */
const PANICS: ReadonlyMap<string, string> = new Map([
  ["0", t`generic panic that the compiler inserted`],
  ["1", t`assertion failed`],
  ["17", t`arithmetic overflow or underflow`],
  ["18", t`division or modulo by zero`],
  ["33", t`value is out of range for the enumeration`],
  ["34", t`storage byte array is incorrectly encoded`],
  ["49", t`pop on an empty array`],
  ["50", t`array index is out of bounds`],
  ["65", t`too much memory was allocated`],
  ["81", t`internal function is not initialized`],
]);

/** The network's own name for it. */
export const OUT_OF_GAS = "INSUFFICIENT_GAS";

/** What the network's own names of failures mean. */
const ERROR_NAMES: ReadonlyMap<string, string> = new Map([
  [OUT_OF_GAS, t`out of gas`],
  ["INVALID_OPERATION", t`invalid operation`],
  ["ILLEGAL_STATE_CHANGE", t`change of state in a static call`],
  ["INVALID_SOLIDITY_ADDRESS", t`call of an address without an account or contract`],
  ["PRECOMPILE_ERROR", t`failure of a precompiled contract`],
  ["INVALID_JUMP_DESTINATION", t`invalid jump`],
  ["TOO_MANY_STACK_ITEMS", t`stack overflow`],
  ["INSUFFICIENT_STACK_ITEMS", t`stack underflow`],
]);

const SUCCESS = 22;

/**
 * How an action ended, if not well: a failure, a response code other than SUCCESS that a system contract
 * returned without reverting, or an outcome that was not recorded. `undefined` for a plain success.
 */
export function failureOf(action: ContractAction): ActionFailure | undefined {
  switch (outcomeOf(action)) {
    case "failed":
      return action.result_data_type === "ERROR" ? errorFailure(action) : revertFailure(action);
    case "unknown":
      return unknownOutcome(action);
    case "succeeded":
      return returnedCode(action);
  }
}

/** Whether the failure is one of the action itself, and no mere remark. */
export function isHardFailure(action: ContractAction): boolean {
  return outcomeOf(action) === "failed";
}

function unknownOutcome({ result_data_type: type }: ContractAction): ActionFailure {
  const isStated = type !== undefined && type !== null && type !== "";
  const name = rawText(type);
  return {
    kind: "no_outcome",
    text: isStated ? t`outcome ${foreignWhole(name)}` : t`outcome not recorded`,
    why: isStated ? foreignWhole(name) : "",
    reason: isStated ? name : "",
  };
}

function revertFailure(action: ContractAction): ActionFailure {
  const digits = hexDigits(action.result_data);
  if (digits === "")
    return (
      plainFailure(action, "reverted") ?? {
        kind: "empty_revert",
        text: t`reverted without a reason`,
        why: "",
        reason: "",
      }
    );
  const known = errorString(digits) ?? panic(digits) ?? codeFailure(digits, "reverted");
  if (known) return known;
  const text = digits.length > 8 ? readableFailure(digits, "reverted") : undefined;
  if (text) return text;
  if (digits.length >= 8 && (digits.length - 8) % 64 === 0) {
    const selector = `0x${digits.slice(0, 8)}`;
    return {
      kind: "custom_error",
      text: t`reverted with custom error ${selector}`,
      why: t`custom error ${selector}`,
      ...(digits.length > 8 && { whole: t`reverted with custom error ${`0x${digits}`}` }),
      reason: `0x${digits}`,
      selector,
    };
  }
  return textFailure(digits, "reverted");
}

/** `ERROR` carries a name as ASCII, or a response code. */
function errorFailure(action: ContractAction): ActionFailure {
  const digits = hexDigits(action.result_data);
  if (digits === "") {
    const { result_data: plain } = action;
    return (
      (typeof plain === "string" ? namedError(plain) : undefined) ??
      plainFailure(action, "failed") ?? {
        kind: "error_name",
        text: t`failed without a reason`,
        why: "",
        reason: "",
      }
    );
  }
  return (
    namedError(readableText(bytesOfHex(digits) ?? new Uint8Array())) ??
    errorString(digits) ??
    panic(digits) ??
    codeFailure(digits, "failed") ??
    textFailure(digits, "failed")
  );
}

/** A failure by the network's own name. */
function namedError(name: string | undefined): ActionFailure | undefined {
  if (name === undefined || !/^[A-Z][A-Z0-9_]*$/.test(name)) return undefined;
  const words = ERROR_NAMES.get(name);
  const why = words === undefined ? codeInFull(name) : `${words} (${name})`;
  return {
    kind: "error_name",
    text: words === undefined ? withReason("failed", why) : why,
    why,
    reason: name,
  };
}

/** How an action ended. */
type Verb = "reverted" | "failed";

function withReason(verb: Verb, why: string): string {
  return verb === "reverted" ? t`reverted: ${why}` : t`failed: ${why}`;
}

function withData(verb: Verb, bytes: string, digits: string): string {
  return verb === "reverted"
    ? t`reverted with ${bytes} bytes of data: 0x${digits}`
    : t`failed with ${bytes} bytes of data: 0x${digits}`;
}

/** Data that is there but no hex, as it came. */
function plainFailure({ result_data: data }: ContractAction, verb: Verb): ActionFailure | undefined {
  if (data === undefined || data === null || data === "" || data === "0x") return undefined;
  const text = rawText(data);
  const why = `"${foreignWhole(text)}"`;
  return { kind: "text", text: withReason(verb, why), why, reason: text };
}

function returnedCode(action: ContractAction): ActionFailure | undefined {
  const address = calledAddress(action);
  const isCreation = operationOf(action).startsWith("create");
  if (isCreation || !answersWithResponseCode(address, selectorOf(action))) return undefined;
  const code = firstWordCode(hexDigits(action.result_data));
  const name = code === undefined || code === SUCCESS || code === 0 ? undefined : responseCodeName(code);
  if (code === undefined || name === undefined) return undefined;
  const contract = systemContractAt(address)?.name ?? "";
  const text = t`${contract} answered ${codeWords(name)} (${name}, ${code})`;
  return { kind: "response_code", text, why: text, reason: name };
}

/** `Error(string)`; only a well-formed one. */
function errorString(digits: string): ActionFailure | undefined {
  if (!digits.startsWith("08c379a0")) return undefined;
  const body = digits.slice(8);
  const offset = wordNumber(body, 0);
  const length = offset === undefined ? undefined : wordNumber(body, offset * 2);
  if (offset === undefined || length === undefined) return undefined;
  const from = offset * 2 + 64;
  const bytes = from + length * 2 > body.length ? undefined : bytesOfHex(body.slice(from, from + length * 2));
  if (!bytes) return undefined;
  const reason = new TextDecoder().decode(bytes);
  const why = `"${foreignWhole(reason)}"`;
  return { kind: "error_string", text: withReason("reverted", why), why, reason };
}

function panic(digits: string): ActionFailure | undefined {
  if (!digits.startsWith("4e487b71") || digits.length !== 72) return undefined;
  const code = BigInt(`0x${digits.slice(8)}`);
  const shown = `0x${code.toString(16).padStart(2, "0")}`;
  const words = PANICS.get(String(code));
  return {
    kind: "panic",
    text: t`reverted: ${words ?? t`panic with an unknown code`} (panic ${shown})`,
    why: t`${words ?? t`panic with an unknown code`} (panic ${shown})`,
    reason: shown,
  };
}

/** A response code as the only word. 0 is "OK" in the table and never the reason of a failure. */
function codeFailure(digits: string, verb: Verb): ActionFailure | undefined {
  const code = digits.length === 64 ? firstWordCode(digits) : undefined;
  const name = code === undefined || code === 0 ? undefined : responseCodeName(code);
  if (code === undefined || name === undefined) return undefined;
  const why = `${codeWords(name)} (${name}, ${code})`;
  return { kind: "response_code", text: withReason(verb, why), why, reason: name };
}

function readableFailure(digits: string, verb: Verb): ActionFailure | undefined {
  const text = readableText(bytesOfHex(digits) ?? new Uint8Array());
  if (text === undefined || text.trim() === "") return undefined;
  const why = `"${foreignWhole(text)}"`;
  return { kind: "text", text: withReason(verb, why), why, reason: text };
}

function textFailure(digits: string, verb: Verb): ActionFailure {
  const text = readableFailure(digits, verb);
  if (text) return text;
  const bytes = groupDigits(String(Math.ceil(digits.length / 2)));
  const shown = digits.length > 64 ? `${digits.slice(0, 64)}…` : digits;
  return {
    kind: "data",
    text: withData(verb, bytes, shown),
    why: t`${bytes} bytes of data: 0x${shown}`,
    ...(shown !== digits && { whole: withData(verb, bytes, digits) }),
    reason: `0x${digits}`,
  };
}

function firstWordCode(digits: string): number | undefined {
  const code = wordNumber(digits, 0);
  return code !== undefined && code <= 0xffff ? code : undefined;
}

/** A word of 32 bytes as a number, if it is small. */
function wordNumber(digits: string, from: number): number | undefined {
  const word = digits.slice(from, from + 64);
  return word.length === 64 && word.startsWith("0".repeat(54)) ? Number(`0x${word}`) : undefined;
}
