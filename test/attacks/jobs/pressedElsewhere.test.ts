// What is pressed at an awkward moment: in two windows at once, beside the same that runs, or in a list that is cancelled.
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { ledgerLensError, type LedgerLensError } from "../../../src/core/errors.ts";
import { verifyMany } from "../../../src/core/jobs/verifyMany.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import { VerificationJobs } from "../../../src/core/jobs/verificationJobs.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { eventually } from "../../rig/eventually.ts";
import { agreed } from "../../unit/jobs/agreed.ts";
import {
  ADDRESS,
  finished,
  ID,
  OTHER_ID,
  pending,
  stopWorlds,
  submit,
  SUBMISSION,
  world,
} from "../../unit/jobs/jobWorld.ts";
import type { MemoryStorage } from "../../unit/jobs/memoryStorage.ts";

const REFUSED = [400, { customCode: "unsupported_compiler_version", message: "no" }] as const;
const FAILED = finished(null, { customCode: "internal_error", message: "x", errorId: "1" });
const ACCEPTED = [202, { verificationId: ID }] as const;
const ACCEPTED_TOO = [202, { verificationId: OTHER_ID }] as const;

type Taken = typeof REFUSED | typeof ACCEPTED | typeof ACCEPTED_TOO | "no answer";

/** A service that answers each submission as it is told, and each look-up of the contract once it may. */
async function serviceThat(
  taken: (count: number) => Taken,
  looked: () => Promise<unknown> = () => Promise.resolve(),
  isBusy: () => boolean = () => false,
  job: () => object = () => pending,
) {
  const submissions: string[] = [];
  const made = await world((request, response) => {
    const { method, url = "" } = request;
    if (method === "POST") {
      request.resume().on("end", () => {
        const answer = taken(submissions.push(url));
        if (answer === "no answer") {
          request.socket.destroy();
          return;
        }
        response.statusCode = answer[0];
        setTimeout(() => response.end(JSON.stringify(answer[1])), 20);
      });
      return undefined;
    }
    if (url.includes("/contract/")) {
      void looked().then(() => {
        response.statusCode = 404;
        response.end(JSON.stringify({ match: null, chainId: "296", address: ADDRESS }));
      });
      return undefined;
    }
    if (url.includes("/verify/") && isBusy()) {
      response.statusCode = 503;
      return { customCode: "internal_error", message: "busy" };
    }
    return url.includes("/chains") ? [] : { ...job(), verificationId: url.split("/").at(-1) };
  });
  return { ...made, submissions };
}

/** Another window on the same jobs. */
function otherWindow({ storage, clock, server }: Awaited<ReturnType<typeof serviceThat>>) {
  const own = Object.assign(Object.create(storage) as MemoryStorage, { session: "other window" });
  own.exclusively = (work) => storage.exclusively(work);
  own.list = () => storage.list();
  own.isRunning = () => true;
  own.read = (name) => storage.read(name);
  own.write = (name, content) => storage.write(name, content);
  own.remove = (name) => storage.remove(name);
  const http = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1", clock });
  after(() => http.dispose());
  return new VerificationJobs({
    store: new JobStore(own),
    service: (url = server.url) => new VerificationService(http, url),
    clock,
    random: () => 0.5,
    newId: () => "of-other-window",
  });
}

describe("What is pressed at an awkward moment", () => {
  after(stopWorlds);

  it("is not sent again by the second window, where that of the first was left without an answer meanwhile", async () => {
    let held: (() => void) | undefined;
    let isHeld = false;
    const made = await serviceThat(
      (count) => (count === 1 ? REFUSED : count === 2 ? "no answer" : ACCEPTED),
      () => (isHeld ? new Promise<void>((go) => (held = go)) : Promise.resolve()),
    );
    const { jobs, submissions, storage } = made;
    storage.running.add("other window");
    await submit(jobs, SUBMISSION).catch(() => undefined);
    const { id } = jobs.store.all()[0] ?? assert.fail("it is kept");
    const other = otherWindow(made);
    await other.store.load();
    isHeld = true;
    const second = other.retry(id);
    await eventually(() => assert.ok(held));
    isHeld = false;
    await assert.rejects(jobs.retry(id));
    assert.equal(jobs.store.get(id)?.stage, "unconfirmed");
    held?.();
    const told = await second;
    assert.equal(submissions.length, 2);
    assert.equal(told.stage, "unconfirmed");
  });

  it("is not sent again in its old row while the same, submitted anew, is at work", async () => {
    const { jobs, submissions } = await serviceThat((count) =>
      count === 1 ? REFUSED : count === 2 ? ACCEPTED : ACCEPTED_TOO,
    );
    await submit(jobs, SUBMISSION).catch(() => undefined);
    const { id } = jobs.store.all()[0] ?? assert.fail("it is kept");
    const running = await submit(jobs, SUBMISSION);
    assert.equal(running.stage, "submitted");
    const again = await jobs.retry(id);
    assert.equal(submissions.length, 2);
    assert.equal(again.id, running.id);
  });

  it("is sent again once, though another window presses it again after a job without an end was sent anew", async () => {
    const made = await serviceThat((count) => (count === 1 ? ACCEPTED : ACCEPTED_TOO));
    const { jobs, submissions, clock } = made;
    const { id } = await submit(jobs, SUBMISSION);
    const other = otherWindow(made);
    await other.store.load();
    await clock.sleep(5 * 3_600_000);
    const [first, second] = [await jobs.retry(id), await other.retry(id)];
    assert.equal(submissions.length, 2);
    assert.equal(second.verificationId, first.verificationId);
    // Nor by the same window, in which the button is still there.
    assert.equal((await jobs.retry(id)).verificationId, first.verificationId);
    assert.equal(submissions.length, 2);
  });

  /**
   * Presses it in two windows, each in another old row of the same submission; the second one is held at its look-up until the
   * first one has done its part.
   */
  async function pressedInTwoRows(
    answer: Parameters<typeof serviceThat>[0],
    pressFirst: (jobs: Awaited<ReturnType<typeof serviceThat>>["jobs"], id: string) => Promise<void>,
    job?: () => object,
  ) {
    let held: (() => void) | undefined;
    let isHeld = false;
    const look = () => (isHeld ? new Promise<void>((go) => (held = go)) : Promise.resolve());
    const made = await serviceThat(answer, look, () => false, job);
    const { jobs, submissions, storage } = made;
    storage.running.add("other window");
    for (let at = 0; at < 2; at++) await submit(jobs, SUBMISSION).catch(() => undefined);
    const [one, two] = jobs.store.all();
    assert.ok(one && two && one.id !== two.id);
    const other = otherWindow(made);
    await other.store.load();
    isHeld = true;
    const second = other.retry(two.id);
    await eventually(() => assert.ok(held));
    isHeld = false;
    await pressFirst(jobs, one.id);
    held?.();
    return { jobs, submissions, one, two, told: await second };
  }

  it("is sent once, where two windows press it at once, each in another old row of the same", async () => {
    let first: string | undefined;
    const { jobs, submissions, two, told } = await pressedInTwoRows(
      (count) => (count < 3 ? REFUSED : count === 3 ? ACCEPTED : ACCEPTED_TOO),
      async (own, id) => void (first = (await own.retry(id)).verificationId),
    );
    assert.equal(submissions.length, 3);
    assert.equal(told.verificationId, first);
    assert.equal(jobs.store.get(two.id)?.stage, "refused", "its own row stays as it was");
  });

  for (const what of ["left without an answer", "over"] as const)
    it(`is not sent in an old row while that of another window, in another one, was ${what} meanwhile`, async () => {
      const isOver = what === "over";
      const { submissions, one, told } = await pressedInTwoRows(
        (count) => (count < 3 ? REFUSED : isOver || count > 3 ? ACCEPTED : "no answer"),
        async (own, id) => {
          await own.retry(id).catch(() => undefined);
          if (isOver) await own.check(id);
        },
        () => (isOver ? FAILED : pending),
      );
      assert.equal(submissions.length, 3);
      assert.equal(told.id, one.id);
      assert.equal(told.stage, isOver ? "submitted" : "unconfirmed");
    });

  it("is not sent again in its old row while what the service says of the same, submitted anew, can't be read", async () => {
    const { jobs, submissions } = await serviceThat(
      (count) => (count === 1 ? REFUSED : count === 2 ? ACCEPTED : ACCEPTED_TOO),
      () => Promise.resolve(),
      () => false,
      () => ({ isJobCompleted: "soon" }),
    );
    await submit(jobs, SUBMISSION).catch(() => undefined);
    const { id } = jobs.store.all()[0] ?? assert.fail("it is kept");
    const running = await submit(jobs, SUBMISSION);
    const again = await jobs.retry(id);
    assert.equal(submissions.length, 2);
    assert.equal(again.id, running.id);
  });

  it("is not sent in an old row while another window is about to send the same anew", async () => {
    let held: (() => void) | undefined;
    let isHeld = false;
    const made = await serviceThat(
      (count) => (count === 1 ? REFUSED : count === 2 ? ACCEPTED : ACCEPTED_TOO),
      () => (isHeld ? new Promise<void>((go) => (held = go)) : Promise.resolve()),
    );
    const { jobs, submissions, storage, server } = made;
    storage.running.add("other window");
    await submit(jobs, SUBMISSION).catch(() => undefined);
    const { id } = jobs.store.all()[0] ?? assert.fail("it is kept");
    const other = otherWindow(made);
    await other.store.load();
    isHeld = true;
    const anew = other.submit(agreed(server.url, SUBMISSION));
    await eventually(() => assert.ok(held));
    isHeld = false;
    const told = await jobs.retry(id);
    held?.();
    assert.equal((await anew).stage, "submitted");
    assert.equal(submissions.length, 2);
    assert.equal(told.id, "of-other-window");
  });

  it("is not sent again in its old row while nobody can tell whether the same, submitted anew, still runs", async () => {
    const made = await serviceThat(
      (count) => (count === 1 ? REFUSED : count === 2 ? ACCEPTED : ACCEPTED_TOO),
      () => Promise.resolve(),
      () => true,
    );
    const { jobs, submissions } = made;
    await submit(jobs, SUBMISSION).catch(() => undefined);
    const { id } = jobs.store.all()[0] ?? assert.fail("it is kept");
    const running = await submit(jobs, SUBMISSION);
    const again = await jobs.retry(id);
    assert.equal(submissions.length, 2);
    assert.equal(again.id, running.id);
  });

  it("leaves each of many its outcome, where they are cancelled while one is wanted by another command, too", async () => {
    const leaving = new AbortController();
    const { jobs, server, clock } = await serviceThat(() => {
      setTimeout(() => leaving.abort(), 0);
      return ACCEPTED;
    });
    const alone = submit(jobs, SUBMISSION);
    const both = submit(jobs, SUBMISSION, leaving.signal).catch(ledgerLensError);
    const outcomes = await verifyMany({
      deployments: [SUBMISSION, { ...SUBMISSION, address: `0x${"7b".repeat(20)}` }],
      jobs,
      service: { contract: () => Promise.resolve(undefined) },
      clock,
      reviewedOf: (deployment) => Promise.resolve(agreed(server.url, { ...SUBMISSION, ...deployment })),
      limitMs: 1_000,
      signal: leaving.signal,
    });
    assert.equal(outcomes.length, 2);
    assert.equal(outcomes[0]?.outcome, "pending", "the other command goes on with it");
    // What a person is told who cancels is nothing, and no fault.
    assert.equal(((await both) as LedgerLensError).code, "cancelled");
    assert.equal((await alone).stage, "submitted");
  });
});
