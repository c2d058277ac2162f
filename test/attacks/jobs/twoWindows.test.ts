import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import { JobFiles } from "../../../src/editor/verification/jobFiles.ts";
import { eventually } from "../../rig/eventually.ts";
import { startServer, type LoopbackServer } from "../../rig/loopback/httpServer.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../../unit/random.ts";
import type { WindowAnswer, WindowRequest } from "./windowProcess.ts";

const ROUNDS = proofSize({ sample: 1, whole: 200 });
const KILLS = proofSize({ sample: 2, whole: 50 });
const ID = "11111111-2222-4333-8444-555555555555";

const addressOf = (number: number) => `0x${String(number).padStart(40, "0")}`;

type What = Omit<WindowRequest, "folder" | "url" | "afterMs"> & Readonly<Record<string, unknown>>;

/** So long a job takes: on a busy machine one window may come seconds after the other, and finds it under way. */
const JOB_MS = 60_000;

/** Takes every submission, and says that the job is done a minute later; it counts what it is sent. */
class CountingService {
  readonly posts = new Map<string, number>();
  readonly #jobs = new Map<string, { readonly address: string; readonly doneAt: number }>();

  answer({ method, url = "" }: IncomingMessage, response: ServerResponse): void {
    response.setHeader("content-type", "application/json");
    const name = url.split("/").at(-1) ?? "";
    if (method === "POST") {
      this.posts.set(name, (this.posts.get(name) ?? 0) + 1);
      const id = crypto.randomUUID();
      this.#jobs.set(id, { address: name, doneAt: Date.now() + JOB_MS });
      setTimeout(() => response.end(JSON.stringify({ verificationId: id })), 10);
      return;
    }
    if (url.includes("/contract/")) {
      response.statusCode = 404;
      response.end(JSON.stringify({ match: null }));
      return;
    }
    const job = this.#jobs.get(name);
    response.end(
      JSON.stringify({
        isJobCompleted: job !== undefined && Date.now() >= job.doneAt,
        verificationId: name,
        contract: { match: "exact_match", chainId: "296", address: job?.address },
      }),
    );
  }
}

describe("Two windows on the same folder", () => {
  const chance = random("two windows");
  const service = new CountingService();
  const windows: ChildProcess[] = [];
  let folder = "";
  let server: LoopbackServer;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "ledger-lens-windows-"));
    server = await startServer((request, response) => service.answer(request, response));
    for (let at = 0; at < 2; at++) {
      const window = fork(fileURLToPath(new URL("windowProcess.ts", import.meta.url)));
      windows.push(window);
      await once(window, "message");
    }
  });
  after(async () => {
    for (const window of windows) window.kill();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function ask(at: number, name: string, what: What): Promise<WindowAnswer> {
    const window = windows[at];
    assert.ok(window);
    const answered = once(window, "message") as Promise<[WindowAnswer]>;
    window.send({ ...what, folder: join(folder, name), url: server.url, afterMs: chance.below(8) });
    return (await answered)[0];
  }

  const both = (name: string, first: What, second: What, secondName = name) =>
    Promise.all([ask(0, name, first), ask(1, secondName, second)]);

  async function kept(name: string): Promise<JobStore> {
    const store = new JobStore(new JobFiles({ fsPath: join(folder, name) }));
    await store.load();
    return store;
  }

  async function put(name: string, files: Readonly<Record<string, unknown>>): Promise<void> {
    await mkdir(join(folder, name, "jobs"), { recursive: true });
    for (const [file, content] of Object.entries(files))
      await writeFile(join(folder, name, "jobs", file), JSON.stringify(content));
  }

  const job = (id: string) => ({
    id,
    stage: "submitted",
    service: server.url,
    chainId: "296",
    address: addressOf(1),
    verificationId: ID,
    submittedAt: 1000,
    job: { isJobCompleted: true, verificationId: ID, contract: { match: "exact_match" } },
  });

  it(`submit the same contract once (${ROUNDS} rounds)`, async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const address = addressOf(1000 + round);
      const name = `submit-${round}`;
      const answers = await both(name, { kind: "submit", address }, { kind: "submit", address });
      assert.deepEqual(
        answers.map(({ error }) => error),
        [undefined, undefined],
      );
      assert.equal(service.posts.get(address), 1, `round ${round}: one request`);
      assert.deepEqual(answers[0].ids, answers[1].ids, "both follow the same job");
      assert.equal((await kept(name)).all().length, 1);
    }
  });

  it("submit the same contract once where the editor gives the second a storage folder of its own", async () => {
    const workspace = "User/workspaceStorage/0123456789abcdef0123456789abcdef";
    const [first, second] = [
      `${workspace}/ledger-lens.ledger-lens`,
      `${workspace}-1/ledger-lens.ledger-lens`,
    ];
    const address = addressOf(900);
    const answers = await both(first, { kind: "submit", address }, { kind: "submit", address }, second);
    assert.equal(service.posts.get(address), 1, "one request");
    assert.deepEqual(answers[0].ids, answers[1].ids, "both follow the same job");
    assert.equal((await kept(first)).all().length, 1);
    assert.equal((await kept(second)).all().length, 1);
  });

  it("take in the jobs that a second window of an earlier version kept for itself", async () => {
    const workspace = "User/workspaceStorage/fedcba9876543210fedcba9876543210";
    const [first, second] = [
      `${workspace}/ledger-lens.ledger-lens`,
      `${workspace}-2/ledger-lens.ledger-lens`,
    ];
    await put(first, { "a.job.json": job("a") });
    await put(second, {
      "a.job.json": { ...job("a"), chainId: "1" },
      "b.job.json": job("b"),
      "history.json": [job("c"), { strange: true }],
    });
    const ids = async (name: string) => (await kept(name)).all().map(({ id }) => id);
    assert.deepEqual((await ids(first)).sort(), ["a", "b", "c"]);
    const store = await kept(second);
    assert.equal(store.get("a")?.chainId, "296", "what all windows know stays");
    assert.equal(store.unreadable().length, 1, "what can't be read is kept");
    await assert.rejects(stat(join(folder, second, "jobs")), { code: "ENOENT" });
    await store.remove("b");
    assert.deepEqual((await ids(first)).sort(), ["a", "c"], "what is removed does not come back");
  });

  it("take every job over from the history of an earlier window whose id a record may have", async () => {
    const ids = ["d", "e".repeat(101), "f".repeat(150)];
    const workspace = "User/workspaceStorage/0123456789abcdeffedcba9876543210";
    await put(`${workspace}-2/ledger-lens.ledger-lens`, {
      "history.json": [...ids.map(job), job("g".repeat(151))],
    });
    const store = await kept(`${workspace}/ledger-lens.ledger-lens`);
    const known = store.all().map(({ id }) => id);
    assert.deepEqual(
      ids.filter((id) => !known.includes(id)),
      [],
    );
    assert.equal(store.unreadable().length, 1, "what no record may be called is kept aside");
  });

  it(`never bring back a job that one of them removed (${ROUNDS} rounds)`, async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const name = `remove-${round}`;
      const isOld = chance.below(2) === 0;
      await put(
        name,
        isOld ? { "history.json": [job("a"), job("b")] } : { "a.job.json": job("a"), "b.job.json": job("b") },
      );
      await both(name, { kind: "load" }, { kind: "load" });
      await both(name, { kind: "remove", id: "a" }, { kind: "update", id: "a", times: 5 });
      await both(name, { kind: "remove", id: "b" }, { kind: "update", id: "a", times: 1 });
      const left = (await kept(name)).all().map(({ id }) => id);
      assert.deepEqual(left, [], `round ${round}, ${isOld ? "in the history" : "in files"}`);
    }
  });

  it(`lose nothing when both tidy up at once (${ROUNDS} rounds)`, async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const name = `tidy-${round}`;
      const ids = Array.from({ length: 50 }, (_, at) => `job-${at}`);
      await put(name, {
        ...Object.fromEntries(ids.map((id) => [`${id}.job.json`, job(id)])),
        "history.json": [job("old"), { strange: true }],
      });
      const isRemoved = chance.below(2) === 0;
      await both(name, { kind: "load" }, isRemoved ? { kind: "remove", id: "job-7" } : { kind: "load" });
      const store = await kept(name);
      const expected = [...ids, "old"].filter((id) => !isRemoved || id !== "job-7").sort();
      assert.deepEqual(
        store
          .all()
          .map(({ id }) => id)
          .sort(),
        expected,
        `round ${round}`,
      );
      assert.equal(store.unreadable().length, 1, `round ${round}`);
    }
  });

  it("leave no lock that the others would wait for when one is killed while it writes", async () => {
    await put("killed", { "a.job.json": job("a"), "b.job.json": job("b") });
    const stamp = async () => {
      const { ino, mtimeMs } = await stat(join(folder, "killed/jobs/a.job.json"));
      return `${ino} ${mtimeMs}`;
    };
    for (let kill = 0; kill < KILLS; kill++) {
      const before = await stamp();
      const window = fork(fileURLToPath(new URL("windowProcess.ts", import.meta.url)));
      await once(window, "message");
      const gone = once(window, "exit");
      window.send({
        kind: "update",
        id: "a",
        times: 1e6,
        folder: join(folder, "killed"),
        url: server.url,
        afterMs: 0,
      });
      // On a busy machine it begins late; where in its writing it ends is chance.
      await eventually(async () => assert.notEqual(await stamp(), before));
      await new Promise((resolve) => setTimeout(resolve, chance.below(100)));
      window.kill("SIGKILL");
      await gone;
      const answer = await ask(0, "killed", { kind: "update", id: "b", times: kill + 1 });
      assert.equal(answer.error, undefined);
    }
    const store = await kept("killed");
    assert.equal(store.get("b")?.checkedAt, KILLS);
    assert.ok((store.get("a")?.checkedAt ?? 0) > 0);
    assert.equal(store.unreadable().length, 0);
  });

  it("keep what they write for its owner alone, and tighten what an earlier version wrote", async function () {
    if (process.platform === "win32") return;
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
    await put("modes", { "a.job.json": job("a") });
    const path = join(folder, "modes", "jobs");
    assert.notEqual(await modeOf(join(path, "a.job.json")), 0o600);
    const store = await kept("modes");
    await store.add(
      { ...job("new"), id: "new", stage: "submitted" },
      { input: { language: "Solidity", sources: {}, settings: {} } },
    );
    assert.equal(await modeOf(path), 0o700);
    for (const file of ["a.job.json", "new.job.json", "new.input.json.gz"])
      assert.equal(await modeOf(join(path, file)), 0o600, file);
  });
});
