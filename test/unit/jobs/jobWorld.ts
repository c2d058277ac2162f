import type { IncomingMessage, ServerResponse } from "node:http";
import type { LedgerLensError } from "../../../src/core/errors.ts";
import type { Clock } from "../../../src/core/concurrency/clock.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { wholeAddress } from "../../../src/core/http/keptAddress.ts";
import { serviceAddress } from "../../../src/core/service/serviceAddress.ts";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { VerificationJobs } from "../../../src/core/jobs/verificationJobs.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";
import { submitTo, type TestSubmission } from "./agreed.ts";
import { MemoryStorage } from "./memoryStorage.ts";

export const ID = "11111111-2222-4333-8444-555555555555";
export const ADDRESS = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

/** The second job of a service, where there are two. */
export const OTHER_ID = "22222222-2222-4333-8444-555555555555";

/** What a record keeps of the input of a small contract. */
export const SUBMITTED = {
  compilerVersion: "0.8.28+commit.7893614a",
  contractIdentifier: "A.sol:A",
  contractName: "A",
  path: "/w/A.sol",
  fileCount: 1,
  source: "derived",
} as const;

/** That input. */
export const INPUT: NonNullable<TestSubmission["input"]> = {
  ...SUBMITTED,
  stdJsonInput: { language: "Solidity", sources: { "A.sol": { content: "contract A {}" } }, settings: {} },
};

/** That contract on Hedera Testnet. */
export const SUBMISSION: TestSubmission = { chainId: "296", address: ADDRESS, input: INPUT };
/** All that was built beside the contract of {@link INPUT}. */
export const WHOLE = {
  stdJsonInput: {
    language: "Solidity" as const,
    sources: { "A.sol": { content: "contract A {}" }, "B.sol": { content: "contract B {}" } },
    settings: {},
  },
  files: [
    { name: "A.sol", path: "/w/A.sol" },
    { name: "B.sol", path: "/w/B.sol" },
  ],
};
/** A submission with only the files that the contract needs. */
export const PARTIAL: TestSubmission = { ...SUBMISSION, input: { ...INPUT, wholeBuild: WHOLE } };

const stops: (() => Promise<void>)[] = [];

/** For `afterEach`. */
export async function stopWorlds(): Promise<void> {
  for (const stop of stops.splice(0)) await stop();
}

/** Time that passes only by sleeping. */
export function fakeClock(): Clock & { readonly sleeps: number[] } {
  let now = 0;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    sleep: (milliseconds, signal) => {
      if (signal?.aborted) return Promise.reject(signal.reason as Error);
      sleeps.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
  };
}

/** What a scripted service answers; undefined when it answered by itself. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A service whose answers a test scripts, and jobs that talk to it. */
export async function world(answer: Answer, storage = new MemoryStorage()) {
  const server = await startServer((request, response) => {
    response.setHeader("content-type", "application/json");
    const body = answer(request, response);
    if (body !== undefined) response.end(JSON.stringify(body));
  });
  const clock = fakeClock();
  const http = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1", clock });
  stops.push(
    () => http.dispose(),
    () => server.stop(),
  );
  let ids = 0;
  let service = server.url;
  const jobs = new VerificationJobs({
    store: new JobStore(storage),
    service: (kept = service) => new VerificationService(http, wholeAddress(kept, [serviceAddress(service)])),
    clock,
    random: () => 0.5,
    newId: () => `job-${++ids}`,
  });
  configured.set(jobs, server.url);
  /** As a person who changes the setting. */
  const configure = (url: string) => {
    service = url;
  };
  return { jobs, clock, server, storage, configure };
}

/** The service that the jobs of a world have configured. */
const configured = new WeakMap<VerificationJobs, string>();

/** Submits at the service of the jobs' own world what was shown for it. */
export function submit(
  jobs: VerificationJobs,
  submission: TestSubmission,
  signal?: AbortSignal,
): Promise<JobRecord> {
  return submitTo(configured.get(jobs) ?? "", jobs, submission, undefined, signal);
}

/** A job status that says: not yet. */
export const pending = { isJobCompleted: false, verificationId: ID, contract: { match: null } };
/** A job status that says how it ended. */
export const finished = (match: string | null, error?: object) => ({
  isJobCompleted: true,
  verificationId: ID,
  contract: { match, chainId: "296", address: ADDRESS },
  ...(error && { error }),
});

/** The code of the error that a piece of work ends with. */
export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "no error",
    (error: unknown) => (error as LedgerLensError).code,
  );
