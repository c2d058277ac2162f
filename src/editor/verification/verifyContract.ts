import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../core/errors.ts";
import { ownValue } from "../../core/json/ownValue.ts";
import { shortCommit } from "../../core/git/shortCommit.ts";
import { shown } from "../../core/text/shownText.ts";
import { UserCancelled } from "../ui/action.ts";
import { mayAsk } from "../ui/asking.ts";
import { askSteps } from "../ui/multiStep.ts";
import {
  CONFIRMATION,
  confirmedFindings,
  confirmsPublishing,
  optionalNumber,
  optionalText,
} from "../ui/arguments.ts";
import { comparedWithVerified } from "./alreadyVerified.ts";
import { beginJob } from "./beginJob.ts";
import type { CompilerChoice } from "./compilerInputOf.ts";
import { contractFrom, contractStep, placeStep } from "./contractStep.ts";
import { deploymentFrom, deploymentSteps } from "./deploymentSteps.ts";
import { followJob, type VerificationAnswer } from "./followJob.ts";
import { reviewStep, type VerifyState } from "./reviewStep.ts";
import { agreedByCaller, reviewNow } from "./inputReview.ts";
import { submitOnce, submittedOnce } from "./submittedOnce.ts";
import type { VerificationParts } from "./verificationParts.ts";

/**
 * `ledgerLens.verifyContract` `{contract, chainId, address, creationTransactionHash?, compilerVersion?, commit?,
 * lineEnds?: "windows", confirmPublish: true, confirmFindings?, waitSeconds?, staleBuild?: "use"}`: builds the compiler input of
 * a contract, submits it and follows the job.
 * Nothing is sent before `confirmPublish` is given or a person has seen the files and agreed.
 *
 * With a `commit` (a branch, a tag or an id) the files are those of that commit, and the work tree is not touched.
 *
 * @param begin what a cause of an earlier mismatch asks for, which the last step begins with
 */
export async function verifyContract(
  parts: VerificationParts,
  args: Readonly<Record<string, unknown>>,
  begin: Pick<CompilerChoice, "settings" | "sourceNames"> = {},
  asked: Pick<VerifyState, "isUnasked" | "isCorrected"> = {},
): Promise<VerificationAnswer> {
  const commit = optionalText(args, "commit");
  if (commit === undefined) return verify(parts, args, begin, asked);
  const { withCommitFiles } = await import("./workspaceHistory.ts");
  const contract = optionalText(args, "contract") ?? "";
  const checkout = optionalText(args, "lineEnds") === "windows" ? "windows" : "stored";
  return withCommitFiles(contract, commit, checkout, (files) =>
    verify(parts, args, { ...begin, files, commit: shortCommit(files.commitId) }),
  );
}

/** All that a program says of a submission that a person decides about. */
const REQUESTED = [
  "contract",
  "chainId",
  "address",
  "creationTransactionHash",
  "compilerVersion",
  "waitSeconds",
];

/**
 * `ledgerLens.submitAfterReview` `{contract?, chainId?, address?, creationTransactionHash?, compilerVersion?, waitSeconds?}`:
 * the same for an agent or another extension. A person is shown the files each time, and asked for what is missing; no
 * other argument is read, so that none agrees for them, and no agreement that was kept counts.
 *
 * @throws LedgerLensError `cancelled` when the person leaves
 */
export async function submitAfterReview(
  parts: VerificationParts,
  args: Readonly<Record<string, unknown>>,
): Promise<VerificationAnswer> {
  const requested = Object.fromEntries(REQUESTED.map((name) => [name, ownValue(args, name)]));
  try {
    return await verify(parts, requested, {}, { isForProgram: true });
  } catch (error) {
    if (!(error instanceof UserCancelled)) throw error;
    throw new LedgerLensError(
      "cancelled",
      t`The person left the review, so nothing was submitted. Ask them before you try again.`,
    );
  }
}

async function verify(
  parts: VerificationParts,
  args: Readonly<Record<string, unknown>>,
  given: Pick<CompilerChoice, "settings" | "sourceNames" | "files" | "commit">,
  asked: Pick<VerifyState, "isForProgram" | "isUnasked" | "isCorrected"> = {},
): Promise<VerificationAnswer> {
  const mayBeCovered = () => parts.consent.mayCover(parts.service().url);
  if (mayAsk() && mayBeCovered()) submittedOnce.pressed();
  const confirmed = confirmsPublishing(args);
  const findings = confirmedFindings(args);
  const state: VerifyState = {
    ...asked,
    ...contractFrom(args),
    ...deploymentFrom(args),
    choice: {
      compilerVersion: optionalText(args, "compilerVersion"),
      ...given,
      // A person sees which files have changed since the build; a program has to say that it knows.
      staleBuild: given.files ? "skip" : confirmed && args["staleBuild"] !== "use" ? "refuse" : "use",
    },
  };
  const waitSeconds = optionalNumber(args, "waitSeconds");
  await askSteps<VerifyState>(
    shown`Verify Contract`,
    state,
    [
      contractStep(parts, { offersDeployments: true }),
      placeStep(parts, ({ recorded, ...place }) => {
        // What is verified already is a person's to choose: they may look for another deployment.
        const isVerified = parts.deploymentStates.isVerified(place, parts.jobs.store.all());
        return recorded !== undefined && !isVerified;
      }),
      ...deploymentSteps(parts, { submits: true }),
      {
        argument: CONFIRMATION,
        isKnown: () => confirmed,
        ask: (known, frame) => reviewStep(parts, known, frame),
      },
    ],
    mayBeCovered,
  );
  const { agreedForGood } = state;
  if (agreedForGood) await parts.consent.give(agreedForGood.service, agreedForGood.scope);
  const reviewed = state.reviewed ?? agreedByCaller(parts, await reviewNow(parts, state), findings);
  const submit = () =>
    followJob(
      parts,
      reviewed.input?.contractName ?? "",
      (signal) =>
        beginJob(parts, reviewed, { signal, ...("recorded" in state && { recorded: state.recorded }) }),
      {
        waitSeconds,
        isSubmission: true,
        // A program reads the files itself, by ledgerLens.openVerifiedSource.
        ...(mayAsk() && {
          compared: (signal: AbortSignal) =>
            comparedWithVerified(parts, reviewed, signal, state.changedSinceBuild),
        }),
      },
    );
  return state.isCovered ? submitOnce(reviewed, submit) : submit();
}
