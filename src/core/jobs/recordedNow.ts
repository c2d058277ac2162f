import { isCancellation, LedgerLensError } from "../errors.ts";
import { toMatch, type VerifiedContract } from "../service/job.ts";
import type { Deployment } from "../service/submissionRequest.ts";
import type { VerificationService } from "../service/verificationService.ts";

/**
 * What a service has on record of a deployment before something is sent: the contract where it counts as verified. A service
 * that can't say is met again when something is sent.
 *
 * @param unsaid is called with the reason where the service does not say; what it throws is thrown
 * @throws LedgerLensError `cancelled`
 */
export async function recordedNow(
  service: Pick<VerificationService, "contract">,
  deployment: Deployment,
  unsaid: (error: LedgerLensError) => void,
  signal?: AbortSignal,
  options: { readonly retries?: number } = {},
): Promise<VerifiedContract | undefined> {
  try {
    const contract = await service.contract(deployment, signal, options);
    return contract && toMatch(contract.match) ? contract : undefined;
  } catch (error) {
    if (!(error instanceof LedgerLensError) || isCancellation(error)) throw error;
    unsaid(error);
    return undefined;
  }
}
