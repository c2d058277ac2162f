import type { Parts } from "../../container.ts";
import { chainLabel } from "../../core/verification/chains.ts";
import { shortAddress } from "../../core/verification/parameters.ts";
import { askSteps, pick, type Step } from "../ui/multiStep.ts";
import { optionalNumber } from "./arguments.ts";
import { deploymentFrom, deploymentSteps, rememberChain, type DeploymentState } from "./deploymentSteps.ts";
import { followJob, type VerificationAnswer } from "./followJob.ts";
import { shown } from "../../core/text/shownText.ts";

interface SimilarityState extends DeploymentState {
  confirmed: boolean;
}

/**
 * `ledgerLens.verifyBySimilarity` `{chainId, address, creationTransactionHash?, confirmPublish, waitSeconds?}`:
 * looks for a verified contract with the same code. No source leaves the machine, but somebody's sources are
 * published for this address, so a person is asked.
 */
export async function verifyBySimilarity(
  parts: Parts,
  args: Readonly<Record<string, unknown>>,
): Promise<VerificationAnswer> {
  const state: SimilarityState = { ...deploymentFrom(args), confirmed: args["confirmPublish"] === true };
  const confirm: Step<SimilarityState> = {
    isKnown: ({ confirmed }) => confirmed,
    ask: async (known, frame) => {
      known.confirmed = await pick(frame, {
        placeholder: shown`Search at ${parts.service().host}?`,
        choices: [
          {
            icon: "search",
            label: shown`Search for the Same Code`,
            detail: shown`The sources of a contract with the same code are published for ${known.address ?? ""} on ${chainLabel(known.chainId ?? "")}. Your own sources stay here.`,
            value: true,
          },
        ],
      });
    },
  };
  await askSteps(shown`Verify by Similarity`, state, [...deploymentSteps(parts), confirm]);
  const { chainId = "", address = "", creationTransactionHash } = state;
  await rememberChain(parts, chainId);
  return followJob(
    parts,
    shortAddress(address),
    (signal) =>
      parts.jobs.submit(
        { chainId, address, ...(creationTransactionHash && { creationTransactionHash }) },
        signal,
      ),
    optionalNumber(args, "waitSeconds"),
  );
}
