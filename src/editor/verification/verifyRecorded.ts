import type { FoundDeployment } from "../../core/workspace/workspaceDeployments.ts";
import { verifyDeployment } from "./foundDeployment.ts";
import { verifyAllDeployments } from "./verifyAllDeployments.ts";
import type { VerificationParts } from "./verificationParts.ts";

/** What was deployed just now. */
export interface RecordedVerification {
  readonly deployments: readonly FoundDeployment[];
  /** It began without a click: a person is shown the review whatever was agreed to before. */
  readonly isUnasked: boolean;
}

/** Verifies what a tool has just deployed, after the review. */
export async function verifyRecorded(
  parts: VerificationParts,
  { deployments, isUnasked }: RecordedVerification,
): Promise<void> {
  const [first] = deployments;
  if (first && deployments.length === 1) await verifyDeployment(parts, first, { isUnasked });
  else if (first) await verifyAllDeployments(parts, {}, { only: deployments, isUnasked });
}
