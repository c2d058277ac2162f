import type { DeployedContract } from "../../core/compilers/compilerQuestions.ts";
import { readDeployedCode } from "../../core/chains/deployedCode.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { codeBytes } from "../../core/evm/hex.ts";
import type { Deployment } from "../../core/service/submissionRequest.ts";
import type { KnownDeployment } from "./compilerInputOf.ts";
import { creationCodeOf } from "./predictMatch.ts";
import type { ChainParts, WorkspaceParts } from "./verificationParts.ts";
import { CHECK_PLACE } from "../../core/matching/notDeployed.ts";

/**
 * The deployed codes, the creation code where its transaction is known.
 *
 * @throws LedgerLensError `not_deployed`, and those of reading the code
 */
export async function deployedContract(
  parts: ChainParts & Pick<WorkspaceParts, "log">,
  { chainId, address, creationTransactionHash }: Deployment,
  { deployment }: Pick<KnownDeployment, "deployment">,
  signal: AbortSignal,
): Promise<DeployedContract> {
  const runtimeCode = await readDeployedCode(parts.codeReaders, { chainId, address }, signal);
  if (codeBytes(runtimeCode).length === 0) {
    throw new LedgerLensError("not_deployed", CHECK_PLACE);
  }
  const place = { chainId, address, creationTransactionHash, deployment };
  const creationCode = await creationCodeOf(parts, place, signal);
  return { chainId, address, runtimeCode, ...(creationCode !== undefined && { creationCode }) };
}
