import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import type { JobRecord } from "../../core/jobs/jobRecord.ts";
import type { AgreedSubmission } from "../../core/jobs/submissionReview.ts";
import { shown } from "../../core/text/shownText.ts";
import { rememberChain } from "../lastChains.ts";
import { withWaysOut } from "../ui/action.ts";
import type { DeploymentParts, FollowParts } from "./verificationParts.ts";

/**
 * Submits what was agreed to. Only once it is accepted, its chain is one of those that are offered first the next time. A
 * person whose chain the service does not know is offered what can be done instead.
 */
export async function beginJob(
  parts: Pick<FollowParts, "jobs"> & Pick<DeploymentParts, "memory">,
  reviewed: AgreedSubmission,
  options: Parameters<FollowParts["jobs"]["submit"]>[1],
): Promise<JobRecord> {
  try {
    const begun = await parts.jobs.submit(reviewed, options);
    await rememberChain(parts, begun.chainId);
    return begun;
  } catch (error) {
    const { deployment, input: submission } = reviewed;
    if (!(error instanceof LedgerLensError) || error.code !== "unsupported_chain" || !submission) throw error;
    const row = { record: { ...deployment, submission } };
    throw withWaysOut(error, [
      {
        label: shown`Verify Locally…`,
        run: () => vscode.commands.executeCommand("ledgerLens.verifyDeploymentLocally", { row }),
      },
      {
        label: shown`Choose Another Chain…`,
        run: () => vscode.commands.executeCommand("ledgerLens.chooseAnotherChain", { row }),
      },
    ]);
  }
}
