import { chainLabel } from "../../core/chains/chains.ts";
import { shortAddress, shown } from "../../core/text/shownText.ts";
import { SubmissionReview, type AgreedSubmission } from "../../core/jobs/submissionReview.ts";
import { askSteps, pick, type Step, type StepFrame } from "../ui/multiStep.ts";
import { CONFIRMATION, confirmsPublishing, optionalNumber } from "../ui/arguments.ts";
import { deploymentFrom, deploymentSteps, type PartialDeployment } from "./deploymentSteps.ts";
import { beginJob } from "./beginJob.ts";
import { followJob, type VerificationAnswer } from "./followJob.ts";
import { VERIFY_HERE } from "./reviewStep.ts";
import { verifyLocally } from "./verifyLocally.ts";
import type { ServiceParts, VerificationParts } from "./verificationParts.ts";

interface SimilarityState extends PartialDeployment {
  /** What a person was shown and agreed to. */
  reviewed?: AgreedSubmission | undefined;
  /** Whether a person verifies on this machine instead. */
  isHere?: boolean;
}

/** What `verifyLocally` resolves to. */
type LocalAnswer = Awaited<ReturnType<typeof verifyLocally>>;

/**
 * `ledgerLens.verifyBySimilarity` `{chainId, address, creationTransactionHash?, confirmPublish, waitSeconds?}`:
 * looks for a verified contract with the same code. No source leaves the machine, but another author's sources are
 * published for this address, so a person is asked.
 */
export async function verifyBySimilarity(
  parts: VerificationParts,
  args: Readonly<Record<string, unknown>>,
): Promise<VerificationAnswer | LocalAnswer> {
  const state: SimilarityState = deploymentFrom(args);
  const isConfirmed = confirmsPublishing(args);
  const confirm: Step<SimilarityState> = {
    argument: CONFIRMATION,
    isKnown: () => isConfirmed,
    ask: async (known, frame) => {
      known.reviewed = await askForSearch(parts, known, frame);
      known.isHere = known.reviewed === undefined;
    },
  };
  await askSteps(shown`Verify by Similarity`, state, [...deploymentSteps(parts), confirm]);
  if (state.isHere) return verifyLocally(parts, { chainId: state.chainId, address: state.address });
  const reviewed = state.reviewed ?? searchNow(parts, state).agreed();
  return followJob(
    parts,
    shortAddress(reviewed.deployment.address),
    (signal) => beginJob(parts, reviewed, { signal }),
    { waitSeconds: optionalNumber(args, "waitSeconds"), isSubmission: true },
  );
}

/**
 * Asks until what was shown is what there is when it is agreed to.
 *
 * @returns `undefined` where the service can't see the chain, and a person verifies on this machine instead
 */
async function askForSearch(
  parts: Pick<VerificationParts, "service" | "deploymentStates">,
  state: SimilarityState,
  frame: StepFrame,
): Promise<AgreedSubmission | undefined> {
  const { chainId = "" } = state;
  let changed: string | undefined;
  for (;;) {
    const review = searchNow(parts, state);
    if (parts.deploymentStates.isOutOfReach({ chainId })) {
      await pick(frame, {
        placeholder: shown`${review.host} can't see ${chainLabel(chainId)}, which runs on this machine`,
        choices: [VERIFY_HERE],
      });
      return undefined;
    }
    await pick(frame, {
      placeholder:
        changed === undefined
          ? shown`Search at ${review.host}?`
          : shown`Nothing was sent, because this changed: ${changed}. Search at ${review.host}?`,
      choices: [
        {
          icon: "search",
          label: shown`Search for the Same Code`,
          detail: shown`The sources of a contract with the same code are published for ${state.address ?? ""} on ${chainLabel(chainId)}. Your own sources stay here.`,
          value: true,
          sends: true,
        },
      ],
    });
    changed = review.changesIn(searchNow(parts, state));
    if (changed === undefined) return review.agreed();
  }
}

/** The search at the service that is configured now. */
function searchNow(
  parts: ServiceParts,
  { chainId = "", address = "", creationTransactionHash }: SimilarityState,
): SubmissionReview {
  const deployment = { chainId, address, ...(creationTransactionHash && { creationTransactionHash }) };
  return SubmissionReview.ofSimilarity(parts.service().url, deployment);
}
