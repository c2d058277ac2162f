import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as atOnce } from "node:timers/promises";
import { LedgerLensError } from "../../../src/core/errors.ts";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import type { Action } from "../../../src/core/matching/explanation.ts";
import { withAsking } from "../../../src/editor/ui/asking.ts";
import { DoubleClicks } from "../../../src/editor/ui/doubleClicks.ts";
import { told } from "../../../src/editor/ui/toldPresses.ts";
import type { VerificationParts } from "../../../src/editor/verification/verificationParts.ts";
import { eventually } from "../../rig/eventually.ts";
import { standInForEditor } from "../../rig/editorStandIn.ts";
import { ADDRESS, INPUT, SUBMITTED } from "../jobs/jobWorld.ts";

standInForEditor(`
  export const commands = { executeCommand: async () => undefined };
  export const ProgressLocation = { Notification: 15 };
  const token = { onCancellationRequested: () => ({ dispose() {} }) };
  export const window = { withProgress: (_, work) => work({ report() {} }, token) };
`);
const { retryJob } = await import("../../../src/editor/verification/retryJob.ts");
const { takeAction } = await import("../../../src/editor/verification/causeActions.ts");

/** What is pressed, and how often that did something. */
function button() {
  const clicks = new DoubleClicks(() => atOnce());
  let done = 0;
  return {
    press: (what = "retry") => clicks.once(what, () => ++done),
    /** What is pressed now, and has to do something else before it would send. */
    pressAfter: (work: () => Promise<void>, what = "retry") =>
      withAsking(true, async () => {
        clicks.pressed();
        await work();
        return clicks.once(what, () => ++done);
      }),
    done: () => done,
  };
}

const atOnceDone = () => Promise.resolve();

/** So long that no press after it belongs to one before it. */
async function aSecond(): Promise<void> {
  const from = performance.now();
  await eventually(() => assert.ok(told.until >= from + 1_000, "a second has passed"));
}

describe("A double click on what sends at once", () => {
  it("does it once, though it was done before the second press came", () => {
    const { press, done } = button();
    assert.deepEqual([press(), press(), press()], [1, 1, 1]);
    assert.equal(done(), 1);
  });

  it("does each of two things", () => {
    const { press } = button();
    assert.deepEqual([press("one"), press("other")], [1, 2]);
  });

  it("does it once, whichever of the presses has to work longer before it would send", async () => {
    for (const longer of ["first", "second"]) {
      const { pressAfter } = button();
      const first = pressAfter(longer === "first" ? aSecond : atOnceDone);
      const second = pressAfter(longer === "second" ? aSecond : atOnceDone);
      assert.deepEqual(await Promise.all([first, second]), [1, 1], longer);
    }
  });

  it("does each of two things once that are done in turn", async () => {
    const { pressAfter } = button();
    const works = ["one", "one", "other", "other"].map((what, at) =>
      // The first presses of both are done, then the second ones.
      pressAfter(at % 2 === 0 ? atOnceDone : aSecond, what),
    );
    assert.deepEqual(await Promise.all(works), [1, 1, 2, 2]);
  });

  it("does it again for a person who presses later, while the first press still works", async () => {
    const { pressAfter } = button();
    const goOn = Promise.withResolvers<undefined>();
    const first = pressAfter(() => goOn.promise);
    await aSecond();
    const second = pressAfter(atOnceDone);
    goOn.resolve(undefined);
    const done = await Promise.all([first, second]);
    assert.deepEqual(done.toSorted(), [1, 2]);
  });

  it("does it again for a person who presses later", async () => {
    const { press } = button();
    press();
    await aSecond();
    assert.equal(press(), 2);
  });
});

describe("What was agreed to, at a service that refuses at once", () => {
  const SERVICE = "https://sourcify.dev/server";
  const record: JobRecord = {
    id: "a job",
    stage: "refused",
    service: SERVICE,
    chainId: "296",
    address: ADDRESS,
    submission: SUBMITTED,
    submittedAt: 0,
  };

  /** The parts of the extension that submit something again, and what was given to them. */
  function refusing() {
    const given: string[] = [];
    const refuse = (what: string) => {
      given.push(what);
      return Promise.reject(new LedgerLensError("rate_limited", "Too many."));
    };
    const jobs = {
      kept: () => Promise.resolve({ stdJsonInput: INPUT.stdJsonInput, files: [] }),
      retry: (id: string) => refuse(id),
      submit: () => refuse("with changes"),
    };
    const parts = { jobs, service: () => ({ url: SERVICE }) } as unknown as VerificationParts;
    return { parts, given };
  }

  const changedTo = (runs: number): Action => ({
    kind: "resubmit",
    label: "Submit Again",
    localLabel: "Verify",
    changes: { settings: { optimizer: { enabled: true, runs } } },
  });

  it("is tried again once by a double click", async () => {
    const { parts, given } = refusing();
    const press = () => assert.rejects(retryJob(parts, record), /Too many/);
    await press();
    await press();
    assert.deepEqual(given, ["a job"]);
  });

  it("is submitted once with what a cause asks for, and with what another one does, too", async () => {
    const { parts, given } = refusing();
    for (const runs of [5, 5, 6])
      await assert.rejects(takeAction(parts, record, changedTo(runs)), /Too many/);
    assert.deepEqual(given, ["with changes", "with changes"]);
  });
});
