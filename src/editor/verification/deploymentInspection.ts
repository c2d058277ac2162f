import { deploymentKey } from "../../core/evm/deploymentKey.ts";
import { splitIdentifier } from "../../core/sources/contractIdentifier.ts";
import { languageOfPath, LANGUAGES } from "../../core/languages/language.ts";
import { codeBytes } from "../../core/evm/hex.ts";
import { lastAuxdata } from "../../core/evm/auxdata.ts";
import { isCancellation, LedgerLensError } from "../../core/errors.ts";
import { deployedSigns } from "../../core/matching/deployedSigns.ts";
import { readDeployedCode } from "../../core/chains/deployedCode.ts";
import { stopSignal } from "../ui/asking.ts";
import type { CompilerChoice, KnownDeployment } from "./compilerInputOf.ts";
import type { ContractState } from "./contractStep.ts";
import type { PartialDeployment } from "./deploymentSteps.ts";
import type { ChainParts, WorkspaceParts } from "./verificationParts.ts";

/** What a deployment is looked at with. */
type LookParts = WorkspaceParts & Pick<ChainParts, "codeReaders">;

/** What a command knows of a contract, its deployment and what they are compiled with. */
export interface CompilerState extends ContractState, PartialDeployment {
  choice: CompilerChoice;
  /** The deployment that was looked at. */
  lookedAt?: string | undefined;
}

/** Lets the deployment have its say about the build and the compiler; it is looked at once. */
export async function inspectDeployment(parts: LookParts, state: CompilerState): Promise<void> {
  const { contract = "", chainId = "", address = "" } = state;
  const place = `${contract} ${chainId} ${address}`;
  if (state.lookedAt === place) return;
  state.lookedAt = place;
  state.choice = { ...state.choice, ...(await knownDeployment(parts, contract, { chainId, address })) };
}

/**
 * What the project's records and the deployed code tell of a deployment. The auxdata of the code names its compiler;
 * where no source has the code, the choice goes on without.
 *
 * @param contract `path/to/File.sol:Name`
 */
export async function knownDeployment(
  { workspace, codeReaders, log }: LookParts,
  contract: string,
  { chainId, address }: { readonly chainId: string; readonly address: string },
): Promise<KnownDeployment> {
  const key = deploymentKey({ chainId, address });
  const deployment = (await workspace.deployments()).found.find((one) => deploymentKey(one) === key);
  try {
    const code = codeBytes(await readDeployedCode(codeReaders, { chainId, address }, stopSignal()));
    if (code.length === 0) return { deployment, ...NOTHING, isUndeployed: true };
    const auxdata = lastAuxdata(code);
    const own = LANGUAGES[languageOfPath(splitIdentifier(contract).file) ?? "Solidity"];
    if (auxdata && auxdata.language !== own.madeAs) return { deployment, ...NOTHING };
    const deployedCompilerVersion = auxdata?.compilerVersion;
    // What the code tells besides is read for solc alone.
    if (own.compiler !== LANGUAGES.Solidity.compiler)
      return { deployment, ...NOTHING, deployedCompilerVersion };
    const isDeployedBare = auxdata?.hash === undefined;
    return {
      deployment,
      ...NOTHING,
      deployedCompilerVersion,
      deployedSigns: deployedSigns(code),
      isDeployedBare,
    };
  } catch (error) {
    if (!(error instanceof LedgerLensError) || isCancellation(error)) throw error;
    log.debug(`The deployed code could not be read: ${error.message}`);
    return { deployment, ...NOTHING };
  }
}

/** What the code of an earlier deployment told is taken back. */
const NOTHING = {
  deployedCompilerVersion: undefined,
  deployedSigns: undefined,
  isDeployedBare: undefined,
  isUndeployed: undefined,
} as const;
