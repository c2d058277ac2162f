import * as vscode from "vscode";
import { isInside } from "../../core/files/fileReader.ts";
import type { FoundDeployment } from "../../core/workspace/workspaceDeployments.ts";
import { chainLabel } from "../../core/chains/chains.ts";
import {
  standingInBrief,
  SubmittedTexts,
  verifiedElsewhere,
  verifyingJob,
  type ContractStanding,
} from "../../core/jobs/contractStanding.ts";
import { deploymentInBrief, type DeploymentStates } from "../../core/jobs/deploymentStates.ts";
import { statusInWords, type VerificationStatus } from "../../core/service/job.ts";
import { recordStatus, type JobRecord } from "../../core/jobs/jobRecord.ts";
import type { JobStore } from "../../core/jobs/jobStore.ts";
import { deploymentKey } from "../../core/service/submissionRequest.ts";
import { placedContractsInPieces } from "../../core/workspace/contracts.ts";
import { inTurns } from "../../core/concurrency/turns.ts";
import { settings } from "../settings.ts";
import { codeLens } from "../ui/codeLens.ts";
import type { LateLenses } from "../ui/lateLenses.ts";
import { workspaceFolders } from "../workspaceFiles.ts";
import type { WatchedWorkspace } from "../watchedWorkspace.ts";
import { foreign, shown } from "../../core/text/shownText.ts";

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
 * Above every contract of the open folders that can be deployed: *Verify…*, how its last verification stands, and where
 * the records of the project say that it is deployed. No service is asked for it.
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
    if (path.includes("/node_modules/")) return [];
    const contracts = await inTurns(placedContractsInPieces(path, document.getText()));
    if (contracts.length === 0) return [];
    await this.#store.load();
    const records = this.#store.all();
    const deployments = (await this.#workspace.hasDeployments(folder, path))
      ? (await this.#workspace.deployments()).found
      : [];
    const lenses = contracts.map(async ({ name, start }) => {
      const { line } = document.positionAt(start);
      const range = new vscode.Range(line, 0, line, 0);
      const own = records.filter(
        ({ submission }) => submission?.path === path && submission.contractName === name,
      );
      const [newest] = own;
      const deployed = deployments
        .filter(({ defined }) => defined?.path === path && defined.name === name)
        .filter((one) => !newest || deploymentKey(newest) !== deploymentKey(one))
        .slice(0, MAX_DEPLOYMENTS);
      const isEdited = (deployment: Pick<JobRecord, "chainId" | "address">) =>
        this.#isEdited(document, verifyingJob(deployment, own));
      const verify = codeLens(range, {
        title: shown`Verify…`,
        command: "ledgerLens.verifyThis",
        argument: { contract: `${path}:${name}` },
      });
      return [
        ...(newest
          ? [
              standingLens(range, {
                newest,
                verifiedElsewhere: verifiedElsewhere(own, deployed),
                isEdited: await isEdited(newest),
              }),
            ]
          : []),
        ...(await Promise.all(
          deployed.map(async (one) => this.#deploymentLens(range, one, records, await isEdited(one))),
        )),
        verify,
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
    const isVerified = state === "exact_match" || state === "match";
    const words = isVerified
      ? statusInWords(state)
      : deploymentInBrief(deployment, state, records) || "deployed";
    return codeLens(range, {
      icon: state === undefined ? "rocket" : ICONS[state],
      title:
        isVerified && isEdited
          ? shown`${words} on ${chainLabel(deployment.chainId)}, edited since`
          : shown`${words} on ${chainLabel(deployment.chainId)}`,
      tooltip: foreign(deployment.address),
      command: isVerified
        ? "ledgerLens.openDeploymentAtService"
        : this.#states.isOutOfReach(deployment)
          ? "ledgerLens.verifyDeploymentLocally"
          : "ledgerLens.verifyDeployment",
      argument: { row: { deployment } },
    });
  }
}

function standingLens(range: vscode.Range, standing: ContractStanding): vscode.CodeLens {
  const { newest: record } = standing;
  return codeLens(range, {
    icon: ICONS[recordStatus(record)],
    title: standingInBrief(standing),
    command: "ledgerLens.showJobDetails",
    argument: { row: { record } },
  });
}
