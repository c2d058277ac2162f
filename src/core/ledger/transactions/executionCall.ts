import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { readAs } from "../../json/shape.ts";
import { definedOnly } from "../../json/looseData.ts";
import { buildActionTree, type ActionTree } from "../actions/actionTree.ts";
import { hexDigits, type ContractAction } from "../actions/contractAction.ts";
import { hex } from "../requests/ledgerShapes.ts";
import type { ContractExecution } from "./transactionRecord.ts";

const treesOfCalls = new WeakMap<ContractExecution, ActionTree>();
const treesOfCreations = new WeakMap<ContractExecution, ActionTree>();

/**
 * The call of a transaction itself, alone in its tree; the same tree for the same execution.
 *
 * @param kind of the transaction, by the mirror node's name: a call of what is no contract has no receiver either
 */
export function executionTree(execution: ContractExecution, kind?: string): ActionTree {
  const operation = execution.to === undefined && kind !== "CONTRACTCALL" ? "CREATE" : "CALL";
  const trees = operation === "CREATE" ? treesOfCreations : treesOfCalls;
  const known = trees.get(execution) ?? buildActionTree([executionCall(execution, operation)]);
  trees.set(execution, known);
  return known;
}

/**
 * The call of a transaction itself as an action, which is all there is where the ledger recorded none: most mirror nodes
 * import no sidecars (hiero-mirror-node, docs/configuration.md, `parser.record.sidecar.enabled`).
 */
function executionCall(execution: ContractExecution, operation: "CALL" | "CREATE"): ContractAction {
  const { error_message: error, call_result: output, status } = execution;
  const result = execution.result ?? (status === "0x1" ? "SUCCESS" : undefined);
  const isRevert = result === "CONTRACT_REVERT_EXECUTED";
  return definedOnly({
    call_depth: 0,
    call_operation_type: operation,
    call_type: operation,
    from: execution.from,
    gas: execution.gas_limit,
    gas_used: execution.gas_used,
    index: 0,
    input: execution.function_parameters,
    recipient: execution.contract_id,
    // What goes to no contract and carries no data runs no code.
    recipient_type:
      operation === "CALL" &&
      execution.contract_id === undefined &&
      hexDigits(execution.function_parameters) === ""
        ? "ACCOUNT"
        : undefined,
    result_data:
      result === "SUCCESS" ? output : isRevert ? (error ?? output) : (hexOfText(error ?? result) ?? output),
    result_data_type:
      result === undefined
        ? undefined
        : result === "SUCCESS"
          ? "OUTPUT"
          : isRevert
            ? "REVERT_REASON"
            : "ERROR",
    timestamp: execution.timestamp,
    to: execution.to ?? execution.address,
    value: execution.amount,
  });
}

/** What is no hex already, as the hex of its bytes, in which actions carry it. */
function hexOfText(text: string | undefined): string | undefined {
  if (text === undefined || readAs(hex, text) !== undefined) return text;
  return `0x${bytesToHex(utf8ToBytes(text))}`;
}
