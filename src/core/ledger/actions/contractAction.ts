import { t } from "@vscode/l10n";
import { matching, readAs } from "../../json/shape.ts";
import { addressShape, hex, integer } from "../requests/ledgerShapes.ts";

const callData = matching(/^0x[0-9a-fA-F]{8}/, () => t`call data with a selector`);

/**
 * A contract action as it came; nothing is decoded before a row asks for it. Every field may be missing or
 * null, and integers beyond 2^53 are decimal strings.
 */
export interface ContractAction {
  readonly call_depth?: unknown;
  readonly call_operation_type?: unknown;
  readonly call_type?: unknown;
  readonly caller?: unknown;
  readonly caller_type?: unknown;
  readonly from?: unknown;
  readonly gas?: unknown;
  readonly gas_used?: unknown;
  readonly index?: unknown;
  readonly input?: unknown;
  readonly recipient?: unknown;
  readonly recipient_type?: unknown;
  readonly result_data?: unknown;
  readonly result_data_type?: unknown;
  readonly timestamp?: unknown;
  readonly to?: unknown;
  readonly value?: unknown;
  readonly [other: string]: unknown;
}

/** How an action ended. `unknown`: the node recorded no outcome, or one that is not known here. */
type ActionOutcome = "succeeded" | "failed" | "unknown";

/** Reads `result_data_type`; the node may have recorded none (hiero-consensus-node issue 9322). */
export function outcomeOf(action: ContractAction): ActionOutcome {
  switch (action.result_data_type) {
    case "OUTPUT":
      return "succeeded";
    case "REVERT_REASON":
    case "ERROR":
      return "failed";
    default:
      return "unknown";
  }
}

/** What an action does. */
export type ActionOperation =
  "call" | "static" | "delegate" | "callcode" | "create" | "create2" | "system" | "precompile" | "unknown";

/** Reads the operation; old records have only the call type. */
export function operationOf({ call_type, call_operation_type }: ContractAction): ActionOperation {
  switch (call_operation_type) {
    case "STATICCALL":
      return "static";
    case "DELEGATECALL":
      return "delegate";
    case "CALLCODE":
      return "callcode";
    case "CREATE":
      return "create";
    case "CREATE2":
      return "create2";
    default:
  }
  switch (call_type) {
    case "SYSTEM":
      return "system";
    case "PRECOMPILE":
      return "precompile";
    case "CREATE":
      return "create";
    default:
      return call_type === "CALL" || call_operation_type === "CALL" ? "call" : "unknown";
  }
}

/** Whether an action may change no state. */
export function isStatic({ call_operation_type }: ContractAction): boolean {
  return call_operation_type === "STATICCALL";
}

/** The address that was called, lower case; `undefined` for a failed creation. */
export function calledAddress({ to }: ContractAction): string | undefined {
  return readAs(addressShape, to)?.toLowerCase();
}

/** Lower-case hex digits of a field without `0x`; empty for what is missing or no hex. */
export function hexDigits(value: unknown): string {
  return (readAs(hex, value) ?? "0x").slice(2).toLowerCase();
}

/** `0x` and the four bytes that name a function; `undefined` for shorter input. */
export function selectorOf({ input }: ContractAction): string | undefined {
  return readAs(callData, input)?.slice(0, 10).toLowerCase();
}

/** Tinybars, when there are any. */
export function valueOf({ value }: ContractAction): string | undefined {
  const tinybars = readAs(integer, value);
  return tinybars === "0" ? undefined : tinybars;
}
