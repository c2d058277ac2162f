import type { Parts } from "../../container.ts";
import { LedgerLensError } from "../../core/errors.ts";
import type { VerifiedContract } from "../../core/verification/job.ts";
import { askSteps } from "../ui/multiStep.ts";
import { optionalNumber, optionalText } from "./arguments.ts";
import { compilerInputOf } from "./compilerInputOf.ts";
import { contractStep } from "./contractStep.ts";
import { deploymentFrom, deploymentSteps, rememberChain } from "./deploymentSteps.ts";
import { lookAtDeployment, type CompilerState } from "./deploymentLook.ts";
import { followJob, type VerificationAnswer } from "./followJob.ts";
import { submissionOf } from "./submissionOf.ts";
import { reviewSubmission } from "./reviewSubmission.ts";
import { shown } from "../../core/text/shownText.ts";

/** What is known while the command asks for the rest. */
export interface VerifyState extends CompilerState {
  confirmed: boolean;
  /** What the service has on record, once it was asked; `null` for nothing. */
  recorded?: VerifiedContract | null;
}

/**
 * `ledgerLens.verifyContract` `{contract, chainId, address, creationTransactionHash?, compilerVersion?,
 * confirmPublish, waitSeconds?, staleBuild?: "use"}`: builds the compiler input of a contract, submits it and follows the job.
 * Nothing is sent before `confirmPublish` is given or a person has seen the files and agreed.
 */
export async function verifyContract(
  parts: Parts,
  args: Readonly<Record<string, unknown>>,
): Promise<VerificationAnswer> {
  const confirmed = args["confirmPublish"] === true;
  const state: VerifyState = {
    contract: optionalText(args, "contract"),
    ...deploymentFrom(args),
    choice: {
      compilerVersion: optionalText(args, "compilerVersion"),
      // A person sees which files have changed since the build; a program has to say that it knows.
      staleBuild: confirmed && args["staleBuild"] !== "use" ? "refuse" : "use",
    },
    confirmed,
  };
  const waitSeconds = optionalNumber(args, "waitSeconds");
  await askSteps(shown`Verify Contract`, state, [
    contractStep(parts, { offersDeployments: true }),
    ...deploymentSteps(parts),
    { isKnown: ({ confirmed }) => confirmed, ask: (known, frame) => reviewSubmission(parts, known, frame) },
  ]);
  const { contract = "", chainId = "", address = "", creationTransactionHash } = state;
  await lookAtDeployment(parts, state);
  const input = await compilerInputOf(parts, contract, state.choice);
  for (const warning of input.warnings) parts.log.warn(warning);
  const rejected = input.findings.find(({ severity }) => severity === "error");
  if (rejected) throw new LedgerLensError(rejected.code, rejected.sentence);
  await rememberChain(parts, chainId);
  return followJob(
    parts,
    input.contractName,
    (signal) =>
      parts.jobs.submit(
        {
          ...submissionOf(
            { chainId, address, ...(creationTransactionHash !== undefined && { creationTransactionHash }) },
            input,
          ),
          ...("recorded" in state && { recorded: state.recorded }),
        },
        signal,
      ),
    waitSeconds,
  );
}
