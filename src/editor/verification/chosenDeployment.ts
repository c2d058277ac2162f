import { deploymentOf, type Deployment } from "../../core/service/submissionRequest.ts";
import type { ShownText } from "../../core/text/shownText.ts";
import { askSteps } from "../ui/multiStep.ts";
import type { KnownDeployment } from "./compilerInputOf.ts";
import {
  contractFrom,
  contractStep,
  placeStep,
  type ContractParts,
  type ContractState,
} from "./contractStep.ts";
import { knownDeployment } from "./deploymentInspection.ts";
import { deploymentFrom, deploymentSteps, type PartialDeployment } from "./deploymentSteps.ts";
import { manyNamed, unlessMany, type ManyKind, type ManyState } from "./manySteps.ts";
import type { ChainParts, DeploymentParts, WorkspaceParts } from "./verificationParts.ts";

/** What it is chosen with. */
type ChoosingParts = WorkspaceParts & DeploymentParts & Pick<ChainParts, "codeReaders"> & ContractParts;

/** A contract of the workspace and the deployment that its code is compared with. */
export interface ChosenDeployment {
  /** `path/to/File.sol:Name` */
  readonly contract: string;
  readonly place: Deployment;
  /** What records and the deployed code tell of it. */
  readonly known: KnownDeployment;
}

/**
 * The contract, the chain and the address that an argument object gives; what it leaves out is asked for.
 *
 * @param title of the command that asks
 * @throws LedgerLensError where the argument object gives a part that is none
 */
export async function chosenDeployment(
  parts: ChoosingParts,
  title: ShownText,
  args: Readonly<Record<string, unknown>>,
): Promise<ChosenDeployment> {
  const state = stateFrom(args);
  await askSteps(title, state, [
    contractStep(parts, { offersDeployments: true }),
    placeStep(parts),
    ...deploymentSteps(parts),
  ]);
  return chosenIn(parts, state);
}

/**
 * The same for a command that takes many deployments, too.
 *
 * @returns for many, which arguments stand for them; those are not read yet
 */
export async function oneOrMany(
  parts: ChoosingParts,
  title: ShownText,
  args: Readonly<Record<string, unknown>>,
): Promise<ChosenDeployment | { readonly many: ManyKind }> {
  const state: ChoosingState & ManyState = { ...stateFrom(args), many: manyNamed(args) };
  const first = contractStep(parts, { offersDeployments: true, offersMany: true });
  await askSteps(
    title,
    state,
    unlessMany<ChoosingState & ManyState>([first, placeStep(parts), ...deploymentSteps(parts)]),
  );
  return state.many === undefined ? chosenIn(parts, state) : { many: state.many };
}

type ChoosingState = ContractState & PartialDeployment;

function stateFrom(args: Readonly<Record<string, unknown>>): ChoosingState {
  return { ...contractFrom(args), ...deploymentFrom(args) };
}

async function chosenIn(
  parts: ChoosingParts,
  { contract = "", chainId = "", address = "", creationTransactionHash }: ChoosingState,
): Promise<ChosenDeployment> {
  const place = deploymentOf({ chainId, address, creationTransactionHash });
  return { contract, place, known: await knownDeployment(parts, contract, place) };
}
