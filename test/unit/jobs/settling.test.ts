import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { afterEach, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { filesApart, type FileApart } from "../../../src/core/jobs/filesApart.ts";
import { recordStatus, type JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { earlierSentence, outcomeSentence, placedTitle } from "../../../src/core/jobs/jobWords.ts";
import { recordedMatch } from "../../../src/core/jobs/recordedMatch.ts";
import { retryOffer } from "../../../src/core/jobs/retryOffer.ts";
import { shortAddress } from "../../../src/core/text/shownText.ts";
import {
  ADDRESS,
  codeOf,
  finished,
  ID,
  INPUT,
  PARTIAL,
  OTHER_ID,
  pending,
  stopWorlds,
  submit,
  SUBMISSION,
  SUBMITTED,
  WHOLE,
  world,
} from "./jobWorld.ts";
import { submitTo } from "./agreed.ts";
import { MemoryStorage } from "./memoryStorage.ts";

const verified = (match: string, matchId = "1") => ({ match, matchId, chainId: "296", address: ADDRESS });
const duplicate = { customCode: "duplicate_verification_request", message: "Already being verified" };

afterEach(stopWorlds);

/** A service that counts submissions and answers them, look-ups and job looks as a test says. */
async function service(answers: {
  post?: (count: number) => readonly [status: number, body: object] | "break";
  contract?: (posts: number) => object | undefined;
  job?: (id: string) => object;
  storage?: MemoryStorage;
}) {
  const sent: Record<string, unknown>[] = [];
  const made = await world((request, response) => {
    const { method, url = "" } = request;
    if (method === "POST") {
      let text = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      request.on("end", () => {
        sent.push(JSON.parse(text) as Record<string, unknown>);
        const answer = answers.post?.(sent.length) ?? [202, { verificationId: ID }];
        if (answer === "break") return void request.socket.destroy();
        response.statusCode = answer[0];
        response.end(JSON.stringify(answer[1]));
      });
      return undefined;
    }
    if (url.includes("/contract/")) {
      const contract = answers.contract?.(sent.length);
      if (!contract) response.statusCode = 404;
      return contract ?? { match: null, chainId: "296", address: ADDRESS };
    }
    const verificationId = url.split("/").at(-1) ?? "";
    return { ...(answers.job?.(verificationId) ?? pending), verificationId };
  }, answers.storage);
  return { ...made, sent };
}

const leftBehind = (change: Partial<JobRecord>, url: string): JobRecord => ({
  id: "left",
  stage: "submitting",
  service: url,
  chainId: "296",
  address: ADDRESS,
  submission: SUBMITTED,
  submittedAt: 0,
  ...change,
});

describe("A contract that the service has already", () => {
  it("is noticed before anything is sent when nothing is better", async () => {
    const { jobs, sent } = await service({ contract: () => verified("exact_match") });
    const record = await submit(jobs, SUBMISSION);
    assert.equal(recordStatus(record), "exact_match");
    assert.deepEqual(sent, []);
    assert.equal(outcomeSentence(record), "A is verified already: exact match. Nothing new was published.");
    assert.equal(retryOffer(record, 0), undefined);
  });

  it("is noticed though it was not there when the service was asked, and a job of the list had it verified since", async () => {
    const { jobs, server, sent } = await service({
      contract: (posts) => (posts > 0 ? verified("exact_match") : undefined),
      job: () => finished("exact_match"),
    });
    const first = await submit(jobs, SUBMISSION);
    await jobs.wait(first.id, { limitMs: 60_000 });
    const second = await submitTo(server.url, jobs, SUBMISSION, null);
    assert.equal(recordStatus(second), "exact_match");
    assert.equal(sent.length, 1);
  });

  it("is told in a message with its place, which another of the same contract has not", async () => {
    const { jobs } = await service({ contract: () => verified("exact_match") });
    const record = await submit(jobs, SUBMISSION);
    const title = placedTitle(record);
    assert.equal(title, `A at ${shortAddress(record.address)} on Hedera Testnet`);
    assert.match(
      outcomeSentence(record, 0, title),
      new RegExp(`^${title} is verified already: exact match\\. `),
    );
    assert.match(earlierSentence(record, [], title), new RegExp(`^${title} is verified already: `));
    const { submission, ...searched } = record;
    assert.ok(submission);
    assert.equal(placedTitle(searched), `${shortAddress(record.address)} on Hedera Testnet`);
    assert.equal(placedTitle({ ...searched, address: "" }), "The contract");
  });

  it("has one row, however often it is asked for, and says what the files here are to the verified ones", async () => {
    const { jobs, sent } = await service({ contract: () => verified("exact_match") });
    const first = await submit(jobs, SUBMISSION);
    const second = await submit(jobs, SUBMISSION);
    assert.equal(second.id, first.id);
    assert.equal(jobs.store.all().length, 1);
    assert.deepEqual(sent, []);
    const told = (edited: readonly string[], change: FileApart["change"] = "edited") =>
      earlierSentence(
        second,
        edited.map((name) => ({ name, change })),
      );
    assert.equal(
      told([]),
      "A is verified already: exact match. Nothing new was published: the files here are the verified ones.",
    );
    assert.equal(
      told(["src/A.sol"]),
      "A is verified already: exact match. Nothing new was published, and src/A.sol here is not what was verified.",
    );
    assert.equal(
      told(["src/A.sol", "src/B.sol"]),
      "A is verified already: exact match. Nothing new was published, and 2 files here are not what was verified, src/A.sol among them.",
    );
    assert.equal(
      told(["src/A.sol"], "line endings"),
      "A is verified already: exact match. Nothing new was published: the files here are the verified ones, but for their line endings.",
    );
    const sources = {
      "A.sol": { content: "contract A {}" },
      "B.sol": { content: "contract B {}" },
      "C.sol": { content: "\ufeffcontract C {\r\n}\r\n" },
      "src/D.sol": { content: "contract D {}\n" },
    };
    const theirs = ["A", "C", "D"].map(
      (name) => [`src/${name}.sol`, `contract ${name} {${name === "C" ? "\n" : ""}}`] as const,
    );
    assert.deepEqual(filesApart(sources, new Map(theirs)), [
      { name: "B.sol", change: "edited" },
      { name: "C.sol", change: "line endings" },
      { name: "src/D.sol", change: "line endings" },
    ]);
  });

  it("is submitted when it is a mere match, and stands as that when nothing came of it", async () => {
    const { jobs, sent } = await service({
      contract: () => verified("match"),
      job: () => finished(null, { customCode: "already_verified", message: "is already verified" }),
    });
    const { id, before } = await submit(jobs, SUBMISSION);
    assert.equal(before?.match, "match");
    assert.equal(recordStatus(await jobs.wait(id, { limitMs: 60_000 })), "match");
    assert.equal(sent.length, 1);
  });

  it("is offered for an upgrade only where the local build may be the deployed one", () => {
    const offers = (["exact_match", "unknown", "match", "mismatch"] as const).map(
      (prediction) => recordedMatch("A", verified("match"), prediction)?.mayImprove,
    );
    assert.deepEqual(offers, [true, true, false, false]);
    const most = recordedMatch("A", verified("match"), "unknown", "match");
    assert.equal(most?.mayImprove, false);
    assert.match(most.sentence, /is verified already: match\. That is the most that is possible/);
    assert.equal(recordedMatch("A", verified("exact_match"), "exact_match")?.mayImprove, false);
    assert.equal(recordedMatch("A", undefined), undefined);
  });

  it("does not keep a service from being asked that can't say what it has", async () => {
    const { jobs, sent } = await service({ contract: () => ["no", "object"] });
    assert.equal((await submit(jobs, SUBMISSION)).stage, "submitted");
    assert.equal(sent.length, 1);
  });

  it("is a success as well when the service refuses a second submission, whatever it knows of the first", async () => {
    const { jobs } = await service({
      post: () => [409, { customCode: "already_verified", message: "Already verified" }],
    });
    assert.equal(recordStatus(await submit(jobs, SUBMISSION)), "exact_match");
  });
});

describe("A job for the same contract that another client began", () => {
  it("is waited for by asking for the contract", async () => {
    let looks = 0;
    const { jobs, sent } = await service({
      post: () => [429, duplicate],
      contract: (posts) => (posts > 0 && ++looks > 2 ? verified("match") : undefined),
    });
    const record = await submit(jobs, SUBMISSION);
    assert.equal(record.stage, "adopted");
    assert.equal(recordStatus(record), "pending");
    assert.equal(retryOffer(record, 0), "submit again");
    const done = await jobs.wait(record.id, { limitMs: 60_000 });
    assert.equal(recordStatus(done), "match");
    assert.equal(looks, 3);
    assert.equal(sent.length, 1);
  });

  it("is not mistaken for over because of what was on record before", async () => {
    let improved = false;
    const { jobs } = await service({
      post: () => [429, duplicate],
      contract: () => (improved ? verified("exact_match", "2") : verified("match")),
    });
    const { id } = await submit(jobs, SUBMISSION);
    assert.equal(recordStatus(await jobs.check(id)), "pending");
    improved = true;
    assert.equal(recordStatus(await jobs.check(id)), "exact_match");
  });

  it("makes room for ours once it is over without a result", async () => {
    const { jobs, sent } = await service({
      post: (count) => (count === 1 ? [429, duplicate] : [202, { verificationId: ID }]),
      job: () => finished("exact_match"),
    });
    const { id } = await submit(jobs, SUBMISSION);
    const again = await jobs.retry(id);
    assert.equal(again.id, id);
    assert.equal(recordStatus(await jobs.wait(id, { limitMs: 60_000 })), "exact_match");
    assert.equal(sent.length, 2);
    assert.equal(jobs.store.all().length, 1);
  });
});

describe("A session that ended in the middle of a submission", () => {
  it("leaves it in doubt, and what the service has on record settles it without a second submission", async () => {
    const storage = new MemoryStorage();
    const { jobs, sent, server } = await service({ storage, contract: () => verified("exact_match") });
    storage.put("left.job.json", JSON.stringify(leftBehind({}, server.url)));
    await jobs.store.load();
    await jobs.recover();
    const left = jobs.store.get("left");
    assert.equal(left?.stage, "unconfirmed");
    assert.match(outcomeSentence(left), /editor ended while A was being submitted.*submit again/);
    assert.equal(retryOffer(left, 0), "submit again");
    assert.equal(recordStatus(await jobs.check("left")), "exact_match");
    assert.deepEqual(sent, []);
  });

  it("says that nothing was sent where that is certain, and sends it when asked to", async () => {
    const storage = new MemoryStorage();
    const { jobs, sent, server } = await service({ storage, job: () => finished("match") });
    storage.put(
      "left.job.json",
      JSON.stringify(
        leftBehind(
          {
            stage: "prepared",
            submission: undefined,
            requestSha256: createHash("sha256").update("{}").digest("hex"),
          } as never,
          server.url,
        ),
      ),
    );
    await jobs.store.load();
    await jobs.recover();
    const left = jobs.store.get("left");
    assert.equal(left?.stage, "refused");
    assert.match(outcomeSentence(left), /was not submitted: the editor ended before anything was sent/);
    assert.deepEqual(sent, []);
    await jobs.retry("left");
    assert.equal(recordStatus(await jobs.wait("left", { limitMs: 60_000 })), "match");
    assert.equal(jobs.store.all().length, 1);
  });

  it("lets a person submit again what is in doubt, and a running job is not begun twice", async () => {
    let known = false;
    const { jobs, sent } = await service({
      post: (count) => (count === 1 ? "break" : [429, duplicate]),
      contract: () => (known ? verified("exact_match") : undefined),
    });
    assert.equal(await codeOf(submit(jobs, SUBMISSION)), "unreachable");
    const [lost] = jobs.store.all();
    assert.equal(lost?.stage, "unconfirmed");
    const adopted = await jobs.retry(lost.id);
    assert.equal(adopted.id, lost.id);
    assert.equal(adopted.stage, "adopted");
    known = true;
    assert.equal(recordStatus(await jobs.wait(lost.id, { limitMs: 60_000 })), "exact_match");
    assert.deepEqual(sent[1], sent[0], "the very same was sent");
  });

  it("asks what became of it, and no more for a job that was lost, where one like it is in doubt", async () => {
    let known = false;
    const { jobs, clock } = await service({
      post: (count) => (count === 1 ? [202, { verificationId: ID }] : "break"),
      contract: () => (known ? verified("exact_match") : undefined),
    });
    const { id } = await submit(jobs, SUBMISSION);
    await clock.sleep(5 * 3_600_000);
    assert.equal(await codeOf(jobs.retry(id)), "unreachable");
    assert.equal(jobs.store.get(id)?.stage, "unconfirmed");
    known = true;
    assert.equal(recordStatus(await jobs.check(id)), "exact_match");
  });

  it("keeps the id of a job that was lost where nothing was sent in its place", async () => {
    const { jobs, clock } = await service({
      post: (count) =>
        count === 1
          ? [202, { verificationId: ID }]
          : [400, { customCode: "unsupported_compiler_version", message: "no" }],
    });
    const { id } = await submit(jobs, SUBMISSION);
    await clock.sleep(5 * 3_600_000);
    assert.equal(await codeOf(jobs.retry(id)), "unsupported_compiler_version");
    const { stage, verificationId } = jobs.store.get(id) ?? {};
    assert.deepEqual({ stage, verificationId }, { stage: "refused", verificationId: ID });
  });

  it("never loses the id that another window got for it", async () => {
    const storage = new MemoryStorage();
    const { jobs, server } = await service({ storage, job: () => finished("match") });
    storage.put("left.job.json", JSON.stringify(leftBehind({}, server.url)));
    await jobs.store.load();
    storage.put(
      "left.job.json",
      JSON.stringify(leftBehind({ stage: "submitted", verificationId: ID }, server.url)),
    );
    await jobs.recover();
    assert.equal(jobs.store.get("left")?.verificationId, ID);
    assert.match(storage.text("left.job.json"), new RegExp(ID));
  });
});

describe("A submission with only the files that the contract needs", () => {
  const fails = (customCode: string) => (id: string) =>
    id === ID ? finished(null, { customCode, message: "no" }) : finished("exact_match");
  const post = (count: number) => [202, { verificationId: count === 1 ? ID : OTHER_ID }] as const;

  for (const code of ["extra_file_input_bug", "no_match", "compiler_error"]) {
    it(`is sent again with all of the build after ${code}, once, and both jobs say so`, async () => {
      const { jobs, sent } = await service({ post, job: fails(code) });
      const { id } = await submit(jobs, PARTIAL);
      const last = await jobs.wait(id, { limitMs: 60_000 });
      assert.equal(recordStatus(last), "exact_match");
      assert.equal(sent.length, 2);
      assert.deepEqual(
        sent.map(({ stdJsonInput }) => Object.keys((stdJsonInput as typeof WHOLE.stdJsonInput).sources)),
        [["A.sol"], ["A.sol", "B.sol"]],
      );
      const first = jobs.store.get(id);
      assert.deepEqual(last.secondTryOf, { id, because: code });
      assert.deepEqual(first?.secondTry, { id: last.id, because: code });
      assert.match(outcomeSentence(first), /all files of the build were submitted as a second try/);
      assert.equal(last.submission?.fileCount, 2);
      assert.deepEqual(await jobs.store.input(last.id), WHOLE.stdJsonInput);
      await jobs.check(id);
      await jobs.check(last.id);
      assert.equal(sent.length, 2);
    });
  }

  it("is never sent again with another build than was agreed to, whatever is on the disk by then", async () => {
    const storage = new MemoryStorage();
    const first = await service({ storage, post, job: fails("no_match") });
    const { id } = await submit(first.jobs, PARTIAL);
    const kept = (text: string) => gzipSync(JSON.stringify(WHOLE).replace("contract B {}", text));
    storage.files.set(`${id}.whole.json.gz`, kept("contract B {} // nobody saw this"));
    const last = await first.jobs.wait(id, { limitMs: 60_000 });
    assert.equal(first.sent.length, 1);
    assert.equal(last.id, id);
    assert.equal(last.problem?.code, "input_changed");
    assert.match(
      last.problem.message,
      /whole build of A is not what was agreed to, so there was no second try/,
    );
    assert.equal(last.secondTry, undefined);
    await first.jobs.check(id);
    await first.jobs.recover();
    assert.equal(first.sent.length, 1);
  });

  it("leaves a changed build out where it is looked at or sent again by hand", async () => {
    const storage = new MemoryStorage();
    const { jobs, sent } = await service({ storage, post, job: () => pending });
    const { id } = await submit(jobs, PARTIAL);
    const record = jobs.store.get(id) ?? assert.fail();
    assert.deepEqual((await jobs.kept(record)).wholeBuild?.stdJsonInput, WHOLE.stdJsonInput);
    const changed = { ...WHOLE.stdJsonInput, settings: { viaIR: true } };
    storage.files.set(`${id}.whole.json.gz`, gzipSync(JSON.stringify({ ...WHOLE, stdJsonInput: changed })));
    assert.equal((await jobs.kept(record)).wholeBuild, undefined);
    await jobs.store.update(id, {
      job: finished(null, { customCode: "internal_error", message: "no" }) as never,
    });
    const again = await jobs.retry(id);
    assert.equal(sent.length, 2);
    assert.equal(await jobs.store.whole(again.id), undefined, "and it passes into no other job");
  });

  it("has no second try where all of the build is more than the service takes", async () => {
    const sources = { ...WHOLE.stdJsonInput.sources, "B.sol": { content: "x".repeat(31 * 1024 * 1024) } };
    const input = { ...INPUT, wholeBuild: { ...WHOLE, stdJsonInput: { ...WHOLE.stdJsonInput, sources } } };
    const { jobs, sent } = await service({ post, job: fails("no_match") });
    const { id } = await submit(jobs, { ...SUBMISSION, input });
    assert.equal(recordStatus(await jobs.wait(id, { limitMs: 60_000 })), "failed");
    assert.equal(sent.length, 1);
    assert.equal(jobs.store.get(id)?.problem, undefined);
  });

  it("waits for one second try, also where records name each other in a circle", async () => {
    const { jobs } = await service({ post, job: () => finished("exact_match") });
    const { id } = await submit(jobs, SUBMISSION);
    await jobs.wait(id, { limitMs: 60_000 });
    const done = jobs.store.get(id) ?? assert.fail();
    for (const [one, other] of [
      ["a", "b"],
      ["b", "a"],
      ["c", "c"],
    ] as const)
      await jobs.store.add({ ...done, id: one, secondTry: { id: other, because: "no_match" } });
    const ended = await Promise.all(["a", "b", "c"].map((one) => jobs.wait(one, { limitMs: 60_000 })));
    assert.deepEqual(
      ended.map((one) => one.id),
      ["b", "a", "c"],
    );
  });

  it("stays failed when the whole build does no better, and is not sent a third time", async () => {
    const { jobs, sent } = await service({
      post,
      job: () => finished(null, { customCode: "no_match", message: "no" }),
    });
    const { id } = await submit(jobs, PARTIAL);
    const last = await jobs.wait(id, { limitMs: 60_000 });
    assert.equal(recordStatus(last), "failed");
    await jobs.check(last.id);
    await jobs.recover();
    assert.equal(sent.length, 2);
  });

  it("is not sent again where more files can't help, or there are no more", async () => {
    const elsewhere = await service({ post, job: fails("contract_not_deployed") });
    await elsewhere.jobs.wait((await submit(elsewhere.jobs, PARTIAL)).id, { limitMs: 60_000 });
    assert.equal(elsewhere.sent.length, 1);
    const complete = await service({ post, job: fails("no_match") });
    await complete.jobs.wait((await submit(complete.jobs, SUBMISSION)).id, { limitMs: 60_000 });
    assert.equal(complete.sent.length, 1);
  });

  it("gets its second try in the next session when the first one ended right before it", async () => {
    const storage = new MemoryStorage();
    const first = await service({ storage, post, job: () => pending });
    const { id } = await submit(first.jobs, PARTIAL);
    const failed = finished(null, { customCode: "extra_file_input_bug", message: "no" });
    await first.jobs.store.update(id, { job: failed as never });
    const second = await service({
      storage,
      post: () => [202, { verificationId: OTHER_ID }],
      job: fails("no_match"),
    });
    await second.jobs.store.load();
    for (const { id: one } of second.jobs.store.all())
      await second.jobs.store.update(one, { service: second.server.url });
    await second.jobs.recover();
    assert.equal(second.sent.length, 1);
    const last = await second.jobs.wait(id, { limitMs: 60_000 });
    assert.equal(last.secondTryOf?.id, id);
    assert.equal(recordStatus(last), "exact_match");
    assert.equal(second.sent.length, 1);
  });
});

describe("A job that is taken up by its id", () => {
  it("is about the contract that the service names later", async () => {
    const { contract, ...running } = pending;
    let job: object = running;
    const { jobs } = await service({ job: () => job, contract: () => undefined });
    const { id, address } = await jobs.adopt(ID);
    assert.deepEqual([address, contract.match], ["", null]);
    job = finished("exact_match");
    const over = await jobs.check(id);
    assert.deepEqual([over.chainId, over.address, recordStatus(over)], ["296", ADDRESS, "exact_match"]);
  });

  it("is over where it says that the contract is verified already, and never which one that is", async () => {
    const over = {
      isJobCompleted: true,
      verificationId: ID,
      error: { customCode: "already_verified", message: "Verified already" },
    };
    const { jobs } = await service({ job: () => over });
    const record = await jobs.adopt(ID);
    assert.deepEqual([recordStatus(record), record.problem], ["match", undefined]);
  });
});

describe("A job that failed for a reason that passes", () => {
  it("is submitted again as it was, beside the old one", async () => {
    const { jobs, sent } = await service({
      post: (count) => [202, { verificationId: count === 1 ? ID : OTHER_ID }],
      job: (id) =>
        id === ID
          ? finished(null, { customCode: "cannot_fetch_bytecode", message: "RPC" })
          : finished("match"),
    });
    const { id } = await submit(jobs, SUBMISSION);
    const failed = await jobs.wait(id, { limitMs: 60_000 });
    assert.equal(retryOffer(failed, 0), "try again");
    const again = await jobs.retry(id);
    assert.notEqual(again.id, id);
    assert.equal(recordStatus(await jobs.wait(again.id, { limitMs: 60_000 })), "match");
    assert.deepEqual(sent[1], sent[0]);
  });

  it("offers nothing for one that asks for another input", async () => {
    const { jobs } = await service({
      job: () => finished(null, { customCode: "compiler_error", message: "no" }),
    });
    const { id } = await submit(jobs, SUBMISSION);
    assert.equal(retryOffer(await jobs.wait(id, { limitMs: 60_000 }), 0), undefined);
  });
});
