import { deploymentKey } from "../../core/evm/deploymentKey.ts";
import { requestHash } from "../../core/jobs/requestHash.ts";
import type { AgreedSubmission } from "../../core/jobs/submissionReview.ts";
import { askWindow } from "../ui/askWindow.ts";
import { DoubleClicks } from "../ui/doubleClicks.ts";

/** The presses of rows, lenses, pages and messages that submit what was agreed to before, without a question. */
export const submittedOnce = new DoubleClicks(askWindow);

/** Submits it unless a double click did so: other settings, edited files and another service are another request. */
export async function submitOnce<T>(
  { service, deployment, request }: AgreedSubmission,
  submit: () => Promise<T>,
): Promise<T> {
  const what = `${service} ${deploymentKey(deployment)} ${await requestHash(request)}`;
  return submittedOnce.once(what, submit);
}
