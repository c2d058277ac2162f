import { integerText } from "../../text/exactDecimal.ts";
import { ownGas, type ActionTree } from "../actions/actionTree.ts";
import type { CallTarget } from "../actions/actionRows.ts";
import type { GasSum } from "./pageModel.ts";

/** Sums of gas, the largest first. */
interface GasSums {
  readonly byContract: readonly GasSum[];
  readonly byFunction: readonly GasSum[];
}

/** Sums the own gas of all actions; one whose own gas is not known counts as a call without gas. */
export function gasSums(tree: ActionTree, targetOf: (at: number) => CallTarget): GasSums {
  const contracts = new Map<string, Sum>();
  const functions = new Map<string, Sum>();
  for (const at of tree.actions.keys()) {
    const { contract, name } = targetOf(at);
    const own = BigInt(ownGas(tree, at) ?? "0");
    add(contracts, contract, own);
    add(functions, name === undefined ? contract : `${contract}.${name}`, own);
  }
  return { byContract: sorted(contracts), byFunction: sorted(functions) };
}

/** Gas that all actions without a caller used, exact digits; `undefined` where none tells. */
export function gasOfAll(tree: ActionTree): string | undefined {
  const used = tree.roots.map((at) => integerText(tree.actions[at]?.gas_used));
  if (used.every((gas) => gas === undefined)) return undefined;
  return String(used.reduce((sum, gas) => sum + BigInt(gas ?? "0"), 0n));
}

interface Sum {
  calls: number;
  gas: bigint;
}

function add(sums: Map<string, Sum>, name: string, gas: bigint): void {
  const known = sums.get(name);
  if (!known) sums.set(name, { calls: 1, gas });
  else {
    known.calls++;
    known.gas += gas;
  }
}

function sorted(sums: ReadonlyMap<string, Sum>): GasSum[] {
  return [...sums]
    .sort(([a, one], [b, other]) => (one.gas === other.gas ? (a < b ? -1 : 1) : one.gas > other.gas ? -1 : 1))
    .map(([name, { calls, gas }]) => ({ name, calls, gas: String(gas) }));
}
