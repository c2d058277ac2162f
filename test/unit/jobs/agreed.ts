import { atOnce } from "../../../src/core/concurrency/turns.ts";
import type { InputFile, StandardJsonInput } from "../../../src/core/sources/standardJsonInput.ts";
import type { VerifiedContract } from "../../../src/core/service/job.ts";
import type { JobRecord, SubmittedInput } from "../../../src/core/jobs/jobRecord.ts";
import {
  SubmissionReview,
  type ReviewedInput,
  type AgreedSubmission,
} from "../../../src/core/jobs/submissionReview.ts";
import type { Deployment } from "../../../src/core/service/submissionRequest.ts";
import type { VerificationJobs } from "../../../src/core/jobs/verificationJobs.ts";

interface NamedFile {
  readonly name: string;
  readonly path: string;
}

/** What a test submits. */
export interface TestSubmission extends Deployment {
  /** Absent for a similarity search. */
  readonly input?: SubmittedInput & {
    /** The deployed code carries no metadata hash. */
    readonly isDeployedBare?: boolean;
    readonly stdJsonInput: StandardJsonInput;
    readonly files?: readonly NamedFile[];
    readonly wholeBuild?: { readonly stdJsonInput: StandardJsonInput; readonly files: readonly NamedFile[] };
  };
}

const filesOf = ({ sources }: StandardJsonInput, files: readonly NamedFile[] = []): InputFile[] =>
  Object.entries(sources).map(([name, { content }]) => ({
    name,
    path: files.find((file) => file.name === name)?.path ?? `/w/${name}`,
    bytes: content.length,
    origin: "project",
  }));

/** The review of a submission whose files are all of the project in `/w`. */
export function reviewFor(service: string, { input, ...deployment }: TestSubmission): SubmissionReview {
  if (!input) return SubmissionReview.ofSimilarity(service, deployment);
  const { wholeBuild, files, ...rest } = input;
  const reviewed: ReviewedInput = {
    ...rest,
    compilerReason: "",
    files: filesOf(rest.stdJsonInput, files),
    findings: [],
    warnings: [],
    project: "/w",
    changedSinceBuild: [],
    ...(wholeBuild && {
      wholeBuild: { ...wholeBuild, files: filesOf(wholeBuild.stdJsonInput, wholeBuild.files) },
    }),
  };
  return atOnce(SubmissionReview.inPieces(service, deployment, reviewed));
}

/** What a person agreed to who was shown this. */
export function agreed(service: string, submission: TestSubmission): AgreedSubmission {
  return reviewFor(service, submission).agreed();
}

/** Shows a submission for a service, agrees to it, and submits it. */
export async function submitTo(
  service: string,
  jobs: VerificationJobs,
  submission: TestSubmission,
  recorded?: VerifiedContract | null,
  signal?: AbortSignal,
): Promise<JobRecord> {
  return jobs.submit(agreed(service, submission), { recorded, signal });
}
