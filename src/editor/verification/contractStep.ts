import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { recorderTitle } from "../../core/tools/tool.ts";
import type { FoundDeployment } from "../../core/workspace/workspaceDeployments.ts";
import { chainLabel } from "../../core/chains/chains.ts";
import { shortAddress, foreign, joined, shown, type ShownText } from "../../core/text/shownText.ts";
import { isInside, lastSegment, relativePath } from "../../core/files/fileReader.ts";
import { isSupporting, supportingLast } from "../../core/workspace/contractOrder.ts";
import { contractsIn, isSourcePath, type DefinedContract } from "../../core/workspace/contracts.ts";
import { contractsOfFile, deploymentsOfContract } from "../../core/workspace/contractsOfFile.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { mayAsk } from "../ui/asking.ts";
import { pick, type Step, type StepFrame } from "../ui/multiStep.ts";
import { type Choice, separator } from "../ui/quickPick.ts";
import { agoWords } from "../../core/text/timeWords.ts";
import { uriOf, workspaceFolders } from "../workspaceFiles.ts";
import type { PartialDeployment } from "./deploymentSteps.ts";
import type { ManyKind, ManyState } from "./manySteps.ts";
import { deploymentKey } from "../../core/service/submissionRequest.ts";
import { grouped } from "../../core/text/counted.ts";
import { unreadableRecordsSentence, type UnreadableRecords } from "../../core/tools/unreadableRecords.ts";
import type { WorkspaceParts } from "./verificationParts.ts";

/** A contract as `path/to/File.sol:Name`, while a command asks for the rest. */
export interface ContractState {
  contract?: string | undefined;
}

/** One or many at once. */
type ChosenContract = OneContract | { readonly many: ManyKind };

/** A contract, and where it was deployed when a record of a deployment was chosen. */
interface OneContract {
  readonly contract: string;
  readonly deployment?: FoundDeployment;
}

/**
 * Asks for the contract: what was deployed first, then those of the active editor, then all of the workspace.
 *
 * @param offersDeployments whether the command needs a deployment
 * @param offersMany whether it takes many, too
 */
export function contractStep(
  { workspace }: Pick<WorkspaceParts, "workspace">,
  {
    offersDeployments = false,
    offersMany = false,
    file,
  }: {
    readonly offersDeployments?: boolean;
    readonly offersMany?: boolean;
    /** Only what this file is of, an absolute path; what leaves no choice is not asked. */
    readonly file?: string;
  } = {},
): Step<ContractState & PartialDeployment & ManyState> {
  let isFromRecord = false;
  return {
    argument: "contract",
    isKnown: ({ contract }) => contract !== undefined,
    ask: async (state, frame) => {
      if (isFromRecord) {
        // Asked again: what the record said belongs to the contract that was chosen then.
        state.chainId = state.address = state.creationTransactionHash = undefined;
      }
      if (workspaceFolders().length === 0) {
        throw new LedgerLensError(
          "no_workspace",
          t`No folder is open. Open the folder of your Solidity project, then verify a contract.`,
        );
      }
      const active = vscode.window.activeTextEditor?.document;
      const isSolidity =
        active !== undefined &&
        isSourcePath(active.uri.path) &&
        workspaceFolders().some((folder) => isInside(active.uri.path, folder));
      const here =
        active && isSolidity ? contractsIn(active.uri.path, new TextEncoder().encode(active.getText())) : [];
      const all = await workspace.index.contracts();
      if (file !== undefined) {
        take(state, await chosenOf(file, all, (await workspace.readDeployments()).found, frame));
        return;
      }
      if (all.length === 0 && here.length === 0) {
        throw new LedgerLensError(
          "no_contracts",
          t`No Solidity or Vyper contracts found in the open folder. Open the folder of your project.`,
        );
      }
      const known = new Set(here.map(contractReference));
      const isBehind = lastInLists();
      const others = Map.groupBy(
        all.filter((contract) => !known.has(contractReference(contract))),
        isBehind,
      );
      const deployments = offersDeployments ? await workspace.readDeployments() : undefined;
      const chosen = await pick<ChosenContract>(frame, {
        placeholder: question(shown`Which contract?`, deployments?.unreadable),
        choices: [
          ...deploymentChoices(deployments?.found ?? []),
          ...separated(t`in the active editor`, here),
          ...separated(t`in the workspace`, others.get(false) ?? []),
          ...separated(t`scripts, tests and mocks`, others.get(true) ?? []),
          ...(offersMany ? manyChoices(deployments?.found ?? []) : []),
        ],
      });
      state.many = "many" in chosen ? chosen.many : undefined;
      if ("many" in chosen) return;
      isFromRecord = chosen.deployment !== undefined;
      take(state, chosen);
    },
  };
}

/**
 * Asks where a contract is that is chosen already, where records say it: with another address as the last choice.
 *
 * @returns no step where no record says it, or nothing may be asked
 */
export async function recordedSteps(
  { workspace }: Pick<WorkspaceParts, "workspace">,
  { contract, chainId, address }: ContractState & PartialDeployment,
): Promise<Step<ContractState & PartialDeployment>[]> {
  if (contract === undefined || chainId !== undefined || address !== undefined || !mayAsk()) return [];
  const { found } = await workspace.readDeployments();
  const own = deploymentsOfContract(workspaceFolders(), contract, found);
  const choices = deploymentChoices(own);
  if (choices.length === 0) return [];
  return [
    {
      isKnown: () => false,
      ask: async (state, frame) => {
        state.chainId = state.address = state.creationTransactionHash = undefined;
        const chosen = await pick<OneContract>(frame, {
          placeholder: shown`Which deployment?`,
          choices: [
            ...choices,
            separator(shown`elsewhere`),
            { icon: "edit", label: shown`Another Address…`, value: { contract } },
          ],
        });
        take(state, { ...chosen, contract });
      },
    },
  ];
}

function take(state: ContractState & PartialDeployment, { contract, deployment }: OneContract): void {
  state.contract = contract;
  if (!deployment) return;
  state.chainId ??= deployment.chainId;
  state.address ??= deployment.address;
  state.creationTransactionHash ??= deployment.creationTransactionHash;
}

/**
 * The contract of a file, or where one of them was deployed.
 *
 * @throws LedgerLensError `no_contracts`
 */
async function chosenOf(
  file: string,
  contracts: readonly DefinedContract[],
  found: readonly FoundDeployment[],
  frame: StepFrame,
): Promise<OneContract> {
  const of = contractsOfFile(file, { contracts, deployments: found });
  const choices = [...deploymentChoices(of.deployments), ...separated(t`in this file`, of.contracts)];
  const [only, another] = choices.flatMap(({ value }) => value ?? []);
  if (!only) {
    throw new LedgerLensError(
      "no_contracts",
      t`No contract that can be deployed belongs to ${foreign(lastSegment(file))}. Choose the file of a contract of the open folder.`,
    );
  }
  return another ? pick(frame, { placeholder: shown`Which contract?`, choices }) : only;
}

/** Tells the scripts, tests and mocks of the open folders, which stand last in every list. */
export function lastInLists(): (contract: Pick<DefinedContract, "path" | "name">) => boolean {
  const folders = workspaceFolders();
  return (contract) => isSupporting(contract, folders);
}

/** A question whose choices lack what records of deployments would have told, and that says so. */
export function question(asked: ShownText, unreadable: UnreadableRecords | undefined): ShownText {
  return unreadable ? joined([asked, unreadableRecordsSentence(unreadable)], " ") : asked;
}

function deploymentChoices(deployments: readonly FoundDeployment[]): Choice<OneContract>[] {
  const offered = deployments.flatMap((deployment) => {
    const { defined, chainId, address, recordedBy, when, record } = deployment;
    if (!defined) return [];
    const deployed = when === undefined ? t`deployed` : t`deployed ${agoWords(when, Date.now())}`;
    return [
      {
        icon: "rocket",
        label: shown`${defined.name}`,
        description: shown`${chainLabel(chainId)} · ${shortAddress(address)}`,
        detail: shown`${deployed} by ${recorderTitle(recordedBy)}, ${vscode.workspace.asRelativePath(uriOf(record))}`,
        value: { contract: contractReference(defined), deployment },
      },
    ];
  });
  if (offered.length === 0) return [];
  return [separator(shown`deployed`), ...offered.slice(0, 20)];
}

function separated(label: string, contracts: readonly DefinedContract[]): Choice<OneContract>[] {
  if (contracts.length === 0) return [];
  return [
    separator(foreign(label)),
    ...supportingLast(contracts, (contract) => contract, workspaceFolders()).map((contract) => ({
      label: foreign(contract.name),
      description: foreign(vscode.workspace.asRelativePath(contract.path)),
      value: { contract: contractReference(contract) },
    })),
  ];
}

/** Many at once, behind all that is one. */
function manyChoices(found: readonly FoundDeployment[]): Choice<ChosenContract>[] {
  const recorded = new Set(found.map(deploymentKey)).size;
  return [
    separator(shown`many at once`),
    ...(recorded === 0
      ? []
      : [
          {
            icon: "rocket",
            label: shown`All recorded deployments (${grouped(recorded)})`,
            value: { many: "deployments" as const },
          },
        ]),
    { icon: "list-unordered", label: shown`A list of addresses…`, value: { many: "addresses" as const } },
    {
      icon: "symbol-structure",
      label: shown`The facets of a diamond…`,
      description: shown`ERC-2535`,
      value: { many: "diamond" as const },
    },
  ];
}

/** `path/to/File.sol:Name`, by which the contract is found again; the path is absolute where several folders are open. */
export function contractReference({ path, name }: DefinedContract): string {
  const folders = workspaceFolders();
  const [only] = folders;
  const shown = folders.length === 1 && only ? (relativePath(path, only) ?? path) : path;
  return `${shown}:${name}`;
}
