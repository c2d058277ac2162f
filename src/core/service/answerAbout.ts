import { t } from "@vscode/l10n";
import { isSameAddress } from "../evm/address.ts";
import { wrongAnswer } from "../http/httpError.ts";
import { foreign } from "../text/shownText.ts";
import type { VerifiedContract } from "./job.ts";
import type { Deployment } from "./submissionRequest.ts";

/** The verification service, as a sentence begins. */
export const SERVICE = t`The verification service`;

/**
 * Checks that an answer is about the contract that was asked for. What it does not say, as what was not asked, is not
 * held against it.
 *
 * @throws HttpError `wrong_answer`
 */
export function checkAbout(
  asked: Pick<Deployment, "chainId" | "address">,
  { chainId, address }: Pick<VerifiedContract, "chainId" | "address">,
): void {
  if (chainId !== undefined && asked.chainId !== "" && chainId !== asked.chainId)
    throw wrongAnswer(SERVICE, t`about chain ${foreign(chainId)} where chain ${asked.chainId} was asked`);
  if (address !== undefined && asked.address !== "" && !isSameAddress(address, asked.address.trim()))
    throw wrongAnswer(SERVICE, t`about ${foreign(address)} where ${asked.address} was asked`);
}
