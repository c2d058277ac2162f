import * as vscode from "vscode";
import { deploymentKey } from "../../core/evm/deploymentKey.ts";
import { inInstalledFolder } from "../../core/sources/packagedPath.ts";
import { isInside } from "../../core/files/fileReader.ts";
import type { FoundDeployment } from "../../core/workspace/workspaceDeployments.ts";
import { chainLabel } from "../../core/chains/chainNames.ts";
import {
  contractStanding,
  outcomeWithChain,
  outcomeWithPlace,
  SubmittedTexts,
  verifiedInBrief,
  verifyingJob,
} from "../../core/jobs/contractStanding.ts";
import { deploymentInBrief, type DeploymentStates } from "../../core/jobs/deploymentStates.ts";
import { isMatch, statusInWords, toMatch, type VerificationStatus } from "../../core/service/job.ts";
import { recordStatus, type JobRecord } from "../../core/jobs/jobRecord.ts";
import type { JobStore } from "../../core/jobs/jobStore.ts";
import { type Deployment } from "../../core/service/submissionRequest.ts";
import { placedContractsInPieces } from "../../core/workspace/contracts.ts";
import { inTurns } from "../../core/concurrency/turns.ts";
import { settings } from "../settings.ts";
import { codeLens } from "../ui/codeLens.ts";
import type { LateLenses } from "../ui/lateLenses.ts";
import { workspaceFolders } from "../workspaceFiles.ts";
import type { WatchedWorkspace } from "../watchedWorkspace.ts";
import { foreign, shown, type ShownText } from "../../core/text/shownText.ts";

const ICONS: Readonly<Record<VerificationStatus | "not_verified", string>> = {
  exact_match: "pass-filled",
  match: "pass",
  failed: "error",
  pending: "sync",
  not_verified: "circle-outline",
};

/** So many deployments of one contract stand above it; the others are in the view. */
const MAX_DEPLOYMENTS = 3;

/**
 * Above every contract of the open folders that can be deployed: where it is verified, how its last verification stands
 * where that did not verify it, where else the records of the project say that it is deployed, and *Verify…*. No service
 * is asked for it.
 */
export class VerifyCodeLens implements vscode.Disposable {
  readonly #store: JobStore;
  readonly #workspace: WatchedWorkspace;
  readonly #states: DeploymentStates;
  readonly #texts: SubmittedTexts;
  readonly #disposables: readonly { dispose(): unknown }[];

  constructor(store: JobStore, workspace: WatchedWorkspace, states: DeploymentStates, lenses: LateLenses) {
    this.#store = store;
    this.#workspace = workspace;
    this.#states = states;
    this.#texts = new SubmittedTexts(store);
    const changed = () => lenses.changed();
    this.#disposables = [
      { dispose: store.onChange(changed) },
      { dispose: states.onChange(changed) },
      workspace.onChanged(changed),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("ledgerLens.codeLens")) changed();
      }),
    ];
    lenses.fill((document) => this.#lensesOf(document));
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #lensesOf(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { path } = document.uri;
    const folder = workspaceFolders().find((one) => isInside(path, one));
    if (!settings.codeLens || folder === undefined) return [];
    // Other people's code is not the user's to verify.
    if (inInstalledFolder(path)) return [];
    const contracts = await inTurns(placedContractsInPieces(path, document.getText()));
    if (contracts.length === 0) return [];
    await this.#store.load();
    const records = this.#states.jobsHere(this.#store.all());
    const deployments = (await this.#workspace.hasDeployments(folder, path))
      ? (await this.#workspace.deployments()).found
      : [];
    const lenses = contracts.map(async ({ name, start }) => {
      const { line } = document.positionAt(start);
      const range = new vscode.Range(line, 0, line, 0);
      const own = records.filter(
        ({ submission }) => submission?.path === path && submission.contractName === name,
      );
      const isEdited = (deployment: Pick<JobRecord, "chainId" | "address">) =>
        this.#isEdited(document, verifyingJob(deployment, own));
      const [newest] = own;
      const isVerified = (one: Deployment) => this.#states.isVerified(one, records);
      // What the newest job says of its own deployment is not said twice.
      const isTold = (one: FoundDeployment) =>
        newest !== undefined &&
        deploymentKey(newest) === deploymentKey(one) &&
        (isMatch(recordStatus(newest)) || !isVerified(one));
      const deployed = deployments
        .filter(({ defined }) => defined?.path === path && defined.name === name)
        .filter((one) => !isTold(one))
        .slice(0, MAX_DEPLOYMENTS);
      const { verified, unverified } = contractStanding(own, deployed);
      const told = verified.length + deployed.length > 0 ? outcomeWithPlace : outcomeWithChain;
      const deploymentLenses = async (ones: readonly FoundDeployment[]) =>
        Promise.all(ones.map(async (one) => this.#deploymentLens(range, one, records, await isEdited(one))));
      return [
        // What is verified leads: a later job that failed took nothing from it.
        ...(await verifiedLens(range, verified.filter(isVerified), isEdited)),
        ...(await deploymentLenses(deployed.filter(isVerified))),
        ...(unverified ? [jobLens(range, unverified, told(unverified))] : []),
        ...(await deploymentLenses(deployed.filter((one) => !isVerified(one)))),
        codeLens(range, {
          title: shown`Verify…`,
          command: "ledgerLens.verifyThis",
          argument: { contract: `${path}:${name}` },
        }),
      ];
    });
    return (await Promise.all(lenses)).flat();
  }

  /** Whether a file is no longer what a job verified; where no job did, nothing is known of it. */
  async #isEdited(document: vscode.TextDocument, job: JobRecord | undefined): Promise<boolean> {
    if (!job) return false;
    return this.#texts.isEdited(job, {
      text: document.getText(),
      isDirty: document.isDirty,
      written: async () =>
        vscode.workspace.fs.stat(document.uri).then(
          ({ mtime }) => mtime,
          () => undefined,
        ),
    });
  }

  #deploymentLens(
    range: vscode.Range,
    deployment: FoundDeployment,
    records: readonly JobRecord[],
    isEdited: boolean,
  ): vscode.CodeLens {
    const state = this.#states.of(deployment, records);
    const match = toMatch(state);
    const words = match ? statusInWords(match) : deploymentInBrief(deployment, state, records) || "deployed";
    const title = shown`${words} on ${chainLabel(deployment.chainId)}`;
    return codeLens(range, {
      icon: state === undefined ? "rocket" : ICONS[state],
      title: match && isEdited ? shown`${title}, edited since` : title,
      tooltip: foreign(deployment.address),
      command: match
        ? "ledgerLens.openDeploymentAtService"
        : this.#states.isOutOfReach(deployment)
          ? "ledgerLens.verifyDeploymentLocally"
          : "ledgerLens.verifyDeployment",
      argument: { row: { deployment } },
    });
  }
}

/** Where jobs verified a contract, as one lens at most. */
async function verifiedLens(
  range: vscode.Range,
  [first, ...others]: readonly JobRecord[],
  isEdited: (record: JobRecord) => Promise<boolean>,
): Promise<vscode.CodeLens[]> {
  if (!first) return [];
  const edited = await Promise.all([first, ...others].map(isEdited));
  const title = verifiedInBrief(
    [first, ...others],
    edited.every((one) => one),
  );
  return [jobLens(range, first, title)];
}

function jobLens(range: vscode.Range, record: JobRecord, title: ShownText): vscode.CodeLens {
  return codeLens(range, {
    icon: ICONS[recordStatus(record)],
    title,
    ...(record.address !== "" && { tooltip: foreign(record.address) }),
    command: recordStatus(record) === "failed" ? "ledgerLens.showFailure" : "ledgerLens.showJobDetails",
    argument: { row: { record } },
  });
}
