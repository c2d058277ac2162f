import { codeBytes, unlinkedCodeBytes } from "../evm/hex.ts";
import { compareCodesInPieces } from "../evm/codeComparison.ts";
import { disassemble, type Disassembly } from "../evm/disassembly.ts";
import { analyseCode } from "./codeTraits.ts";
import type { LocalContract } from "./explanation.ts";
import { ownValue } from "../json/ownValue.ts";
import type { Pieces } from "../concurrency/turns.ts";

/** How two sets of selectors relate. */
export interface SelectorComparison {
  /** Share of the selectors of either side that both have, from 0 to 1; 1 when neither has any. */
  readonly likeness: number;
  /** In the deployed code only. */
  readonly missing: readonly string[];
  /** In the recompiled code only. */
  readonly extra: readonly string[];
}

/** Compares the selectors of the deployed code with others. */
export function compareSelectors(deployed: readonly string[], others: readonly string[]): SelectorComparison {
  const [left, right] = [new Set(deployed), new Set(others)];
  const missing = deployed.filter((selector) => !right.has(selector));
  const extra = others.filter((selector) => !left.has(selector));
  const all = left.size + extra.length;
  return { likeness: all === 0 ? 1 : (left.size - missing.length) / all, missing, extra };
}

/** A local contract that may be the deployed one. */
export interface ContractCandidate {
  readonly contract: LocalContract;
  /** Share of the selectors in common, from 0 to 1. */
  readonly selectors: number;
  /** Share of the code in common, where the contract's code is known. */
  readonly code: number | undefined;
}

/**
 * The local contracts that fit the deployed code best, the best first: by their code where it is known, else by
 * their selectors. The submitted contract itself is left out.
 */
export function* findCandidates(
  deployed: Disassembly,
  selectors: readonly string[],
  contracts: readonly LocalContract[],
  submittedName: string,
): Pieces<ContractCandidate[]> {
  const known = contracts
    .filter(({ name }) => !isSameContract(name, submittedName))
    .map((contract) => ({
      contract,
      selectors: compareSelectors(selectors, Object.keys(contract.selectors)).likeness,
    }))
    // Where there are no functions, that another contract has none says nothing of it.
    .filter(({ selectors: likeness, contract }) =>
      selectors.length === 0 ? contract.runtimeCode !== undefined : likeness > 0.3,
    )
    .sort((a, b) => b.selectors - a.selectors)
    .slice(0, 5);
  const compared: ContractCandidate[] = [];
  for (const { contract, selectors: likeness } of known) {
    yield;
    const code = contract.runtimeCode
      ? yield* compareCodesInPieces(deployed, disassemble(unlinkedCodeBytes(contract.runtimeCode)))
      : undefined;
    compared.push({ contract, selectors: likeness, code: code?.likeness });
  }
  return compared.sort((a, b) => b.selectors - a.selectors || (b.code ?? 0) - (a.code ?? 0));
}

/** Whether a deployed code has functions, and others than these. */
export function hasOtherFunctions(deployedCode: string, selectors: readonly string[]): boolean {
  const deployed = analyseCode(codeBytes(deployedCode)).selectors;
  return deployed.length > 0 && compareSelectors(deployed, selectors).likeness < 1;
}

/** Local contracts that have exactly the functions of a deployed code, where the one that was chosen has others. */
interface FittingContracts {
  readonly contracts: readonly LocalContract[];
  /** How many functions the deployed code has. */
  readonly functions: number;
  /** How those of the chosen contract relate to them. */
  readonly chosen: SelectorComparison;
}

/**
 * The local contracts with exactly the functions of a deployed code; `undefined` where it has those of the chosen one, or
 * none.
 *
 * @param selectors those of the chosen contract
 */
export function* findFitting(
  deployedCode: string,
  selectors: readonly string[],
  contracts: readonly LocalContract[],
  chosenName: string,
): Pieces<FittingContracts | undefined> {
  const deployed = analyseCode(codeBytes(deployedCode));
  const functions = deployed.selectors.length;
  const chosen = compareSelectors(deployed.selectors, selectors);
  if (functions === 0 || chosen.likeness === 1) return undefined;
  yield;
  const candidates = yield* findCandidates(deployed.code, deployed.selectors, contracts, chosenName);
  const fitting = candidates.filter((one) => one.selectors === 1).map(({ contract }) => contract);
  return { contracts: fitting, functions, chosen };
}

/** Two identifiers of one contract: they may name its file from different folders. */
function isSameContract(one: string, other: string): boolean {
  const [a, b] = one.length < other.length ? [one, other] : [other, one];
  return b === a || b.endsWith(`/${a}`);
}

/** Signatures of selectors where a local contract knows them, else `0x` and the selector. */
export function namesOf(selectors: readonly string[], contracts: readonly LocalContract[]): string[] {
  return selectors.map((selector) => {
    for (const contract of contracts) {
      const signature = ownValue(contract.selectors, selector);
      if (signature) return signature;
    }
    return `0x${selector}`;
  });
}
