import type { LedgerEntities } from "./ledgerEntities.ts";

/** A frame of the call tracer of `debug_traceTransaction`. */
export interface CallFrame {
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly gas: string;
  readonly gasUsed: string;
  readonly value?: string;
  readonly input: string;
  readonly output?: string;
  readonly error?: string;
  readonly calls?: readonly CallFrame[];
}

/** A contract action as a mirror node writes it. */
export interface LedgerAction {
  readonly call_depth: number;
  readonly call_operation_type: string;
  readonly call_type: string;
  readonly caller: string;
  readonly caller_type: string;
  readonly from: string;
  readonly gas: number;
  readonly gas_used: number;
  readonly index: number;
  readonly input: string;
  readonly recipient: string | null;
  readonly recipient_type: string | null;
  readonly result_data: string;
  readonly result_data_type: string;
  readonly timestamp: string;
  readonly to: string | null;
  /** Tinybars. */
  readonly value: bigint;
}

const WEI_PER_TINYBAR = 10n ** 10n;

/** What the ledger makes of an amount of the chain. */
export function tinybars(wei: string): bigint {
  return BigInt(wei) / WEI_PER_TINYBAR;
}

const LAST_PRECOMPILE = 0x11n;
const SYSTEM_CONTRACTS = [0x167n, 0x16cn] as const;

/** What the EVM's own words for a fault are on the ledger. */
const ERROR_NAMES: readonly (readonly [RegExp, string])[] = [
  [/out of gas/i, "INSUFFICIENT_GAS"],
  [/invalid jump/i, "INVALID_JUMP_DESTINATION"],
  [/stack underflow/i, "INSUFFICIENT_STACK_ITEMS"],
  [/stack overflow/i, "TOO_MANY_STACK_ITEMS"],
  [/static|state change|collision/i, "ILLEGAL_STATE_CHANGE"],
];

/**
 * The actions of a transaction from its trace: pre-order, the depth of the first call is 0.
 *
 * @param isAccount whether nothing is deployed at an address
 */
export function actionsOfTrace(
  root: CallFrame,
  timestamp: string,
  entities: LedgerEntities,
  isAccount: (address: string) => boolean,
): LedgerAction[] {
  const actions: LedgerAction[] = [];
  const walk = (frame: CallFrame, depth: number): void => {
    actions.push(actionOf(frame, depth, actions.length));
    for (const call of frame.calls ?? []) walk(call, depth + 1);
  };
  const party = (address: string) => (isAccount(address) ? "ACCOUNT" : "CONTRACT");
  const actionOf = (frame: CallFrame, depth: number, index: number): LedgerAction => {
    const isCreation = frame.type.startsWith("CREATE");
    // A creation that failed has no contract to name, neither here nor in the trace.
    const { to } = frame;
    return {
      call_depth: depth,
      call_operation_type: frame.type,
      call_type: isCreation ? "CREATE" : callType(frame.to),
      caller: entities.idOf(frame.from),
      caller_type: party(frame.from),
      from: entities.longZeroOf(frame.from),
      gas: Math.max(Number(frame.gas), Number(frame.gasUsed)),
      gas_used: Number(frame.gasUsed),
      index,
      input: frame.input,
      recipient: to === undefined ? null : entities.idOf(to),
      recipient_type: to === undefined ? null : party(to),
      ...resultOf(frame),
      timestamp,
      to: to === undefined ? null : entities.longZeroOf(to),
      value: tinybars(frame.value ?? "0x0"),
    };
  };
  walk(root, 0);
  return actions;
}

function callType(to: string | undefined): string {
  const address = BigInt(to ?? "0x0");
  if (address > 0n && address <= LAST_PRECOMPILE) return "PRECOMPILE";
  return address >= SYSTEM_CONTRACTS[0] && address <= SYSTEM_CONTRACTS[1] ? "SYSTEM" : "CALL";
}

function resultOf({ error, output = "0x", type }: CallFrame) {
  if (error === undefined) {
    // What a creation returns is the code, which the ledger does not repeat.
    return { result_data: type.startsWith("CREATE") ? "0x" : output, result_data_type: "OUTPUT" };
  }
  if (/revert/i.test(error)) return { result_data: output, result_data_type: "REVERT_REASON" };
  const name = ERROR_NAMES.find(([pattern]) => pattern.test(error))?.[1] ?? "INVALID_OPERATION";
  return { result_data: `0x${Buffer.from(name).toString("hex")}`, result_data_type: "ERROR" };
}
