import { AbiCoder, id } from "ethers";
import { buildActionTree, type ActionTree } from "../../../src/core/ledger/actions/actionTree.ts";
import type { ContractAction } from "../../../src/core/ledger/actions/contractAction.ts";

/** An action as mirror nodes describe it, with these differences. */
export function action(changes: Readonly<Record<string, unknown>> = {}): ContractAction {
  return {
    call_depth: 0,
    call_operation_type: "CALL",
    call_type: "CALL",
    caller: "0.0.100",
    caller_type: "ACCOUNT",
    from: "0x0000000000000000000000000000000000000064",
    gas: 300_000,
    gas_used: 100_000,
    index: 0,
    input: "0x",
    recipient: "0.0.200",
    recipient_type: "CONTRACT",
    result_data: "0x",
    result_data_type: "OUTPUT",
    timestamp: "1676540001.234390005",
    to: "0x00000000000000000000000000000000000000c8",
    value: 0,
    ...changes,
  };
}

/** A tree of actions by their depths, indexes rising from 0. */
export function treeOf(
  ...actions: readonly (Readonly<Record<string, unknown>> & { readonly depth: number })[]
): ActionTree {
  return buildActionTree(
    actions.map(({ depth, ...changes }, index) => action({ call_depth: depth, index, ...changes })),
  );
}

const coder = AbiCoder.defaultAbiCoder();

/** Call data or the data of an error, by ethers. */
export function encoded(signature: string, values: readonly unknown[]): string {
  const types = signature.slice(signature.indexOf("(") + 1, -1);
  const list = types === "" ? [] : types.split(",");
  return id(signature).slice(0, 10) + coder.encode(list, values).slice(2);
}

/** What a call returned, by ethers. */
export function returned(types: readonly string[], values: readonly unknown[]): string {
  return coder.encode(types, values);
}

/** The fields of an action that failed. */
export const reverted = (result_data: unknown) => ({ result_data_type: "REVERT_REASON", result_data });
export const failed = (result_data: unknown) => ({ result_data_type: "ERROR", result_data });

/** The long-zero address of a number. */
export function addressOf(number: number): string {
  return `0x${number.toString(16).padStart(40, "0")}`;
}
