import * as vscode from "vscode";
import type { Parts } from "../../container.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { systemClock } from "../../core/http/clock.ts";
import { RECORDER_NAMES } from "../../core/projects/deployment.ts";
import type { FoundDeployment } from "../../core/projects/workspaceDeployments.ts";
import { agoWords } from "../../core/timeWords.ts";
import { chainLabel } from "../../core/verification/chains.ts";
import { shortAddress } from "../../core/verification/parameters.ts";
import { publishReview, type PublishReview } from "../../core/verification/publishReview.ts";
import { summaryOfMany, verifyMany, type ManyOutcome } from "../../core/verification/verifyMany.ts";
import { foreign, foreignSentence, shown } from "../../core/text/shownText.ts";
import { UserCancelled } from "../action.ts";
import { explained } from "../explainJob.ts";
import { pick, type StepFrame } from "../ui/multiStep.ts";
import { type Choice, pickSeveral } from "../ui/quickPick.ts";
import { showMessage } from "../ui/notifications.ts";
import { withProgressMessage } from "../ui/progress.ts";
import { uriOf } from "../workspaceFiles.ts";
import { compilerInputOf, type WorkspaceInput } from "./compilerInputOf.ts";
import { knownDeployment } from "./deploymentLook.ts";
import { filesInBrief, showFiles } from "./publishedFiles.ts";
import { submissionOf } from "./submissionOf.ts";

const WAIT_LIMIT_MS = 300_000;

/** What became of one deployment. */
export interface DeploymentOutcome {
  readonly contract: string;
  readonly chainId: string;
  readonly address: string;
  readonly outcome: ManyOutcome<FoundDeployment>["outcome"];
  readonly reason?: string;
}

/**
 * `ledgerLens.verifyAllDeployments` `{confirmPublish}`: verifies what the project's own records say was deployed, over
 * all chains; what is verified already is skipped.
 */
export async function verifyAllDeployments(
  parts: Parts,
  args: Readonly<Record<string, unknown>>,
): Promise<readonly DeploymentOutcome[]> {
  const found = (await parts.workspace.readDeployments()).filter(({ defined }) => defined !== undefined);
  if (found.length === 0) {
    throw new LedgerLensError(
      "no_deployments",
      "No record of a deployment was found in the open folders (Foundry, Hardhat, Ape, moccasin). Deploy with one of them, or verify a contract by its address.",
    );
  }
  const isConfirmed = args["confirmPublish"] === true;
  const chosen = isConfirmed ? found : await choose(parts, found);
  if (!isConfirmed) await agree(parts, chosen);
  const outcomes = await withProgressMessage(shown`Verifying deployments`, (report, signal) =>
    verifyMany({
      deployments: chosen,
      jobs: parts.jobs,
      service: parts.service(),
      clock: systemClock,
      inputOf: (deployment) => inputOf(parts, deployment),
      finish: (record) => explained(parts, record),
      onProgress: (done, all) =>
        report(shown`${done.toLocaleString("en-US")} of ${all.toLocaleString("en-US")}`, 100 / all),
      limitMs: WAIT_LIMIT_MS,
      signal,
    }),
  );
  parts.follower.start();
  for (const { deployment, recorded } of outcomes)
    if (recorded) parts.deploymentStates.learn(deployment, recorded);
  void showMessage("information", foreignSentence(summaryOfMany(outcomes, nameOf)));
  return outcomes.map(({ deployment, outcome, reason, record }) => {
    const because = reason ?? record?.explanation?.causes[0]?.evidence;
    return {
      contract: nameOf(deployment),
      chainId: deployment.chainId,
      address: deployment.address,
      outcome,
      ...(because !== undefined && { reason: because }),
    };
  });
}

function nameOf({ defined, contract }: FoundDeployment): string {
  return defined?.name ?? contract;
}

async function inputOf(parts: Parts, deployment: FoundDeployment) {
  const input = await workspaceInputOf(parts, deployment);
  const rejected = input.findings.find(({ severity }) => severity === "error");
  if (rejected) throw new LedgerLensError(rejected.code, rejected.sentence);
  return submissionOf(deployment, input).input;
}

async function workspaceInputOf(parts: Parts, deployment: FoundDeployment): Promise<WorkspaceInput> {
  const contract = `${deployment.defined?.path ?? ""}:${nameOf(deployment)}`;
  return compilerInputOf(parts, contract, await knownDeployment(parts, contract, deployment));
}

async function choose(parts: Parts, found: readonly FoundDeployment[]): Promise<FoundDeployment[]> {
  await parts.jobs.store.load();
  const records = parts.jobs.store.all();
  const choices = found.map((deployment): Choice<FoundDeployment> => {
    const { chainId, address, recordedBy, when, record } = deployment;
    const isVerified = parts.deploymentStates.of(deployment, records) === "exact_match";
    const deployed = when === undefined ? "deployed" : `deployed ${agoWords(when, Date.now())}`;
    return {
      label: foreign(nameOf(deployment)),
      description: shown`${chainLabel(chainId)} · ${shortAddress(address)}${isVerified ? " · exact match already" : ""}`,
      detail: shown`${deployed} by ${RECORDER_NAMES[recordedBy]}, ${vscode.workspace.asRelativePath(uriOf(record))}`,
      picked: !isVerified,
      value: deployment,
    };
  });
  const picked = await pickSeveral(
    { title: shown`Verify All Deployments`, placeholder: shown`Which deployments?`, choices },
    { ignoreFocusOut: true },
  );
  if (!picked || picked.length === 0) throw new UserCancelled();
  return picked;
}

/** Shows which files of all the chosen contracts are published, and asks whether they may be. */
async function agree(parts: Parts, chosen: readonly FoundDeployment[]): Promise<void> {
  const service = parts.service();
  const reviews: PublishReview[] = [];
  for (const deployment of chosen) {
    try {
      reviews.push(publishReview(await workspaceInputOf(parts, deployment), service));
    } catch (error) {
      // Without an input nothing is published; the summary says why.
      if (!(error instanceof LedgerLensError)) throw error;
    }
  }
  const files = [
    ...new Map(reviews.flatMap((review) => review.files.map((file) => [file.path, file]))).values(),
  ];
  const all = { files, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  const concerns = [...new Set(reviews.flatMap((review) => review.concerns.map(({ sentence }) => sentence)))];
  if (concerns.length === 0 && parts.consent.isGiven(service.url)) return;
  const frame: StepFrame = { title: shown`Verify All Deployments`, step: 1, totalSteps: 1, canGoBack: false };
  for (;;) {
    const choices: Choice<"submit" | "always" | "files">[] = [
      {
        icon: "cloud-upload",
        label: shown`Submit to ${service.host}`,
        detail: shown`Publishes ${filesInBrief(all)}. Everybody can read them there, and it can't be taken back.`,
        value: "submit",
      },
      {
        icon: "check-all",
        label: shown`Submit, and Do Not Ask Again`,
        detail: shown`Not in this workspace at ${service.host}, unless something in the files should make you think twice`,
        value: "always",
      },
      ...concerns.map((sentence) => ({
        icon: "warning",
        label: foreignSentence(sentence),
        value: "files" as const,
      })),
      { icon: "files", label: shown`Files`, description: filesInBrief(all), value: "files" },
    ];
    const item = await pick(frame, {
      placeholder: shown`Enter submits. Choose another line to look at it`,
      choices,
    });
    if (item !== "files") {
      if (item === "always") await parts.consent.give(service.url);
      return;
    }
    try {
      await showFiles({ ...frame, canGoBack: true }, all);
    } catch (error) {
      // Back returns to this step; leaving leaves the command.
      if (error instanceof LedgerLensError) throw error;
    }
  }
}
