import * as vscode from "vscode";
import type { Parts } from "../../container.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { RECORDER_NAMES } from "../../core/projects/deployment.ts";
import type { FoundDeployment } from "../../core/projects/workspaceDeployments.ts";
import { chainLabel } from "../../core/verification/chains.ts";
import { statusInWords, toMatch, type VerificationStatus } from "../../core/verification/job.ts";
import { recordStatus } from "../../core/verification/jobRecord.ts";
import { shortAddress } from "../../core/verification/parameters.ts";
import { visibleText } from "../../core/visibleText.ts";
import { agoWords } from "../../core/timeWords.ts";
import { uriOf } from "../workspaceFiles.ts";
import { UserCancelled } from "../action.ts";
import { explained } from "../explainJob.ts";
import { compilerInputOf } from "./compilerInputOf.ts";
import { submissionOf } from "./submissionOf.ts";

/** Services work on few jobs at once, and so do we. */
const AT_ONCE = 2;
const WAIT_LIMIT_MS = 300_000;

/** What became of one deployment. */
export interface DeploymentOutcome {
  readonly contract: string;
  readonly chainId: string;
  readonly address: string;
  /** `skipped`: it was verified already. `refused`: nothing was accepted, and `reason` says why. */
  readonly outcome: VerificationStatus | "skipped" | "refused";
  readonly reason?: string;
}

/** Verifies what the project's own records say was deployed, over all chains; what is verified already is skipped. */
export async function verifyAllDeployments(
  parts: Parts,
  args: Readonly<Record<string, unknown>>,
): Promise<readonly DeploymentOutcome[]> {
  const found = (await parts.workspace.deployments()).filter(({ defined }) => defined !== undefined);
  if (found.length === 0) {
    throw new LedgerLensError(
      "no_deployments",
      "No record of a deployment was found in the open folders (Foundry, Hardhat, Ape, moccasin). Deploy with one of them, or verify a contract by its address.",
    );
  }
  const chosen = args["confirmPublish"] === true ? found : await choose(parts, found);
  const outcomes = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: "Verifying deployments", cancellable: true },
    async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      const results: DeploymentOutcome[] = [];
      const waiting = [...chosen];
      const work = async () => {
        for (let next = waiting.shift(); next && !abort.signal.aborted; next = waiting.shift()) {
          results.push(await verifyOne(parts, next, abort.signal));
          progress.report({
            message: `${results.length} of ${chosen.length}`,
            increment: 100 / chosen.length,
          });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return results;
    },
  );
  parts.follower.start();
  void vscode.window.showInformationMessage(summaryOf(outcomes));
  return outcomes;
}

async function choose(parts: Parts, found: readonly FoundDeployment[]): Promise<FoundDeployment[]> {
  await parts.jobs.store.load();
  const records = parts.jobs.store.all();
  const picked = await vscode.window.showQuickPick(
    found.map((deployment) => {
      const { chainId, address, recordedBy, when } = deployment;
      const isVerified = parts.deploymentStates.of(deployment, records) === "exact_match";
      const deployed = when === undefined ? "deployed" : `deployed ${agoWords(when, Date.now())}`;
      return {
        label: visibleText(deployment.defined?.name ?? deployment.contract),
        description: `${chainLabel(chainId)} · ${shortAddress(address)}${isVerified ? " · exact match already" : ""}`,
        detail: `${deployed} by ${RECORDER_NAMES[recordedBy]}, ${vscode.workspace.asRelativePath(uriOf(deployment.record))}`,
        picked: !isVerified,
        deployment,
      };
    }),
    {
      title: "Verify All Deployments",
      placeHolder: `Publishes sources at ${parts.service().host}, for good`,
      canPickMany: true,
      matchOnDescription: true,
      ignoreFocusOut: true,
    },
  );
  if (!picked || picked.length === 0) throw new UserCancelled();
  return picked.map(({ deployment }) => deployment);
}

async function verifyOne(
  parts: Parts,
  deployment: FoundDeployment,
  signal: AbortSignal,
): Promise<DeploymentOutcome> {
  const { chainId, address, creationTransactionHash, defined } = deployment;
  const named = { contract: defined?.name ?? deployment.contract, chainId, address };
  try {
    const known = await parts.service().contract({ chainId, address }, signal);
    if (toMatch(known?.match) === "exact_match") return { ...named, outcome: "skipped" };
    const input = await compilerInputOf(`${defined?.path ?? ""}:${named.contract}`);
    const rejected = input.findings.find(({ severity }) => severity === "error");
    if (rejected) return { ...named, outcome: "refused", reason: rejected.sentence };
    const begun = await parts.jobs.submit(
      submissionOf(
        { chainId, address, ...(creationTransactionHash !== undefined && { creationTransactionHash }) },
        input,
      ),
      signal,
    );
    const record = await explained(
      parts,
      await parts.jobs.wait(begun.id, { signal, limitMs: WAIT_LIMIT_MS }),
    );
    const [cause] = record.explanation?.causes ?? [];
    return { ...named, outcome: recordStatus(record), ...(cause && { reason: cause.evidence }) };
  } catch (error) {
    if (!(error instanceof LedgerLensError)) throw error;
    parts.log.warn(`${named.contract}: ${error.message}`);
    return { ...named, outcome: "refused", reason: error.message };
  }
}

/** "2 verified: exact match, 1 skipped; Router not verified." */
function summaryOf(outcomes: readonly DeploymentOutcome[]): string {
  const words: Readonly<Record<DeploymentOutcome["outcome"], string>> = {
    exact_match: statusInWords("exact_match"),
    match: statusInWords("match"),
    failed: statusInWords("failed"),
    pending: statusInWords("pending"),
    skipped: "verified already",
    refused: "not submitted",
  };
  const counts = Object.entries(words).flatMap(([outcome, text]) => {
    const count = outcomes.filter((one) => one.outcome === outcome).length;
    return count === 0 ? [] : [`${count.toLocaleString("en-US")} ${text}`];
  });
  const troubled = outcomes.filter(({ outcome }) => outcome === "failed" || outcome === "refused");
  const names = troubled.length === 0 ? "" : ` (${troubled.map(({ contract }) => contract).join(", ")})`;
  return visibleText(`Deployments: ${counts.join(", ")}${names}.`);
}
