import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import type { LedgerLensError } from "../../../src/core/errors.ts";
import { recordStatus } from "../../../src/core/jobs/jobRecord.ts";
import type { TestSubmission } from "./agreed.ts";
import { ADDRESS, codeOf, finished, ID, pending, stopWorlds, submit, SUBMISSION, world } from "./jobWorld.ts";
import { MemoryStorage } from "./memoryStorage.ts";

afterEach(stopWorlds);

describe("The life of a job", () => {
  it("is kept before it is sent, and followed with growing pauses until it is finished", async () => {
    let polls = 0;
    const kept: string[] = [];
    const storage = new MemoryStorage();
    const { jobs, clock } = await world(({ method, url }, response) => {
      if (url?.includes("/contract/")) return { match: null };
      if (url?.endsWith("/chains")) return [];
      if (method !== "POST") return ++polls < 6 ? pending : finished("exact_match");
      kept.push(...[...storage.files.keys()].filter((name) => storage.text(name).includes('"submitting"')));
      response.statusCode = 202;
      return { verificationId: ID };
    }, storage);
    const record = await submit(jobs, SUBMISSION);
    assert.equal(kept.length, 1, "the record was on disk when the request arrived");
    const done = await jobs.wait(record.id, { limitMs: 60_000 });
    assert.equal(recordStatus(done), "exact_match");
    assert.deepEqual(clock.sleeps, [500, 1000, 2000, 3000, 3000, 3000]);
    assert.deepEqual(await jobs.store.input(record.id), SUBMISSION.input?.stdJsonInput);
  });

  it("is not begun on a chain that the service lists without support, and the list is asked for once", async () => {
    const asked: string[] = [];
    const { jobs } = await world(({ method, url }) => {
      asked.push(`${method ?? ""} ${url ?? ""}`);
      if (url?.endsWith("/chains"))
        return [
          { chainId: 1, name: "Ethereum Mainnet", supported: true },
          { chainId: Number(SUBMISSION.chainId), name: "A chain of the past", supported: false },
        ];
      return { match: null };
    });
    for (let attempt = 0; attempt < 2; attempt++)
      await assert.rejects(submit(jobs, SUBMISSION), {
        code: "unsupported_chain",
        message: /does not support .* any more, so nothing was sent\. Choose another service/,
      });
    assert.deepEqual(
      asked.filter((one) => one.startsWith("POST")),
      [],
    );
    assert.equal(asked.filter((one) => one.endsWith("/chains")).length, 1);
  });

  it("is not begun on a chain that the service does not list, nor tried again there", async () => {
    const posts: string[] = [];
    let lists = [{ chainId: Number(SUBMISSION.chainId), name: "Own", supported: true }];
    const { jobs, clock } = await world(({ method, url }) => {
      if (method === "POST") posts.push(url ?? "");
      if (url?.endsWith("/chains")) return lists;
      if (method === "POST") return { verificationId: ID };
      return url?.includes("/contract/")
        ? { match: null }
        : finished(null, { customCode: "internal_error", message: "busy", errorId: ID });
    });
    const { id } = await submit(jobs, SUBMISSION);
    await jobs.check(id);
    assert.equal(posts.length, 1);
    lists = [{ chainId: 1, name: "Ethereum Mainnet", supported: true }];
    await clock.sleep(2 * 60 * 60_000);
    const refused = {
      code: "unsupported_chain",
      message: /does not know this chain .*so nothing was sent\./,
    };
    await assert.rejects(jobs.retry(id), refused);
    await assert.rejects(submit(jobs, SUBMISSION), refused);
    assert.equal(posts.length, 1);
  });

  it("is known before it is reviewed to be of a chain that the service does not take, where its list says so", async () => {
    let list: unknown = [
      { chainId: 1, name: "Ethereum Mainnet", supported: true },
      { chainId: 5, name: "Goerli", supported: false },
    ];
    let lists = 0;
    const { jobs, clock, server } = await world((_request, response) => {
      lists++;
      if (list === undefined) response.statusCode = 404;
      return list ?? {};
    });
    const obstacles = () =>
      Promise.all(["1", "5", "296"].map((chainId) => jobs.chainObstacle(server.url, chainId)));
    await jobs.chainObstacle(server.url, "1");
    assert.deepEqual(await obstacles(), [undefined, "unsupported", "unlisted"]);
    assert.equal(lists, 1, "the list is asked for once");
    for (const silent of [[], undefined]) {
      list = silent;
      await clock.sleep(2 * 60 * 60_000);
      await jobs.chainObstacle(server.url, "1");
      assert.deepEqual(await obstacles(), [undefined, undefined, undefined], "a list of none says nothing");
    }
  });

  it("survives a restart with everything that is known", async () => {
    const first = await world(({ method }) => (method === "POST" ? { verificationId: ID } : pending));
    const record = await submit(first.jobs, SUBMISSION);
    first.storage.put("broken.job.json", "{");
    const second = await world(() => finished("match"), first.storage);
    await second.jobs.store.load();
    const [again] = second.jobs.store.all();
    assert.deepEqual(again, record);
    assert.equal(second.jobs.store.all().length, 1);
  });

  it("ends the waiting and not the job when the limit is reached or the user cancels", async () => {
    const { jobs } = await world(({ method }) => (method === "POST" ? { verificationId: ID } : pending));
    const { id } = await submit(jobs, SUBMISSION);
    assert.equal(recordStatus(await jobs.wait(id, { limitMs: 10_000 })), "pending");
    assert.equal(
      recordStatus(await jobs.wait(id, { limitMs: 10_000, signal: AbortSignal.abort() })),
      "pending",
    );
    assert.equal(jobs.store.get(id)?.verificationId, ID);
  });

  it("looks over a service that fails for a moment, and gives up when it goes on", async () => {
    let polls = 0;
    const { jobs } = await world(({ method, url }, response) => {
      if (method === "POST") return { verificationId: ID };
      if (url?.includes("/contract/")) return { match: null };
      if (++polls > 8) return finished("exact_match");
      response.statusCode = 503;
      return { customCode: "internal_error", message: "busy" };
    });
    const { id } = await submit(jobs, SUBMISSION);
    // Eight failures are two looks, each with the client's own tries.
    assert.equal(recordStatus(await jobs.wait(id, { limitMs: 600_000 })), "exact_match");
    polls = -100;
    const lost = await submit(jobs, SUBMISSION);
    assert.equal(await codeOf(jobs.wait(lost.id, { limitMs: 600_000 })), "internal_error");
    assert.match(jobs.store.get(lost.id)?.problem?.message ?? "", /failed \(busy\)/);
  });

  it("counts a failure because of an earlier success as that success", async () => {
    const { jobs } = await world(({ method, url }) => {
      if (method === "POST") return { verificationId: ID };
      if (url?.includes("/contract/")) return { match: "match", address: ADDRESS, chainId: "296" };
      return finished(null, { customCode: "already_verified", message: "Already verified" });
    });
    const { id } = await submit(jobs, SUBMISSION);
    assert.equal(recordStatus(await jobs.wait(id, { limitMs: 60_000 })), "match");
  });
});

describe("A look at all open jobs", () => {
  it("is over only when each was asked for, although one can't be", async () => {
    const found = ID.replace(/^1/, "2");
    const address = `0x${"2".repeat(40)}`;
    let posts = 0;
    const { jobs } = await world(({ method, url = "" }, response) => {
      if (method === "POST") return { verificationId: ++posts === 1 ? ID : found };
      if (url.includes("/contract/")) return { match: null };
      if (url.endsWith(found))
        return {
          isJobCompleted: true,
          verificationId: found,
          contract: { match: "match", chainId: "296", address },
        };
      response.statusCode = 404;
      return { customCode: "job_not_found", message: "No job of this id" };
    });
    const lost = await submit(jobs, SUBMISSION);
    const other = await submit(jobs, { ...SUBMISSION, address });
    assert.equal(await codeOf(jobs.checkOpen()), "job_not_found");
    assert.equal(jobs.store.get(lost.id)?.problem?.code, "job_not_found");
    assert.equal(recordStatus(jobs.store.get(other.id) ?? other), "match");
  });
});

describe("A submission that does not go through", () => {
  it("is a success when the service has the contract with an exact match", async () => {
    const { jobs } = await world(({ method }, response) => {
      if (method !== "POST") return { match: "exact_match", address: ADDRESS, chainId: "296" };
      response.statusCode = 409;
      return { customCode: "already_verified", message: "Already verified" };
    });
    assert.equal(recordStatus(await submit(jobs, SUBMISSION)), "exact_match");
  });

  it("is no success where a conflict is that of another job that runs", async () => {
    const { jobs } = await world(({ method, url }, response) => {
      if (url?.includes("/contract/")) return { match: null };
      if (method !== "POST") return [{ chainId: 296, supported: true }];
      response.statusCode = 409;
      return { customCode: "duplicate_verification_request", message: "Already being verified" };
    });
    const record = await submit(jobs, SUBMISSION);
    assert.deepEqual([record.stage, recordStatus(record)], ["adopted", "pending"]);
  });

  it("is followed by the job that is already running, when it is ours", async () => {
    let posts = 0;
    const { jobs } = await world(({ method, url }, response) => {
      if (url?.includes("/contract/")) return { match: null };
      if (method !== "POST") return pending;
      if (++posts === 1) return { verificationId: ID };
      response.statusCode = 429;
      return { customCode: "duplicate_verification_request", message: "Already being verified" };
    });
    const first = await submit(jobs, SUBMISSION);
    const second = await submit(jobs, SUBMISSION);
    assert.equal(second.id, first.id);
    assert.equal(jobs.store.all().length, 1);
  });

  it("is in doubt when its answer was lost, is not sent again, and is settled by what the service has", async () => {
    let posts = 0;
    const { jobs } = await world((request) => {
      if (request.method !== "POST")
        return { match: posts > 0 ? "match" : null, address: ADDRESS, chainId: "296" };
      posts++;
      request.resume().on("end", () => request.socket.destroy());
      return undefined;
    });
    assert.equal(await codeOf(submit(jobs, SUBMISSION)), "unreachable");
    assert.equal(posts, 1);
    const [record] = jobs.store.all();
    assert.equal(record?.stage, "unconfirmed");
    assert.equal(recordStatus(await jobs.check(record.id)), "match");
  });

  it("is refused with the service's own reason, and nothing is in doubt", async () => {
    const { jobs } = await world((_request, response) => {
      response.statusCode = 400;
      return { customCode: "invalid_parameter", message: "A \u202Ebad\u0007 thing", errorId: "1" };
    });
    const error = await submit(jobs, SUBMISSION).then(
      () => undefined,
      (reason: unknown) => reason as LedgerLensError,
    );
    assert.equal(error?.code, "invalid_parameter");
    assert.match(error.message, /refused the request: A \\u\{202e\}bad\\u\{7\} thing/);
    assert.equal(jobs.store.all()[0]?.stage, "refused");
  });

  it("is not begun when it is larger than the service takes", async () => {
    const { jobs, server } = await world(() => ({ verificationId: ID }));
    const content = "x".repeat(31 * 1024 * 1024);
    const input = {
      ...SUBMISSION.input,
      stdJsonInput: { language: "Solidity", sources: { "A.sol": { content } }, settings: {} },
    };
    assert.equal(await codeOf(submit(jobs, { ...SUBMISSION, input } as TestSubmission)), "too_large");
    assert.deepEqual(server.asked, []);
  });
});
