import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { diskError, isDiskError } from "../../../src/core/files/diskError.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";
import type { BadDiskResult } from "./badDisk.ts";

const ID = "11111111-2222-4333-8444-555555555555";
/** A mount of one's own needs Linux and the right to make one. */
const canMount = spawnSync("unshare", ["-m", "true"]).status === 0;

describe("What a disk refuses", () => {
  it("is one sentence with what to do, and a stable code", () => {
    for (const [code, expected] of [
      ["ENOSPC", "disk_full"],
      ["EDQUOT", "disk_full"],
      ["EROFS", "disk_read_only"],
      ["EACCES", "disk_forbidden"],
      ["EPERM", "disk_forbidden"],
      ["EMFILE", "too_many_files"],
      ["EIO", "disk_failed"],
      ["constructor", "disk_failed"],
    ] as const) {
      const error = diskError(Object.assign(new Error("no"), { code }), "a.json can't be written");
      assert.equal(error.code, expected);
      assert.ok(isDiskError(error));
      assert.match(error.message, /^a\.json can't be written: [^.]+\. [A-Z][^.]+, then try again\.$/);
    }
    // As the editor's file service says it.
    assert.equal(diskError(new Error("EROFS: read-only file system, open '/x'"), "x").code, "disk_read_only");
    assert.equal(
      diskError(Object.assign(new Error("no"), { code: "NoPermissions" }), "x").code,
      "disk_forbidden",
    );
    assert.ok(!isDiskError(new LedgerLensError("other", "x")));
  });

  it("keeps a submission from going out, and a result is told all the same and kept later", async (test) => {
    if (!canMount) {
      test.skip("needs the right to mount a disk");
      return;
    }
    const folder = await mkdtemp(join(tmpdir(), "ledger-lens-disk-"));
    const posts: string[] = [];
    let looks = 0;
    const server = await startServer((request, response) => {
      response.setHeader("content-type", "application/json");
      const name = request.url?.split("/").at(-1) ?? "";
      if (request.method === "POST") posts.push(name);
      if (request.url?.includes("/contract/")) response.statusCode = 404;
      const body =
        request.method === "POST"
          ? { verificationId: ID }
          : request.url?.includes("/contract/")
            ? { match: null }
            : { isJobCompleted: looks++ > 0, verificationId: ID, contract: { match: "exact_match" } };
      response.end(JSON.stringify(body));
    });
    try {
      const script = fileURLToPath(new URL("badDisk.ts", import.meta.url));
      const { stdout } = await promisify(execFile)("unshare", [
        "-m",
        process.execPath,
        script,
        folder,
        server.url,
      ]);
      const result = JSON.parse(stdout) as BadDiskResult;
      assert.equal(
        result["full"],
        "disk_full: A was not submitted: the list of jobs can't be written because the disk is full. Free some space, then try again.",
      );
      assert.equal(result["told"], "exact_match", "the result is told");
      assert.equal(result["problem"], "disk_full", "the view says that it is not kept");
      assert.equal(result["kept"], "exact_match no problem", "and it is kept when there is room");
      assert.equal(
        result["readOnly"],
        `disk_read_only: A was not submitted: the list of jobs in ${join(folder, "jobs")} can't be written because the disk is read-only. Make it writable or choose another, then try again.`,
      );
      assert.equal(result["readable"], "1", "what is there is shown");
      assert.equal(
        result["forbidden"],
        `disk_forbidden: A was not submitted: the list of jobs in ${join(folder, "forbidden", "jobs")} can't be written because you have no permission there. Check the permissions, then try again.`,
      );
      assert.deepEqual(posts, [`0x${"2".padStart(40, "0")}`], "nothing else was sent");
    } finally {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
