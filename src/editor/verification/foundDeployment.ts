import * as vscode from "vscode";
import { inTurns } from "../../core/concurrency/turns.ts";
import { placedContractsInPieces, type DefinedContract } from "../../core/workspace/contracts.ts";
import type { FoundDeployment } from "../../core/workspace/workspaceDeployments.ts";
import { deploymentOf } from "../../core/service/submissionRequest.ts";
import { uriOf } from "../workspaceFiles.ts";
import type { VerificationAnswer } from "./followJob.ts";
import type { VerifyState } from "./reviewStep.ts";
import { verifyContract } from "./verifyContract.ts";
import { verifyLocally } from "./verifyLocally.ts";
import type { ServiceParts, VerificationParts } from "./verificationParts.ts";

/** Verifies what a record says was deployed: everything is known but the person's agreement. */
export function verifyDeployment(
  parts: VerificationParts,
  deployment: FoundDeployment,
  asked: Pick<VerifyState, "isUnasked"> = {},
): Promise<VerificationAnswer> {
  return verifyContract(parts, knownArguments(deployment), {}, asked);
}

/** The same on this machine, where nothing is left to be asked. */
export function verifyDeploymentLocally(
  parts: VerificationParts,
  deployment: FoundDeployment,
): ReturnType<typeof verifyLocally> {
  return verifyLocally(parts, knownArguments(deployment));
}

function knownArguments(deployment: FoundDeployment): Readonly<Record<string, string>> {
  const { defined } = deployment;
  return {
    ...(defined && { contract: `${defined.path}:${defined.name}` }),
    ...deploymentOf(deployment),
  };
}

/** Opens the page of a deployed contract at the service. */
export async function openDeploymentAtService(
  parts: ServiceParts,
  deployment: FoundDeployment,
): Promise<void> {
  await vscode.env.openExternal(vscode.Uri.parse(parts.service().contractPage(deployment)));
}

/** Shows what is known of a deployment: the page of its newest job, else its contract, else the file that tells of it. */
export async function showDeployment(parts: VerificationParts, deployment: FoundDeployment): Promise<void> {
  const job = parts.deploymentStates.newestJob(deployment, parts.jobs.store.all());
  const { defined, record } = deployment;
  if (job) (await parts.pages()).showJob(job);
  else if (defined) await openContract(defined);
  else await vscode.commands.executeCommand("vscode.open", uriOf(record));
}

/** Opens the file of a contract at its name, above which stands how to verify it. */
async function openContract({ path, name }: DefinedContract): Promise<void> {
  const uri = uriOf(path);
  const document = await vscode.workspace.openTextDocument(uri);
  const contracts = await inTurns(placedContractsInPieces(path, document.getText()));
  const found = contracts.find((contract) => contract.name === name);
  const position = document.positionAt(found?.start ?? 0);
  await vscode.commands.executeCommand("vscode.open", uri, {
    selection: new vscode.Range(position, position),
  });
}

/** Opens the file that tells of a deployment. */
export async function openDeploymentRecord({ record }: FoundDeployment): Promise<void> {
  await vscode.commands.executeCommand("vscode.open", uriOf(record));
}
