import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import type { CompilerInput } from "../../../src/core/sources/standardJsonInput.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";
import type { ContractInputOptions } from "../../../src/core/compilerInput/contractInputOptions.ts";

/** The compiler input of a contract in an open folder that has these files. */
export async function inputFrom(
  root: string,
  files: Readonly<Record<string, string>>,
  contract: string,
  options?: ContractInputOptions,
): Promise<CompilerInput> {
  const reader = memoryFolders(below(root, files));
  return contractInput(reader, [root], await findWorkspaceContract(reader, [root], contract), options);
}
