import type { Parts } from "../../container.ts";
import { codeBytes } from "../../core/bytecode/hex.ts";
import { lastTrailer } from "../../core/bytecode/metadataTrailer.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { readDeployedCode } from "../../core/verification/deployedCode.ts";
import type { CompilerChoice } from "./compilerInputOf.ts";
import type { ContractState } from "./contractStep.ts";
import type { DeploymentState } from "./deploymentSteps.ts";

/** A choice of compiler that takes into account what is deployed. */
export interface CompilerState extends ContractState, DeploymentState {
  choice: CompilerChoice;
  /** The deployment whose code was looked at. */
  lookedAt?: string;
}

/**
 * Lets the trailer of the deployed code have its say about the compiler. The code is read once for a deployment; where
 * nobody has it, the choice goes on without.
 */
export async function lookAtDeployedCompiler(
  { codeReaders, log }: Parts,
  state: CompilerState,
  signal?: AbortSignal,
): Promise<void> {
  const { chainId = "", address = "" } = state;
  const place = `${chainId}:${address}`;
  if (state.lookedAt === place) return;
  let deployedCompilerVersion: string | undefined;
  try {
    const code = await readDeployedCode(codeReaders, { chainId, address }, signal);
    const trailer = lastTrailer(codeBytes(code));
    const isVyper = /\.vyi?:/.test(state.contract ?? "");
    if ((trailer?.language === "Vyper") === isVyper) deployedCompilerVersion = trailer?.compilerVersion;
  } catch (error) {
    if (!(error instanceof LedgerLensError)) throw error;
    log.debug(`The deployed code could not be read: ${error.message}`);
  }
  state.lookedAt = place;
  state.choice = { ...state.choice, deployedCompilerVersion };
}
