import { inTurns } from "../concurrency/turns.ts";
import { disassemble } from "../evm/disassembly.ts";
import { findSelectors } from "../evm/dispatcher.ts";
import { codeBytes } from "../evm/hex.ts";
import { DeployedCode } from "../matching/codeDigest.ts";
import { findCandidates } from "../matching/contractSearch.ts";
import type { LocalContract } from "../matching/explanation.ts";
import { callableContracts } from "./localContracts.ts";
import type { WorkspaceIndex } from "./workspaceIndex.ts";

/** What a contract of the workspace comes to at the deployed code. */
interface CompiledContract {
  readonly verdict: "exact_match" | "match" | "mismatch";
  /** 0x-prefixed hex; absent where it does not compile. */
  readonly runtimeCode?: string | undefined;
}

/** What an unknown contract is looked for by. */
interface ContractQuestion {
  readonly index: WorkspaceIndex;
  /** 0x-prefixed hex. */
  readonly runtimeCode: string;
  /** As a record calls it, of contracts that share this name. */
  readonly name?: string | undefined;
  /** Compiles a contract and compares it; asked only where several have the deployed functions. */
  readonly compiled: (contract: string) => Promise<CompiledContract | undefined>;
}

/**
 * Contracts with a smaller part of the best one's share of the functions are not compiled beside it. A mock may have just
 * the deployed functions, and the contract itself others by now.
 */
const CLOSE = 0.5;

/**
 * The contract of the workspace that is deployed somewhere: by the code of a build, else by its functions, and of several
 * that have these by their compiled codes. It may be another state of the contract than that which is deployed.
 *
 * @returns `path/to/File.sol:Name`, the path absolute; `undefined` where no contract has these functions
 */
export async function contractAt({
  index,
  runtimeCode,
  name,
  compiled,
}: ContractQuestion): Promise<string | undefined> {
  const built = await index.contractOfCode(new DeployedCode(runtimeCode));
  if (built?.path !== undefined) return `${built.path}:${built.name}`;
  const code = disassemble(codeBytes(runtimeCode));
  const selectors = findSelectors(code);
  const all = await callableContracts(index);
  const named = all.filter((contract) => name !== undefined && contract.name.endsWith(`:${name}`));
  const candidates = await inTurns(findCandidates(code, selectors, named.length > 0 ? named : all, ""));
  const best = candidates[0]?.selectors ?? 0;
  const close = candidates.filter((candidate) => candidate.selectors >= best * CLOSE);
  if (close.length < 2) return close[0]?.contract.name;
  const withCodes: LocalContract[] = [];
  let matching: string | undefined;
  for (const { contract } of close) {
    const answer = await compiled(contract.name);
    if (answer?.verdict === "exact_match") return contract.name;
    if (answer?.verdict === "match") matching ??= contract.name;
    const runtimeCode = answer?.runtimeCode;
    withCodes.push({ ...contract, ...(runtimeCode !== undefined && { runtimeCode }) });
  }
  if (matching !== undefined) return matching;
  const compared = await inTurns(findCandidates(code, selectors, withCodes, ""));
  const [nearest] = compared.toSorted((a, b) => (b.code ?? 0) - (a.code ?? 0) || b.selectors - a.selectors);
  return nearest?.contract.name;
}
