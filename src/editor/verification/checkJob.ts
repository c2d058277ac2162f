import { t } from "@vscode/l10n";
import { recordTitle } from "../../core/jobs/jobRecord.ts";
import { checkVerificationId } from "../../core/service/parameters.ts";
import { askSteps, type Step } from "../ui/multiStep.ts";
import { optionalNumber, optionalText } from "../ui/arguments.ts";
import { pick } from "../ui/questions.ts";
import { jobChoice } from "./jobChoice.ts";
import { followJob, type VerificationAnswer } from "./followJob.ts";
import { foreign, shown } from "../../core/text/shownText.ts";
import type { FollowParts } from "./verificationParts.ts";

/** `ledgerLens.checkJob` `{verificationId, waitSeconds?}`: how a job stands, followed until it is finished. */
export async function checkJob(
  parts: FollowParts,
  args: Readonly<Record<string, unknown>>,
): Promise<VerificationAnswer> {
  const { jobs } = parts;
  const given = optionalText(args, "verificationId");
  const state: { verificationId?: string | undefined } = {
    verificationId: given === undefined ? undefined : checkVerificationId(given),
  };
  await jobs.store.load();
  const step: Step<typeof state> = {
    argument: "verificationId",
    isKnown: ({ verificationId }) => verificationId !== undefined,
    ask: async (_state, frame) => {
      state.verificationId = await pick(frame, {
        placeholder: shown`Which job? Choose one, or paste a verification id`,
        choices: jobs.store
          .all()
          .flatMap((record) => (record.verificationId ? [jobChoice(record, record.verificationId)] : [])),
        typed: (text) => {
          try {
            const verificationId = checkVerificationId(text);
            return {
              label: foreign(verificationId),
              description: shown`the id as typed`,
              alwaysShow: true,
              value: verificationId,
            };
          } catch {
            return undefined;
          }
        },
      });
    },
  };
  await askSteps(shown`Check Verification Job`, state, [step]);
  const verificationId = state.verificationId ?? "";
  const known = jobs.store.byVerificationId(verificationId);
  return followJob(
    parts,
    known ? recordTitle(known) : t`the contract`,
    (signal) => (known ? jobs.check(known.id, signal) : jobs.adopt(verificationId, signal)),
    { waitSeconds: optionalNumber(args, "waitSeconds") },
  );
}
