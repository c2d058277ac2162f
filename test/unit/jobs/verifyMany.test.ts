import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { LedgerLensError } from "../../../src/core/errors.ts";
import type { Clock } from "../../../src/core/concurrency/clock.ts";
import { HttpError } from "../../../src/core/http/httpError.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import {
  reasonsOfMany,
  summaryOfMany,
  verifyMany,
  type ManyOptions,
} from "../../../src/core/jobs/verifyMany.ts";
import type { Deployment } from "../../../src/core/service/submissionRequest.ts";
import { random } from "../random.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { agreed, type TestSubmission } from "./agreed.ts";
import { ADDRESS, stopWorlds, SUBMISSION, world as serviceWorld } from "./jobWorld.ts";

interface Named extends Deployment {
  readonly name: string;
}

const INPUT: NonNullable<TestSubmission["input"]> = {
  compilerVersion: "0.8.28+commit.7893614a",
  contractIdentifier: "A.sol:A",
  contractName: "A",
  path: "/w/A.sol",
  fileCount: 1,
  source: "build-info",
  stdJsonInput: { language: "Solidity", sources: { "A.sol": { content: "contract A {}" } }, settings: {} },
};

const reviewed = ({ chainId, address }: Named) =>
  agreed("https://service", { chainId, address, input: INPUT });

const CHAINS = ["1", "10", "295", "296"];

/** `count` contracts, in turns on four chains. */
function deploymentsOf(count: number): Named[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `C${at}`,
    chainId: CHAINS[at % CHAINS.length] ?? "",
    address: `0x${String(at + 1).padStart(40, "0")}`,
  }));
}

/** Jobs and a service that count what is under way; every step takes a random while of the test's own clock. */
function world(options: Partial<ManyOptions<Named>> & { match?: (address: string) => string | null } = {}) {
  const chance = random("many");
  const ticks: (() => void)[] = [];
  const aWhile = async () => {
    for (let left = 10 + chance.below(50); left > 0; left--) await new Promise<void>((go) => ticks.push(go));
  };
  let now = 0;
  const starts: number[] = [];
  const clock: Clock = {
    now: () => now,
    sleep: async (milliseconds, signal) => {
      for (const end = now + milliseconds; now < end;) {
        if (signal?.aborted) throw new Error("aborted");
        await new Promise<void>((go) => ticks.push(go));
      }
    },
  };
  const seen = { under: 0, most: 0, submitted: [] as string[], known: [] as unknown[] };
  const record = (submission: Deployment, match: string | null): JobRecord => ({
    id: submission.address,
    stage: "submitted",
    service: "https://service",
    chainId: submission.chainId,
    address: submission.address,
    submittedAt: 0,
    job: {
      isJobCompleted: true,
      verificationId: "x",
      contract: { match },
      ...(match === null && { error: { customCode: "no_match", message: "no" } }),
    },
  });
  const jobs: ManyOptions<Named>["jobs"] = {
    async submit({ deployment: submission }, known) {
      seen.most = Math.max(seen.most, ++seen.under);
      seen.submitted.push(submission.address);
      seen.known.push(known?.recorded);
      starts.push(now);
      await aWhile();
      return { ...record(submission, null), job: undefined };
    },
    inDoubt: () => undefined,
    async wait(id, { signal }) {
      await aWhile();
      seen.under--;
      const submission = { chainId: "1", address: id };
      return signal?.aborted
        ? { ...record(submission, null), job: undefined }
        : record(submission, options.match ? options.match(id) : "exact_match");
    },
  };
  let isDone = false;
  const run = async (deployments: readonly Named[]) => {
    const work = verifyMany<Named>({
      deployments,
      jobs,
      service: { contract: () => Promise.resolve(undefined) },
      clock,
      reviewedOf: (deployment) => Promise.resolve(reviewed(deployment)),
      limitMs: 60_000,
      ...options,
    }).finally(() => (isDone = true));
    while (!isDone) {
      now += 50;
      for (const go of ticks.splice(0)) go();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return work;
  };
  return { run, seen, starts, jobs };
}

describe("Verifying many deployments", () => {
  it("never has more than two under way, over all chains, and leaves a second between submissions", async () => {
    const progress: number[] = [];
    const { run, seen, starts } = world({ onProgress: (done) => progress.push(done) });
    const outcomes = await run(deploymentsOf(21));
    assert.equal(seen.most, 2);
    assert.deepEqual(
      progress,
      Array.from({ length: 21 }, (_, at) => at + 1),
    );
    assert.ok(outcomes.every(({ outcome }) => outcome === "exact_match"));
    assert.deepEqual(
      outcomes.map(({ deployment }) => deployment.name),
      deploymentsOf(21).map(({ name }) => name),
    );
    assert.ok(
      starts.every((start, at) => at === 0 || start - (starts[at - 1] ?? 0) >= 1000),
      starts.join(" "),
    );
  });

  it("skips what is verified already, and improves a match only where that may help", async () => {
    const recorded: Record<string, string> = { C0: "exact_match", C1: "match", C2: "match" };
    const deployments = deploymentsOf(4);
    const { run, seen } = world({
      service: {
        contract: ({ address }) => {
          const match = recorded[deployments.find((one) => one.address === address)?.name ?? ""];
          return Promise.resolve(match === undefined ? undefined : { match });
        },
      },
      mayImprove: ({ name }) => Promise.resolve(name === "C2"),
    });
    const outcomes = await run(deployments);
    assert.deepEqual(
      outcomes.map(({ outcome, recorded: known }) => [outcome, known]),
      [
        ["skipped", "exact_match"],
        ["skipped", "match"],
        ["exact_match", undefined],
        ["exact_match", undefined],
      ],
    );
    assert.deepEqual(seen.known, [{ match: "match" }, null], "the service is not asked the same twice");
    assert.equal(
      summaryOfMany(outcomes, ({ name }) => name),
      "Deployments: 2 verified with an exact match, 2 verified already.",
    );
  });

  it("submits a contract once that several records name", async () => {
    const [first, second] = deploymentsOf(2) as [Named, Named];
    const { run, seen } = world();
    const outcomes = await run([
      first,
      second,
      { ...first, address: first.address.toUpperCase().replace("0X", "0x") },
    ]);
    assert.equal(seen.submitted.length, 2);
    assert.equal(outcomes.length, 3);
    assert.equal(outcomes[2]?.outcome, "exact_match");
  });

  it("leaves the rest unsent when it is cancelled, and what was begun goes on", async () => {
    const abort = new AbortController();
    const { run, seen } = world({
      signal: abort.signal,
      onProgress: (done) => {
        if (done === 3) abort.abort();
      },
    });
    const outcomes = await run(deploymentsOf(12));
    assert.ok(seen.submitted.length <= 5, `${seen.submitted.length} submitted`);
    const unsent = outcomes.filter(({ outcome }) => outcome === "not sent");
    assert.equal(unsent.length, 12 - seen.submitted.length);
    assert.ok(outcomes.some(({ outcome }) => outcome === "exact_match"));
    assert.match(
      summaryOfMany(outcomes, ({ name }) => name),
      /\d+ not sent\.$/,
    );
  });

  it("goes on after one that can't be submitted, and names what failed", async () => {
    const { run } = world({
      reviewedOf: (deployment) =>
        deployment.name === "C1"
          ? Promise.reject(new LedgerLensError("contract_not_found", "C1 is nowhere. Build first."))
          : Promise.resolve(reviewed(deployment)),
      match: (address) => (address.endsWith("3") ? null : "match"),
    });
    const outcomes = await run(deploymentsOf(4));
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ["match", "refused", "failed", "match"],
    );
    assert.equal(outcomes[1]?.reason, "C1 is nowhere. Build first.");
    assert.equal(
      summaryOfMany(outcomes, ({ name }) => name),
      "Deployments: 2 verified with a match, 1 not verified, 1 not submitted (C1 and C2).",
    );
    assert.deepEqual(
      reasonsOfMany(outcomes, ({ name }) => name),
      ["C1: C1 is nowhere. Build first.", "C2: No match."],
    );
    assert.equal(outcomes[1].code, "contract_not_found");
  });

  it("stops when the service is away instead of asking it for each", async () => {
    let asked = 0;
    const { run, seen } = world({
      service: {
        contract: () => {
          asked++;
          return Promise.reject(new HttpError("unreachable", "The verification service can't be reached."));
        },
      },
    });
    const outcomes = await run(deploymentsOf(10));
    assert.ok(asked <= 2);
    assert.equal(seen.submitted.length, 0);
    assert.deepEqual(
      reasonsOfMany(outcomes, ({ name }) => name),
      ["C0: The verification service can't be reached."],
      "one reason of all is said once",
    );
    assert.equal(outcomes.at(-1)?.code, "unreachable");
    assert.ok(
      outcomes.every(
        ({ outcome, reason }) => outcome === "not sent" && (reason ?? "").includes("can't be reached"),
      ),
    );
  });

  it("goes on with the others where a chain's node is away, and names the setting of that", async () => {
    const away = new HttpError("unreachable", "The node of chain 1 can't be reached.", {
      setting: "ledgerLens.rpcUrls",
      sent: true,
    });
    const { run, seen } = world({
      reviewedOf: (deployment) =>
        deployment.name === "C0" ? Promise.reject(away) : Promise.resolve(reviewed(deployment)),
    });
    const outcomes = await run(deploymentsOf(4));
    assert.equal(seen.submitted.length, 3);
    assert.deepEqual(
      outcomes.map(({ outcome, setting }) => [outcome, setting]),
      [
        ["refused", "ledgerLens.rpcUrls"],
        ["exact_match", undefined],
        ["exact_match", undefined],
        ["exact_match", undefined],
      ],
    );
  });
});

describe("What is told of one that was refused, or may have arrived", () => {
  afterEach(stopWorlds);

  /** What becomes of a contract whose submission is answered like this. */
  async function answered(status: number, type: string, body: string) {
    const { jobs, server, clock } = await serviceWorld((request, response) => {
      if (request.method === "POST") {
        response.statusCode = status;
        response.setHeader("content-type", type);
        response.end(body);
        return undefined;
      }
      if (request.url?.startsWith("/chains")) return [];
      response.statusCode = 404;
      return { match: null, creationMatch: null, runtimeMatch: null, chainId: "296", address: ADDRESS };
    });
    const http = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1", clock });
    try {
      const outcomes = await verifyMany({
        deployments: [{ chainId: "296", address: ADDRESS }],
        jobs,
        service: new VerificationService(http, server.url),
        clock,
        reviewedOf: () => Promise.resolve(agreed(server.url, SUBMISSION)),
        limitMs: 60_000,
      });
      const [record] = jobs.store.all();
      return {
        outcome: outcomes[0]?.outcome,
        stage: record?.stage,
        told: [summaryOfMany(outcomes, () => "Vault"), ...reasonsOfMany(outcomes, () => "Vault")],
      };
    } finally {
      await http.dispose();
    }
  }

  it("is not what an earlier submission left in doubt", async () => {
    let posts = 0;
    const { jobs, server, clock } = await serviceWorld((request, response) => {
      if (request.method === "POST") {
        response.statusCode = posts++ === 0 ? 500 : 403;
        return { message: "no" };
      }
      if (request.url?.startsWith("/chains")) return [];
      response.statusCode = 404;
      return { match: null, creationMatch: null, runtimeMatch: null, chainId: "296", address: ADDRESS };
    });
    await assert.rejects(jobs.submit(agreed(server.url, SUBMISSION)));
    assert.equal(jobs.store.all()[0]?.stage, "unconfirmed");
    await clock.sleep(1000);
    const failing = {
      inDoubt: jobs.inDoubt.bind(jobs),
      wait: jobs.wait.bind(jobs),
      submit: () =>
        Promise.reject(new LedgerLensError("disk_full", "It was not submitted: the disk is full.")),
    };
    const [outcome] = await verifyMany({
      deployments: [{ chainId: "296", address: ADDRESS }],
      jobs: failing,
      service: { contract: () => Promise.resolve(undefined) },
      clock,
      reviewedOf: () => Promise.resolve(agreed(server.url, SUBMISSION)),
      limitMs: 60_000,
    });
    assert.deepEqual([outcome?.outcome, outcome?.code], ["refused", "disk_full"]);
  });

  it("is what the record of it says", async () => {
    const page = "<html><title>413 Request Entity Too Large</title></html>";
    const large = await answered(413, "text/html", page);
    assert.deepEqual([large.outcome, large.stage], ["refused", "refused"]);
    assert.equal(large.told[0], "Deployments: 1 not submitted (Vault).");
    assert.equal((await answered(403, "text/html", "<html>no</html>")).outcome, "refused");
    const broken = await answered(500, "application/json", '{"message":"oops"}');
    assert.deepEqual([broken.outcome, broken.stage], ["pending", "unconfirmed"]);
    assert.equal(broken.told[0], "Deployments: 1 still being verified.");
    assert.match(broken.told[1] ?? "", /^Vault: .*oops/);
  });
});
