import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startCompilerList } from "../../sandbox/compilerList.ts";
import { repositoryCompilers } from "../../sandbox/listedCompilers.ts";
import type { FullDiskResult } from "./fullDisk.ts";

/** A mount of one's own needs Linux and the right to make one. */
const canMount = spawnSync("unshare", ["-m", "true"]).status === 0;

it(
  "a compiler that finds no room is told as a full disk at once, and goes on where it ended when there is some",
  { skip: canMount ? false : "no file system can be mounted" },
  async () => {
    const compiler = (await repositoryCompilers()).at(-1);
    assert.ok(compiler);
    const ranges: (string | undefined)[] = [];
    const list = await startCompilerList({
      compilers: [compiler],
      interfere: ({ headers }) => {
        ranges.push(headers.range);
        return false;
      },
    });
    const folder = await mkdtemp(join(tmpdir(), "full-disk-"));
    try {
      const program = fileURLToPath(new URL("./fullDisk.ts", import.meta.url));
      const args = [program, folder, list.listUrl, compiler.longVersion, compiler.sha256];
      const { stdout } = await promisify(execFile)("unshare", ["-m", process.execPath, ...args]);
      const { full, listed, readOnly, again } = JSON.parse(stdout) as FullDiskResult;
      assert.equal(
        full,
        `disk_full: solc ${compiler.longVersion} can't be kept in ${folder}: the disk is full. Free some space, then try again.`,
      );
      assert.equal(listed, 0);
      assert.match(readOnly, /^disk_read_only: solc .* can't be kept in .*: the disk is read-only\./);
      assert.equal(again, `soljson-${compiler.sha256}.js`);
      // What the connection is not to blame for is not tried again.
      assert.equal(ranges.length, 2);
      assert.match(ranges[1] ?? "", /^bytes=\d{6,}-$/);
    } finally {
      await list.stop();
      await rm(folder, { recursive: true });
    }
  },
);
