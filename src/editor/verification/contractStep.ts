import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isSameAddress } from "../../core/evm/address.ts";
import { deploymentKey } from "../../core/evm/deploymentKey.ts";
import { recorderTitle } from "../../core/tools/tool.ts";
import type { FoundDeployment } from "../../core/workspace/workspaceDeployments.ts";
import { chainLabel } from "../../core/chains/chainNames.ts";
import { shortAddress, foreign, joined, shown, type ShownText } from "../../core/text/shownText.ts";
import { isInside, lastSegment, relativePath } from "../../core/files/fileReader.ts";
import { isSupporting, supportingLast } from "../../core/workspace/contractOrder.ts";
import { contractsIn, isSourcePath, type DefinedContract } from "../../core/workspace/contracts.ts";
import { contractsOfFile } from "../../core/workspace/contractsOfFile.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { mayAsk } from "../ui/asking.ts";
import type { Step, StepFrame } from "../ui/multiStep.ts";
import { type Choice, separator } from "../ui/quickPick.ts";
import { agoWords } from "../../core/text/timeWords.ts";
import { uriOf, workspaceFolders } from "../workspaceFiles.ts";
import { askAddress, type PartialDeployment } from "./deploymentSteps.ts";
import type { ManyKind, ManyState } from "./manySteps.ts";
import { type Deployment } from "../../core/service/submissionRequest.ts";
import { splitIdentifier } from "../../core/sources/contractIdentifier.ts";
import { ownValue } from "../../core/json/ownValue.ts";
import { verifyingJob } from "../../core/jobs/contractStanding.ts";
import type { JobRecord } from "../../core/jobs/jobRecord.ts";
import { hostOf, outcomeInBrief } from "../../core/jobs/jobWords.ts";
import { knownPlaces, type KnownPlace } from "../../core/jobs/knownPlaces.ts";
import { optionalText } from "../ui/arguments.ts";
import { pick } from "../ui/questions.ts";
import { grouped } from "../../core/text/counted.ts";
import { unreadableRecordsSentence, type UnreadableRecords } from "../../core/tools/unreadableRecords.ts";
import type {
  DeploymentParts,
  ExplanationParts,
  VerificationParts,
  WorkspaceParts,
} from "./verificationParts.ts";

/** A contract as `path/to/File.sol:Name`, while a command asks for the rest. */
export interface ContractState {
  contract?: string | undefined;
  /** Whether a person chose it by itself from a list, so that they are asked where it is. */
  isChosen?: boolean | undefined;
  /** Whether what is known of where it is was found and taken, not given. */
  isFound?: boolean | undefined;
}

/** What an argument object gives of it, also one that a question before the command's own has made. */
export function contractFrom(args: Readonly<Record<string, unknown>>): ContractState {
  return {
    contract: optionalText(args, "contract"),
    ...(ownValue(args, "isChosen") === true && { isChosen: true }),
  };
}

/** One or many at once. */
type ChosenContract = OneContract | { readonly many: ManyKind };

/** A contract, and where it is when a deployment was chosen. */
interface OneContract {
  readonly contract: string;
  readonly deployment?: Deployment;
}

/** What a contract and its place are chosen with. */
export type ContractParts = Pick<WorkspaceParts, "workspace"> &
  Pick<ExplanationParts, "jobs"> &
  Pick<VerificationParts, "deploymentStates">;

/**
 * Asks for the contract: what was deployed first, then those of the active editor, then all of the workspace.
 *
 * @param offersDeployments whether the command needs a deployment
 * @param offersMany whether it takes many, too
 */
export function contractStep(
  parts: ContractParts,
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
  const { workspace, jobs } = parts;
  return {
    argument: "contract",
    isKnown: ({ contract }) => contract !== undefined,
    decides: true,
    ask: async (state, frame) => {
      if (state.isFound) {
        // Asked again: where it was found belongs to the contract that was chosen then.
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
      const [all] = await Promise.all([workspace.index.contracts(), jobs.store.load()]);
      if (file !== undefined) {
        const { found } = await workspace.readDeployments();
        const { isChosen, ...chosen } = await chosenOf(parts, file, all, found, frame);
        take(state, chosen);
        state.isChosen = isChosen || undefined;
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
          ...deploymentChoices(parts, deployments?.found ?? []),
          ...separated(t`in the active editor`, here),
          ...separated(t`in the workspace`, others.get(false) ?? []),
          ...separated(t`scripts, tests and mocks`, others.get(true) ?? []),
          ...(offersMany ? manyChoices(deployments?.found ?? []) : []),
        ],
      });
      state.many = "many" in chosen ? chosen.many : undefined;
      if ("many" in chosen) return;
      take(state, chosen);
      state.isChosen = chosen.deployment === undefined;
    },
  };
}

/**
 * Asks where a contract is, where records or our jobs say it: with another address as the last choice. One place that is
 * known is taken without the question, but for a contract that a person chose by itself from a list.
 *
 * @param mayPassOver whether it is taken so; default: always
 * @returns a step that asks nothing where nothing says it, or nothing may be asked
 */
export function placeStep(
  parts: ContractParts,
  mayPassOver: (place: KnownPlace) => boolean = () => true,
): Step<ContractState & PartialDeployment> {
  let of: string | undefined;
  let places: readonly KnownPlace[] = [];
  return {
    isKnown: ({ chainId, address }) => !mayAsk() || chainId !== undefined || address !== undefined,
    prepare: async (state) => {
      const { contract } = state;
      if (contract === undefined) return false;
      if (contract === of) return places.length > 0;
      places = await placesOf(parts, contract);
      of = contract;
      const [only, another] = places;
      if (only && !another && state.isChosen !== true && mayPassOver(only))
        take(state, { contract, deployment: only });
      return only !== undefined;
    },
    isAnswered: ({ address }) => address !== undefined,
    decides: true,
    ask: async (state, frame) => {
      const { contract = "" } = state;
      state.chainId = state.address = state.creationTransactionHash = undefined;
      take(state, await askPlace(parts, contract, places, frame));
    },
  };
}

/** Asks which of the known places it is, or whether it is another one. */
function askPlace(
  parts: ContractParts,
  contract: string,
  places: readonly KnownPlace[],
  frame: StepFrame,
): Promise<OneContract> {
  return pick<OneContract>(frame, {
    placeholder: shown`Which deployment?`,
    choices: [
      ...placeChoices(parts, contract, places),
      separator(shown`elsewhere`),
      { icon: "edit", label: shown`Another Address…`, value: { contract } },
    ],
  });
}

async function placesOf({ workspace, jobs }: ContractParts, contract: string): Promise<KnownPlace[]> {
  const [{ found }] = await Promise.all([workspace.readDeployments(), jobs.store.load()]);
  return knownPlaces(workspaceFolders(), contract, { found, jobs: jobs.store.all() });
}

/**
 * Asks for another address than the one that is known: where the contract is known to be elsewhere on the chain, these places
 * are offered before one is typed.
 */
export async function askOtherAddress(
  parts: ContractParts & Pick<DeploymentParts, "node">,
  state: ContractState & PartialDeployment,
  frame: StepFrame,
): Promise<Pick<Deployment, "address" | "creationTransactionHash">> {
  const { contract = "", chainId, address = "" } = state;
  const others = (await placesOf(parts, contract)).filter(
    (place) => place.chainId === chainId && !isSameAddress(place.address, address),
  );
  const { deployment } = others.length === 0 ? {} : await askPlace(parts, contract, others, frame);
  return deployment ?? { address: await askAddress(parts, state, frame) };
}

function take(state: ContractState & PartialDeployment, { contract, deployment }: OneContract): void {
  state.contract = contract;
  state.isFound = deployment !== undefined;
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
  parts: ContractParts,
  file: string,
  contracts: readonly DefinedContract[],
  found: readonly FoundDeployment[],
  frame: StepFrame,
): Promise<OneContract & { readonly isChosen: boolean }> {
  const of = contractsOfFile(file, { contracts, deployments: found });
  const choices = [...deploymentChoices(parts, of.deployments), ...separated(t`in this file`, of.contracts)];
  const [only, another] = choices.flatMap(({ value }) => value ?? []);
  if (!only) {
    throw new LedgerLensError(
      "no_contracts",
      t`No contract that can be deployed belongs to ${foreign(lastSegment(file))}. Choose the file of a contract of the open folder.`,
    );
  }
  if (!another) return { ...only, isChosen: false };
  const chosen = await pick(frame, { placeholder: shown`Which contract?`, choices });
  return { ...chosen, isChosen: chosen.deployment === undefined };
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

function deploymentChoices(
  parts: ContractParts,
  deployments: readonly FoundDeployment[],
): Choice<OneContract>[] {
  const defined = deployments.flatMap((one) => (one.defined ? [{ ...one, defined: one.defined }] : []));
  return headed(defined, (deployment) => {
    const contract = contractReference(deployment.defined);
    const words = recordedWords(deployment);
    return placeChoice(parts, foreign(deployment.defined.name), words, { contract, deployment });
  });
}

function placeChoices(
  parts: ContractParts,
  contract: string,
  places: readonly KnownPlace[],
): Choice<OneContract>[] {
  const name = foreign(splitIdentifier(contract).name);
  return headed(places, (deployment) => {
    const { recorded, jobs } = deployment;
    const words = [recorded && recordedWords(recorded), submittedWords(parts, deployment, jobs)];
    const detail = joined(
      words.filter((one) => one !== undefined),
      " · ",
    );
    return placeChoice(parts, name, detail, { contract, deployment });
  });
}

function headed<T>(places: readonly T[], choiceOf: (place: T) => Choice<OneContract>): Choice<OneContract>[] {
  return places.length === 0 ? [] : [separator(shown`deployed`), ...places.slice(0, 20).map(choiceOf)];
}

/** Says that it is verified, too, where that is known already: nothing is asked for a list. */
function placeChoice(
  { deploymentStates, jobs }: ContractParts,
  label: ShownText,
  detail: ShownText,
  value: OneContract & Required<Pick<OneContract, "deployment">>,
): Choice<OneContract> {
  const { chainId, address } = value.deployment;
  const verified = deploymentStates.verifiedInWords(value.deployment, jobs.store.all());
  const description = joined(
    [chainLabel(chainId), shortAddress(address), ...(verified === undefined ? [] : [verified])].map((one) =>
      foreign(one),
    ),
    " · ",
  );
  return { icon: "rocket", label, description, detail, value };
}

function recordedWords({ recordedBy, when, record }: FoundDeployment): ShownText {
  const deployed = when === undefined ? t`deployed` : t`deployed ${agoWords(when, Date.now())}`;
  return shown`${deployed} by ${recorderTitle(recordedBy)}, ${vscode.workspace.asRelativePath(uriOf(record))}`;
}

/** "verified 2 min ago", "submitted 2 min ago", "not submitted", and where it went where that is elsewhere; `undefined` where there was no job. */
function submittedWords(
  { deploymentStates }: Pick<VerificationParts, "deploymentStates">,
  place: Deployment,
  jobs: readonly JobRecord[],
): ShownText | undefined {
  const here = deploymentStates.jobsHere(jobs);
  const [newest] = here;
  const verifying = verifyingJob(place, here);
  if (verifying)
    return shown`verified ${agoWords(verifying.finishedAt ?? verifying.submittedAt, Date.now())}`;
  if (newest?.stage === "refused") return foreign(outcomeInBrief(newest));
  if (newest) return shown`submitted ${agoWords(newest.submittedAt, Date.now())}`;
  const [elsewhere] = jobs;
  return (
    elsewhere &&
    shown`submitted to ${foreign(hostOf(elsewhere))} ${agoWords(elsewhere.submittedAt, Date.now())}`
  );
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
