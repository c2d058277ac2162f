import type { VerifiedContract } from "../../core/service/job.ts";
import type { VerificationService } from "../../core/service/verificationService.ts";
import { recordedNow } from "../../core/jobs/recordedNow.ts";
import { stopSignal } from "../ui/asking.ts";
import type { WorkspaceParts } from "./verificationParts.ts";

/** What a service has on record of a deployment, as far as it says so within the command that asks. */
export async function onRecord(
  { log }: Pick<WorkspaceParts, "log">,
  service: VerificationService,
  { chainId = "", address = "" }: Readonly<Partial<Record<"chainId" | "address", string | undefined>>>,
): Promise<VerifiedContract | null> {
  const unsaid = ({ message }: Error) =>
    log.warn(`The service was asked for what it has on record: ${message}`);
  return (await recordedNow(service, { chainId, address }, unsaid, stopSignal())) ?? null;
}
