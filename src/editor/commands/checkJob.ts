import type { Parts } from "../../container.ts";
import { chainLabel } from "../../core/verification/chains.ts";
import { recordTitle } from "../../core/verification/jobRecord.ts";
import { checkVerificationId } from "../../core/verification/parameters.ts";
import { outcomeInBrief } from "../../core/verification/jobWords.ts";
import { askSteps, pick, type Step } from "../multiStep.ts";
import { agoWords } from "../../core/timeWords.ts";
import { optionalNumber, optionalText } from "./arguments.ts";
import { followJob, type VerificationAnswer } from "./followJob.ts";

/** `ledgerLens.checkJob` `{verificationId, waitSeconds?}`: how a job stands, followed until it is finished. */
export async function checkJob(
  parts: Parts,
  args: Readonly<Record<string, unknown>>,
): Promise<VerificationAnswer> {
  const { jobs } = parts;
  const given = optionalText(args, "verificationId");
  const state: { verificationId?: string | undefined } = {
    verificationId: given === undefined ? undefined : checkVerificationId(given),
  };
  await jobs.store.load();
  const step: Step<typeof state> = {
    isKnown: ({ verificationId }) => verificationId !== undefined,
    ask: async (_state, frame) => {
      state.verificationId = await pick(frame, {
        placeholder: "Which job? Choose one, or paste a verification id",
        choices: jobs.store.all().flatMap((record) =>
          record.verificationId
            ? [
                {
                  label: recordTitle(record),
                  description: `${outcomeInBrief(record)} · ${agoWords(record.submittedAt, Date.now())}`,
                  detail: `${chainLabel(record.chainId)} · ${record.address}`,
                  value: record.verificationId,
                },
              ]
            : [],
        ),
        typed: (text) => {
          try {
            const verificationId = checkVerificationId(text);
            return {
              label: verificationId,
              description: "the id as typed",
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
  await askSteps("Check Verification Job", state, [step]);
  const verificationId = state.verificationId ?? "";
  const known = jobs.store.byVerificationId(verificationId);
  return followJob(
    parts,
    known ? recordTitle(known) : "the contract",
    (signal) => (known ? jobs.check(known.id, signal) : jobs.adopt(verificationId, signal)),
    optionalNumber(args, "waitSeconds"),
  );
}
