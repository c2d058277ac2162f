import { chainLabel } from "../../core/chains/chainNames.ts";
import { shortAddress, shown, type ShownText } from "../../core/text/shownText.ts";
import { runsHere } from "../../core/http/thisMachine.ts";
import type { ChainObstacle } from "../../core/service/chainSupport.ts";
import { stopSignal } from "../ui/asking.ts";
import type { StepChoice } from "../ui/quickPick.ts";
import { SubmissionReview, type AgreedSubmission } from "../../core/jobs/submissionReview.ts";
import { deploymentOf } from "../../core/service/submissionRequest.ts";
import { askSteps, type Step, type StepFrame } from "../ui/multiStep.ts";
import { CONFIRMATION, confirmsPublishing, optionalNumber } from "../ui/arguments.ts";
import { pick } from "../ui/questions.ts";
import { deploymentFrom, deploymentSteps, type PartialDeployment } from "./deploymentSteps.ts";
import { beginJob } from "./beginJob.ts";
import { followJob, type VerificationAnswer } from "./followJob.ts";
import { VERIFY_HERE } from "./reviewStep.ts";
import { verifyLocally } from "./verifyLocally.ts";
import type { ServiceParts, VerificationParts } from "./verificationParts.ts";

interface SimilarityState extends PartialDeployment {
  /** What a person was shown and agreed to. */
  reviewed?: AgreedSubmission | undefined;
  /** What a person does instead. */
  instead?: "local" | "chain" | undefined;
}

/** What `verifyLocally` resolves to. */
type LocalAnswer = Awaited<ReturnType<typeof verifyLocally>>;

/**
 * `ledgerLens.verifyBySimilarity` `{chainId, address, creationTransactionHash?, confirmPublish: true, waitSeconds?}`:
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
      const answer = await askForSearch(parts, known, frame);
      known.reviewed = typeof answer === "string" ? undefined : answer;
      known.instead = typeof answer === "string" ? answer : undefined;
    },
  };
  do {
    if (state.instead === "chain") state.chainId = state.creationTransactionHash = undefined;
    await askSteps(shown`Verify by Similarity`, state, [
      ...deploymentSteps(parts, { submits: true }),
      confirm,
    ]);
  } while (state.instead === "chain");
  if (state.instead === "local")
    return verifyLocally(parts, { chainId: state.chainId, address: state.address });
  const reviewed = state.reviewed ?? searchNow(parts, state).agreed();
  return followJob(
    parts,
    shortAddress(reviewed.deployment.address),
    (signal) => beginJob(parts, reviewed, { signal }),
    { waitSeconds: optionalNumber(args, "waitSeconds"), isSubmission: true },
  );
}

const ANOTHER_CHAIN: StepChoice<"chain"> = {
  icon: "link",
  label: shown`Choose Another Chain…`,
  value: "chain",
};

/**
 * Asks until what was shown is what there is when it is agreed to.
 *
 * @returns what a person does instead where the service is known to take nothing of the chain
 */
async function askForSearch(
  parts: Pick<VerificationParts, "service" | "jobs">,
  state: SimilarityState,
  frame: StepFrame,
): Promise<AgreedSubmission | "local" | "chain"> {
  const { chainId = "" } = state;
  let changed: string | undefined;
  for (;;) {
    const review = searchNow(parts, state);
    const { host, service } = review;
    const obstacle = await parts.jobs.chainObstacle(service, chainId, stopSignal());
    if (obstacle !== undefined)
      return pick<"local" | "chain">(frame, {
        placeholder: obstacleWords(obstacle, host, chainLabel(chainId)),
        choices: [VERIFY_HERE, ANOTHER_CHAIN],
      });
    await pick(frame, {
      placeholder:
        changed === undefined
          ? shown`Search at ${review.host}?`
          : shown`Nothing was sent, because this changed: ${changed}. Search at ${review.host}?`,
      choices: [
        {
          icon: "search",
          label: shown`Search for the Same Code`,
          detail: runsHere(host)
            ? shown`The sources of a contract with the same code are recorded for ${state.address ?? ""} on ${chainLabel(chainId)} at ${host}, a service on this machine. Your own sources stay here.`
            : shown`The sources of a contract with the same code are published for ${state.address ?? ""} on ${chainLabel(chainId)}. Your own sources stay here.`,
          value: true,
          sends: true,
        },
      ],
    });
    changed = review.changesIn(searchNow(parts, state));
    if (changed === undefined) return review.agreed();
  }
}

function obstacleWords(obstacle: ChainObstacle, host: string, chain: string): ShownText {
  switch (obstacle) {
    case "local":
      return shown`${host} can't see ${chain}, which runs on this machine or its network`;
    case "unlisted":
      return shown`${host} does not know ${chain}, so nothing can be searched for there`;
    case "unsupported":
      return shown`${host} does not support ${chain} any more, so nothing can be searched for there`;
  }
}

/** The search at the service that is configured now. */
function searchNow(
  parts: ServiceParts,
  { chainId = "", address = "", creationTransactionHash }: SimilarityState,
): SubmissionReview {
  const deployment = deploymentOf({ chainId, address, creationTransactionHash });
  return SubmissionReview.ofSimilarity(parts.service().url, deployment);
}
