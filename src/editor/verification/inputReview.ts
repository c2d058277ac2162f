import { t } from "@vscode/l10n";
import { serviceAddress } from "../../core/service/serviceAddress.ts";
import { shownHost } from "../../core/http/shownAddress.ts";
import type { InputFinding } from "../../core/sources/inputFinding.ts";
import { settings } from "../settings.ts";
import { uriOf } from "../workspaceFiles.ts";
import { type AgreedSubmission, SubmissionReview } from "../../core/jobs/submissionReview.ts";
import { frozenInPieces } from "../../core/json/deepFrozen.ts";
import { shown } from "../../core/text/shownText.ts";
import { inTurns } from "../../core/concurrency/turns.ts";
import { deploymentOf, type Deployment } from "../../core/service/submissionRequest.ts";
import { compilerInputOf, type CompilerChoice, type WorkspaceInput } from "./compilerInputOf.ts";
import { inspectDeployment, type CompilerState } from "./deploymentInspection.ts";
import type { CompilerParts, ReviewParts, WorkspaceParts } from "./verificationParts.ts";

/** A review, and the input that it is of. */
export interface InputReview {
  readonly review: SubmissionReview;
  readonly input: WorkspaceInput;
}

/**
 * Reads files, records and settings as they are now and freezes what they come to. Every submission of a contract of the
 * workspace is made here: a person is shown the answer, a caller that gave `confirmPublish` agreed to it beforehand, and
 * in both cases it is what goes; nothing is read again after that.
 *
 * @param service base address of the service that gets it
 */
export async function reviewOf(
  parts: CompilerParts,
  service: string,
  contract: string,
  deployment: Deployment,
  choice: CompilerChoice,
): Promise<InputReview> {
  const input = await compilerInputOf(parts, contract, choice, shown`Verify Contract`);
  // A review freezes what it is of before its first pause; of 100,000 sources, that alone takes longer than a piece.
  await inTurns(frozenInPieces(input.stdJsonInput));
  await inTurns(frozenInPieces(input.wholeBuild?.stdJsonInput));
  const findings = [...input.findings, ...otherService(input.path)];
  return {
    review: await inTurns(SubmissionReview.inPieces(service, deployment, { ...input, findings })),
    input,
  };
}

/**
 * That the open folder of a contract names another service than the one of the window, of which there is one for all its folders:
 * the editor shows what the folder says as in force.
 */
function otherService(path: string): InputFinding[] {
  const named = settings.verificationUrlIn(uriOf(path));
  if (serviceAddress(named) === serviceAddress(settings.verificationUrl)) return [];
  return [
    {
      code: "other_service",
      severity: "warning",
      sentence: t`The settings of this contract's folder name another verification service, ${shownHost(named)}, which counts only where the folder is open alone.`,
    },
  ];
}

/** The review of what a command knows by now, for the service that is configured now. */
export async function reviewNow(parts: ReviewParts, state: CompilerState): Promise<InputReview> {
  await inspectDeployment(parts, state);
  const { contract = "", chainId = "", address = "", creationTransactionHash } = state;
  const deployment = deploymentOf({ chainId, address, creationTransactionHash });
  return reviewOf(parts, parts.service().url, contract, deployment, state.choice);
}

/**
 * What a caller agreed to by `confirmPublish`; what there is to say of it goes to the log.
 *
 * @param findings codes of findings that the caller lets go all the same
 */
export function agreedByCaller(
  { log }: Pick<WorkspaceParts, "log">,
  { review, input }: InputReview,
  findings: readonly string[],
): AgreedSubmission {
  for (const warning of input.warnings) log.warn(warning);
  return review.agreedUnseen(findings);
}
