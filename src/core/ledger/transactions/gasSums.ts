import { definedOnly } from "../../json/looseData.ts";
import { integerText } from "../../text/exactDecimal.ts";
import { ownGas, type ActionTree } from "../actions/actionTree.ts";
import type { CallTarget } from "../actions/actionRows.ts";
import { distinctNames, partyKey, type CalledParty } from "./namesakes.ts";
import type { GasSum } from "./pageModel.ts";

/** Sums of gas, the largest first. */
interface GasSums {
  readonly byContract: readonly GasSum[];
  readonly byFunction: readonly GasSum[];
}

/** What an action called: a function of a party. */
export type CalledFunction = Pick<CallTarget, "name"> & CalledParty;

/**
 * Sums the own gas of all actions; one whose own gas is not known counts as a call without gas. Contracts of one name are told
 * apart (see {@link distinctNames}).
 */
export function gasSums(tree: ActionTree, calledBy: (at: number) => CalledFunction): GasSums {
  const contracts = new Map<string, Sum>();
  const functions = new Map<string, Sum>();
  const called = Array.from(tree.actions.keys(), calledBy);
  const nameOf = distinctNames(called);
  for (const [at, one] of called.entries()) {
    const { name, opens } = one;
    const contract = nameOf(one);
    const own = BigInt(ownGas(tree, at) ?? "0");
    const key = partyKey(one);
    add(contracts, key, { name: contract, opens }, own);
    add(
      functions,
      name === undefined ? key : `${key}.${name}`,
      { name: functionName(contract, name), opens },
      own,
    );
  }
  return { byContract: sorted(contracts), byFunction: sorted(functions) };
}

/** What the function of each action is called, so that those of contracts of one name are told apart. */
export function functionNames(
  tree: ActionTree,
  calledBy: (at: number) => CalledFunction,
): (at: number) => string {
  const nameOf = distinctNames(Array.from(tree.actions.keys(), calledBy));
  return (at) => {
    const one = calledBy(at);
    return functionName(nameOf(one), one.name);
  };
}

/** "Router.swapExact" */
function functionName(contract: string, name: string | undefined): string {
  return name === undefined ? contract : `${contract}.${name}`;
}

/** Gas that all actions without a caller used, exact digits; `undefined` where none tells. */
export function gasOfAll(tree: ActionTree): string | undefined {
  const used = tree.roots.map((at) => integerText(tree.actions[at]?.gas_used));
  if (used.every((gas) => gas === undefined)) return undefined;
  return String(used.reduce((sum, gas) => sum + BigInt(gas ?? "0"), 0n));
}

interface Sum {
  readonly name: string;
  readonly opens: string | undefined;
  calls: number;
  gas: bigint;
}

function add(sums: Map<string, Sum>, key: string, named: Pick<Sum, "name" | "opens">, gas: bigint): void {
  const known = sums.get(key);
  if (!known) sums.set(key, { ...named, calls: 1, gas });
  else {
    known.calls++;
    known.gas += gas;
  }
}

function sorted(sums: ReadonlyMap<string, Sum>): GasSum[] {
  return [...sums.values()]
    .sort((one, other) =>
      one.gas === other.gas ? (one.name < other.name ? -1 : 1) : one.gas > other.gas ? -1 : 1,
    )
    .map(({ name, opens, calls, gas }) => ({ name, ...definedOnly({ opens }), calls, gas: String(gas) }));
}
