import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { recordStatus } from "../../../src/core/jobs/jobRecord.ts";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import { JobFiles } from "../../../src/editor/verification/jobFiles.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random, type Random } from "../../unit/random.ts";

const SESSION = fileURLToPath(new URL("crashedSession.ts", import.meta.url));
const KILLS = proofSize({ sample: 3, whole: 12 });
const CONTRACTS_PER_SESSION = 4;
/** Many times what it takes. */
const LAST_SESSION_MS = 300_000;

interface Job {
  readonly id: string;
  readonly address: string;
  readonly files: number;
  readonly doneAt: number;
}

/** A service that keeps the rules of the interface about second submissions, and counts what it accepted. */
class CountingService {
  readonly jobs: Job[] = [];
  readonly #random: Random;
  #onSubmission: (() => void) | undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  /** When the next submission has arrived, whose answer waits until then. */
  submission(): Promise<void> {
    return new Promise((resolve) => (this.#onSubmission = resolve));
  }

  /** Some contracts match only with all files of the build. */
  needsWholeBuild(address: string): boolean {
    return Number(address.at(-1)) % 3 === 0;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader("content-type", "application/json");
    const send = (status: number, body: object) => {
      response.statusCode = status;
      response.end(JSON.stringify(body));
    };
    const { method, url = "" } = request;
    const parts = url.split("/");
    if (method === "POST") {
      let text = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      request.on("end", () => {
        const { stdJsonInput } = JSON.parse(text) as { stdJsonInput: { sources: object } };
        const [status, body] = this.#submit(parts.at(-1) ?? "", Object.keys(stdJsonInput.sources).length);
        const onSubmission = this.#onSubmission;
        this.#onSubmission = undefined;
        // The job is there before its id is known: this is where a crash hurts.
        if (onSubmission) {
          onSubmission();
          return;
        }
        setTimeout(() => send(status, body), this.#random.below(30));
      });
      return;
    }
    if (parts.includes("contract")) {
      const address = parts.at(-1) ?? "";
      const job = this.jobs.find((one) => one.address === address && this.#isVerified(one));
      send(job ? 200 : 404, {
        match: job ? "exact_match" : null,
        matchId: job?.id ?? null,
        address,
        chainId: "296",
      });
      return;
    }
    const job = this.jobs.find(({ id }) => id === parts.at(-1));
    if (!job) {
      send(404, { customCode: "job_not_found", message: "no" });
      return;
    }
    const isDone = Date.now() >= job.doneAt;
    const isVerified = this.#isVerified(job);
    send(200, {
      isJobCompleted: isDone,
      verificationId: job.id,
      contract: { match: isVerified ? "exact_match" : null, address: job.address, chainId: "296" },
      ...(isDone &&
        !isVerified && { error: { customCode: "extra_file_input_bug", message: "no", errorId: job.id } }),
    });
  }

  #isVerified({ address, files, doneAt }: Job): boolean {
    return Date.now() >= doneAt && (files === 2 || !this.needsWholeBuild(address));
  }

  #submit(address: string, files: number): [number, object] {
    const others = this.jobs.filter((job) => job.address === address);
    if (others.some((job) => this.#isVerified(job)))
      return [409, { customCode: "already_verified", message: "no" }];
    if (others.some(({ doneAt }) => Date.now() < doneAt))
      return [429, { customCode: "duplicate_verification_request", message: "no" }];
    const job = { id: crypto.randomUUID(), address, files, doneAt: Date.now() + this.#random.below(150) };
    this.jobs.push(job);
    return [202, { verificationId: job.id }];
  }
}

const addressOf = (number: number) => `0x${String(number).padStart(40, "0")}`;

describe("Killing the process at any moment", () => {
  const cleanUp: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const step of cleanUp) await step();
  });

  it(`loses no job and begins none twice (${KILLS} kills)`, async () => {
    const chance = random("kills");
    const folder = await mkdtemp(join(tmpdir(), "ledger-lens-crash-"));
    cleanUp.push(() => rm(folder, { recursive: true, force: true }));
    const service = new CountingService(chance);
    const server = await startServer((request, response) => service.answer(request, response));
    cleanUp.push(() => server.stop());

    const addresses: string[] = [];
    const store = async () => {
      const opened = new JobStore(new JobFiles({ fsPath: folder }));
      await opened.load();
      return opened;
    };
    let caught = 0;
    for (let session = 0; session <= KILLS; session++) {
      for (let at = 0; at < CONTRACTS_PER_SESSION; at++) addresses.push(addressOf(addresses.length + 1));
      const child = spawn(process.execPath, [SESSION, folder, server.url, ...addresses], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      cleanUp.push(() => Promise.resolve(child.kill("SIGKILL")));
      const exit = once(child, "exit") as Promise<[number | null, string | null]>;
      let said = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
      if (session === KILLS) {
        const end = setTimeout(() => child.kill("SIGTERM"), LAST_SESSION_MS);
        assert.deepEqual(await exit, [0, null], `the last session came to no end: ${said}`);
        clearTimeout(end);
        break;
      }
      // At the worst moment, while a submission is not answered yet, or at any other.
      const submission = session % 3 === 0 ? service.submission() : undefined;
      while (!said.includes("ready") && child.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 5));
      await (submission ?? new Promise((resolve) => setTimeout(resolve, chance.below(160))));
      child.kill("SIGKILL");
      await exit;
      const left = (await store()).all();
      caught += left.filter(({ stage }) => stage === "prepared" || stage === "submitting").length;
      // What the service accepted is known here, by its id or as a submission in doubt.
      for (const { address } of service.jobs)
        assert.ok(
          left.some((record) => record.address === address),
          `the job for ${address} is lost after kill ${session + 1}`,
        );
    }

    const records = (await store()).all();
    for (const address of addresses) {
      const ours = records.filter((record) => record.address === address);
      assert.ok(
        ours.some((record) => recordStatus(record) === "exact_match"),
        `${address} ended as ${ours.map(recordStatus).join(", ")}`,
      );
      const accepted = service.jobs.filter((job) => job.address === address);
      const whole = accepted.filter(({ files }) => files === 2).length;
      if (service.needsWholeBuild(address)) assert.equal(whole, 1, `${address} has one second try`);
      else assert.deepEqual([accepted.length, whole], [1, 0], `${address} was submitted once`);
    }
    console.log(
      `${addresses.length} contracts, ${KILLS} kills, ${caught} submissions were caught in the middle`,
    );
    assert.ok(caught > 0, "kills came in the middle of submissions at all");
  });
});
