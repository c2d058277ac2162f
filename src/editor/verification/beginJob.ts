import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import type { JobRecord } from "../../core/jobs/jobRecord.ts";
import type { AgreedSubmission } from "../../core/jobs/submissionReview.ts";
import { shown } from "../../core/text/shownText.ts";
import { rememberChain } from "../lastChains.ts";
import { withWaysOut } from "../ui/action.ts";
import type { DeploymentParts, FollowParts } from "./verificationParts.ts";

/** Submits what was agreed to. Only once it is accepted, its chain is one of those that are offered first the next time. */
export async function beginJob(
  parts: Pick<FollowParts, "jobs"> & Pick<DeploymentParts, "memory">,
  reviewed: AgreedSubmission,
  options: Parameters<FollowParts["jobs"]["submit"]>[1],
): Promise<JobRecord> {
  const { deployment, input } = reviewed;
  const begun = await orElsewhere({ ...deployment, ...(input && { submission: input }) }, () =>
    parts.jobs.submit(reviewed, options),
  );
  await rememberChain(parts, begun.chainId);
  return begun;
}

/** Submits something, also once more. A person whose chain the service does not take is offered what can be done instead. */
export async function orElsewhere<T>(
  submitted: Pick<JobRecord, "chainId" | "address" | "creationTransactionHash" | "submission">,
  submit: () => Promise<T>,
): Promise<T> {
  try {
    return await submit();
  } catch (error) {
    if (!(error instanceof LedgerLensError) || error.code !== "unsupported_chain") throw error;
    const row = { record: submitted };
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
