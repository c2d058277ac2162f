import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { isFinished, recordStatus, type JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { jobPage } from "../../../src/core/jobs/page/jobPage.ts";
import type { VerificationPage } from "../../../src/core/jobs/page/pageModel.ts";
import { codeSummaryInPieces } from "../../../src/core/matching/codeSummary.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import type { StandardJsonInput } from "../../../src/core/sources/standardJsonInput.ts";
import { ADDRESS, finished, ID, INPUT, submit, world } from "./jobWorld.ts";

/** What a service answers a submission and what it asks later. */
export interface ServiceAnswers {
  /** Status and body of the submission, 202 with an id where it says nothing. */
  readonly post?: readonly [status: number, body: unknown];
  /** The job, by how often it was asked for. */
  readonly job?: (asked: number) => object;
  /** What it has on record of the contract: status and body. */
  readonly contract?: readonly [status: number, body: unknown];
}

/** A contract that is submitted. */
export interface SubmittedContract {
  readonly stdJsonInput: StandardJsonInput;
  readonly contractIdentifier: string;
  readonly contractName: string;
  readonly compilerVersion?: string;
}

/** Submits a contract to a service that answers so, and says what becomes of it as its page shows it. */
export async function answeredJob(
  answers: ServiceAnswers,
  submitted?: SubmittedContract,
): Promise<{ record: JobRecord; page: VerificationPage; refusal?: Error | undefined }> {
  let asked = 0;
  const { jobs, clock } = await world(({ method, url = "" }, response) => {
    const answer = (status: number, body: unknown) => {
      response.statusCode = status;
      if (typeof body !== "string") return body;
      response.end(body);
      return undefined;
    };
    if (url.endsWith("/chains")) return [];
    if (method === "POST") return answer(...(answers.post ?? [202, { verificationId: ID }]));
    if (url.includes("/contract/"))
      return answer(
        ...(answers.contract ?? [
          404,
          { match: null, creationMatch: null, runtimeMatch: null, chainId: "296", address: ADDRESS },
        ]),
      );
    return answers.job?.(++asked) ?? finished("exact_match");
  });
  const { store } = jobs;
  let refusal: unknown;
  try {
    const { id } = await submit(jobs, {
      chainId: "296",
      address: ADDRESS,
      input: { ...INPUT, ...submitted },
    });
    await jobs.wait(id, { limitMs: 60_000 });
  } catch (error) {
    refusal = error;
  }
  const [newest] = store.all();
  if (!newest) throw refusal instanceof Error ? refusal : new Error("No record was kept.");
  const whole = await store.wholeJob(newest.id);
  const stdJsonInput = await store.input(newest.id);
  const error = whole?.error;
  const codes = [error?.onchainRuntimeCode, error?.recompiledRuntimeCode] as const;
  const explanation =
    error && stdJsonInput && newest.submission && recordStatus(newest) === "failed"
      ? atOnce(
          explainInPieces({
            error,
            submitted: { ...newest.submission, stdJsonInput },
            localContracts: [],
            workspaceName: (name) => name,
          }),
        )
      : undefined;
  const record = (await store.update(newest.id, { ...(explanation && { explanation }) })) ?? newest;
  const code =
    codes[0] && codes[1]
      ? atOnce(codeSummaryInPieces(codes[0], codes[1], stdJsonInput, error?.recompiledCreationCode))
      : undefined;
  const page = jobPage(
    record,
    { ...(code && { code }) },
    { now: clock.now(), isWaitedFor: !isFinished(record), isInLedger: false },
  );
  return { record, page, refusal: refusal instanceof Error ? refusal : undefined };
}
