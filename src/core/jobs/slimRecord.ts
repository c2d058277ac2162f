import { definedOnly } from "../json/looseData.ts";
import type { JobError, VerificationJob, VerifiedContract } from "../service/job.ts";
import type { JobRecord } from "./jobRecord.ts";

const CODE_FIELDS = [
  "recompiledCreationCode",
  "recompiledRuntimeCode",
  "onchainCreationCode",
  "onchainRuntimeCode",
] as const;

/** A record keeps a job status up to this length as JSON; a longer one lies beside it and the record keeps its gist. */
const MAX_JOB = 50_000;
const MAX_MESSAGE = 2_000;

type Codes = Pick<JobError, (typeof CODE_FIELDS)[number]>;

/** The bytecodes of a record's job; `undefined` where there are none. */
export function codesOf({ job }: JobRecord): Codes | undefined {
  const error = job?.error;
  if (!error || !CODE_FIELDS.some((field) => error[field])) return undefined;
  return Object.fromEntries(CODE_FIELDS.map((field) => [field, error[field] ?? null]));
}

/** A record as it is written: without bytecodes, which have a file of their own, and of bounded length. */
export function slimRecord(record: JobRecord): JobRecord {
  const { job } = record;
  if (!job) return record;
  const withoutCodes = job.error && codesOf(record) ? { ...job, error: errorWithoutCodes(job.error) } : job;
  const slim = JSON.stringify(withoutCodes).length > MAX_JOB ? gistOf(job) : withoutCodes;
  return slim === job ? record : { ...record, job: slim };
}

/** Whether a record keeps less than the whole of a job status, its bytecodes aside. */
export function isCut(job: VerificationJob): boolean {
  return job["isCut"] === true;
}

function errorWithoutCodes({ customCode, message, ...rest }: JobError): JobError {
  const others = Object.entries(rest).filter(([name]) => !(CODE_FIELDS as readonly string[]).includes(name));
  return { customCode, message, ...Object.fromEntries(others) };
}

/** The fields that decide and are shown, none of which is long. */
function gistOf({ error, externalVerifications, ...job }: VerificationJob): VerificationJob {
  const { isJobCompleted, verificationId, jobStartTime, jobFinishTime, compilationTime, contract } = job;
  const isShort = JSON.stringify(externalVerifications ?? null).length < MAX_JOB / 5;
  return {
    isJobCompleted,
    verificationId,
    isCut: true,
    ...definedOnly({ jobStartTime, jobFinishTime, compilationTime }),
    ...(contract && { contract: gistOfContract(contract) }),
    ...(isShort && externalVerifications !== undefined && { externalVerifications }),
    ...(error && {
      error: {
        customCode: error.customCode,
        message: error.message.slice(0, MAX_MESSAGE),
        ...(error.errorId !== undefined && { errorId: error.errorId }),
      },
    }),
  };
}

function gistOfContract(contract: NonNullable<VerificationJob["contract"]>): VerifiedContract {
  const { match, creationMatch, runtimeMatch, chainId, address, verifiedAt, matchId } = contract;
  return definedOnly({ match, creationMatch, runtimeMatch, chainId, address, verifiedAt, matchId });
}
