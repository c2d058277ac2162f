import type { DefinedContract } from "./contracts.ts";
import type { WorkspaceIndex } from "./workspaceIndex.ts";

/** More than these are not searched: a person would not read the answer either. */
const MAX_CONTRACTS = 500;

/** A contract of the workspace by what can be called on it. */
interface CallableContract {
  /** `path/to/File.sol:Name`, the path absolute. */
  readonly name: string;
  /** Selector (eight hex digits, no `0x`) → signature. */
  readonly selectors: Readonly<Record<string, string>>;
}

/** The workspace's concrete contracts with the selectors of their functions, inherited ones too. */
export async function callableContracts(index: WorkspaceIndex): Promise<CallableContract[]> {
  const contracts = (await index.contracts()).slice(0, MAX_CONTRACTS);
  return Promise.all(
    contracts.map(async (contract) => ({
      name: `${contract.path}:${contract.name}`,
      selectors: await selectorsOf(index, contract),
    })),
  );
}

/** Selector (eight hex digits, no `0x`) → signature of what can be called on a contract. */
export async function selectorsOf(
  index: WorkspaceIndex,
  contract: DefinedContract,
): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(
    (await index.membersOf(contract)).flatMap(({ kind, selector, signature }) =>
      kind === "function" && selector !== undefined
        ? [[selector.toString(16).padStart(8, "0"), signature ?? ""] as const]
        : [],
    ),
  );
}
