import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { JobFiles } from "../../../src/editor/verification/jobFiles.ts";

const roots: string[] = [];
after(() => Promise.all(roots.map((root) => rm(root, { recursive: true, force: true }))));

const MEGABYTE = 1024 * 1024;
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

function job(id: string): JobRecord {
  return {
    id,
    stage: "submitted",
    service: "http://127.0.0.1:9",
    chainId: "296",
    address: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    verificationId: "11111111-2222-4333-8444-555555555555",
    submittedAt: 1000,
    job: {
      isJobCompleted: true,
      verificationId: "11111111-2222-4333-8444-555555555555",
      contract: { match: "exact_match" },
    },
  };
}

/** A folder with one good job. */
async function folder(): Promise<{ readonly root: string; readonly jobs: string }> {
  const root = await mkdtemp(join(tmpdir(), "ledger-lens-spoiled-"));
  roots.push(root);
  const jobs = join(root, "jobs");
  await mkdir(jobs);
  await writeFile(join(jobs, "good.job.json"), JSON.stringify(job("good")));
  return { root, jobs };
}

async function opened(root: string): Promise<JobStore> {
  const store = new JobStore(new JobFiles({ fsPath: root }));
  await store.load();
  return store;
}

const skip = process.platform === "win32" && "links take rights there";

describe("A folder of jobs in which something else was put", { skip }, () => {
  it("never changes the mode of what its links lead to", async () => {
    const { root, jobs } = await folder();
    const elsewhere = join(root, "elsewhere");
    await mkdir(elsewhere);
    const program = join(elsewhere, "program");
    await writeFile(program, "#!/bin/sh\n");
    await chmod(program, 0o755);
    await chmod(elsewhere, 0o755);
    await symlink(program, join(jobs, "a.job.json"));
    await symlink(program, join(jobs, "program"));
    await symlink(elsewhere, join(jobs, "folder"));
    const store = await opened(root);
    assert.ok(store.get("good"));
    assert.equal(await modeOf(program), 0o755);
    assert.equal(await modeOf(elsewhere), 0o755);
    assert.equal(await modeOf(join(jobs, "good.job.json")), 0o600, "its own files are the owner's");
  });

  it("that is itself a link leaves what it leads to as it is", async () => {
    const { root } = await folder();
    const elsewhere = join(root, "elsewhere");
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, "program"), "#!/bin/sh\n");
    await chmod(join(elsewhere, "program"), 0o755);
    await chmod(elsewhere, 0o755);
    await rm(join(root, "jobs"), { recursive: true });
    await symlink(elsewhere, join(root, "jobs"));
    const store = await opened(root);
    await store.add(job("new"));
    assert.equal(await modeOf(join(elsewhere, "program")), 0o755);
    assert.equal(await modeOf(elsewhere), 0o755);
    assert.equal(await modeOf(join(elsewhere, "new.job.json")), 0o600);
  });

  it("opens, with the good job and a new one, whatever stands in the place of a record, the history, the lock or the mark", async () => {
    const put: Readonly<Record<string, (path: string) => unknown>> = {
      "a pipe": (path) => execFileSync("mkfifo", [path]),
      "a link to itself": (path) => symlink(path, path),
      "a link to a folder": (path) => symlink(".", path),
      "a folder": (path) => mkdir(path),
      "600 MB": async (path) => {
        await writeFile(path, "{");
        await truncate(path, 600 * MEGABYTE);
      },
    };
    for (const [what, make] of Object.entries(put)) {
      for (const name of ["bad.job.json", "history.json", "lock", "lock.takeover", "changes"]) {
        // A file in the place of the lock is one, of a process that has ended.
        if (what === "600 MB" && name.startsWith("lock")) continue;
        const { root, jobs } = await folder();
        await make(join(jobs, name));
        const store = await opened(root);
        assert.ok(store.get("good"), `${name} is ${what}`);
        await store.add(job("new"));
        assert.ok((await opened(root)).get("new"), `${name} is ${what}`);
      }
    }
  });

  it("is all that is written to, whatever a job is called", async () => {
    const { root } = await folder();
    const before = (await readdir(root)).sort();
    const store = await opened(root);
    for (const id of ["../victim", "../jobs/../victim", "a/b", "/tmp/victim", "a\0b"]) {
      await assert.rejects(store.add({ ...job("good"), id }), /can't be kept .*Check the disk/);
      await assert.rejects(store.remove(id), /can't be removed|can't be read/);
    }
    assert.deepEqual((await readdir(root)).sort(), before);
    assert.ok((await opened(root)).get("good"));
  });

  it("of another window gives its own jobs, and nothing that its links lead to", async () => {
    const root = await mkdtemp(join(tmpdir(), "ledger-lens-spoiled-"));
    roots.push(root);
    const storage = (window: string) => join(root, "workspaceStorage", `abc${window}`, "ledger-lens");
    const strays = join(storage("-1"), "jobs");
    const elsewhere = join(root, "elsewhere");
    for (const path of [storage(""), strays, elsewhere, storage("-2")])
      await mkdir(path, { recursive: true });
    const secret = join(elsewhere, "secret.json");
    await writeFile(secret, JSON.stringify([job("secret")]));
    await writeFile(join(strays, "good.job.json"), JSON.stringify(job("good")), { mode: 0o644 });
    await symlink(secret, join(strays, "linked.job.json"));
    await symlink(secret, join(strays, "history.json"));
    execFileSync("mkfifo", [join(strays, "pipe.job.json")]);
    await symlink(elsewhere, join(storage("-2"), "jobs"));
    const store = await opened(storage(""));
    await store.add(job("new"));
    const jobs = join(storage(""), "jobs");
    const kept = await readdir(jobs);
    assert.deepEqual(kept.filter((name) => name.endsWith(".json")).sort(), ["good.job.json", "new.job.json"]);
    assert.equal(await modeOf(join(jobs, "good.job.json")), 0o600);
    assert.deepEqual((await readdir(strays)).sort(), ["history.json", "linked.job.json", "pipe.job.json"]);
    assert.deepEqual(await readdir(elsewhere), ["secret.json"], "nothing is taken from there or put there");
  });

  it("unpacks no attachment that is a bomb, and its job can still be removed", async () => {
    const { root, jobs } = await folder();
    const store = await opened(root);
    const input = {
      language: "Solidity" as const,
      sources: { "A.sol": { content: "contract A {}" } },
      settings: {},
    };
    await store.add(job("packed"), { input });
    assert.deepEqual(await store.input("packed"), input);
    await writeFile(join(jobs, "packed.input.json.gz"), gzipSync(Buffer.alloc(200 * MEGABYTE, " ")));
    const before = process.memoryUsage().rss;
    assert.equal(await (await opened(root)).input("packed"), undefined);
    const grown = (process.memoryUsage().rss - before) / MEGABYTE;
    assert.ok(grown < 170, `${grown.toFixed(0)} MB for an attachment of 200 MB`);
    await (await opened(root)).remove("packed");
    assert.deepEqual(
      (await readdir(jobs)).filter((name) => name.startsWith("packed")),
      [],
    );
  });
});
